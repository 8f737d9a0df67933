// A context of Sverdrup for one method.
#pragma once

#include <sverdrup/sverdrup.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "method.hpp"

namespace sv_bench {

/// Throws std::runtime_error with the library's own words.
void check_sverdrup(int status, const char *call);

class SverdrupContext {
 public:
  /// Collective, as are all functions, over the ranks that compute. `options`: "key=value"; with servers among them,
  /// those serve in here, and are to finish. `workload`: whose points, or else grid, are the decomposition; null: none.
  SverdrupContext(MPI_Comm comm, const std::vector<std::string> &options, const Workload *workload);
  void finish() const { check_sverdrup(sv_finalize(io_), "sv_finalize"); }
  sv_context *io() const { return io_; }
  sv_decomp *grid() const { return grid_; }
  const std::vector<sv_decomp *> &grids() const { return grids_; }  // of the workload's grids
  bool computes() const { return rank_ >= 0; }
  int rank() const { return rank_; }  // among those that compute; -1 where this rank served
  /// Whether servers or threads still write when a call has returned.
  bool writes_behind() const { return writes_behind_; }

  /// What the decomposition of points costs: {"setup_seconds", "bytes_per_cell", "most_bytes_per_owned_cell"}; null for
  /// others.
  nlohmann::json point_costs() const;
  /// What the context has counted so far, on rank 0; the summary goes through a file.
  nlohmann::json summary(const std::string &beside) const;
  /// Of one of `runs` equal runs, on rank 0. `counts`: whether the library's writes are system calls, and not calls of
  /// another library.
  Traffic traffic(const std::string &beside, int64_t runs, bool counts) const;

 private:
  int rank_ = -1;
  bool writes_behind_ = false;
  sv_context *io_ = nullptr;
  sv_decomp *grid_ = nullptr;
  std::vector<sv_decomp *> grids_;
  bool points_ = false;  // grid_ is of points
};

}  // namespace sv_bench
