// All streams of a run, and the fields that the model has declared. The handle
// sv_streams stands for one.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "configuration.hpp"
#include "state.hpp"

namespace sv::streams {

class Run {
 public:
  explicit Run(sv_context *io) : io_(io) {}

  /// Collective. One rank reads the file. `path`: nullptr for the one that
  /// SV_CONFIG names.
  void configure(const char *path);
  /// Local. Returns the field's number.
  int define(const sv_stream_field &definition);
  void define_static(const sv_stream_field &definition, const void *values);
  /// Local.
  void define_stream(const std::string &name, const std::string &keys);
  /// Collective.
  void begin(const sv_stream_start &start);
  /// Local.
  bool is_wanted(int field, const int date[6]) const;
  /// Collective where a period ends.
  void send(int field, const int date[6], const void *values);
  void save(const int date[6]);
  void close();

  sv_context *io() const { return io_; }
  /// After an error, the streams can only be closed.
  void fail() { has_failed_ = true; }

 private:
  /// An output, by its stream and its number there.
  struct Use {
    Stream *stream;
    size_t output;
  };

  void require_not_begun(const char *call) const;
  void keep(Field &&field);
  const std::vector<Use> &uses_of(int field) const;
  Time time_of(const int date[6]) const;
  void write_field_list(const sv_stream_start &start) const;
  void take_up(const sv_stream_start &start);
  void require_begun() const;

  sv_context *io_;
  Configuration configuration_;
  std::vector<Field> fields_;
  DeclaredNames names_;
  std::vector<std::vector<Use>> uses_;   // by field
  std::vector<std::vector<Use>> looks_;  // by field: the outputs whose condition is on it
  std::unique_ptr<const Calendar> calendar_;
  WeightsStore weights_;
  std::vector<Stream> streams_;
  Background background_;  // ends before the streams
  Time steps_origin_ = 0, latest_ = 0;
  mutable std::array<int, 6> date_{};  // of the last call,
  mutable std::optional<Time> time_;   // and its time
  bool has_begun_ = false, has_failed_ = false;
};

}  // namespace sv::streams
