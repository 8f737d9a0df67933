#include "comparing.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <system_error>

#include "same_files.hpp"

namespace sv_run {

namespace fs = std::filesystem;

namespace {

/// Regular files, relative to the folder.
std::set<std::string> files_of(const fs::path &folder) {
  std::set<std::string> names;
  for (const fs::directory_entry &entry : fs::recursive_directory_iterator(folder))
    if (!entry.is_symlink() && entry.is_regular_file()) names.insert(entry.path().lexically_relative(folder).string());
  return names;
}

}  // namespace

Folders::Folders(const std::vector<std::string> &linked, sv_tools::Janitor &janitor)
    : here_(fs::current_path().string()), without_(here_ + ".without"), with_(here_ + ".with"), janitor_(janitor) {
  for (const std::string &folder : {without_, with_})
    if (fs::exists(folder)) throw std::runtime_error("'" + folder + "' exists already. Remove it");
  for (const std::string &folder : {without_, with_}) janitor_.expect(folder);
  try {
    copy_folder(here_, without_, linked);
    originals_ = copy_folder(here_, with_, linked);
  } catch (...) {
    remove();
    throw;
  }
}

Folders::~Folders() {
  if (!stay_) remove();
}

void Folders::keep() {
  stay_ = true;
  for (const std::string &folder : {without_, with_}) janitor_.keep(folder);
}

void Folders::remove() const noexcept {
  for (const std::string &folder : {without_, with_}) {
    std::error_code stays;
    fs::remove_all(folder, stays);
    if (stays) continue;
    try {
      janitor_.keep(folder);            // the next comparison may make it before the janitor has ended
    } catch (const std::exception &) {  // the janitor finds nothing to remove
    }
  }
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
      add(name, "only without", is_netcdf(one));
      continue;
    }
    if (theirs.count(name) == 0) {
      add(name, "only with", is_netcdf(other));
      continue;
    }
    const Difference found = difference_of(one, other);
    const bool is_new = before.count(name) == 0 || fs::last_write_time(one) != fs::last_write_time(original) ||
                        found.same != Sameness::bytes || difference_of(original, one).same != Sameness::bytes;
    if (!is_new) continue;
    if (found.same == Sameness::none) {
      add(name, found.is_netcdf ? found.what : "the bytes differ, and it is no netCDF file", found.is_netcdf);
    } else {
      add(name, found.same == Sameness::bytes ? "the same bytes" : "the same values", false);
    }
  }
  for (const std::string &path : changed(folders.originals_))
    add(path, "the program has written into this original, which --link names: leave it out of --link", true);
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
