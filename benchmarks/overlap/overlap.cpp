// sv-bench overlap: the cost of output for a model that computes meanwhile, with servers and without.
#include <algorithm>

#include "command.hpp"
#include "figures.hpp"
#include "loop.hpp"

namespace sv_bench {

namespace {

struct OverlapOptions {
  int clients = 0, servers = 2, px = 0, py = 0;
  Loop loop{10};
  int64_t bytes = 100000000;
  std::string forwarding;  // of the method sverdrup.servers; empty: as configured
};

// Names beginning so are made only if one of them is wanted: they have a workload of their own.
bool any_selected(const Options &options, const std::vector<std::string> &names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string &name) { return options.selects(name); });
}

void add_peers_with_servers(Contest &contest, const Workload *workload, const std::string &forwarding) {
  const Roles &roles = *contest.roles.front();
  std::vector<std::string> settings;
  if (!forwarding.empty()) settings.push_back("async.forwarding=" + forwarding);
  contest.peers.push_back(served_peer(roles.all, "sverdrup.servers", &roles, workload, settings));
  for (const char *policy : {"synchronous", "asynchronous", "paced"})
    contest.peers.push_back(served_peer(roles.all, std::string("sverdrup.servers.") + policy, &roles, workload,
                                        {std::string("async.forwarding=") + policy}));
}

std::string title_of(const OverlapOptions &mine) {
  const Loop &loop = mine.loop;
  return std::to_string(loop.steps) + " steps of " + text_of(loop.compute) + " and " + std::to_string(loop.levels) +
         "x" + std::to_string(loop.rows) + "x" + std::to_string(loop.columns) + " doubles, " +
         std::to_string(mine.clients) + " clients, " + std::to_string(mine.servers) + " servers";
}

void run(OverlapOptions mine, const Options &options) {
  if (mine.clients == 0) mine.clients = clients_beside(mine.servers);
  set_bytes(mine.loop, mine.bytes);
  if (!options.describe.empty()) return describe_loop("overlap", mine.loop, {mine.px, mine.py}, mine.clients, options);
  Contest contest;
  contest.roles.push_back(
      std::make_unique<Roles>(roles_of(MPI_COMM_WORLD, mine.clients, mine.servers, options.settings)));
  const Roles &roles = *contest.roles.front();
  if (roles.clients) contest.workloads.push_back(workload_of(mine.loop, *roles.clients, mine.px, mine.py));
  const Workload *const workload = roles.clients ? contest.workloads.front().get() : nullptr;
  add_references(contest, roles.all, workload, "");
  add_libraries(contest, roles.all, workload, "", options);
  add_choosing(contest, roles.all, workload, "", options);
  if (mine.servers > 0) add_peers_with_servers(contest, workload, mine.forwarding);
  if (mine.servers > 0 && any_selected(options, {"no_output.all_ranks", "pack.all_ranks", "pnetcdf.all_ranks",
                                                 "sverdrup.no_servers.all_ranks", "sverdrup.threads.all_ranks",
                                                 "sverdrup.auto.all_ranks"})) {
    Loop shared = mine.loop;  // the same work, on more ranks
    shared.compute.seconds *= static_cast<double>(mine.clients) / roles.all.ranks;
    contest.workloads.push_back(workload_of(shared, roles.all, 0, 0));
    add_references(contest, roles.all, contest.workloads.back().get(), ".all_ranks");
    add_libraries(contest, roles.all, contest.workloads.back().get(), ".all_ranks", options);
    add_choosing(contest, roles.all, contest.workloads.back().get(), ".all_ranks", options);
  }
  measure_figures({"overlap",
                   title_of(mine),
                   {{"clients", mine.clients},
                    {"servers", mine.servers},
                    {"steps", mine.loop.steps},
                    {"compute", text_of(mine.loop.compute)},
                    {"shape", {mine.loop.levels, mine.loop.rows, mine.loop.columns}},
                    {"forwarding", mine.forwarding}},
                   roles.all.ranks},
                  roles.all, workload, contest.peers, options);
}

void add_options(CLI::App &app, OverlapOptions &mine) {
  app.add_option("--clients", mine.clients, "number of ranks that compute (all ranks that do not serve)")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--servers", mine.servers, "number of ranks that serve (2)")->check(CLI::Range(0, 1000000));
  app.add_option("--steps", mine.loop.steps, "number of steps; each writes a record (10)")
      ->check(CLI::Range(1, 1000000));
  add_compute(app, mine.loop.compute, "200ms");
  app.add_option("--bytes", mine.bytes, "bytes that a step writes (100MB)")->transform(CLI::AsSizeValue(true));
  app.add_option("--forwarding", mine.forwarding, "forwarding of the method sverdrup.servers (as configured)")
      ->check(CLI::IsMember({"synchronous", "asynchronous", "paced"}));
  add_layout(app, mine.px, mine.py);
}

}  // namespace

Command overlap_command() {
  const auto mine = std::make_shared<OverlapOptions>();
  return {"overlap", "computes and writes in turn: how long output keeps the model, with servers and without",
          [mine](CLI::App &app) { add_options(app, *mine); }, [mine](const Options &options) { run(*mine, options); },
          true};
}

}  // namespace sv_bench
