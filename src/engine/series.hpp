// A series: files with the same definitions, one for each period, whose names contain the date (docs/series.md, ADR
// 21).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/date.hpp"
#include "file/file.hpp"

namespace sv {

/// Belongs to the File in which the definitions are made; that one itself never stands on the disk.
class Series {
 public:
  explicit Series(File &definitions) : definitions_(definitions) { definitions.served.fails_with = numbers_; }

  /// Collective. Ends define mode: finds the time coordinate, and checks that the format can take the definitions.
  void end_define();

  struct Begun {
    int64_t record;
    bool wants_fixed;  // the file has no record yet: its fixed variables must be put
  };
  /// Collective. Goes to the file of this date, which is created or, if it exists, opened for appending; the previous
  /// one is completed and closed. Puts `time` into the time coordinate of the record that has it, or of a new one. An
  /// error before that changes nothing.
  Begun begin(const Date &date, double time);

  /// Collective. Completes the current file.
  void close();
  /// The file of the current period; owned by the context. nullptr before the first record.
  File *current() const { return current_; }

 private:
  struct Found {
    bool exists = false;
    int64_t records = 0;
    std::vector<double> times;  // on rank 0
  };
  void check_definitions();
  Found look_at(const std::string &path);
  void accept(const File &file, std::vector<double> &times) const;
  void read_times(File &file, std::vector<double> &times) const;
  void change_to(const std::string &path, Found found);
  void enter(std::shared_ptr<File> file);
  std::optional<Error> leave();
  void drop();

  File &definitions_;
  const std::shared_ptr<std::vector<int64_t>> numbers_ = std::make_shared<std::vector<int64_t>>();  // of its files
  File *current_ = nullptr;
  int time_variable_ = -1;
  Calendar calendar_ = Calendar::standard;
  bool wants_fixed_ = false;
  std::vector<double> times_;  // of the current file's records; on rank 0
};

/// Collective. `path` with date fields: the definitions of a series, in the end a file for each period.
std::shared_ptr<File> create_series(Context &context, const FileName &name, const FileSettings &settings);

/// Local. Of a series, the file of the current period, once there is one; otherwise the file itself.
File &current_file(File &file);

// Collective, of a file or a series.

void end_definitions(File &file);
void close(File &file);
/// The same, but drops the definitions in progress.
void close_as_defined(File &file);

}  // namespace sv
