// sv-bench macom: the run of Pang, Yu, Zhang, Ye 2023, "An asynchronous parallel I/O framework for Mass Conservation
// Ocean Model", sections 5.2 and 5.4, scaled.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "command.hpp"
#include "methods/methods.hpp"
#include "overlap/baselines.hpp"
#include "overlap/compute.hpp"
#include "overlap/figures.hpp"
#include "overlap/loop.hpp"
#include "peers.hpp"
#include "points.hpp"

namespace sv_bench {

namespace {

using nlohmann::json;

constexpr double paper_cells = 5749313;
// Fig. 2: 1024 processes took 8954 s, of which 40.6 % were output.
constexpr double paper_processes = 1024, paper_compute_seconds = 5319;
constexpr int most_steps_per_output = 10;  // of Figs. 8 and 9

struct MacomOptions {
  int servers = 4, primaries = 1;
  double scale = 1000, processes = paper_processes;
  int64_t steps = 15120, outputs = 84, levels = 75, flat = 6, layered = 5, varn_limit = 10000;
  ComputeWish step{ComputeWish::Kind::halo, 0};  // seconds 0: the paper's computing, scaled, in so many steps
  Ownership ownership{"metis", ""};
  bool hidden = false;
};

double step_seconds(const MacomOptions &mine) {
  if (mine.step.seconds > 0) return mine.step.seconds;
  return paper_compute_seconds * paper_processes / mine.processes / mine.scale / static_cast<double>(mine.steps);
}

PointFile file_of(const MacomOptions &mine) {
  PointFile file;
  file.cells = std::max<int64_t>(1, std::llround(paper_cells / mine.scale));
  file.levels = mine.levels;
  file.flat = mine.flat;
  file.layered = mine.layered;
  file.steps = mine.outputs;
  return file;
}

/// Of a team whose ranks own `cells`, with its model, which takes `steps` steps of `seconds` before each output.
std::unique_ptr<Workload> modelled(const MacomOptions &mine, const Team &team, const std::vector<int64_t> &cells,
                                   double steps, double seconds) {
  auto workload = point_workload(file_of(mine), team, cells);
  int px = 0, py = 0;
  complete_layout(px, py, team.ranks);
  ComputeWish wish = mine.step;
  wish.seconds = steps * seconds;
  wish.between_exchanges = seconds;
  workload->model = std::make_shared<TimedModel>(*workload, wish, px, py);
  return workload;
}

/// The paper's, where the user says nothing else.
std::vector<std::string> served_settings(const MacomOptions &mine, const std::vector<std::string> &wanted) {
  std::vector<std::string> settings{"points.primaries=" + std::to_string(mine.primaries), "route=ranges",
                                    "writers=" + std::to_string(mine.servers), "async.forwarding=asynchronous"};
  settings.insert(settings.end(), wanted.begin(), wanted.end());
  return settings;
}

// Each on the ranks that have the workload.
void add_synchronous(Contest &contest, const Team &all, const Workload *workload, const std::string &suffix,
                     int64_t varn_limit) {
  contest.peers.push_back(peer_of_some(all, workload, "no_output" + suffix, no_output_peer));
  contest.peers.push_back(peer_of_some(all, workload, "pnetcdf" + suffix, [](const auto &name, const auto &what) {
    return pnetcdf_reorder_peer(name, what, Partition::ranges, what.team.ranks);
  }));
  contest.peers.push_back(
      peer_of_some(all, workload, "pnetcdf.varn" + suffix, [varn_limit](const auto &name, const auto &what) {
        Peer peer = pnetcdf_varn_peer(name, what);
        if (what.points->all_cells() > varn_limit)
          peer.missing = "left out above --varn-limit " + std::to_string(varn_limit) + " cells";
        return peer;
      }));
}

void add_run(Contest &contest, const MacomOptions &mine, const Options &options) {
  const Roles &roles = *contest.roles.front();
  const double steps = static_cast<double>(mine.steps) / static_cast<double>(mine.outputs);
  const double seconds = step_seconds(mine);
  const int64_t cells = file_of(mine).cells;
  if (roles.clients)
    contest.workloads.push_back(
        modelled(mine, *roles.clients, owned_cells(*roles.clients, cells, mine.ownership), steps, seconds));
  const Workload *const workload = roles.clients ? contest.workloads.front().get() : nullptr;
  add_synchronous(contest, roles.all, workload, "", mine.varn_limit);
  std::vector<std::string> settings = options.settings;
  settings.insert(settings.begin(), "async=none");
  contest.peers.push_back(
      peer_of_some(roles.all, workload, "sverdrup.no_servers", [settings](const auto &name, const auto &what) {
        return sverdrup_peer(name, what, false, Way::each, settings);
      }));
  if (mine.servers == 0) return;
  contest.peers.push_back(
      served_peer(roles.all, "sverdrup.servers", &roles, workload, served_settings(mine, options.settings)));
  // The same work on more ranks.
  const double shared = seconds * roles.n_clients / roles.all.ranks;
  contest.workloads.push_back(modelled(mine, roles.all, owned_cells(roles.all, cells, mine.ownership), steps, shared));
  add_synchronous(contest, roles.all, contest.workloads.back().get(), ".all_ranks", mine.varn_limit);
}

// With 1, 2 and so on steps before each output.
void add_hidden(Contest &contest, const MacomOptions &mine, const Options &options) {
  const Roles &roles = *contest.roles.front();
  std::vector<int64_t> cells;
  const std::vector<std::string> settings = served_settings(mine, options.settings);
  if (roles.clients) cells = owned_cells(*roles.clients, file_of(mine).cells, mine.ownership);
  for (int k = 1; k <= most_steps_per_output; ++k) {
    if (roles.clients) contest.workloads.push_back(modelled(mine, *roles.clients, cells, k, step_seconds(mine)));
    const Workload *const workload = roles.clients ? contest.workloads.back().get() : nullptr;
    contest.peers.push_back(
        served_peer(roles.all, "sverdrup.servers." + std::to_string(k), &roles, workload, settings));
  }
}

json hidden_share(const json &entry) {
  if (!entry.contains("server_output_seconds") || entry.at("server_output_seconds").is_null()) return nullptr;
  return 1 - entry.at("blocked").at("median").get<double>() / entry.at("server_output_seconds").get<double>();
}

// Fig. 2 and Fig. 9. The figures of overlap are all there already.
void add_macom_figures(const Report &, std::string &table, json &document) {
  table += format("\n%-30s %9s %9s %9s %7s %10s %10s %8s\n", "median seconds", "compute", "halos", "output", "share",
                  "clients'", "servers'", "hidden");
  table += format("%-30s %9s %9s %9s %7s %10s %10s %8s\n", "", "", "", "", "", "output", "output", "%");
  for (json &entry : document["results"]) {
    const double halos = entry.at("communication").get<double>(), blocked = entry.at("blocked").at("median");
    const double compute = entry.at("compute").at("max").get<double>() - halos;
    const double output = entry.at("open").get<double>() + blocked + entry.at("drain").get<double>();
    entry["output"] = output;
    entry["hidden"] = hidden_share(entry);
    table += format("%-30s %9.3f %9.3f %9.3f %6.1f%%", entry.at("name").get<std::string>().c_str(), compute, halos,
                    output, 100 * output / entry.at("seconds").at("median").get<double>());
    table += entry["hidden"].is_null()
                 ? "\n"
                 : format(" %10.4f %10.4f %8.2f\n", blocked, entry.at("server_output_seconds").get<double>(),
                          100 * entry.at("hidden").get<double>());
  }
}

void run(MacomOptions mine, const Options &options) {
  const Team world(MPI_COMM_WORLD);
  const int clients = clients_beside(mine.servers);
  if (mine.hidden && mine.servers == 0)
    throw std::invalid_argument("--hidden is about servers: give --servers 1 or more");
  if (mine.steps < mine.outputs)
    throw std::invalid_argument("--steps " + std::to_string(mine.steps) + " are fewer than --outputs " +
                                std::to_string(mine.outputs));
  Contest contest;
  contest.roles.push_back(std::make_unique<Roles>(roles_of(world.comm, clients, mine.servers, options.settings)));
  mine.hidden ? add_hidden(contest, mine, options) : add_run(contest, mine, options);
  const Roles &roles = *contest.roles.front();
  const Workload *const workload = roles.clients ? contest.workloads.front().get() : nullptr;
  const PointFile file = file_of(mine);
  const std::string title = std::to_string(mine.outputs) + " outputs of " + std::to_string(file.flat) +
                            " variables of " + std::to_string(file.cells) + " doubles and " +
                            std::to_string(file.layered) + " of " + std::to_string(file.levels) + " levels, " +
                            std::to_string(clients) + " clients, " + std::to_string(mine.servers) + " servers";
  measure_figures({mine.hidden ? "macom_hidden" : "macom",
                   title,
                   {{"clients", clients},
                    {"servers", mine.servers},
                    {"primaries", mine.primaries},
                    {"scale", mine.scale},
                    {"cells", file.cells},
                    {"levels", file.levels},
                    {"vars_1d", file.flat},
                    {"vars_2d", file.layered},
                    {"steps", mine.steps},
                    {"outputs", mine.outputs},
                    {"processes", mine.processes},
                    {"step_seconds", step_seconds(mine)},
                    {"ownership", mine.ownership.kind}},
                   roles.all.ranks,
                   add_macom_figures},
                  roles.all, workload, contest.peers, options);
}

void add_options(CLI::App &app, MacomOptions &mine) {
  const auto read_step = [&mine](const std::string &text) {
    mine.step = compute_wish(text);
    if (text.find(':') == std::string::npos) mine.step.kind = ComputeWish::Kind::halo;
  };
  app.add_option("--servers", mine.servers, "number of ranks that serve (4; 0: none); the others are clients")
      ->check(CLI::Range(0, 1000000));
  app.add_option("--primaries", mine.primaries, "number of servers that collect the points (1)")
      ->check(CLI::Range(0, 1000000));
  app.add_option("--scale", mine.scale, "divides the number of cells (5,749,313) and the time of computing (1000)")
      ->check(CLI::Range(1.0, 5e6));
  app.add_option("--processes", mine.processes, "number of processes of the paper's run to emulate: 128 to 1024 (1024)")
      ->check(CLI::Range(1.0, 1e6));
  app.add_option("--steps", mine.steps, "number of computing steps of the run, each with an exchange of halos (15120)")
      ->check(CLI::Range(1, 100000000));
  app.add_option("--outputs", mine.outputs, "number of outputs of the run (84)")->check(CLI::Range(1, 1000000));
  app.add_option("--levels", mine.levels, "number of levels (75)")->check(CLI::Range(1, 100000));
  app.add_option("--vars-1d", mine.flat, "number of variables (time, cell) (6)")->check(CLI::Range(0, 1000));
  app.add_option("--vars-2d", mine.layered, "number of variables (time, level, cell) (5)")->check(CLI::Range(0, 1000));
  app.add_option_function<std::string>(
      "--step", read_step,
      "computing in each step, such as 1ms, before halos are exchanged; sleep:1ms and spin:1ms "
      "exchange no halos (the paper's 5319 s, adapted to --scale, --processes and --steps)");
  app.add_option("--ownership", mine.ownership.kind,
                 "which rank owns which cells: metis, random, or runs of 64 cells (metis)")
      ->check(CLI::IsMember({"random", "metis", "runs"}));
  app.add_option("--varn-limit", mine.varn_limit, "largest number of cells for which pnetcdf.varn runs (10000)");
  app.add_flag("--hidden", mine.hidden,
               "measures how much output is hidden by 1 to 10 steps before each output, instead (Figs. 8, 9)");
}

}  // namespace

Command macom_command() {
  const auto mine = std::make_shared<MacomOptions>();
  return {"macom", "a model on an unstructured grid that computes while its output is written (Pang et al. 2023)",
          [mine](CLI::App &app) { add_options(app, *mine); }, [mine](const Options &options) { run(*mine, options); }};
}

}  // namespace sv_bench
