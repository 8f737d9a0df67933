// Reading one slab, by each rank for itself or through the writers.
#pragma once

#include <optional>
#include <vector>

#include "base/convert.hpp"
#include "engine/file.hpp"
#include "engine/write.hpp"

namespace sv {

constexpr int64_t staging_bytes = 1 << 20;  // small enough to stay in the cache between reading and converting

/// One slab: a variable, or a record of it.
struct SlabReading {
  File &file;
  int variable;
  int64_t record;
  UnpackRow row = {};
  FirstMisfit first = {};
  OutOfRange misfits = 0;
  bool together = false;  // all ranks read at once, with equal numbers of calls

  Store &store() { return together ? file.attached_store() : file.lone_store(); }
  int64_t calls(int64_t mine) { return together ? file.most_calls(Direction::read, variable, mine) : mine; }
  void took(OutOfRange more) { misfits += more; }
};

/// Nothing of it, for a call that is only made because all make it.
Slab empty_slab(const SlabReading &reading, const Index &shape);

/// Local, or (`together`) collective with equal numbers of calls. Reads a share, which fits into bounded memory.
void read_share(SlabReading &reading, const Share &share, std::vector<std::byte> &staging);

/// The same for the cells of `piece`.
void read_piece(SlabReading &reading, const Piece &piece, std::vector<std::byte> &staging);

/// Collective. The writers read their whole ranges once, and distribute them. Returns what this rank fails with.
std::optional<Error> read_through_writers(SlabReading &reading, const Plan &plan, const FieldPieces<UnpackRow> &pieces);

}  // namespace sv
