// Brings values of cells to the ranks that need them, from the ranks that own them: one message for each pair of ranks
// that share cells, and a copy where a rank owns what it needs. Remapping uses it.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "accumulator.hpp"
#include "sverdrup/sverdrup.h"

namespace sv::streams {

class CellExchange {
 public:
  /// Collective. `cells`: the number of all cells. `own`: those of this rank, ascending. `needed`: in any order.
  CellExchange(sv_context *io, int64_t cells, const std::vector<int64_t> &own, const std::vector<int64_t> &needed);

  /// Collective. `values`: of all own cells, `inner` for each, and that `outer` times; of this kind. Returns outer ·
  /// inner values for each needed cell, NaN where they are missing or the cell has no owner; valid until the next call.
  const double *bring(const double *values, size_t outer, size_t inner, const ValueKind &kind);

 private:
  /// Cells that follow one another, in `own` or in a message, and where they go: in a message or in `needed`.
  struct Run {
    size_t from, to, length;
  };
  class Runs {
   public:
    void add(size_t from, size_t to);
    std::vector<Run> all;
  };
  /// By rank, one after the other.
  struct Messages {
    std::vector<int> ranks, counts, begins;
    size_t cells = 0;
    Runs runs;
  };
  void connect(sv_context *io);

  struct FreeComm {
    void operator()(MPI_Comm *comm) const {
      MPI_Comm_free(comm);
      delete comm;
    }
  };
  size_t own_, needed_;
  Runs copies_;  // from own to needed
  Messages sent_, received_;
  std::unique_ptr<MPI_Comm, FreeComm> neighbours_;
  std::vector<double> sent_values_, received_values_, values_;
};

}  // namespace sv::streams
