// A rank's part of a share in the memory of a GPU, in pieces that travel through pinned memory: while one travels,
// the piece before is packed, or the next one unpacked. Only pack and unpack (packing/memory_view.hpp) call this; other
// code sees memory of the host.
#pragma once

#include "base/function_ref.hpp"
#include "packing/piece.hpp"

namespace sv {

/// Calls take(here) for the cells that `piece`, on a device, has of `share`, in their order: `here` is on the host, and
/// holds their values during the call. Throws Error(device).
void for_pieces_from_device(const Piece &piece, const Share &share, int64_t element_bytes,
                            FunctionRef<void(const Piece &here)> take);
/// Calls fill(here) for the same cells, which sets all values of `here`, and copies them to the device. Throws
/// Error(device).
void for_pieces_to_device(const Piece &piece, const Share &share, int64_t element_bytes,
                          FunctionRef<void(const Piece &here)> fill);

}  // namespace sv
