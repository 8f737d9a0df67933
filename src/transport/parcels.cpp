#include "transport/parcels.hpp"

namespace sv {

void PackedPieces::add(int32_t number, std::span<const std::byte> piece) {
  if (piece.empty()) return;
  const Head head{number, static_cast<int32_t>(piece.size())};
  add(std::as_bytes(std::span(&head, 1)));
  add(piece);
}

}  // namespace sv
