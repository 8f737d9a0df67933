// Brings values of cells to the ranks that need them, from the ranks that own them: one message for each pair of ranks
// that share cells. The values of its own cells stay where they are. Remapping uses it.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "sverdrup/sverdrup.h"

namespace sv::streams {

class CellExchange {
 public:
  /// Collective. `cells`: the number of all cells. `own`: those of this rank, ascending. `needed`: in any order.
  CellExchange(sv_context *io, int64_t cells, const std::vector<int64_t> &own, const std::vector<int64_t> &needed);

  /// Of each needed cell: its place among the own cells, followed by those that bring() returns; no_place: the cell has
  /// no owner.
  const std::vector<uint32_t> &places() const { return places_; }
  static constexpr uint32_t no_place = std::numeric_limits<uint32_t>::max();

  /// Collective. `values`: of all own cells, `inner` for each, and that `outer` times; of enum sv_type `type`. Returns
  /// outer · inner values for each cell of other ranks; valid until the next call.
  const void *bring(int type, const void *values, size_t outer, size_t inner);

 private:
  /// By rank, one after the other.
  struct Messages {
    void add(size_t rank, size_t length);

    std::vector<int> ranks, counts, begins;
    size_t cells = 0;
  };
  template <class Value>
  void pack(const Value *values, size_t outer, size_t inner);
  void connect(sv_context *io);

  struct FreeComm {
    void operator()(MPI_Comm *comm) const {
      MPI_Comm_free(comm);
      delete comm;
    }
  };
  size_t own_;
  std::vector<uint32_t> places_;
  std::vector<uint32_t> sent_cells_;  // places among the own cells
  Messages sent_, received_;
  std::unique_ptr<MPI_Comm, FreeComm> neighbours_;
  std::vector<std::byte> sent_values_, received_values_;
};

}  // namespace sv::streams
