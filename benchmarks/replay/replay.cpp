// sv-bench replay: writes the like of a file of the user's, whose header (or its text) is all that it takes.
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <memory>

#include "command.hpp"
#include "header.hpp"
#include "methods/methods.hpp"
#include "overlap/roles.hpp"
#include "replay_division.hpp"
#include "report.hpp"
#include "storage.hpp"

namespace sv_bench {

namespace {

struct ReplayOptions {
  std::string file;
  ReplayWish wish;
  int servers = 0;
};

/// Memory that the ranks of this node can still have; 0: unknown.
int64_t available_bytes() {
  std::ifstream file("/proc/meminfo");
  for (std::string key; file >> key;) {
    int64_t kib = 0;
    if (key == "MemAvailable:" && file >> kib) return kib * 1024;
  }
  return 0;
}

/// On every rank alike. `workloads` of them live at a time.
void require_memory(const Schema &schema, const Team &team, int workloads) {
  MPI_Comm node = MPI_COMM_NULL;
  if (MPI_Comm_split_type(team.comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node) != MPI_SUCCESS)
    throw std::runtime_error("MPI cannot find the ranks of a node");
  const Team here(node);
  const double needed = static_cast<double>(workload_bytes(schema, team.ranks)) * workloads * here.ranks;
  const auto available = static_cast<double>(available_bytes());
  double wanting = available > 0 && needed > available ? needed - available : 0, most = needed;
  MPI_Comm_free(&node);
  MPI_Allreduce(MPI_IN_PLACE, &wanting, 1, MPI_DOUBLE, MPI_MAX, team.comm);
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, team.comm);
  if (wanting > 0)
    throw std::invalid_argument("a node's ranks would hold " + format("%.3g", most / 1e9) + " GB, which is " +
                                format("%.3g", wanting / 1e9) +
                                " GB more than there is: use --scale, fewer --records or more nodes");
}

std::vector<Peer> peers_of(const Workload &workload, const Header &header, const std::vector<std::string> &settings) {
  std::vector<Peer> peers{sverdrup_peer("sverdrup", workload, false, Way::each, settings),
                          pnetcdf_peer("pnetcdf.put_vara_all", workload, false, Way::each),
                          pnetcdf_peer("pnetcdf.iput_wait_all", workload, false, Way::step),
                          gather_peer("gather", workload)};
  if (!has_chunks(header)) return peers;
  std::vector<std::string> stored = storage_settings(header);
  stored.insert(stored.end(), settings.begin(), settings.end());
  peers.push_back(sverdrup_peer("sverdrup.netcdf4", workload, false, Way::each, stored));
  peers.back().missing = netcdf_version().empty() ? "not compiled" : "";
  peers.push_back(stored_netcdf4_peer("netcdf4", workload, header.storage));
  return peers;
}

/// Chunks are no larger than the reduced dimensions.
void cut_chunks(Header &header) {
  for (size_t v = 0; v < header.storage.size(); ++v) {
    std::vector<int64_t> &chunks = header.storage[v].chunks;
    for (size_t d = 0; d < chunks.size(); ++d) {
      const int64_t length = header.schema.dims[static_cast<size_t>(header.schema.variables[v].dims[d])].length;
      if (length > 0) chunks[d] = std::min(chunks[d], length);
    }
  }
}

std::string title_of(const ReplayOptions &mine, const Schema &schema) {
  return "the like of '" + mine.file + "', " + std::to_string(schema.variables.size()) + " variables, " +
         std::to_string(schema.records) + " records";
}

void run(ReplayOptions mine, const Options &options) {
  ReplayWish &wish = mine.wish;
  const Team whole(MPI_COMM_WORLD);
  const int clients = clients_beside(mine.servers);
  complete_layout(wish.px, wish.py);
  Header header = header_of_file(mine.file);
  header.schema = replayed_schema(header.schema, wish);
  cut_chunks(header);
  const Schema &schema = header.schema;
  require_memory(schema, whole, mine.servers > 0 ? 2 : 1);
  std::unique_ptr<Roles> roles;
  std::unique_ptr<Workload> served;
  if (mine.servers > 0) {
    roles = std::make_unique<Roles>(roles_of(MPI_COMM_WORLD, clients, mine.servers, options.settings));
    ReplayWish fewer = wish;
    fewer.px = fewer.py = 0;
    complete_layout(fewer.px, fewer.py, roles->n_clients);
    if (roles->clients) served = divided_workload(roles->clients->comm, schema, fewer);
  }
  const std::unique_ptr<Workload> workload = divided_workload(roles ? roles->all.comm : MPI_COMM_WORLD, schema, wish);
  std::vector<Peer> peers = peers_of(*workload, header, options.settings);
  if (roles)
    peers.insert(peers.begin() + 1, served_peer(roles->all, "sverdrup.servers", roles.get(), served.get(), {}));
  measure({"replay",
           title_of(mine, schema),
           {{"file", mine.file},
            {"variables", schema.variables.size()},
            {"records", schema.records},
            {"scale", wish.scale},
            {"over", wish.over},
            {"storage", has_chunks(header) ? nlohmann::json(storage_settings(header)) : nlohmann::json()},
            {"layout", {wish.px, wish.py}},
            {"servers", mine.servers}}},
          *workload, peers, options);
}

void add_options(CLI::App &app, ReplayOptions &mine) {
  app.add_option("file", mine.file, "a netCDF file, or the output of ncdump -h for it")->required();
  app.add_option("--records", mine.wish.records, "number of records (that of the file)")
      ->check(CLI::Range(1, 100000000));
  app.add_option("--scale", mine.wish.scale,
                 "divides the lengths of the dimensions that are distributed over ranks (1)")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--over", mine.wish.over,
                 "dimensions that are distributed over ranks: one or two names, or largest, the two largest of a "
                 "variable (its last two)");
  add_servers(app, mine.servers);
  add_layout(app, mine.wish.px, mine.wish.py);
}

}  // namespace

Command replay_command() {
  const auto mine = std::make_shared<ReplayOptions>();
  return {"replay", "writes the like of a file of yours: its dimensions, variables, attributes and records",
          [mine](CLI::App &app) { add_options(app, *mine); }, [mine](const Options &options) { run(*mine, options); }};
}

}  // namespace sv_bench
