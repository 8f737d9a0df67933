// Reading one slab: each rank by itself, all together with the store's collective calls, or through the writers, which
// read whole ranges and distribute them.
#pragma once

#include <optional>
#include <vector>

#include "file/store_calls.hpp"
#include "transfer/field_job.hpp"

namespace sv {

constexpr int64_t staging_bytes = 1 << 20;  // small enough to stay in the cache between reading and converting
/// Of values that stand in memory as in the file: libraries over MPI-IO take less than 2 GiB at once.
constexpr int64_t direct_bytes = int64_t{1} << 30;

/// One slab: a variable, or a record of it.
struct SlabReading {
  File &file;
  int variable;
  int64_t record;
  UnpackRow row = {};
  FirstRangeError first = {};
  OutOfRange range_errors = 0;
  bool together = false;  // all ranks read at once, with equal numbers of calls

  Reader &store() { return together ? file.home().store() : file.home().lone_reader(); }
  int64_t calls(int64_t mine) { return together ? calls_for(file, Direction::read, variable, mine) : mine; }
  void took(OutOfRange more) { range_errors += more; }
};

/// Local, or (`together`) collective with equal numbers of calls. Reads a share, which fits into bounded memory.
void read_share(SlabReading &reading, const Share &share, std::vector<std::byte> &staging);

/// The same for the cells of `piece`.
void read_piece(SlabReading &reading, const Piece &piece, std::vector<std::byte> &staging);

/// Collective. The writers, or servers, read their whole ranges once, and distribute them. Returns this rank's error.
std::optional<Error> read_through_writers(SlabReading &reading, const FieldJob &job,
                                          const FieldPieces<UnpackRow> &pieces);

}  // namespace sv
