// The series of files of a stream: its definitions, its records and their
// times. Collective, except the constructor.
#pragma once

#include "output.hpp"
#include "time_axis.hpp"

namespace sv::streams {

class StreamFile {
 public:
  StreamFile(sv_context *io, const Calendar &calendar, TimeAxis time, bool has_bounds)
      : io_(io), calendar_(&calendar), time_(std::move(time)), has_bounds_(has_bounds) {}

  /// Makes the series; no file exists yet. The variables are those of the outputs, which are borrowed.
  void define(const StreamRequest &stream, const std::vector<Output> &outputs);
  /// Selects the record of a period; the puts that follow are of it. Without
  /// bounds its time is `end`.
  void select(Time begin, Time end);
  /// `values`: this rank's array of the output, of memory type `type`.
  void put(size_t variable, int type, const void *values);
  /// Commits the records so far.
  void sync();
  /// Throws ReportedFailure; it is closed in any case.
  void close();

 private:
  int define_axis(const Axis &axis);
  void define_time();
  void define_variable(const Output &output);
  void define_auxiliary(int dim, const Auxiliary &auxiliary);
  void put_axes();

  struct DefinedAxis {
    Axis axis;
    int dim, values, bounds;  // ids; -1: there is no such variable
  };
  struct DefinedAuxiliary {
    Auxiliary auxiliary;
    int var;
  };

  sv_context *io_;
  const Calendar *calendar_;
  TimeAxis time_;
  bool has_bounds_;
  sv_file *file_ = nullptr;
  bool is_defined_ = false, has_record_ = false;
  int time_dim_ = -1, bounds_dim_ = -1, time_bounds_ = -1;
  std::vector<DefinedAxis> axes_;
  std::vector<DefinedAuxiliary> auxiliary_;
  std::vector<std::pair<const Output *, int>> variables_;  // with their ids
  int64_t record_ = 0;
};

}  // namespace sv::streams
