// The two programs of Huang, Wang, Fu, Liu, Yang, Hu 2013, "A fast input/output library for high-resolution climate
// models", section 5.4, scaled.
#include <stdexcept>

#include "command.hpp"
#include "overlap/figures.hpp"
#include "overlap/loop.hpp"

namespace sv_bench {

namespace {

using nlohmann::json;

constexpr int64_t paper_rows = 2048, paper_columns = 4096;
constexpr int64_t throughput_variables = 500;
constexpr int64_t paper_loops = 40, loop_variables = 48;  // of the same size: 3.2 GB
constexpr double loop_seconds = 7.5;

// As many cells as the paper's, divided by `scale`, in the same proportion.
void set_scale(Loop &loop, double scale) {
  loop.rows = scaled_length(paper_rows, scale);
  loop.columns = scaled_length(paper_columns, scale);
}

std::string size_of(const Loop &loop) {
  return std::to_string(loop.variables) + " variables of " + std::to_string(loop.columns) + "x" +
         std::to_string(loop.rows) + " doubles";
}

struct CfioOptions {
  int servers = 2, px = 0, py = 0;
  double scale = 64;
  Loop loop = {};
};

json settings_of(const CfioOptions &mine, int clients) {
  return {{"clients", clients},
          {"servers", mine.servers},
          {"scale", mine.scale},
          {"steps", mine.loop.steps},
          {"compute", text_of(mine.loop.compute)},
          {"variables", mine.loop.variables},
          {"shape", {mine.loop.rows, mine.loop.columns}}};
}

// The first ranks, of which the last serve; null on the others.
std::unique_ptr<Roles> roles_of_first(const Team &world, int clients, int servers, const Options &options) {
  MPI_Comm comm = MPI_COMM_NULL;
  const int color = world.rank < clients + servers ? 0 : MPI_UNDEFINED;
  if (MPI_Comm_split(world.comm, color, world.rank, &comm) != MPI_SUCCESS)
    throw std::runtime_error("MPI cannot divide the ranks");
  if (comm == MPI_COMM_NULL) return nullptr;
  std::vector<std::string> settings = options.settings;
  settings.emplace_back("async.placement=last");
  try {
    return std::make_unique<Roles>(roles_of(comm, clients, servers, settings));
  } catch (const std::invalid_argument &error) {
    throw std::runtime_error(error.what());  // the other ranks know nothing of it
  }
}

// PnetCDF and Sverdrup on the clients, and with 1, 2 and so on up to so many servers.
void run_throughput(CfioOptions mine, const Options &options) {
  const Team world(MPI_COMM_WORLD);
  const int clients = clients_beside(mine.servers);
  set_scale(mine.loop, mine.scale);
  if (!options.describe.empty())
    return describe_loop("cfio_throughput", mine.loop, {mine.px, mine.py}, clients, options);
  Contest contest;
  for (int servers = 1; servers <= mine.servers; ++servers)
    contest.roles.push_back(roles_of_first(world, clients, servers, options));
  MPI_Comm computing = MPI_COMM_NULL;
  MPI_Comm_split(world.comm, world.rank < clients ? 0 : MPI_UNDEFINED, world.rank, &computing);
  if (computing != MPI_COMM_NULL)
    contest.workloads.push_back(workload_of(mine.loop, Team(computing), mine.px, mine.py));
  const Workload *const workload = contest.workloads.empty() ? nullptr : contest.workloads.front().get();
  add_libraries(contest, world, workload, "", options);
  for (int servers = 1; servers <= mine.servers; ++servers)
    contest.peers.push_back(served_peer(world, "sverdrup.servers." + std::to_string(servers),
                                        contest.roles[static_cast<size_t>(servers - 1)].get(), workload, {}));
  measure_figures({"cfio_throughput", size_of(mine.loop) + ", " + std::to_string(clients) + " clients",
                   settings_of(mine, clients), world.ranks},
                  world, workload, contest.peers, options);
}

void run_loop(CfioOptions mine, const Options &options) {
  const Team world(MPI_COMM_WORLD);
  const int clients = clients_beside(mine.servers);
  set_scale(mine.loop, mine.scale);
  mine.loop.compute.seconds = loop_seconds / mine.scale;
  if (!options.describe.empty()) return describe_loop("cfio_loop", mine.loop, {mine.px, mine.py}, clients, options);
  Contest contest;
  contest.roles.push_back(roles_of_first(world, clients, mine.servers, options));
  const Roles &roles = *contest.roles.front();
  if (roles.clients) contest.workloads.push_back(workload_of(mine.loop, *roles.clients, mine.px, mine.py));
  const Workload *const workload = roles.clients ? contest.workloads.front().get() : nullptr;
  add_references(contest, world, workload, "");
  add_libraries(contest, world, workload, "", options);
  if (mine.servers > 0) contest.peers.push_back(served_peer(world, "sverdrup.servers", &roles, workload, {}));
  measure_figures(
      {"cfio_loop",
       std::to_string(mine.loop.steps) + " loops of " + text_of(mine.loop.compute) + " and " + size_of(mine.loop) +
           ", " + std::to_string(clients) + " clients, " + std::to_string(mine.servers) + " servers",
       settings_of(mine, clients), world.ranks},
      world, workload, contest.peers, options);
}

void add_options(CLI::App &app, CfioOptions &mine) {
  app.add_option("--servers", mine.servers, "largest number of ranks that serve (2); the others are clients")
      ->check(CLI::Range(0, 1000000));
  app.add_option("--variables", mine.loop.variables, "number of variables of a step")->check(CLI::Range(1, 100000));
  add_layout(app, mine.px, mine.py);
}

}  // namespace

Command cfio_throughput_command() {
  const auto mine = std::make_shared<CfioOptions>();
  mine->loop.records = false;
  mine->loop.variables = throughput_variables;
  mine->loop.compute.seconds = 0;
  return {
      "cfio_throughput", "writes 500 variables of 4096x2048 doubles, scaled (Huang et al. 2013, Fig. 9)",
      [mine](CLI::App &app) {
        add_options(app, *mine);
        app.add_option("--scale", mine->scale, "divides the size of the variables (64)")->check(CLI::Range(1.0, 1e6));
      },
      [mine](const Options &options) { run_throughput(*mine, options); }, true};
}

Command cfio_loop_command() {
  const auto mine = std::make_shared<CfioOptions>();
  mine->loop.steps = paper_loops;
  mine->loop.variables = loop_variables;
  return {"cfio_loop", "40 loops of 7.5 s of computing and 3.2 GB of output, scaled (Huang et al. 2013, Fig. 10)",
          [mine](CLI::App &app) {
            add_options(app, *mine);
            app.add_option("--loops", mine->loop.steps, "number of loops (40)")->check(CLI::Range(1, 1000000));
            app.add_option("--scale", mine->scale, "divides the time and the bytes of a loop (64)")
                ->check(CLI::Range(1.0, 1e6));
          },
          [mine](const Options &options) { run_loop(*mine, options); }, true};
}

}  // namespace sv_bench
