// A file with a coordinate of time, open for reading: its variables, attributes and dates. sv-copy --streams reads it.
#pragma once

#include <sverdrup/sverdrup.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "streams/calendar.hpp"

namespace sv_tools {

struct TimedVariable {
  int id;
  std::string name;
  int type;
  std::vector<int> dims;
};

class TimedFile {
 public:
  /// Collective. Throws std::runtime_error on every rank if nothing in the file is a coordinate of time.
  TimedFile(sv_context *io, const std::string &path);
  ~TimedFile();
  TimedFile(const TimedFile &) = delete;
  TimedFile &operator=(const TimedFile &) = delete;

  sv_file *handle() const { return file_; }
  const std::string &path() const { return path_; }
  const std::vector<TimedVariable> &variables() const { return variables_; }
  /// nullptr if there is none of this name.
  const TimedVariable *variable(const std::string &name) const;
  /// The variable that has the name of its only dimension; nullptr if there is none.
  const TimedVariable *coordinate(int dim) const;
  std::string dim_name(int dim) const;
  int64_t length(int dim) const;
  /// "" if the attribute does not exist, or is no text.
  std::string text(const TimedVariable &variable, const char *attribute) const;
  bool has(const TimedVariable &variable, const char *attribute) const;
  /// As in the CF conventions, 8.1.
  bool is_packed(const TimedVariable &each) const { return has(each, "scale_factor") || has(each, "add_offset"); }
  /// Collective. All values.
  std::vector<double> values(const TimedVariable &variable) const;

  int time_dim() const { return time_dim_; }
  const std::string &calendar() const { return calendar_; }
  /// Of each record: the end of its step, which is its date, or the later bound.
  const std::vector<sv::streams::Time> &ends() const { return ends_; }
  /// Of the first record: the earlier bound, if time has bounds.
  const std::optional<sv::streams::Time> &begin() const { return begin_; }

 private:
  void read_definitions();
  void read_time();

  sv_file *file_ = nullptr;
  std::string path_, calendar_;
  std::vector<TimedVariable> variables_;
  int time_dim_ = -1;
  std::vector<sv::streams::Time> ends_;
  std::optional<sv::streams::Time> begin_;
};

}  // namespace sv_tools
