// What a rank has of the sinks of a plan of one field: patch by patch, in the order of messages.
#pragma once

#include "engine/write.hpp"
#include "transport/exchange.hpp"

namespace sv {

/// The caller's values, and how many of them did not fit the file's type.
class FieldSource : public Source {
 public:
  OutOfRange out_of_range = 0;
};

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

}  // namespace sv
