// A model's loop: it computes and puts the same variables, in turn.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compute.hpp"
#include "options.hpp"
#include "roles.hpp"
#include "workload/blocks.hpp"

namespace sv_bench {

/// The output of each step: `variables` of levels x rows x columns doubles, from arrays with one guard cell around
/// rows and columns.
struct Loop {
  int64_t steps = 1;
  bool records = true;  // each step is a record of the same variables; otherwise there is one step
  int64_t variables = 1, levels = 1, rows = 1, columns = 1;
  ComputeWish compute = {};
};

/// A field of about so many bytes.
void set_bytes(Loop &loop, int64_t bytes);

/// What a loop of so many ranks that compute writes, to options.describe. Collective over all ranks.
void describe_loop(const std::string &workload, const Loop &loop, Ranks layout, int clients, const Options &options);

/// Of this rank, with its model. `px`, `py`: 0 for a division as square as possible. Collective. Throws
/// std::invalid_argument for fields with fewer rows or columns than ranks.
std::unique_ptr<Workload> workload_of(const Loop &loop, const Team &team, int px, int py);

/// The methods of a loop, and the objects to which they refer.
struct Contest {
  std::vector<std::unique_ptr<Roles>> roles;
  std::vector<std::unique_ptr<Workload>> workloads;
  std::vector<Peer> peers;
};
/// Adds methods of ranks that compute, with `suffix` to their names: no_output and pack.
void add_references(Contest &contest, const Team &all, const Workload *workload, const std::string &suffix);
/// PnetCDF, and Sverdrup without servers: writing in the calls, and behind them.
void add_libraries(Contest &contest, const Team &all, const Workload *workload, const std::string &suffix,
                   const Options &options);
/// Sverdrup, which chooses one of these by the cost of its steps.
void add_choosing(Contest &contest, const Team &all, const Workload *workload, const std::string &suffix,
                  const Options &options);

}  // namespace sv_bench
