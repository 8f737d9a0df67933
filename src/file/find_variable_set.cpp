// Finds the files of a set that has one for each variable, and joins their definitions.
#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/first_error.hpp"
#include "file/variable_store.hpp"
#include "store/positional_file.hpp"
#include "store/variable_files.hpp"

namespace sv {

namespace {

namespace fs = std::filesystem;

/// Files that may be of a set by this template, in order.
std::vector<std::string> candidates(const std::string &path_template) {
  std::vector<std::string> all;
  const fs::path parent = fs::path(path_template).parent_path();
  std::error_code unread;
  for (const fs::directory_entry &each : fs::directory_iterator(parent.empty() ? "." : parent, unread)) {
    const std::string path = (parent / each.path().filename()).string();
    if (variable_in(path_template, path).empty()) continue;
    Presence found = Presence::absent;
    caught(-1, [&] { found = presence_of(path); });  // an unreadable file is none of them
    if (found == Presence::file || found == Presence::directory) all.push_back(path);
  }
  std::sort(all.begin(), all.end());
  return all;
}

/// Of a CDF file, values of all records are there before any of the files counts them. A library counts what it knows
/// of in its own file.
int64_t records_of(const std::vector<Schema> &files, const StoreKind &kind) {
  int64_t least = INT64_MAX, most = 0;
  for (const Schema &each : files) {
    const auto has = [](const Variable &one) { return one.has_records; };
    if (std::none_of(each.variables.begin(), each.variables.end(), has)) continue;
    least = std::min(least, each.records);
    most = std::max(most, each.records);
  }
  return kind.placing == Placing::in_file ? most : std::min(least, most);
}

/// The target of a search, and its method.
struct Search {
  const std::string &path_template;
  const FileSettings &settings;
  const Placement &placement;
  FoundFiles &found;
};

PlacedSchema whole_set(const Search &search, const std::vector<std::string> &names, const StoreKind &kind) {
  const auto &[path_template, settings, placement, found] = search;
  found.forget();
  std::vector<Schema> files;
  for (const std::string &name : names) {
    const std::string path = variable_path(path_template, name);
    if (presence_of(path) == Presence::absent)
      throw Error(Status::format, "the file is missing; the set has " + std::to_string(names.size()),
                  "Give the files that one run has written, all of them")
          .in_file(path);
    found.look(path);
    files.push_back(read_definitions(kind, path, settings.untrusted));
  }
  PlacedSchema whole;
  try {
    whole = {whole_of(files), {}};
  } catch (Error &error) {
    throw error.in_file(path_template);
  }
  whole.records = records_of(files, kind);
  try {
    place_variables(whole, placement);
  } catch (const Error &) {  // together, they are beyond the limits of their format
    if (!has_places(whole.format)) throw;
    whole.format = Format::cdf5;
    place_variables(whole, placement);
  }
  return whole;
}

}  // namespace

std::optional<FoundVariableSet> find_variable_set(const std::string &path_template, const FileSettings &settings,
                                                  const Placement &placement, FoundFiles &found) {
  const Search search{path_template, settings, placement, found};
  std::set<std::vector<std::string>> tried;
  FirstError failed;
  for (const std::string &path : candidates(path_template)) {
    const StoreKind *kind = nullptr;
    std::vector<std::string> names;
    const auto unread = caught(-1, [&] {
      kind = &kind_at(path, settings);
      names = files_of_set(read_definitions(*kind, path, settings.untrusted));
    });
    if (unread && unread->status() == Status::not_compiled) throw Error(*unread);
    if (unread || names.empty() || !tried.insert(names).second) continue;
    // The first file has its name last, and then they all do.
    if (presence_of(variable_path(path_template, names.front())) == Presence::absent) continue;
    std::optional<FoundVariableSet> whole;
    if (failed.attempt([&] { whole = {whole_set(search, names, *kind), kind}; })) return whole;
  }
  failed.check();
  return std::nullopt;
}

}  // namespace sv
