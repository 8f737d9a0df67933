#include "comparing.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "same_files.hpp"

namespace sv_run {

namespace fs = std::filesystem;

namespace {

bool matches(const fs::path &name, const std::vector<std::string> &patterns) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string &pattern) { return fnmatch(pattern.c_str(), name.c_str(), 0) == 0; });
}

void copy_folder(const fs::path &from, const fs::path &to, const std::vector<std::string> &linked) {
  fs::create_directory(to);
  for (const fs::directory_entry &entry : fs::directory_iterator(from)) {
    const fs::path copy = to / entry.path().filename();
    if (entry.is_symlink())
      fs::copy_symlink(entry.path(), copy);
    else if (entry.is_directory())
      copy_folder(entry.path(), copy, linked);
    else if (matches(entry.path().filename(), linked))
      fs::create_symlink(entry.path(), copy);
    else if (entry.is_regular_file()) {
      fs::copy_file(entry.path(), copy);
      fs::last_write_time(copy, entry.last_write_time());  // what is written again shows, also with the same bytes
    }
  }
}

/// Regular files, relative to the folder.
std::set<std::string> files_of(const fs::path &folder) {
  std::set<std::string> names;
  for (const fs::directory_entry &entry : fs::recursive_directory_iterator(folder))
    if (!entry.is_symlink() && entry.is_regular_file()) names.insert(entry.path().lexically_relative(folder).string());
  return names;
}

}  // namespace

Folders::Folders(const std::vector<std::string> &linked) : here_(fs::current_path().string()) {
  without_ = here_ + ".without";
  with_ = here_ + ".with";
  for (const std::string &folder : {without_, with_})
    if (fs::exists(folder)) throw std::runtime_error("'" + folder + "' exists already. Remove it");
  for (const std::string &folder : {without_, with_}) copy_folder(here_, folder, linked);
}

void Folders::remove() const {
  for (const std::string &folder : {without_, with_}) fs::remove_all(folder);
}

Outcome::Outcome(const Folders &folders) {
  const std::set<std::string> before = files_of(folders.here_), theirs = files_of(folders.without_);
  const std::set<std::string> ours = files_of(folders.with_);
  std::set<std::string> all = theirs;
  all.insert(ours.begin(), ours.end());
  for (const std::string &name : all) {
    const std::string original = folders.here_ + '/' + name, one = folders.without_ + '/' + name;
    const std::string other = folders.with_ + '/' + name;
    if (ours.count(name) == 0) {
      add(name, "only without", is_classic(one));
      continue;
    }
    if (theirs.count(name) == 0) {
      add(name, "only with", is_classic(other));
      continue;
    }
    const Difference found = difference_of(one, other);
    const bool is_new = before.count(name) == 0 || fs::last_write_time(one) != fs::last_write_time(original) ||
                        found.same != Sameness::bytes || difference_of(original, one).same != Sameness::bytes;
    if (!is_new) continue;
    if (found.same == Sameness::none) {
      add(name, found.is_netcdf ? found.what : "the bytes differ, and it is no classic netCDF file", found.is_netcdf);
    } else {
      add(name, found.same == Sameness::bytes ? "the same bytes" : "the same values", false);
    }
  }
}

void Outcome::add(const std::string &name, const std::string &story, bool differs) {
  table_ += "  " + name + ": " + story + '\n';
  data_differ_ = data_differ_ || differs;
}

std::string middle(std::vector<double> values, int digits, const char *unit) {
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  const double median = (values[(n - 1) / 2] + values[n / 2]) / 2;
  char text[96];
  if (n == 1)
    std::snprintf(text, sizeof text, "%.*f%s", digits, median, unit);
  else
    std::snprintf(text, sizeof text, "%.*f%s (%.*f to %.*f)", digits, median, unit, digits, values.front(), digits,
                  values.back());
  return text;
}

}  // namespace sv_run
