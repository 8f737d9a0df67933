// The files of a stream, one after the other: a series or a single file, which is one StreamFile from the beginning to
// the end, or with `file_period` a published file for each period, whose name has the dates of its first and last
// record. Such a file ends with the run or with a saved state, too, so that no run continues it; then its name gets the
// date of the record that is really the last. Collective, except the constructor.
#pragma once

#include "stream_file.hpp"

namespace sv::streams {

/// Records and files of a stream as periods.
struct StreamPeriods {
  const Calendar *calendar;
  TimeAxis time;
  Periods records;
  std::optional<Periods> files;  // given by `file_period`
  bool has_bounds;               // a record has the date of its period's beginning, otherwise of its end

  Time date_of(Time begin, Time end) const { return has_bounds ? begin : end; }
  /// The date of the last record of the file that has this one.
  Time last_date(Time begin, Time end) const;
};

class StreamFiles {
 public:
  /// The request and the outputs are borrowed.
  StreamFiles(sv_context *io, const StreamPeriods &periods, const StreamRequest &request, std::vector<Output> &outputs)
      : io_(io), periods_(periods), request_(&request), outputs_(&outputs) {}

  /// Makes a file, or the series, before its first record, whose period is given. `continues`: of an earlier run.
  void begin(Time begin, Time end, bool continues);
  /// Selects the record of a period; the puts that follow are of it.
  void select(Time begin, Time end);
  void put(size_t variable, int type, const void *values) { file_->put(variable, type, values); }
  /// Commits the records so far. With `file_period` it ends their file.
  void sync();
  /// Throws ReportedFailure or Failure; the file is closed in any case.
  void close();

 private:
  std::string name_of_file(Time last) const;

  sv_context *io_;
  StreamPeriods periods_;
  const StreamRequest *request_;
  std::vector<Output> *outputs_;
  std::optional<StreamFile> file_;
  // Dates of records of a file with `file_period`.
  Time first_ = 0, expected_last_ = 0;
  std::optional<Time> last_;  // nothing: it has no record yet
};

}  // namespace sv::streams
