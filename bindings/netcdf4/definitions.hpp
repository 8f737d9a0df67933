// The definitions of a file, as the real library that keeps them reports them. Engines give them to Sverdrup's file
// (engine.hpp); bring_to_library gives them to a file of the real library. Values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codes.hpp"
#include "model/variable_storage.hpp"

namespace sv::netcdf4 {

/// The length of an unlimited dimension in Shape::lengths.
constexpr int64_t unlimited_length = -1;

struct AttributeDefinition {
  std::string name;
  nc_type type = NC_NAT, base = NC_NAT;  // base: of an enumeration; otherwise the type
  size_t count = 0;
  std::vector<uint64_t> values;      // `count` values of that type, and one word more
  std::vector<std::string> strings;  // instead of values, where the type is NC_STRING
  std::vector<bool> is_null;         // of each string: Sverdrup's attributes have no NULL
};

/// A type whose role is to name integers.
struct EnumDefinition {
  struct Member {
    std::string name;
    uint64_t value;  // its bytes are those of a value of the base
  };
  std::string name;
  nc_type base = NC_NAT;
  std::vector<Member> members;

  /// Of the real library: it numbers the types of a file in order.
  static constexpr nc_type first_number = NC_FIRSTUSERTYPEID;
};

struct VariableDefinition {
  int group = 0, number = 0;  // in its group
  struct Filter {
    unsigned id;
    std::vector<unsigned> params;
  };
  std::string name;
  nc_type type = NC_NAT;  // of its integers, where they are those of an enumeration
  int enumeration = -1;   // among those of the file; -1: none
  std::vector<int> dims;
  std::vector<AttributeDefinition> attributes;
  int storage = NC_CONTIGUOUS;
  std::vector<size_t> chunk;  // where it has chunks
  std::vector<Filter> filters;
  int shuffle = 0, fletcher32 = 0;  // which netCDF-C does not count among the filters
  int endian = NC_ENDIAN_NATIVE, quantize_mode = NC_NOQUANTIZE, digits = 0, no_fill = 0;
  uint64_t fill = 0;  // the bytes of its fill value; of a string, none

  /// Whether its values pass through filters.
  bool is_filtered() const { return !filters.empty() || shuffle != 0 || fletcher32 != 0; }
};

struct DimensionDefinition {
  int group = 0;
  std::string name;
  size_t length = 0;
  bool is_unlimited = false;
};

struct GroupDefinition {
  int parent = 0;
  std::string name, path;  // "deep" and "ocean/deep"; empty of the outermost one
  std::vector<AttributeDefinition> attributes;
};

/// Groups, dimensions and enumerations stand at their numbers. Variables stand at those of Sverdrup's file, which count
/// through all groups in the order of definition.
struct Definitions {
  std::vector<GroupDefinition> groups;  // the outermost one first
  std::vector<DimensionDefinition> dims;
  std::vector<EnumDefinition> enums;
  std::vector<VariableDefinition> variables;

  /// "ocean/temp"
  std::string path_of(int group, const std::string &name) const;
};

/// What puts and gets ask of a variable.
struct Shape {
  int group = 0, number = 0;  // in its group
  std::string group_path;
  bool is_enum = false;
  nc_type type = NC_NAT;
  std::vector<int> dims;
  std::vector<int64_t> lengths;  // of fixed dimensions; unlimited_length: the length is asked for anew
  bool has_records = false;      // the first dimension is unlimited
  bool grows_inside = false;     // another one is
  Quantization quantization;     // of values that are put
  uint64_t fill = 0;             // the bytes of its fill value
  bool is_filtered = false;
  bool is_filled = true;
};
std::vector<Shape> shapes_of(const Definitions &definitions);
/// Where the variable of a group stands among these; -1: nowhere.
int place_of(const std::vector<Shape> &shapes, int group, int number);

/// How many there are, in all groups.
struct Counts {
  int groups = 0, dims = 0, variables = 0;
};

/// Local. Of the file `ncid` of the real library that `caller` reaches. Throws netCDF's code.
Counts counts_of(int ncid, const void *caller);
/// Local. Why Sverdrup would not read or write a file of the real library; nullptr: it would. Throws netCDF's code.
const char *reason_in_file(int ncid, bool writes, const void *caller);
/// Local. Whether the values of a variable in the group `ncid` of the real library pass through filters. Throws
/// netCDF's code.
bool is_filtered(int ncid, int variable, const void *caller);
/// Local. `known`: the variables that Sverdrup's file has already, which stay where they are. Throws netCDF's code.
Definitions definitions_of(int ncid, const void *caller, const std::vector<Shape> &known);
/// Why Sverdrup's file would lack something of these; nullptr: it would not.
const char *reason_in(const Definitions &definitions);
/// Of a member's type.
int64_t integer_of(nc_type base, const EnumDefinition::Member &member);
/// Local. Gives the file `to` of the real library, in define mode, the groups, dimensions and variables that it lacks,
/// and all attributes. Throws netCDF's code.
void bring_to_library(const Definitions &definitions, int to, const void *caller);
/// Local. The number of a group in a file of the real library that may have been opened again, which numbers them anew;
/// -1: it has none of this name.
int group_in(int ncid, const std::string &path, const void *caller);

}  // namespace sv::netcdf4
