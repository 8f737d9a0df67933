// Turns the values of chunks into the bodies that the file contains, and divides the work among threads. A
// store has an encoder for each thread that compresses; values.hpp gives them chunks. Local; no MPI, no
// files.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "backend/chunked/assembly.hpp"
#include "backend/chunked/error_bound.hpp"
#include "backend/netcdf4/filters.hpp"
#include "model/chunk_request.hpp"

namespace sv::netcdf4 {

/// What becomes of the chunks of a variable.
struct Recipe {
  std::vector<Filter> filters;
  Type type;
  Quantization quantization;  // before the filters
  Element fill{};             // a value that is not quantized
  bool swaps = false;         // the bytes of values, after that
  ErrorBound bound{};         // where the quantization has one
  int plug_in = -1;           // the number of the filter that keeps this bound; −1: rounding does

  /// Filters that a body has not passed: one of rounded values, and one that the plug-in has made.
  uint32_t mask_of_rounded() const { return plug_in < 0 ? 0 : 1U << plug_in; }
  uint32_t mask_of_plug_in() const { return ((1U << filters.size()) - 1) & ~mask_of_rounded(); }
};

/// Memory for bodies, one behind the other.
class BodyRoom {
 public:
  /// Where the next body may stand.
  std::span<std::byte> next(size_t bytes);
  /// So much of that is taken.
  void take(size_t bytes) { filled_ += bytes; }
  void clear() { block_ = filled_ = 0; }
  bool is_made() const { return !blocks_.empty(); }

 private:
  struct Block {
    std::unique_ptr<std::byte[]> bytes;
    size_t length;
  };
  std::vector<Block> blocks_;
  size_t block_ = 0, filled_ = 0;
};

class Encoder {
 public:
  explicit Encoder(const std::string &library) : codecs_(library) {}

  /// The values of a chunk in its own order. `region` contains all of its cells that the variable has; the others get
  /// fill values. They stay until the next call.
  std::span<const std::byte> collect(const Region &region, const ChunkOverlap &met);
  /// The body, which stays where it is as long as the room does. Adds to `loss` where the recipe has a bound.
  /// `is_read`: some of the values may have come from the file. Where a plug-in has encoded them, they have their error
  /// already.
  StoredBody encode(const Recipe &recipe, std::span<const std::byte> values, Loss &loss, bool is_read = false);
  /// Of all bodies since the last call.
  BodyRoom take_room() { return std::exchange(room_, {}); }
  /// One that is no longer used: fresh memory is expensive.
  void give_back(BodyRoom room);
  Codecs &codecs() { return codecs_; }

 private:
  std::span<std::byte> room_for_values(size_t bytes);
  std::span<const std::byte> filter(const Recipe &recipe, std::span<const std::byte> values);
  std::span<const std::byte> round(const Recipe &recipe, std::span<const std::byte> values, Loss &loss, bool rounds);
  std::span<const std::byte> encode_by_plug_in(const Recipe &recipe, std::span<const std::byte> values, Loss &loss);
  std::span<std::byte> next_room(size_t bytes);

  Codecs codecs_;
  std::vector<std::byte> values_;   // collected, quantized or swapped
  std::vector<std::byte> rounded_;  // within a bound, or decoded
  BodyRoom room_;
  std::vector<BodyRoom> spare_;
};

/// Runs job(encoder, number) for all numbers below `jobs`, on as many threads as there are encoders; this thread is the
/// first. Where the system gives no more threads, fewer share the work. Throws what one of them has thrown first.
void encode_all(std::span<Encoder> encoders, size_t jobs, const std::function<void(Encoder &, size_t)> &job);

}  // namespace sv::netcdf4
