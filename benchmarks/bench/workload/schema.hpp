// The contents of a workload's file, with offsets: CDF-5, as the methods without a library write it.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sv_bench {

/// `number` is that of nc_type and sv_type.
struct ElementType {
  std::string name;
  int number;
  int64_t bytes;
  MPI_Datatype mpi;
};
/// double, float, int. Throws std::runtime_error for others.
ElementType element_type(const std::string &name);
/// Every type of CDF-5, by its number. Throws std::invalid_argument for others.
ElementType element_type(int number);

struct Attribute {
  std::string name;
  int type;  // number of sv_type
  int64_t count;
  std::vector<std::byte> values;  // native
};

struct Dimension {
  std::string name;
  int64_t length;  // 0: the record dimension, which stands first
};

struct Variable {
  std::string name;
  ElementType type;
  std::vector<int> dims;  // slowest first
  std::vector<Attribute> attributes = {};
};

struct Schema {
  std::vector<Dimension> dims;
  std::vector<Variable> variables;
  int64_t records = 0;  // that the whole workload writes
  std::vector<Attribute> attributes = {};

  bool is_record(const Variable &variable) const {
    return !variable.dims.empty() && dims[static_cast<size_t>(variable.dims[0])].length == 0;
  }
  /// Lengths without the record dimension.
  std::vector<int64_t> shape(const Variable &variable) const;
  /// Of one record, or of a variable without records.
  int64_t slab_elements(const Variable &variable) const;
  int64_t slab_bytes(const Variable &variable) const { return slab_elements(variable) * variable.type.bytes; }
  int64_t largest_slab_bytes() const;  // of all variables
  /// The same with the zeros after it: to a multiple of four bytes, except for the only record variable.
  int64_t padded_slab_bytes(const Variable &variable) const;
  /// Of all values.
  int64_t bytes() const;
};

/// Where the values stand in a CDF-5 file of that schema whose variables follow one another. "CDF-5 File Format
/// Specification" (PnetCDF).
struct CdfFile {
  std::vector<std::byte> header;  // with its zeros up to the first value, on a page of its own
  std::vector<int64_t> begins;    // of each variable: the offset of its first value, bytes
  int64_t record_bytes = 0;       // of all record variables together
  int64_t end = 0;                // of the last value, bytes
};
CdfFile cdf5_file(const Schema &schema);

}  // namespace sv_bench
