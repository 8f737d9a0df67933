// A plan for many fields at once: the requests of one call, or of one wait, on any variables and records (Gao et al.
// 2009). A pure value, like Plan, which every rank makes for itself.
//
// The fields form a line, in the order of the file. Fields that touch in the file touch in the line, and others begin
// anew, so that the line contains no gap of more than a few bytes. Each writer (or reader) owns one stretch of the
// line, and takes it in rounds. Its slice in a round is a stretch, whose bytes have the order of the file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "plan/claims.hpp"
#include "plan/plan.hpp"

namespace sv {

/// Fields of which the same is asked: records of one variable, or a variable without records (one).
struct Band {
  int variable;
  int64_t first_record, records;       // 0 and 1 without records
  int64_t offset_bytes, record_bytes;  // of its first element in the file; from a record to the next
  int64_t element_bytes;
  std::shared_ptr<const Claims> claims;
  /// For fields whose cells are not all claimed. One element, in file order: all cells of the field are written, and
  /// unclaimed cells get it. Empty: only claimed cells are written.
  std::vector<std::byte> fill;
};

/// One field of the line.
struct Place {
  int band;
  int64_t record;    // of the band: 0 .. records - 1
  int64_t begin;     // in the line, in bytes: of its first element that takes part
  Segment elements;  // those that take part, in the field's row-major order
  bool touches;      // nothing but padding stands between the one before and it
};

/// A writer's (or reader's) stretch of the line.
struct Stretch {
  int rank;
  int64_t begin, end;    // bytes
  int64_t window_bytes;  // where its slice begins in a half of its node's window
};

/// The part of a slice that belongs to one field.
struct Portion {
  int place;            // index
  Segment elements;     // in the field's row-major order; not empty
  int64_t slice_bytes;  // where they stand in the slice
};

class CombinedPlan {
 public:
  /// `bands` in any order, of different fields. `writers`: ranks, ascending. Everything equal on all ranks. Throws
  /// Error(limit) where the window has no room for one element per writer.
  CombinedPlan(std::vector<Band> bands, const std::vector<int> &writers, const Conditions &conditions);

  const std::vector<Band> &bands() const { return bands_; }
  const std::vector<Place> &places() const { return places_; }
  const std::vector<Stretch> &stretches() const { return stretches_; }
  const std::vector<int> &stretches_of_node(int node) const { return of_node_[static_cast<size_t>(node)]; }
  int rounds() const { return rounds_; }
  const Band &band_of(const Portion &portion) const { return bands_[static_cast<size_t>(place_of(portion).band)]; }
  const Place &place_of(const Portion &portion) const { return places_[static_cast<size_t>(portion.place)]; }
  /// The portion as a share of its field.
  Share share_of(const Portion &portion) const;
  /// Of a stretch in a round; an element that begins in it may end behind it.
  int64_t slice_bytes(int stretch, int round) const;
  /// Where it stands in the file.
  int64_t offset_of(const Portion &portion) const;
  bool fills() const { return fills_; }
  /// Between nodes: at least as many claims as share any one cell.
  int64_t depth() const { return depth_; }

  /// Calls visit(portion) for the portions of stretch `s` in a round, in the order of the file.
  template <class Visit>
  void for_portions(int s, int round, Visit &&visit) const {
    const Part part = part_of(s, round);
    if (part.begin >= part.end) return;
    for (size_t p = first_place(part.begin); p < places_.size() && places_[p].begin < part.end; ++p)
      if (const auto portion = portion_of(static_cast<int>(p), part)) visit(*portion);
  }

 private:
  struct Part {  // of the line
    int64_t begin, end;
  };
  Part part_of(int s, int round) const;
  size_t first_place(int64_t at) const;
  std::optional<Portion> portion_of(int place, const Part &part) const;
  int64_t offset_of(const Place &place) const;
  int64_t end_of(const Place &place) const;  // in the line

  void line_up(const ExtentMap &extents, int64_t stripe_bytes);
  bool touch(const Place &before, const Place &after, const ExtentMap &extents) const;
  int64_t place_from(int64_t offset_bytes) const;
  void divide(const std::vector<int> &writers, const Conditions &conditions);
  void choose_rounds(const Conditions &conditions);
  void set_round(int64_t bytes, int64_t stripe_bytes);
  int64_t room_for(int64_t bytes) const;
  bool slices_fit(const Budget &budget) const;
  bool messages_fit(const Conditions &conditions) const;
  std::vector<std::vector<int64_t>> claimed_by_nodes(const Topology &topology) const;

  std::vector<Band> bands_;
  std::vector<Place> places_;
  struct Run {  // fields that touch in the file
    int64_t begin, offset_bytes;
  };
  std::vector<Run> runs_;
  std::vector<Stretch> stretches_;
  std::vector<std::vector<int>> of_node_;
  int64_t round_bytes_ = 0, unit_ = 1, depth_ = 1;
  int rounds_ = 0;
  bool fills_ = false;
};

}  // namespace sv
