// What a rank has of the sinks of a plan of one field: patch by patch, in the order of messages.
#pragma once

#include <algorithm>

#include "assemble/field_pieces.hpp"
#include "assemble/source.hpp"

namespace sv {

/// The caller's values, and how many of them did not fit the file's type.
class FieldSource : public Source {
 public:
  OutOfRange out_of_range = 0;
};

/// The slices of this rank in the stage before, by sink and round.
using Slices = std::function<const std::byte *(int sink, int round)>;

/// What this rank has of a stage, patch by patch.
class PatchSource : public FieldSource {
 public:
  PatchSource(const Plan &plan, int stage, int rank) : plan_(plan), stage_(stage), rank_(rank) {}

  int64_t place(int sink, int round, std::byte *slice) override {
    return for_patches(sink, round, [&](const Patch &patch, const Share &share, int64_t) {  //
      place_patch({sink, round}, patch, share, slice);
    });
  }
  int64_t write_message(int sink, int round, std::byte *message) override {
    return for_patches(sink, round, [&](const Patch &patch, const Share &share, int64_t bytes) {
      write_patch({sink, round}, patch, share, message);
      message += bytes;
    });
  }

 protected:
  struct Turn {
    int sink, round;
  };
  virtual void place_patch(const Turn &turn, const Patch &patch, const Share &share, std::byte *to) = 0;
  virtual void write_patch(const Turn &turn, const Patch &patch, const Share &share, std::byte *to) = 0;

  const Plan &plan_;

 private:
  template <class Visit>
  int64_t for_patches(int sink, int round, Visit &&visit) const {
    const Share share = plan_.share(stage_, sink, round);
    int64_t all = 0;
    for (const Patch &patch : plan_.stages[static_cast<size_t>(stage_)].sources->patches_of_rank(rank_)) {
      const int64_t bytes = plan_.elements(stage_, patch.box, sink, round) * plan_.field.element_bytes;
      if (bytes > 0) visit(patch, share, bytes);
      all += bytes;
    }
    return all;
  }

  const int stage_, rank_;
};

/// The caller's array, packed straight into place.
class ArraySource final : public PatchSource {
 public:
  ArraySource(const Plan &plan, int rank, const BlockPieces<PackRow> &pieces)
      : PatchSource(plan, 0, rank), pieces_(pieces) {}

 protected:
  void place_patch(const Turn &, const Patch &patch, const Share &share, std::byte *to) override {
    const auto [piece, row] = pieces_(patch);
    out_of_range += pack_in_place(piece, share, plan_.field.element_bytes, *row, to);
  }
  void write_patch(const Turn &, const Patch &patch, const Share &share, std::byte *to) override {
    const auto [piece, row] = pieces_(patch);
    out_of_range += pack_compact(piece, share, plan_.field.element_bytes, *row, to);
  }

 private:
  const BlockPieces<PackRow> &pieces_;
};

/// What an I/O PE has collected, on its way to the writers: the slices of the collecting stage, each of which holds one
/// writer's part of the I/O domain, one row after the other.
class CollectedSource final : public PatchSource {
 public:
  CollectedSource(const Plan &plan, int rank, Slices collected)
      : PatchSource(plan, 1, rank), collected_(std::move(collected)) {}

 protected:
  void place_patch(const Turn &turn, const Patch &patch, const Share &share, std::byte *to) override {
    spread_rows(plan_.extend(patch.box), share, plan_.field.element_bytes, slice_for(turn, patch), to);
  }
  // A copy of what lies contiguous already: the window of the collecting stage is needed for its next round.
  void write_patch(const Turn &turn, const Patch &patch, const Share &share, std::byte *to) override {
    const Box &box = plan_.extend(patch.box);
    std::copy_n(slice_for(turn, patch), elements_in(box, share) * plan_.field.element_bytes, to);
  }

 private:
  const std::byte *slice_for(const Turn &turn, const Patch &domain) const {
    return collected_(plan_.collecting_sink(domain, turn.sink), turn.round);
  }

  const Slices collected_;
};

}  // namespace sv
