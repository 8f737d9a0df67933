// How one variable of a netCDF-4 file or a Zarr group is stored: as its program asks for it (sv_def_var_deflate and so
// on), as a pattern of the configuration does, or as a file that was opened has it. The definitions of a file keep one
// for each variable of which something was asked; chunk_request.hpp puts them over the file's settings.
// Values; no MPI, no netCDF.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/filter_number.hpp"
#include "model/quantization.hpp"
#include "model/schema.hpp"

namespace sv {

/// How a variable is divided into chunks.
enum class ChunkKind {
  automatic,   // contiguous; chunks of 4 to 16 MiB where the format wants chunks (auto_chunks.hpp)
  contiguous,  // the same, but never compressed
  library,     // netCDF's own default chunks
  by_writers,  // chunks of the writers' ranges, always
  given        // of a shape; of variables that have fewer dimensions, automatic
};

/// The bits of a mantissa that values with this bound keep at most.
int most_bits(Type type, const Quantization &quantization);
/// Of bounds. The unit in the last place of all numbers that rounding needs is a normal number then.
constexpr double smallest_bound = 1e-270;
double largest_bound(Quantization::Mode mode);

/// The attributes by which a file states a bound and the largest error of its values: most_error(), until the file is
/// closed.
struct BoundAttributes {
  const char *bound, *worst;
};
BoundAttributes bound_attributes(Quantization::Mode mode);
Attribute number_attribute(const char *name, double value);
/// The number in such an attribute; nothing where there is none.
std::optional<double> number_in(const std::vector<Attribute> &attributes, const char *name);

/// The most bits or digits that a mode can keep of a type; 0: the type is not quantized.
int most_kept(Type type, Quantization::Mode mode);

/// Error(invalid) for an error bound of a new variable whose values were rounded before, as an attribute states: the
/// file would state the smaller error.
void check_bound(const Variable &variable, const Quantization &quantization);

/// NetCDF's own attribute by which a file says how a variable was quantized without a bound; and the meaning of such an
/// attribute, or of those of a bound, among these, with amount 0 where there is none.
Attribute quantization_attribute(const Quantization &quantization);
Quantization quantization_in(const std::vector<Attribute> &attributes);

/// The order of the bytes of a value in the file. The numbers are those of nc_inq_var_endian.
enum class Endian { native = 0, little = 1, big = 2 };
/// Whether values in this order differ from those in memory.
bool swaps(Endian endian);

/// Absent members are not requested: the file's settings decide.
struct VariableStorage {
  std::optional<ChunkKind> chunks{};
  Index shape{};                  // where chunks are given: of the last dimensions, slowest first
  std::optional<int> records{};   // in a chunk
  std::optional<int> deflate{};   // 1 to 9; 0: none
  std::optional<int> zstd{};      // 1 to 22; 0: none
  std::optional<bool> shuffle{};  // before compressing
  std::optional<bool> fletcher32{};
  std::optional<bool> blosc{};    // the compressor works inside of Blosc
  std::optional<int> quantize{};  // Quantization::amount
  std::optional<Quantization::Mode> quantize_mode{};
  std::optional<double> error_bound{};                   // Quantization::bound
  std::optional<Quantization::Encoder> error_encoder{};  // Quantization::encoder
  std::optional<Endian> endian{};
  std::vector<unsigned> others{};  // HDF5's numbers of further filters, of a file that was opened
  bool is_found = false;           // a file that was opened is stored so: it asks for nothing

  bool compresses() const { return deflate.value_or(0) > 0 || zstd.value_or(0) > 0; }
  bool has_filters() const { return compresses() || fletcher32.value_or(false); }
  Quantization quantization() const;
  void set_quantization(const Quantization &made);
  /// Filters in the order in which values pass through them when they are written.
  std::vector<unsigned> filters() const;
};

/// Throws Error(invalid) for requests that are impossible for this type and these dimensions: chunks of other
/// dimensions or beyond a dimension's length, contiguous records, two compressors, levels and digits out of range.
void check_storage(const Schema &schema, const Variable &variable, const VariableStorage &storage);

/// `change` adds a request for a variable's storage. Throws its errors and those of check_storage: then the earlier
/// requests stay.
void ask_storage(Schema &schema, int variable, const std::function<void(VariableStorage &)> &change);

/// "1 x 90 x 180"
std::string in_words(const Index &shape);
/// "chunks of 1 x 90 x 180, deflate 4, shuffle": equal for equal ones; "" where nothing is asked for.
std::string in_words(const VariableStorage &storage);

/// As numbers, for other ranks, and back. Throws Error(format) for numbers that stand for none.
std::vector<int64_t> encoded(const VariableStorage &storage);
VariableStorage decoded_storage(std::span<const int64_t> numbers);

}  // namespace sv
