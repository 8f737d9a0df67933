// Chunks whose values are rounded within a bound that the file states: encode_within rounds the values of a chunk,
// encodes them, decodes the result and compares it with the original, cell by cell. The stores that have chunks call it
// for variables whose quantization has a bound. Local; no MPI, no files.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "base/type.hpp"
#include "model/schema.hpp"
#include "model/variable_storage.hpp"

namespace sv {

/// How the values of one variable may change.
struct ErrorBound {
  Quantization quantization{};
  Type type = Type::float32;
  std::vector<double> kept{};  // fill and missing values: no other value becomes one, and they stay
  double least = -std::numeric_limits<double>::infinity(),
         most = std::numeric_limits<double>::infinity();  // valid ones

  bool is_set() const { return quantization.has_bound(); }
  bool is_information() const { return quantization.mode == Quantization::Mode::information; }
};

/// `fill`: the value of cells without data. Also keeps what the variable's attributes missing_value, valid_min,
/// valid_max and valid_range name.
ErrorBound error_bound_of(const Variable &variable, const Quantization &quantization, const Element &fill);

/// Rounds each value to the fewest bits of its mantissa that keep the bound, to the nearest value. Zeros, subnormal
/// numbers, infinities, NaN and kept values stay, bit for bit. A value stays if it would become infinite, a kept value
/// or invalid. Rounding again changes nothing, so chunks may be completed later.
void round_within(const ErrorBound &bound, std::span<const std::byte> values, std::span<std::byte> rounded);

/// The largest error of a cell, absolute or relative as the bound is; infinity where a cell has changed that stays.
/// Zeros stay unless another encoder than rounding keeps the bound.
double worst_error(const ErrorBound &bound, std::span<const std::byte> values, std::span<const std::byte> decoded);

/// Whether the bound's encoder may get these values. SZ3 (3.1) crashes where a prediction is NaN, or where an error
/// in units of the bound is 2^31: so no value is infinite, NaN or beyond 1e37, or has 2^24 to 2^38 of these units.
/// Fill values have more. ZFP loses the neighbours of these.
bool may_encode(const ErrorBound &bound, std::span<const std::byte> values);

/// What the rounding of a variable's chunks has cost and saved.
struct Loss {
  double worst = 0;  // error of a cell
  int64_t values_bytes = 0, body_bytes = 0;
  int64_t chunks = 0, by_plug_in = 0;  // of which a filter of HDF5 has encoded so many

  void add(const Loss &other) {
    worst = std::max(worst, other.worst);
    values_bytes += other.values_bytes;
    body_bytes += other.body_bytes;
    chunks += other.chunks;
    by_plug_in += other.by_plug_in;
  }
};

/// By variable.
using Losses = std::map<int, Loss>;

/// An error and the attribute by which a file states it.
struct LargestError {
  int variable;
  const char *attribute;
  double error;
};

/// How a body is made of values: encode(values) returns it, and may change these; decode(body, values) is the inverse.
template <class Encode, class Decode>
struct ChunkCoding {
  Encode encode;
  Decode decode;
  bool rounds = true;  // values are rounded before that
};

/// Makes the body of a chunk. Where the decoded values break the bound, the chunk keeps its values. Adds to `loss`.
/// `room` holds the rounded values. Throws Error(internal) where the values do not come back even then.
template <class Encode, class Decode>
std::span<const std::byte> encode_within(const ErrorBound &bound, std::span<const std::byte> values,
                                         std::vector<std::byte> &room, Loss &loss,
                                         const ChunkCoding<Encode, Decode> &coding) {
  if (room.size() < values.size()) room.resize(values.size());
  const std::span<std::byte> own = std::span(room).first(values.size());
  for (const bool rounds : {true, false}) {
    if (rounds && !coding.rounds) continue;
    if (rounds)
      round_within(bound, values, own);
    else
      std::copy(values.begin(), values.end(), own.begin());
    const std::span<const std::byte> body = coding.encode(own);
    double worst = std::numeric_limits<double>::infinity();
    try {
      coding.decode(body, own);
      if (rounds)
        worst = worst_error(bound, values, own);
      else if (std::equal(own.begin(), own.end(), values.begin()))
        worst = 0;
    } catch (const Error &) {  // the body is damaged
    }
    if (worst > bound.quantization.bound) continue;
    loss.add({worst, std::ssize(values), std::ssize(body), 1, 0});
    return body;
  }
  throw Error(Status::internal, "a chunk that was compressed does not have its values when it is decoded",
              "Choose another 'compression.codec' or library, and please report this");
}

}  // namespace sv
