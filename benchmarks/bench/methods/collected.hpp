// The aggregation of models before they write: the ranks of an I/O domain send their blocks to one of them, the I/O PE,
// and the I/O PEs write. One domain: rank 0 gathers everything (Yang et al. 2020, Table 1; Wong et al. 2015, Fig. 1a).
// Rows or columns of ranks: the aggregation of Wong et al. 2015 (Fig. 1c, 1d).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "method.hpp"
#include "methods/methods.hpp"
#include "workload/blocks.hpp"

namespace sv_bench {

/// I/O domains in x and y; they need not divide the ranks.
struct Domains {
  Ranks ranks, io;
};

class Collected : public SteppedMethod {
 public:
  /// Collective. Writes; the workload's accesses are those of block_access in its grid, which outlives it.
  Collected(const Workload &workload, const Domains &domains);
  void open(const std::string &path) override;
  void move(size_t step) override;
  void close() override;
  Traffic traffic() override;
  void finish() override;

 protected:
  /// Brings the values of one access to the I/O PEs, which put them.
  virtual void collect(const Access &access);
  /// Of the I/O PEs; null on all others, where the next three are not called.
  MPI_Comm writers() const { return writers_; }
  virtual void create(const std::string &path) = 0;
  virtual void put(int variable, const Region &region, const std::byte *values) = 0;
  virtual void close_file() = 0;

 private:
  using Bounds = std::array<int64_t, 4>;  // start and count of rows, start and count of columns
  const std::byte *pack(const Access &access, int64_t levels);
  void order(int64_t levels, int64_t width);

  MPI_Comm domain_ = MPI_COMM_NULL, writers_ = MPI_COMM_NULL;
  Bounds mine_{}, whole_{};      // this rank's block; on an I/O PE that of its domain
  std::vector<Bounds> members_;  // on an I/O PE: of each rank of its domain
  std::vector<int> counts_, places_;
  std::vector<std::byte> packed_, gathered_, block_;
};

/// With PnetCDF among the I/O PEs. `hints`: of MPI-IO.
Peer collected_pnetcdf_peer(const std::string &name, const Workload &workload, const Domains &domains,
                            const Hints &hints);
/// With serial netCDF by rank 0.
Peer gather_netcdf_peer(const std::string &name, const Workload &workload, const Ranks &ranks);
/// The same; every rank learns what became of each put, and records count when their step ends, as with Sverdrup.
Peer gather_and_send_to_peer(const std::string &name, const Workload &workload, const Ranks &ranks);

}  // namespace sv_bench
