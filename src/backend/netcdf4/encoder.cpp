#include "backend/netcdf4/encoder.hpp"

#include <algorithm>
#include <atomic>

#include "backend/chunked/cells.hpp"
#include "backend/chunked/quantize.hpp"
#include "backend/netcdf4/filter_plug_in.hpp"
#include "base/fill.hpp"
#include "base/swap.hpp"
#include "store/io_threads.hpp"

namespace sv::netcdf4 {

namespace {

void swap(const Recipe &recipe, std::span<std::byte> own) {
  if (recipe.swaps) swap_in_place(own.data(), std::ssize(own) / size_of(recipe.type), size_of(recipe.type));
}

}  // namespace

std::span<std::byte> Encoder::room_for_values(size_t bytes) {
  if (values_.size() < bytes) values_.resize(bytes);
  return std::span(values_).first(bytes);
}

std::span<const std::byte> Encoder::collect(const Region &region, const ChunkOverlap &met) {
  const int64_t bytes = region.element_bytes(), elements = met.stored.elements();
  const std::span<std::byte> to = room_for_values(static_cast<size_t>(elements * bytes));
  if (!(met.part == met.stored)) fill_elements(to.data(), elements, region.fill.data(), bytes);
  for_common_runs(met.part, met.stored, region.box, [&](int64_t in_chunk, int64_t in_memory, int64_t run) {
    std::copy_n(region.at(in_memory), run * bytes, to.data() + in_chunk * bytes);
  });
  return to;
}

StoredBody Encoder::encode(const Recipe &recipe, std::span<const std::byte> values, Loss &loss, bool is_read) {
  const bool has_plug_in = recipe.plug_in >= 0;
  if (has_plug_in && !is_read)
    if (const std::span<const std::byte> body = encode_by_plug_in(recipe, values, loss); !body.empty()) {
      room_.take(body.size());
      return {body, recipe.mask_of_plug_in()};
    }
  std::span<const std::byte> body;
  if (recipe.bound.is_set()) {
    body = round(recipe, values, loss, !(has_plug_in && is_read));
  } else {
    if (recipe.quantization.amount > 0 || recipe.swaps) {
      const std::span<std::byte> own = room_for_values(values.size());  // values may stand there already
      if (recipe.quantization.amount > 0)
        quantize(values, own, recipe.type, recipe.quantization, recipe.fill);
      else if (values.data() != own.data())
        std::copy(values.begin(), values.end(), own.begin());
      swap(recipe, own);
      values = own;
    }
    body = filter(recipe, values);
  }
  room_.take(body.size());
  return {body, recipe.mask_of_rounded()};
}

/// Within the bound; exact where rounded values break it, or not `rounds`.
std::span<const std::byte> Encoder::round(const Recipe &recipe, std::span<const std::byte> values, Loss &loss,
                                          bool rounds) {
  const auto encode = [&](std::span<std::byte> own) {
    swap(recipe, own);
    return filter(recipe, own);
  };
  const auto decode = [&](std::span<const std::byte> made, std::span<std::byte> own) {
    sv::netcdf4::decode(recipe.filters, size_of(recipe.type), codecs_, {made, recipe.mask_of_rounded()}, own);
    swap(recipe, own);
  };
  return encode_within(recipe.bound, values, rounded_, loss, ChunkCoding{encode, decode, rounds});
}

/// Nothing where the decoded values break the bound, or the body is no shorter than the values.
std::span<const std::byte> Encoder::encode_by_plug_in(const Recipe &recipe, std::span<const std::byte> values,
                                                      Loss &loss) {
  if (recipe.swaps || !may_encode(recipe.bound, values)) return {};
  const Filter &filter = recipe.filters[static_cast<size_t>(recipe.plug_in)];
  const std::span<std::byte> to = next_room(values.size());
  const auto body = to.first(sv::netcdf4::encode_by_plug_in(filter, values, to));
  if (body.empty() || body.size() >= values.size()) return {};
  if (rounded_.size() < values.size()) rounded_.resize(values.size());
  const std::span<std::byte> decoded = std::span(rounded_).first(values.size());
  if (decode_by_plug_in(filter, body, decoded) != values.size()) return {};
  const double worst = worst_error(recipe.bound, values, decoded);
  if (!(worst <= recipe.bound.quantization.bound)) return {};
  loss.add({worst, std::ssize(values), std::ssize(body), 1, 1});
  return body;
}

/// The body is not taken yet: the next one stands in its place.
std::span<const std::byte> Encoder::filter(const Recipe &recipe, std::span<const std::byte> values) {
  const std::span<std::byte> to = next_room(most_encoded(recipe.filters, values.size(), codecs_));
  return to.first(
      sv::netcdf4::encode(recipe.filters, size_of(recipe.type), codecs_, {values, to}, recipe.mask_of_rounded()));
}

std::span<std::byte> Encoder::next_room(size_t bytes) {
  if (!room_.is_made() && !spare_.empty()) {
    room_ = std::move(spare_.back());
    spare_.pop_back();
  }
  return room_.next(bytes);
}

std::span<std::byte> BodyRoom::next(size_t bytes) {
  constexpr size_t usual_bytes = size_t{4} << 20;
  if (block_ < blocks_.size() && blocks_[block_].length - filled_ < bytes) {
    ++block_;
    filled_ = 0;
  }
  if (block_ == blocks_.size()) blocks_.push_back({nullptr, 0});
  Block &block = blocks_[block_];
  if (block.length < bytes) {  // it is new, or has nothing in it
    block.length = std::max(bytes, usual_bytes);
    block.bytes = std::make_unique_for_overwrite<std::byte[]>(block.length);
  }
  return {block.bytes.get() + filled_, bytes};
}

void Encoder::give_back(BodyRoom room) {
  if (!room.is_made()) return;
  room.clear();
  spare_.push_back(std::move(room));
}

void encode_all(std::span<Encoder> encoders, size_t jobs, const std::function<void(Encoder &, size_t)> &job) {
  std::atomic<size_t> next{0};
  const auto threads = static_cast<int>(std::min(encoders.size(), jobs));
  IoThreads().run(threads, threads, [&](int thread) {
    for (size_t number = next++; number < jobs; number = next++) job(encoders[static_cast<size_t>(thread)], number);
  });
}

}  // namespace sv::netcdf4
