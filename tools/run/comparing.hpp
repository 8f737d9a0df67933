// Two runs of a program, in folders of their own, and the differences between them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "copied_folder.hpp"
#include "janitor.hpp"

namespace sv_run {

/// The working directory, twice: DIRECTORY.without and DIRECTORY.with, next to it, so that paths to parent folders mean
/// the same. Files are copied, since programs may write into them, also the targets of links; files whose names match a
/// pattern become links to the originals. Both are removed with this object, or by the janitor if a signal ends the
/// process.
class Folders {
 public:
  /// Throws std::runtime_error, also where one of them exists already. Borrows the janitor.
  Folders(const std::vector<std::string> &linked, sv_tools::Janitor &janitor);
  ~Folders();
  Folders(const Folders &) = delete;
  Folders &operator=(const Folders &) = delete;
  const std::string &without() const { return without_; }
  const std::string &with() const { return with_; }
  /// They stay.
  void keep();

 private:
  void remove() const noexcept;

  const std::string here_, without_, with_;
  sv_tools::Janitor &janitor_;
  bool stay_ = false;
  std::map<std::filesystem::path, Linked> originals_;  // that both runs share
  friend class Outcome;
};

/// The files that both runs have made or changed.
class Outcome {
 public:
  explicit Outcome(const Folders &folders);
  /// Whether a netCDF file differs, or is there once only.
  bool data_differ() const { return data_differ_; }
  /// A line for each file.
  const std::string &table() const { return table_; }

 private:
  void add(const std::string &name, const std::string &story, bool differs);
  bool data_differ_ = false;
  std::string table_;
};

/// The median, and of more than one value also the least and the greatest: "2.410 s (2.330 to 2.433)".
std::string middle(std::vector<double> values, int digits, const char *unit);

}  // namespace sv_run
