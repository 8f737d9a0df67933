// The sinks of a stage of a plan: who receives, and what. Values.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "layout/layout.hpp"
#include "plan/owners.hpp"
#include "plan/share.hpp"

namespace sv {

/// A receiver of a stage and its territory. A sink of the last stage takes its territory in chunks of round_elements,
/// one a round: in order, but beginning at chunk `turn`, so that writers of a field of many levels do not all want the
/// same rows at once, and with a first chunk that is `phase_elements` shorter, so that later ones begin on a stripe or
/// page.
///
/// A sink of a plan by chunks takes no territory of its own: of n sinks, sink s takes chunks s, n + s, 2 n + s ... of
/// the field, each in Plan::parts rounds.
struct Sink {
  int rank;
  Share territory;
  int64_t window_elements;  // where its place in a half of its node's window begins; see Plan::slice_begin
  int feeds = -1;           // in a collecting stage: the sink of the next stage for which this slice is collected
  int64_t phase_elements = 0;
  int turn = 0;
};

/// All of a stage, in order. Those of a stage in which every block is written by its owner are as many as ranks: they
/// are not listed, which would take 330 bytes for each in every plan, but found in the layout.
class Sinks {
 public:
  Sinks() = default;
  Sinks(std::vector<Sink> listed) : listed_(std::move(listed)) {}
  /// Of the layout: its blocks, each of its owner, and then its declared holes, of the owners of the blocks in turn.
  static Sinks of_blocks(std::shared_ptr<const Layout> layout, const Field &field);

  bool are_blocks() const { return blocks_ != nullptr; }
  size_t size() const { return are_blocks() ? windows_.size() : listed_.size(); }
  bool empty() const { return size() == 0; }
  Sink operator[](size_t sink) const { return are_blocks() ? block(sink) : listed_[sink]; }
  Sink front() const { return (*this)[0]; }
  int rank(size_t sink) const { return are_blocks() ? rank_of_block(sink) : listed_[sink].rank; }
  int feeds(size_t sink) const { return are_blocks() ? -1 : listed_[sink].feeds; }
  /// Of its territory.
  int64_t elements(size_t sink) const;
  /// Whether its territory and the box of a patch may have cells in common: cheaper than to count these.
  bool may_meet(size_t sink, const Box &patch) const { return !are_blocks() || box_of_block(sink).meets(patch); }
  /// Whether its territory and a box of the field have cells in common.
  bool meets(size_t sink, const Box &part) const;
  /// Of blocks, as copies, too.
  std::vector<Sink> all() const;

  void set_window(size_t sink, int64_t elements);
  /// To change those that are listed.
  std::vector<Sink> &listed() { return listed_; }

  class Iterator {
   public:
    Iterator(const Sinks &sinks, size_t at) : sinks_(&sinks), at_(at) {}
    Sink operator*() const { return (*sinks_)[at_]; }
    Iterator &operator++() {
      ++at_;
      return *this;
    }
    bool operator!=(const Iterator &other) const { return at_ != other.at_; }

   private:
    const Sinks *sinks_;
    size_t at_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

 private:
  Sink block(size_t sink) const;
  int rank_of_block(size_t sink) const;
  /// A block or a hole, as the layout has it.
  struct OfGrid {
    const BoxList &list;
    size_t at;
    Box box() const { return list[at]; }
    int64_t elements() const { return list.elements(at); }
    bool meets(const Box &other, int axis = 0) const { return list.meets(at, other, axis); }
  };
  OfGrid box_of_block(size_t sink) const;

  std::vector<Sink> listed_;
  std::shared_ptr<const Layout> blocks_;
  Index shape_;  // of the field
  int first_axis_ = 0;
  int64_t of_cell_ = 0;           // elements of the field
  std::vector<int64_t> windows_;  // of blocks and holes: their window_elements
};

/// A box of a layout's grid in a field of this shape: all of the other dimensions.
Box extended(const Box &patch, const Index &shape, int first_axis);

}  // namespace sv
