// The sinks of a stage of a plan: the receivers and their cells. Values.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "layout/layout.hpp"
#include "plan/owners.hpp"
#include "plan/share.hpp"
#include "plan/topology.hpp"

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
  int64_t window_elements;  // of the listed ones; see Sinks::window
  int feeds = -1;           // in a collecting stage: the sink of the next stage for which this slice is collected
  int64_t phase_elements = 0;
  int turn = 0;
};

/// All sinks of a stage, in order. A stage in which every owner writes its block has as many as ranks: they are not
/// listed, which would take 330 bytes for each in every plan, but found in the layout and the topology. No code has to
/// look at all of them.
class Sinks {
 public:
  Sinks() = default;
  Sinks(std::vector<Sink> listed, const Topology &topology);
  /// Of the layout: its blocks, each of its owner, and then its declared holes, of the owners of the blocks in turn.
  static Sinks of_blocks(std::shared_ptr<const Layout> layout, const Field &field, const Topology &topology);

  bool are_blocks() const { return blocks_ != nullptr; }
  size_t size() const { return are_blocks() ? size_of_blocks_ : listed_.size(); }
  bool empty() const { return size() == 0; }
  Sink operator[](size_t sink) const;
  Sink front() const { return (*this)[0]; }
  int rank(size_t sink) const { return are_blocks() ? rank_of_block(sink) : listed_[sink].rank; }
  int feeds(size_t sink) const { return are_blocks() ? -1 : listed_[sink].feeds; }
  /// Of its territory.
  int64_t elements(size_t sink) const;
  int64_t most_elements() const;  // of the longest
  /// Those of the ranks of a node, ascending.
  std::vector<int> of_node(int node) const;
  /// At least as many as these; O(1).
  int64_t most_of_node(int node) const;
  /// Of blocks: those of a rank, ascending.
  std::vector<int> of_rank(int rank) const;
  /// Whether its territory and the box of a patch may have cells in common: cheaper than to count these.
  bool may_meet(size_t sink, const Box &patch) const {
    if (!are_blocks()) return true;
    const auto [list, at] = box_of_block(sink);
    return list.meets(at, patch);
  }
  /// Whether its territory and a box of the field have cells in common.
  bool meets(size_t sink, const Box &part) const;
  /// Of blocks, as copies, too.
  std::vector<Sink> all() const;

  /// Where its place in a half of its node's window begins; see Plan::slice_begin. Of blocks: O(those of its node).
  int64_t window(size_t sink) const;
  /// Of blocks: each one's place has room for so many elements at most, rounded up to a multiple of `alignment`.
  void set_places(int64_t most_elements, int64_t alignment);
  /// To change those that are listed, but not their ranks.
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
  int rank_of_block(size_t sink) const;
  /// A block or a hole, as the layout has it.
  struct OfGrid {
    const BoxList &list;
    size_t at;
  };
  OfGrid box_of_block(size_t sink) const;

  void divide(const Topology &topology);

  std::vector<std::vector<int>> of_node_;  // by node; empty of blocks, but where they are few
  std::vector<Sink> listed_;
  std::shared_ptr<const Layout> blocks_;
  Topology topology_;
  Index shape_;  // of the field
  int first_axis_ = 0;
  int64_t of_cell_ = 0;        // elements of the field
  size_t size_of_blocks_ = 0;  // and of holes
  int64_t most_in_place_ = 0, alignment_ = 1;
};

/// A box of a layout's grid in a field of this shape: all of the other dimensions.
Box extended(const Box &patch, const Index &shape, int first_axis);

}  // namespace sv
