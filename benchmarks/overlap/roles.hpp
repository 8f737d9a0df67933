// Some ranks compute, others serve or wait.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "method.hpp"
#include "methods/several.hpp"

namespace sv_bench {

struct Roles {
  MPI_Comm given;               // the argument of sv_init
  Team all;                     // the same ranks; those that compute come first, in the order of their model
  std::optional<Team> clients;  // no value on a rank that serves
  int n_clients, n_servers;
  std::vector<std::string> options;  // of sv_init; "servers" and "summary" among them
  std::string summary_path;          // where sv_finalize writes it
};

/// All ranks but those that serve. Throws std::invalid_argument, on all ranks, where none is left.
int clients_beside(int servers);

/// As sv_init settles them with these settings ("key=value"). Collective over `comm`, which lives as long as the
/// program, as do the communicators that are made. Throws std::invalid_argument, on all ranks, where there are not so
/// many clients and servers.
Roles roles_of(MPI_Comm comm, int clients, int servers, const std::vector<std::string> &settings);

/// A method of the ranks that have one; the other ranks of `all` sleep, so that they take no core from it. `make`
/// makes it, and is empty on ranks that wait. Collective over `all`.
Peer peer_of_some(const Team &all, const std::string &name, const std::function<Peer()> &make);
/// A method of the ranks that have a workload; `make` makes its peer for that workload. Collective over `all`; the
/// workload outlives the peer.
Peer peer_of_some(const Team &all, const Workload *workload, const std::string &name,
                  const std::function<Peer(const std::string &name, const Workload &workload)> &make);
/// Sverdrup with servers: a context for each run. `roles` is null on ranks of `all` that wait, the workload on all that
/// do not compute; both outlive the peer. Collective over `all`.
Peer served_peer(const Team &all, const std::string &name, const Roles *roles, const Workload *workload,
                 const std::vector<std::string> &settings);
/// The same for any method: `make` makes it, with these settings of sv_init, and is empty on all ranks that do not
/// compute; `decomposition`: of the contexts, as of SverdrupContext.
struct ServedMaker {
  const Workload *decomposition = nullptr;
  std::function<InContext(const std::vector<std::string> &settings)> make = {};
};
Peer served_peer(const Team &all, const std::string &name, const Roles *roles, const ServedMaker &maker,
                 const std::vector<std::string> &settings);

}  // namespace sv_bench
