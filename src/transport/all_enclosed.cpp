#include "transport/all_enclosed.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"

namespace sv {

namespace {
constexpr int64_t number_bytes = 64;  // its number stands in a line of the cache of its own
}  // namespace

int64_t AllEnclosed::bytes(int ranks) {
  if (ranks > most_ranks) return 0;
  return align_up(number_bytes + ranks * static_cast<int64_t>(sizeof(Place)) + most_bytes, number_bytes);
}

AllEnclosed::Place *AllEnclosed::places() const { return reinterpret_cast<Place *>(memory_ + number_bytes); }

void AllEnclosed::set(uint32_t number, const PackedPieces &enclosed) {
  if (enclosed.bytes().empty()) return;  // the number of an earlier gate stays, and marks it as empty
  std::fill_n(places(), ranks_, Place{0, 0});
  int32_t end = 0;
  enclosed.for_each([&](int32_t rank, std::span<const std::byte> piece) {
    const auto length = static_cast<int32_t>(piece.size());
    std::copy(piece.begin(), piece.end(), content() + end);
    places()[rank] = {end, length};
    end += length;
  });
  gate() = number;
}

std::span<const std::byte> AllEnclosed::by(int rank, uint32_t number) const {
  if (gate() != number) return {};
  const Place &place = places()[rank];
  return {content() + place.begin, static_cast<size_t>(place.bytes)};
}

}  // namespace sv
