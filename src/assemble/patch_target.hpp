// Where a rank's patches of a plan of one field go when it is read.
#pragma once

#include "assemble/field_pieces.hpp"
#include "assemble/source.hpp"

namespace sv {

/// The caller's array, and how many values did not fit its type.
class FieldTarget : public Target {
 public:
  OutOfRange out_of_range = 0;
};

/// Unpacked straight from what was read.
class ArrayTarget final : public FieldTarget {
 public:
  ArrayTarget(const Plan &plan, int rank, const BlockPieces<UnpackRow> &pieces)
      : plan_(plan), rank_(rank), pieces_(pieces) {}

  void take(int sink, int round, const std::byte *slice) override {
    const Share share = plan_.share(0, sink, round);
    for (const Patch &patch : patches()) {
      const auto [piece, row] = pieces_(patch);
      out_of_range += unpack_in_place(piece, share, plan_.field.element_bytes, *row, slice);
    }
  }
  void read_message(int sink, int round, const std::byte *message) override {
    const Share share = plan_.share(0, sink, round);
    for (const Patch &patch : patches()) {
      const auto [piece, row] = pieces_(patch);
      out_of_range += unpack_compact(piece, share, plan_.field.element_bytes, *row, message);
      message += plan_.elements(0, patch.box, sink, round) * plan_.field.element_bytes;
    }
  }

 private:
  std::span<const Patch> patches() const { return plan_.stages.front().sources->patches_of_rank(rank_); }

  const Plan &plan_;
  const int rank_;
  const BlockPieces<UnpackRow> &pieces_;
};

}  // namespace sv
