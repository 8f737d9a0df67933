// This rank's values for the sinks of a plan of one field, and the positions of its patches when it is read: patch by
// patch, in the order of messages.
#pragma once

#include <algorithm>

#include "packing/field_pieces.hpp"
#include "packing/source.hpp"

namespace sv {

/// The caller's values, and how many of them did not fit the file's type.
class FieldSource : public Source {
 public:
  OutOfRange out_of_range = 0;
};

/// The slices of this rank in the stage before, by sink and round.
using Slices = std::function<const std::byte *(int sink, int round)>;

/// This rank's values of a stage, patch by patch.
class PatchSource : public FieldSource {
 public:
  PatchSource(const Plan &plan, int stage, int rank) : plan_(plan), stage_(stage), rank_(rank) {}

  int64_t put(int sink, int round, Form form, std::byte *to) override {
    const Share share = plan_.share(stage_, sink, round);
    int64_t all = 0;
    for (const Patch &patch : plan_.stages[static_cast<size_t>(stage_)].sources->patches_of_rank(rank_)) {
      const int64_t bytes = plan_.elements(stage_, patch.box, sink, round) * plan_.field.element_bytes;
      if (bytes > 0) put_patch({sink, round, form}, patch, share, form == Form::compact ? to + all : to);
      all += bytes;
    }
    return all;
  }

 protected:
  struct Turn {
    int sink, round;
    Form form;
  };
  virtual void put_patch(const Turn &turn, const Patch &patch, const Share &share, std::byte *to) = 0;

  const Plan &plan_;

 private:
  const int stage_, rank_;
};

/// The caller's array, packed straight into place.
class ArraySource final : public PatchSource {
 public:
  ArraySource(const Plan &plan, int rank, const BlockPieces<PackRow> &pieces)
      : PatchSource(plan, 0, rank), rank_(rank), pieces_(pieces) {}

  /// Chunks that are levels of this rank's block, say. No cell belongs to two ranks.
  std::span<const std::byte> whole(int sink, int round) override {
    if (!plan_.by_chunks) return {};
    const Share share = plan_.share(0, sink, round);
    const int64_t bytes = plan_.field.element_bytes;
    if (share.elements() == 0) return {};
    Box cells{cell_at(share.box, share.first), cell_at(share.box, share.last - 1)};
    for (int d = 0; d < cells.dims(); ++d)
      if ((cells.count[d] += 1 - cells.start[d]) <= 0) return {};
    if (cells.elements() != share.elements()) return {};  // it is no box
    for (const Patch &patch : plan_.stages.front().sources->patches_of_rank(rank_)) {
      if (plan_.elements(0, patch.box, sink, round) < share.elements()) continue;
      const auto [piece, row] = pieces_(patch);
      const std::byte *const first = unconverted_run_of(piece, cells, *row);
      if (first != nullptr) return {first, static_cast<size_t>(share.elements() * bytes)};
    }
    return {};
  }

 protected:
  void put_patch(const Turn &turn, const Patch &patch, const Share &share, std::byte *to) override {
    const auto [piece, row] = pieces_(patch);
    out_of_range += pack(piece, share, *row, turn.form, to);
  }

 private:
  const int rank_;
  const BlockPieces<PackRow> &pieces_;
};

/// The values that an I/O PE has collected, on their way to the writers: the slices of the collecting stage, each of
/// which holds one writer's part of the I/O domain, one row after the other.
class CollectedSource final : public PatchSource {
 public:
  CollectedSource(const Plan &plan, int rank, Slices collected)
      : PatchSource(plan, 1, rank), collected_(std::move(collected)) {}

 protected:
  void put_patch(const Turn &turn, const Patch &patch, const Share &share, std::byte *to) override {
    const Box box = plan_.extend(patch.box);
    const std::byte *const from = collected_(plan_.collecting_sink(patch, turn.sink), turn.round);
    if (turn.form == Form::in_place)
      spread_rows(box, share, plan_.field.element_bytes, from, to);
    else  // copies contiguous values too: the window of the collecting stage is needed for its next round
      std::copy_n(from, elements_in(box, share) * plan_.field.element_bytes, to);
  }

 private:
  const Slices collected_;
};

/// The caller's array, and how many values did not fit its type.
class FieldTarget : public Target {
 public:
  OutOfRange out_of_range = 0;
};

/// Unpacks directly from the read bytes.
class ArrayTarget final : public FieldTarget {
 public:
  ArrayTarget(const Plan &plan, int rank, const BlockPieces<UnpackRow> &pieces)
      : plan_(plan), rank_(rank), pieces_(pieces) {}

  void take(int sink, int round, Form form, const std::byte *from) override {
    const Share share = plan_.share(0, sink, round);
    for (const Patch &patch : plan_.stages.front().sources->patches_of_rank(rank_)) {
      const auto [piece, row] = pieces_(patch);
      out_of_range += unpack(piece, share, *row, form, from);
      if (form == Form::compact) from += plan_.elements(0, patch.box, sink, round) * plan_.field.element_bytes;
    }
  }

 private:
  const Plan &plan_;
  const int rank_;
  const BlockPieces<UnpackRow> &pieces_;
};

}  // namespace sv
