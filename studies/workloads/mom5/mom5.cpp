// sv-bench mom5: the benchmark of Yang, Ward, Evans 2020, with its times as its Tables 4 to 6 report them.
#include "command.hpp"
#include "describe.hpp"
#include "methods/collected.hpp"
#include "ocean.hpp"
#include "overlap/compute.hpp"
#include "overlap/roles.hpp"
#include "report.hpp"
#include "room.hpp"
#include "workload/input.hpp"

namespace sv_bench {

namespace {

using nlohmann::json;

struct Mom5Options {
  std::string resolution = "0.25";
  double scale = 400;
  int64_t steps = 0;  // 0: the paper's
  Ranks ranks{0, 0}, io{0, 0};
  ComputeWish compute{ComputeWish::Kind::sleep, 0};
  std::vector<std::string> chunks;
  int servers = 0;
};

std::vector<std::string> chunk_layouts(const std::vector<std::string> &wishes) {
  if (wishes != std::vector<std::string>{"paper"}) return wishes;
  std::vector<std::string> all;  // its Fig. 15
  for (const char *x : {"1", "2", "3", "4"})
    for (const char *y : {"1", "3", "5", "15"}) all.push_back(std::string(x) + "x" + y);
  return all;
}

void add_peers_by_hand(std::vector<Peer> &peers, const Schedule &schedule, const Domains &domains) {
  using Writer = std::function<Peer(const Workload &)>;
  const auto add = [&](const std::string &name, bool reads_together, const Writer &writer) {
    peers.push_back(several_peer(name, schedule, [=](const ModelFile &file) {
      if (file.input.empty()) return writer(*file.workload);
      return reads_together ? pnetcdf_peer("", *file.workload, true, Way::each) : netcdf_read_peer(*file.workload);
    }));
  };
  const Writer by_domains = [domains](const Workload &w) { return collected_pnetcdf_peer("", w, domains, {}); };
  add("gather", false, [domains](const Workload &w) { return gather_netcdf_peer("", w, domains.ranks); });
  add("pnetcdf", false, [](const Workload &w) { return pnetcdf_peer("", w, false, Way::each); });
  add("pnetcdf.domains", false, by_domains);
  add("pnetcdf.domains.pread", true, by_domains);
}

void add_sverdrup_peers(std::vector<Peer> &peers, const Schedule &schedule, const Mom5Options &mine,
                        const std::vector<std::string> &settings) {
  const std::string domains = "io_layout=" + std::to_string(mine.io.x) + "," + std::to_string(mine.io.y);
  const auto add = [&](const std::string &name, std::vector<std::string> own) {
    own.insert(own.end(), settings.begin(), settings.end());
    const bool counts = name.find("netcdf4") == std::string::npos;
    peers.push_back(sverdrup_several_peer("sverdrup." + name, schedule, own, counts));
  };
  for (const char *route : {"serial", "per_pe", "auto"}) add(route, {std::string("route=") + route, "reading=self"});
  for (const char *route : {"per_domain", "domains"})
    add(route, {std::string("route=") + route, domains, "reading=self"});
  add("auto.pread", {"route=auto", "reading=writers"});
  if (mine.chunks.empty()) return;
  add("netcdf4", {"route=domains", domains, "store=netcdf4_library", "chunks=default", "reading=self"});
  for (const std::string &layout : chunk_layouts(mine.chunks)) {
    const std::vector<int64_t> parts = lengths(layout);
    add("netcdf4." + layout, {"route=domains", domains, "store=netcdf4_library", "reading=self",
                              "chunks.layout=" + std::to_string(parts[0]) + "," + std::to_string(parts[1])});
  }
}

/// As its Tables 4 and 5: each time that of the slowest rank.
void add_times(const Report &report, std::string &table, json &document) {
  double gathered = 0;
  for (const Result &result : report.results)
    if (result.name == "gather") gathered = median_phase(result, &Phases::transfer);
  table += format("\n%-28s %9s %9s %9s %9s %9s %9s %9s\n", "seconds, slowest PE", "total", "open", "read", "write",
                  "close", "non-I/O", "write of");
  table += format("%-28s %9s %9s %9s %9s %9s %9s %9s\n", "", "", "", "", "", "", "", "gather /");
  for (size_t r = 0; r < report.results.size(); ++r) {
    const Result &result = report.results[r];
    const double write = median_phase(result, &Phases::transfer);
    table += format("%-28s %9.4f %9.4f %9.4f %9.4f %9.4f %9.4f", result.name.c_str(), result.median(),
                    median_phase(result, &Phases::open), median_phase(result, &Phases::read), write,
                    median_phase(result, &Phases::close), median_phase(result, &Phases::compute));
    table += gathered > 0 ? format(" %9.2f\n", gathered / write) : format(" %9s\n", "-");
    json &entry = document["results"][r];
    entry["phases"]["total"] = result.median();
    entry["write_speedup"] = gathered > 0 ? json(gathered / write) : json();
  }
}

/// Ranks and I/O domains: as asked for, as the paper's, or as square as possible.
void complete_layouts(Mom5Options &mine, const OceanGrid &grid, int ranks) {
  const OceanLayout paper = paper_layout(mine.resolution, ranks);
  if (mine.ranks.x == 0) mine.ranks = paper.ranks;
  complete_layout(mine.ranks.x, mine.ranks.y, ranks);
  if (mine.io.x == 0 && paper.io.x > 0) mine.io = paper.io;
  if (mine.io.x == 0) mine.io = {std::max(1, mine.ranks.x / 2), std::max(1, mine.ranks.y / 2)};
  if (mine.io.x > mine.ranks.x || mine.io.y > mine.ranks.y)
    throw std::invalid_argument("more I/O domains than ranks: " + std::to_string(mine.io.x) + "x" +
                                std::to_string(mine.io.y) + " for " + std::to_string(mine.ranks.x) + "x" +
                                std::to_string(mine.ranks.y));
  require_cells(grid.rows, grid.columns, mine.ranks);
}

/// `grid` with the steps that are run.
Case case_of(const Mom5Options &mine, const OceanGrid &grid, const Ocean &ocean) {
  return {"mom5",
          "MOM5 " + mine.resolution + ", " + std::to_string(grid.columns) + "x" + std::to_string(grid.rows) + "x" +
              std::to_string(ocean_levels) + ", " + std::to_string(grid.steps) + " steps, divided " +
              std::to_string(mine.ranks.x) + "x" + std::to_string(mine.ranks.y) + ", I/O domains " +
              std::to_string(mine.io.x) + "x" + std::to_string(mine.io.y),
          {{"resolution", mine.resolution},
           {"scale", mine.scale},
           {"shape", {ocean_levels, grid.rows, grid.columns}},
           {"steps", grid.steps},
           {"diagnostic_bytes", ocean.diagnostics().schema.bytes()},
           {"restart_bytes", ocean.written_bytes() - ocean.diagnostics().schema.bytes()},
           {"input_bytes", ocean.initial().schema.bytes()},
           {"layout", {mine.ranks.x, mine.ranks.y}},
           {"io_layout", {mine.io.x, mine.io.y}},
           {"compute", text_of(mine.compute)},
           {"servers", mine.servers},
           {"chunks", chunk_layouts(mine.chunks)}},
          0,
          add_times,
          ocean.written_bytes()};
}

void describe_ocean(const Mom5Options &mine, const OceanGrid &grid, const std::vector<ModelFile> &files,
                    const Options &options) {
  Description what{"mom5", mine.ranks, grid.steps, mine.compute.seconds, {}};
  for (const ModelFile &file : files) what.files.push_back({file.name, file.workload->schema, !file.input.empty()});
  describe(what, options);
}

/// What the ranks that compute have where the others serve: a division of its own.
struct ServedOcean {
  std::unique_ptr<Roles> roles;
  std::unique_ptr<Ocean> ocean;  // null on servers, as is the next
  std::unique_ptr<Schedule> schedule;
};

ServedOcean served_ocean(Mom5Options mine, const OceanGrid &grid, const Options &options) {
  const Team world(MPI_COMM_WORLD);
  const int clients = clients_beside(mine.servers);
  mine.ranks = mine.io = {0, 0};
  complete_layouts(mine, grid, clients);
  ServedOcean served;
  served.roles = std::make_unique<Roles>(roles_of(world.comm, clients, mine.servers, options.settings));
  if (!served.roles->clients) return served;
  served.ocean = std::make_unique<Ocean>(served.roles->clients->comm, grid, mine.ranks);
  served.schedule = std::make_unique<Schedule>(
      served.ocean->schedule(*served.roles->clients, input_path(options), mine.compute, mine.ranks));
  return served;
}

Peer served_ocean_peer(const ServedOcean &served) {
  ServedMaker maker;
  if (const Schedule *schedule = served.schedule.get())
    maker = {&first_written(*schedule),
             [schedule](const std::vector<std::string> &of) { return several_in_context(*schedule, of); }};
  return served_peer(served.roles->all, "sverdrup.servers", served.roles.get(), maker, {});
}

void run(Mom5Options mine, const Options &options) {
  const Team world(MPI_COMM_WORLD);
  OceanGrid grid = ocean_grid(mine.resolution, mine.scale);
  if (mine.steps > 0) grid.steps = mine.steps;
  complete_layouts(mine, grid, world.ranks);
  ServedOcean served;
  if (mine.servers > 0 && options.describe.empty()) served = served_ocean(mine, grid, options);
  const Team team = served.roles ? served.roles->all : world;
  Ocean ocean(team.comm, grid, mine.ranks);
  const Schedule schedule = ocean.schedule(team, input_path(options), mine.compute, mine.ranks);
  if (!options.describe.empty()) return describe_ocean(mine, grid, schedule.files, options);
  std::vector<Peer> peers;
  add_peers_by_hand(peers, schedule, {mine.ranks, mine.io});
  add_sverdrup_peers(peers, schedule, mine, options.settings);
  if (served.roles) peers.push_back(served_ocean_peer(served));
  // Every method has memory for the input; a gathering rank needs twice that of a field.
  const auto n = static_cast<int64_t>(peers.size());
  const Need need{ocean.needed_bytes() + (served.ocean ? served.ocean->needed_bytes() : 0) +
                      n * ocean.initial().needed_bytes() +
                      (team.rank == 0 ? 2 * ocean.initial().schema.largest_slab_bytes() : 0),
                  ocean.written_bytes() + ocean.initial().schema.bytes()};
  require_room(team, need, options.directory, "take a larger --scale, fewer --steps, or more nodes");
  ocean.fill();
  if (served.ocean) served.ocean->fill();
  measure(case_of(mine, grid, ocean), ocean.diagnostics(), peers, options, [&] {
    const std::string input = input_path(options);
    const auto results = take_turns(team, peers, false, options, [&] { make_input(ocean.initial(), input); });
    if (!results.empty()) remove_input(ocean.initial(), input);
    return results;
  });
}

void add_options(CLI::App &app, Mom5Options &mine) {
  const auto read_chunks = [&mine](const std::vector<std::string> &texts) {
    mine.chunks = texts;
    for (const std::string &text : chunk_layouts(texts)) {
      if (lengths(text).size() != 2)
        throw CLI::ValidationError("--chunks: give x by y, such as 3x15, not '" + text + "'");
    }
  };
  app.add_option("--resolution", mine.resolution, "resolution of the grid: 0.25 or 0.1 degrees (0.25)")
      ->check(CLI::IsMember({"0.25", "0.1"}));
  app.add_option("--scale", mine.scale, "divides the number of cells of a level; 1 is the paper's size (400)")
      ->check(CLI::Range(1.0, 1e6));
  app.add_option("--steps", mine.steps, "number of steps with diagnostics (48 or 288)")->check(CLI::Range(1, 1000000));
  add_servers(app, mine.servers);
  add_layout(app, mine.ranks.x, mine.ranks.y);
  add_pair(app, "--io-layout", "I/O domains in x and in y (the paper's, or half as many as ranks)", mine.io.x,
           mine.io.y);
  add_compute(app, mine.compute, "none");
  app.add_option_function<std::vector<std::string>>(
         "--chunks", read_chunks,
         "writes netCDF-4, too, in the library's chunks and in chunks of x by y, as in 1x1,3x15, or paper")
      ->delimiter(',');
}

}  // namespace

Command mom5_command() {
  const auto mine = std::make_shared<Mom5Options>();
  return {"mom5", "the ocean model of Yang et al. (2020): diagnostics of every step, restart files, and reading",
          [mine](CLI::App &app) { add_options(app, *mine); }, [mine](const Options &options) { run(*mine, options); },
          true};
}

}  // namespace sv_bench
