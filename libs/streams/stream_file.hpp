// The files of a stream, a series or a single one: definitions, records and their
// times. Collective, except the constructor.
#pragma once

#include "output.hpp"
#include "time_axis.hpp"

namespace sv::streams {

class StreamFile {
 public:
  StreamFile(sv_context *io, const Calendar &calendar, TimeAxis time, bool has_bounds)
      : io_(io), calendar_(&calendar), time_(std::move(time)), has_bounds_(has_bounds) {}

  /// Makes the series, of which no file exists yet; or the file, if its name has no date fields. `name`: that of the
  /// request, or of one file of a period. `continues`: of an earlier run, whose file is not replaced. The variables are
  /// those of the outputs, which are borrowed as the request is.
  void define(const StreamRequest &stream, const std::string &name, std::vector<Output> &outputs, bool continues);
  /// Selects the record of a period; the puts that follow are of it. Without
  /// bounds its time is `end`.
  void select(Time begin, Time end);
  /// `values`: this rank's array of the output, of memory type `type`.
  void put(size_t variable, int type, const void *values);
  /// Commits the records so far.
  void sync();
  /// Throws ReportedFailure; it is closed in any case.
  void close();
  /// Closes a file that gets no name.
  void abandon();

 private:
  void create(const std::string &name, bool continues);
  void define_global_attributes(const std::string &name);
  int define_axis(const Axis &axis);
  void define_time();
  void define_scalars(const Output &output);
  const AxisRequest *request_of(const std::string &axis) const;
  void define_variable(Output &output);
  void define_attributes(const Output &output, int var, int type);
  std::string reference_of(const Output &output, const std::string &attribute, const std::string &text) const;
  void define_auxiliary(int dim, const Auxiliary &auxiliary);
  void define_cell_coordinates(const TargetGrid &target);
  void put_cell_coordinates();
  void put_fixed();
  void put_values(const Output &output, int var, int64_t record, int type, const void *values);

  struct DefinedAxis {
    Axis axis;
    int dim, values, bounds;  // ids; -1: there is no such variable
  };
  struct DefinedAuxiliary {
    Auxiliary auxiliary;
    int var;
  };

  sv_context *io_;
  const StreamRequest *stream_ = nullptr;
  const Calendar *calendar_;
  TimeAxis time_;
  bool has_bounds_;
  sv_file *file_ = nullptr;
  bool is_series_ = true, is_defined_ = false, has_record_ = false;
  int time_dim_ = -1, time_var_ = -1, bounds_dim_ = -1, time_bounds_ = -1;
  std::vector<DefinedAxis> axes_;
  std::vector<DefinedAuxiliary> auxiliary_;
  const TargetGrid *target_ = nullptr;           // of a remapping, if its cells have coordinates,
  std::vector<int> cell_coordinates_;            // and their ids
  std::vector<std::pair<int, double>> scalars_;  // variables and their values
  std::vector<Output> *outputs_ = nullptr;
  std::vector<std::pair<Output *, int>> variables_;  // with their ids
  int64_t record_ = -1;
};

}  // namespace sv::streams
