// The schema of a netCDF file of any format: its dimensions, attributes and variables. The model's definitions
// fill one; every store writes and reads one, and the fields that are planned are its variables. It is a value: it
// opens no file, and changing it changes no file. store/cdf_places.hpp computes the offsets of variables in files of
// the classic formats (CDF-1, 2 and 5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/small_bytes.hpp"
#include "base/type.hpp"
#include "layout/box.hpp"

namespace sv {

/// The numbers are those of nc_inq_format; of Zarr, that of nc_inq_format_extended.
enum class Format { automatic = 0, cdf1 = 1, cdf2 = 2, netcdf4 = 3, netcdf4_classic = 4, cdf5 = 5, zarr = 10 };
constexpr int64_t longest_name = 256;  // bytes, as NC_MAX_NAME
constexpr bool is_netcdf4(Format format) { return format == Format::netcdf4 || format == Format::netcdf4_classic; }
/// Whether the headers of such files contain the offsets of variables: those of CDF.
constexpr bool has_places(Format format) { return !is_netcdf4(format) && format != Format::zarr; }
/// "CDF-2", "netCDF-4 classic model"
std::string name_of(Format format);

/// A record is an index of a variable's leading unlimited dimension. One unlimited dimension of a file is its record
/// dimension, whose length commits count; the other ones are lengths that grow (model/growth.hpp).
struct Dimension {
  std::string name;
  int64_t length = 0;      // its present one; of the record dimension: 0 (the count is Schema::records)
  bool is_record = false;  // the record dimension
  bool grows = false;      // another unlimited dimension

  bool is_unlimited() const { return is_record || grows; }
};

struct Attribute {
  std::string name;
  Type type = Type::text;
  int64_t count = 0;
  SmallBytes values;  // native byte order; of strings, one behind the other, each with a zero byte at its end
};

struct Enumeration;      // enumeration.hpp
struct VariableStorage;  // variable_storage.hpp

struct Variable {
  std::string name;
  Type type = Type::float64;
  std::vector<int> dims;  // slowest first
  std::vector<Attribute> attributes;
  bool has_records = false;  // the record dimension is the first one
  bool no_fill = false;      // cells that no rank writes have no defined value
  /// The requested storage, or that of a file that was opened; nullptr: none.
  std::shared_ptr<const VariableStorage> storage{};
  std::shared_ptr<const Enumeration> enumeration{};  // names of its integers; nullptr: they have none

  /// How many of its dimensions a record of it lacks: the place of a slab's first axis among its dimensions.
  int record_axes() const { return has_records ? 1 : 0; }
  /// The dimensions of a slab: of the variable, or of one record of it.
  std::span<const int> slab_dims() const { return std::span(dims).subspan(static_cast<size_t>(record_axes())); }
};

/// A part of a file that another program has made, which no call of the interface can read: it was left out when the
/// definitions were read. Or one that is read, and means less than its name says.
struct Omission {
  std::string what;     // "variable 'expver'"
  std::string reason;   // "it is left out, since it contains strings"
  bool is_lost = true;  // whether a copy, or a file that is defined anew, lacks it
};

/// A group of a netCDF-4 file or a Zarr group, below the outermost one. Its members have its name in front:
/// "ocean/temp" is the variable 'temp' of the group 'ocean'.
struct Group {
  std::string name;
  std::vector<Attribute> attributes;
};
/// "ocean/deep" of "ocean/deep/temp"; "" for members of the outermost group.
std::string_view group_of(std::string_view name);
/// "temp"
std::string_view base_of(std::string_view name);
/// Whether members of the group `inner` see the dimensions of `outer`: the group itself, or one that contains it.
bool sees(std::string_view inner, std::string_view outer);

struct Schema {
  Format format = Format::automatic;
  std::vector<Group> groups;  // a group stands behind the one that it is in
  std::vector<Dimension> dims;
  std::vector<Attribute> attributes;
  std::vector<Variable> variables;
  int64_t records = 0;              // committed
  std::vector<Omission> omissions;  // of a file that was opened

  int record_dim() const;                       // -1 if none
  int find_dim(const std::string &name) const;  // -1 if none
  int find_variable(const std::string &name) const;
  int find_group(std::string_view name) const;
  /// The present length of a dimension; of the record dimension, the committed records.
  int64_t length_of(int dim) const { return length_of(dim, records); }
  bool is_unlimited(int dim) const { return dims[static_cast<size_t>(dim)].is_unlimited(); }
  /// The same, with another record count.
  int64_t length_of(int dim, int64_t record_count) const;
  Index slab_shape(const Variable &variable) const;  // without the leading record dimension
  /// Whether a dimension of the variable's slabs is unlimited.
  bool has_growing_slab(const Variable &variable) const;
  int64_t slab_elements(const Variable &variable) const;
  /// Sets has_records of all variables.
  void mark_records();
  /// The value of unwritten cells: the _FillValue attribute or netCDF's default. Of strings, see fill_text
  /// (model/filling.hpp).
  Element fill_value(const Variable &variable) const;
};

/// The attribute by which the variable of an order of points is found: the name of its dimension.
constexpr const char *order_attribute = "sverdrup_order";

Attribute text_attribute(const std::string &name, std::string_view text);
/// No string has a zero byte in it.
Attribute string_attribute(const std::string &name, std::span<const std::string> strings);
/// Of an attribute of type string.
std::vector<std::string> strings_of(const Attribute &attribute);
/// The text of an attribute that is one: characters, or a single string. Nothing for others.
std::optional<std::string> text_of(const Attribute &attribute);
const Attribute *find_attribute(const std::vector<Attribute> &attributes, std::string_view name);

/// Throws Error(not_found) unless `record` is among the `records` that count.
void check_record(int64_t record, int64_t records);

/// "variable 'expver': it is left out, since ...", a line each; beyond `most` lines, one says how many more there are.
/// Without control characters.
std::vector<std::string> in_words(const std::vector<Omission> &omissions, size_t most);

/// Checks a name by the rules of netCDF (UTF-8, no '/', no control characters, no trailing blank). Throws
/// Error(define).
void check_name(const std::string &name);
/// The same for a new member of a schema: where its format has groups, names of groups may stand before it. Throws
/// Error(define) where there is no such group, Error(limit) for more than 256 bytes in all.
void check_name_in(const Schema &schema, const std::string &name);

}  // namespace sv
