// Brings values of cells to the ranks that need them, from the ranks that own them: through memory that the ranks of a
// node share, and by one message for each pair of nodes that share cells, in which each cell is once. The values of its
// own cells stay where they are. Remapping uses it.
#pragma once

#include <limits>
#include <utility>

#include "node_group.hpp"

namespace sv::streams {

class CellExchange {
 public:
  /// Collective. `cells`: the number of all cells. `own`: those of this rank, ascending. `needed`: in any order.
  CellExchange(sv_context *io, const NodeGroup &nodes, int64_t cells, const std::vector<int64_t> &own,
               const std::vector<int64_t> &needed);

  /// Once. Of each needed cell: its place among the own cells, followed by those that bring() returns; no_place: the
  /// cell has no owner.
  std::vector<uint32_t> take_places() { return std::exchange(places_, {}); }
  static constexpr uint32_t no_place = std::numeric_limits<uint32_t>::max();
  /// Whether some rank needs cells of others: bring() is collective only then.
  bool is_needed() const { return is_needed_; }

  /// Collective. `values`: of all own cells, `inner` for each, and that `outer` times; of enum sv_type `type`. Returns
  /// outer · inner values for each cell of other ranks; valid until the call after the next one.
  const void *bring(int type, const void *values, size_t outer, size_t inner);

 private:
  using Numbers = std::vector<int64_t>;
  using Lists = std::vector<Numbers>;

  /// The owners' answers to `requests`: places in the block of this node.
  Lists place_cells(sv_context *io, const Numbers &own, const Lists &requests);
  void lay_out(sv_context *io, const Numbers &sent, const Numbers &received);
  void connect(const Numbers &sent, const Numbers &received);
  SharedRoom &room_of(size_t cell_bytes);
  template <class Value>
  void pack(const Value *values, size_t outer, size_t inner, std::byte *to) const;
  void send(std::byte *cells, size_t cell_bytes) const;

  /// Cells of the room, one block after the other: those that this node's ranks have for each other, those that it gets
  /// from each other node, and those that it sends to each.
  struct Blocks {
    Numbers received, sent;  // begins, by node; that of this node is 0
    int64_t first_sent = 0, cells = 0;
  };
  /// Of a first rank, by neighbour. `begins`: of all that it sends, or of the room.
  struct Messages {
    std::vector<int> nodes, counts, begins;
  };
  /// A cell that this rank has for others.
  struct Copy {
    uint32_t own, place;  // among the own cells, and in the room
  };

  const NodeGroup *nodes_;
  size_t own_;
  std::vector<uint32_t> places_;
  Blocks blocks_;
  std::vector<Copy> copies_;
  bool is_needed_ = false;
  Messages sent_, received_;
  OwnedComm neighbours_;  // of a first rank
  // Two, in turn: while a rank writes into one, others may still read the other.
  std::unique_ptr<SharedRoom> rooms_[2];
  size_t turn_ = 0;
};

}  // namespace sv::streams
