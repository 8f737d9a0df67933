// The schema of a netCDF file: dimensions, attributes and variables, and where the variables stand. A value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/type.hpp"
#include "layout/box.hpp"

namespace sv {

/// The numbers are those of nc_inq_format.
enum class Format { automatic = 0, cdf1 = 1, cdf2 = 2, netcdf4 = 3, netcdf4_classic = 4, cdf5 = 5 };
constexpr int64_t longest_name = 255;  // bytes
constexpr bool is_netcdf4(Format format) { return format == Format::netcdf4 || format == Format::netcdf4_classic; }
/// "CDF-2", "netCDF-4 classic model"
std::string name_of(Format format);

struct Dimension {
  std::string name;
  int64_t length = 0;  // of the record dimension: 0 (the count is Schema::records)
  bool is_record = false;
};

struct Attribute {
  std::string name;
  Type type = Type::text;
  int64_t count = 0;
  std::vector<std::byte> values;  // native byte order
};

struct Variable {
  std::string name;
  Type type = Type::float64;
  std::vector<int> dims;  // slowest first
  std::vector<Attribute> attributes;
  bool has_records = false;
  int64_t begin = 0;       // file offset of the first element (of record 0), bytes
  int64_t slab_bytes = 0;  // of the variable or of one record of it, padded as the format wants
};

struct Schema {
  Format format = Format::automatic;
  std::vector<Dimension> dims;
  std::vector<Attribute> attributes;
  std::vector<Variable> variables;
  int64_t records = 0;       // committed
  int64_t header_bytes = 0;  // used by the header
  int64_t data_begin = 0;    // first byte after the header's reserve
  int64_t record_bytes = 0;  // distance between records
  int64_t record_begin = 0;  // offset of record 0 (end of the fixed variables when there are none)

  int record_dim() const;                       // -1 if none
  int find_dim(const std::string &name) const;  // -1 if none
  int find_variable(const std::string &name) const;
  Index slab_shape(const Variable &variable) const;  // without the record dimension
  int64_t slab_elements(const Variable &variable) const;
  /// File offset of a variable, or of its record (0-based; ignored for fixed variables).
  int64_t slab_offset(int variable, int64_t record) const;
  /// The value for cells nobody wrote: the _FillValue attribute or netCDF's default; native order, size_of(type) bytes.
  std::vector<std::byte> fill_value(const Variable &variable) const;
};

const Attribute *find_attribute(const std::vector<Attribute> &attributes, const std::string &name);

/// How variables are placed.
struct Placement {
  int64_t header_reserve = 4096;   // free bytes kept after the header so that it can grow
  int64_t data_alignment = 4096;   // of the first variable: data starts on a new page
  int64_t variable_alignment = 8;  // of fixed variables and of record 0 (never less than 4)
};

/// Chooses the format (when automatic: CDF-2 while types and sizes fit, otherwise CDF-5), checks its limits
/// (Error(limit), naming the variable), and sets begin, slab_bytes, header_bytes, data_begin, record_begin,
/// record_bytes.
void place_variables(Schema &schema, const Placement &placement);

/// The same for a schema made from `before`, a file's, by adding and changing: its format stays, and so do the places
/// of its variables where the header still fits before them and no variable is added whose place is taken. False where
/// they do not: then everything is placed anew.
bool place_again(Schema &schema, const Schema &before, const Placement &placement);

/// The header as bytes, in the schema's format (set, and placed; of a netCDF-4 file as CDF-5), and back. decode throws
/// Error(format) for anything malformed, and allocates no more than the size of `bytes` justifies. `need_more` is
/// thrown when bytes end too early.
std::vector<std::byte> encode_header(const Schema &schema);
struct NeedMore {
  int64_t at_least;  // bytes of the file
};
/// `file_bytes`: the file's size, to judge counts and offsets; -1 where it does not matter.
Schema decode_header(const std::byte *bytes, int64_t size, int64_t file_bytes);

/// Checks a name by the rules of netCDF (UTF-8, no '/', no control characters, no trailing blank). Throws
/// Error(define).
void check_name(const std::string &name);

}  // namespace sv
