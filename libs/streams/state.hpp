// The saved state of streams at a date. A run that continues from there needs
// it for incomplete periods. It is one CDF-5 file with a variable for each
// array of an accumulator, over the whole grid, so that another number of ranks
// can read it. It is published: a kill leaves no part of it
// (docs/adr/0088-the-state-of-streams.md). Collective.
#pragma once

#include "stream.hpp"

namespace sv::streams {

/// Of the whole run.
struct StateFacts {
  const Calendar *calendar;
  Time now;
  Time steps_origin;  // the beginning of the run that began anew
};

/// `path`: the file. The caller synchronises it.
void save_state(sv_context *io, const std::string &path, const StateFacts &facts, std::vector<Stream> &streams);

/// An open state.
class SavedState {
 public:
  /// `is_needed`: a missing file is Failure(SV_ENOTFOUND); otherwise is_open()
  /// is false.
  SavedState(sv_context *io, const std::string &path, const StateFacts &facts, bool is_needed);
  bool is_open() const { return file_ != nullptr; }
  Time steps_origin() const { return steps_origin_; }
  /// Restores the outputs of a stream, whose periods have begun at this date.
  /// Throws Failure(SV_EDEFINE) where the state lacks one whose period is
  /// incomplete.
  void restore(Stream &stream);
  void close();

 private:
  struct Saved {
    int64_t seconds, steps;
  };
  void restore_sums(Output &output, size_t number, const std::string &name, const Saved &saved);

  sv_file *file_ = nullptr;
  std::string path_;
  Time now_, steps_origin_ = 0;
};

}  // namespace sv::streams
