// The section `streams:` of the configuration: the requests of each stream,
// before any field is known. Local: one rank reads the file for all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "condition.hpp"
#include "frequency.hpp"
#include "operation.hpp"
#include "part_request.hpp"

namespace sv::streams {

/// How a variable is stored. The library and its own configuration decide the
/// rest.
struct Storage {
  std::optional<int> type;      // enum sv_type
  std::vector<int64_t> chunks;  // of all dimensions, the record's first
  std::optional<int> deflate, zstd, quantize;
  std::optional<bool> shuffle, fletcher32;
  int quantize_mode = 0;  // SV_QUANTIZE_*, if quantize is given
  int error_kind = SV_ERROR_NONE;
  double error_bound = 0;
  std::optional<unsigned> error_filter;  // SV_FILTER_SZ3 or SV_FILTER_ZFP
};

/// A text, or if `number` is given a number.
struct AttributeRequest {
  std::string name, text;
  std::optional<double> number;
};

/// Coordinates of a file: an axis of the model, or "time".
struct AxisRequest {
  std::string axis;
  std::string name;  // in files
  std::vector<AttributeRequest> attributes;
  std::string place;
};

/// A coordinate with one value and no dimension, such as a height of 2 m.
struct ScalarRequest {
  std::string name;
  double value;
  std::vector<AttributeRequest> attributes;
};

struct FieldRequest {
  std::string pattern;  // of names of fields, as file names have them (fnmatch)
  std::string name;     // in the file; an asterisk stands for the field's name
  Operation operation = Operation::instant;
  Storage storage;
  int parts_a_day = 1;  // of a mean, each with a result of its own
  PartRequest part;
  std::optional<ConditionRequest> where;
  std::optional<ReductionRequest> reduction;
  std::optional<GridRequest> grid;
  bool has_own_steps = false;  // 'operation', 'where', 'reduce' or 'grid' of the field, and not of its stream
  std::vector<AttributeRequest> attributes;
  std::vector<ScalarRequest> scalars;
  std::string units;  // that the model must declare; empty: any
  std::string place;  // "streams.yaml:7"
};

struct StreamRequest {
  std::string name, place;
  std::string file;  // with date fields, a template as for sv_create; without, the one file of a run
  std::optional<Frequency> file_period;  // a published file for each, whose name also has the date of its last record
  Frequency frequency;
  std::string time_units;
  std::vector<FieldRequest> fields;
  PartRequest part;
  std::vector<AxisRequest> axes;
  std::vector<AttributeRequest> attributes;
};

struct Configuration {
  std::string state = "streams_%Y%m%dT%H%M%S.nc";  // a template with date fields: the files of sv_save_streams
  std::string place;                               // of the section
  std::vector<StreamRequest> streams;
};

/// `path` is for messages. A text without the section has no streams. Throws
/// Failure(SV_ECONFIG) with the line, the cause and a remedy.
Configuration parse_configuration(const std::string &text, const std::string &path);
/// Adds the stream of a model, by its keys in YAML. The configuration's stream of this name has precedence. Throws
/// Failure(SV_ECONFIG).
void add_stream(Configuration &to, const std::string &name, const std::string &keys);
/// Whether the configuration has an attribute of the field, in place of the model's.
bool has_attribute(const FieldRequest &field, const std::string &name);
/// Whether a name has date fields.
bool is_template(const std::string &name);

}  // namespace sv::streams
