// sv-bench cmaq: the mock-up of Wong et al. 2015 and its real case: four schemes of output compared with Sverdrup's.
#include <map>

#include "command.hpp"
#include "describe.hpp"
#include "methods/collected.hpp"
#include "overlap/roles.hpp"
#include "regions.hpp"
#include "report.hpp"
#include "room.hpp"
#include "workload/input.hpp"

namespace sv_bench {

namespace {

using nlohmann::json;

struct CmaqOptions {
  std::string region = "ca";
  double scale = 16;
  int64_t species = 0, steps = 0;  // 0: the paper's
  Ranks ranks{0, 0};
  ComputeWish compute{ComputeWish::Kind::sleep, 0};
  std::vector<std::string> stripes;
  int servers = 0;
};

/// Stripes of a file that the paper sweeps: a count and a size in MiB.
struct Stripes {
  int64_t count = 0, mebibytes = 0;  // 0: as the file system has them
  std::string suffix() const {
    return count == 0 ? "" : ".stripes" + std::to_string(count) + "x" + std::to_string(mebibytes);
  }
  std::string unit() const { return std::to_string(mebibytes * 1048576); }
  Hints hints() const {
    if (count == 0) return {};
    return {{"striping_factor", std::to_string(count)}, {"striping_unit", unit()}};
  }
};

std::vector<Stripes> stripes_of(const std::vector<std::string> &wishes) {
  std::vector<Stripes> all;
  for (const std::string &wish : wishes) {
    if (wish == "paper") {
      for (const int64_t count : {2, 5, 11, 20, 40})
        for (const int64_t size : {1, 2, 4, 8, 16}) all.push_back({count, size});
      continue;
    }
    const std::vector<int64_t> numbers = lengths(wish);
    if (numbers.size() != 2 || numbers[1] > 4096)
      throw CLI::ValidationError("--stripes: give count x MiB, such as 11x2, not '" + wish + "'");
    all.push_back({numbers[0], numbers[1]});
  }
  if (all.empty()) all.push_back({});
  return all;
}

/// How many write in a method, and the most bytes that one of them has of a step.
struct Share {
  int64_t writers, bytes;
};

struct Shares {
  const AirRegion &region;
  const Ranks &ranks;
  Share of(int parts_x, int parts_y) const {
    const auto most = [](int64_t cells, int parts) { return (cells + parts - 1) / parts; };
    return {int64_t{parts_x} * parts_y,
            most(region.columns, parts_x) * most(region.rows, parts_y) * region.layers * region.species * 4};
  }
};

struct Contestants {
  std::vector<Peer> peers;
  std::map<std::string, Share> shares;  // of the methods whose writers have a block each
};

void add_schemes(Contestants &all, const Workload &workload, const Shares &shares, const Stripes &stripes) {
  const Ranks &ranks = shares.ranks;
  const auto add = [&](Peer peer, const Share &share) {
    all.shares[peer.name] = share;
    all.peers.push_back(std::move(peer));
  };
  const std::string end = stripes.suffix();
  const auto collected = [&](const std::string &name, const Ranks &io) {
    add(collected_pnetcdf_peer(name + end, workload, {ranks, io}, stripes.hints()), shares.of(io.x, io.y));
  };
  add(pnetcdf_peer("pnetcdf" + end, workload, false, Way::each, stripes.hints()), shares.of(ranks.x, ranks.y));
  collected("pnetcdf.row", {1, ranks.y});
  collected("pnetcdf.column", {ranks.x, 1});
}

void add_sverdrup(Contestants &all, const Workload &workload, const Shares &shares, const Stripes &stripes,
                  const std::vector<std::string> &settings) {
  const auto add = [&](const std::string &route, std::vector<std::string> own) {
    own.push_back("route=" + route);
    if (stripes.count > 0) {
      own.push_back("file_system.stripe_count=" + std::to_string(stripes.count));
      own.push_back("file_system.stripe=" + stripes.unit());
    }
    own.insert(own.end(), settings.begin(), settings.end());
    const std::string name = "sverdrup." + route + stripes.suffix();
    all.peers.push_back(sverdrup_peer(name, workload, false, Way::each, own));
    return name;
  };
  add("auto", {});
  const Ranks &ranks = shares.ranks;
  all.shares[add("row", {"writers=self"})] = shares.of(1, ranks.y);
  all.shares[add("column", {"writers=self"})] = shares.of(ranks.x, 1);
  all.shares[add("shared", {"writers=self"})] = shares.of(ranks.x, ranks.y);
}

/// The time of output: of opening, writing and closing the file.
double output_seconds(const Result &result) {
  return median_phase(result, &Phases::open) + median_phase(result, &Phases::transfer) +
         median_phase(result, &Phases::close);
}

/// Its formula 1, in per cent: how much of the time of another method is saved. That method runs with the same stripes
/// if there are several.
json saved_of(const std::string &name, const Report &report, const Result &result) {
  const size_t stripes = result.name.find(".stripes");
  const std::string end = name == "gather" || stripes == std::string::npos ? "" : result.name.substr(stripes);
  for (const Result &other : report.results) {
    if (other.name != name + end) continue;
    return 100 * (output_seconds(other) - output_seconds(result)) / output_seconds(other);
  }
  return nullptr;
}

void add_rates(const Report &report, const std::map<std::string, Share> &shares, int64_t steps, std::string &table,
               json &document) {
  const auto shown = [](const json &value, const char *pattern) {
    return value.is_null() ? std::string("-") : format(pattern, value.get<double>());
  };
  table += format("\n%-30s %9s %9s %9s %8s %9s %9s %11s %11s\n", "", "output s", "read s", "compute s", "writers",
                  "MB/writer", "MB/s of", "saved of", "saved of");
  table += format("%-30s %9s %9s %9s %8s %9s %9s %11s %11s\n", "", "", "", "", "", "and step", "a writer", "gather, %",
                  "pnetcdf, %");
  for (size_t r = 0; r < report.results.size(); ++r) {
    const Result &result = report.results[r];
    const auto share = shares.find(result.name);
    const double seconds = output_seconds(result), moving = median_phase(result, &Phases::transfer);
    json &entry = document["results"][r];
    entry["output_seconds"] = seconds;
    entry["writers"] = entry["bytes_per_writer"] = entry["rate_per_writer"] = nullptr;
    if (share != shares.end()) {
      entry["writers"] = share->second.writers;
      entry["bytes_per_writer"] = share->second.bytes;
      entry["rate_per_writer"] = static_cast<double>(share->second.bytes * steps) / moving;
    }
    const json of_gather = saved_of("gather", report, result), of_pnetcdf = saved_of("pnetcdf", report, result);
    entry["relative_performance"] = {{"gather", of_gather}, {"pnetcdf", of_pnetcdf}};
    const auto scaled = [&](const char *key) {
      return entry[key].is_null() ? json() : json(entry[key].get<double>() / 1e6);
    };
    table += format("%-30s %9.4f %9.4f %9.4f %8s %9s %9s %11s %11s\n", result.name.c_str(), seconds,
                    median_phase(result, &Phases::read), median_phase(result, &Phases::compute),
                    shown(entry["writers"], "%.0f").c_str(), shown(scaled("bytes_per_writer"), "%.3g").c_str(),
                    shown(scaled("rate_per_writer"), "%.3g").c_str(), shown(of_gather, "%.1f").c_str(),
                    shown(of_pnetcdf, "%.1f").c_str());
  }
}

void complete_ranks(CmaqOptions &mine, const AirRegion &region, int ranks) {
  if (mine.ranks.x == 0) mine.ranks = paper_ranks(mine.region, ranks);
  complete_layout(mine.ranks.x, mine.ranks.y, ranks);
  require_cells(region.rows, region.columns, mine.ranks);
}

Case case_of(const CmaqOptions &mine, const AirRegion &region, const std::map<std::string, Share> &shares) {
  const std::string size = std::to_string(region.columns) + "x" + std::to_string(region.rows) + "x" +
                           std::to_string(region.layers) + "x" + std::to_string(region.species);
  return {"cmaq",
          "CMAQ " + mine.region + ", " + size + ", " + std::to_string(region.steps) + " steps, divided " +
              std::to_string(mine.ranks.x) + "x" + std::to_string(mine.ranks.y),
          {{"region", mine.region},
           {"scale", mine.scale},
           {"shape", {region.layers, region.rows, region.columns}},
           {"species", region.species},
           {"steps", region.steps},
           {"layout", {mine.ranks.x, mine.ranks.y}},
           {"compute", text_of(mine.compute)},
           {"servers", mine.servers},
           {"stripes", mine.stripes}},
          0,
          [shares, steps = region.steps](const Report &report, std::string &table, json &document) {
            add_rates(report, shares, steps, table, document);
          }};
}

/// What the ranks that compute have where the others serve: a division of its own.
struct ServedAir {
  std::unique_ptr<Roles> roles;
  std::unique_ptr<Workload> workload;  // null on servers
  Ranks ranks{0, 0};
  std::string input = {};  // its own, too: which values change from step to step follows from the division
};

ServedAir served_air(CmaqOptions mine, const AirRegion &region, const Options &options) {
  const Team world(MPI_COMM_WORLD);
  const int clients = clients_beside(mine.servers);
  mine.ranks = {0, 0};
  complete_ranks(mine, region, clients);
  ServedAir served;
  served.roles = std::make_unique<Roles>(roles_of(world.comm, clients, mine.servers, options.settings));
  if (!served.roles->clients) return served;
  served.workload = air_workload(served.roles->clients->comm, region, mine.ranks);
  served.ranks = mine.ranks;
  served.input = options.file("input.served");
  return served;
}

void run(CmaqOptions mine, const Options &options) {
  const Team world(MPI_COMM_WORLD);
  AirRegion region = air_region(mine.region, mine.scale);
  if (mine.species > 0) region.species = mine.species;
  if (mine.steps > 0) region.steps = mine.steps;
  complete_ranks(mine, region, world.ranks);
  if (netcdf_version().empty()) throw std::invalid_argument("cmaq reads with netCDF, which is not compiled");
  ServedAir served;
  if (mine.servers > 0 && options.describe.empty()) served = served_air(mine, region, options);
  const Team team = served.roles ? served.roles->all : world;
  const std::unique_ptr<Workload> owned = air_workload(team.comm, region, mine.ranks);
  Workload &workload = *owned;
  if (!options.describe.empty())
    return describe({"cmaq",
                     mine.ranks,
                     region.steps,
                     mine.compute.seconds,
                     {{"input", workload.schema, true, "self"}, {"output", workload.schema}}},
                    options);
  const int64_t served_bytes = served.workload ? 2 * served.workload->needed_bytes() : 0;
  const int64_t slab = workload.schema.slab_bytes(workload.schema.variables.front());
  // Read and written values; rank 0 gathers a species. The input is next to the output file.
  require_room(team,
               {2 * workload.needed_bytes() + served_bytes + (team.rank == 0 ? 2 * slab : 0),
                (served.roles ? 3 : 2) * workload.schema.bytes()},
               options.directory, "take a larger --scale, fewer --species or more nodes");
  workload.fill();
  if (served.workload) {
    served.workload->fill();
    served.workload->model = std::make_shared<ReadingModel>(*served.workload, mine.compute, served.ranks, served.input);
  }
  const std::string input = input_path(options);
  workload.model = std::make_shared<ReadingModel>(workload, mine.compute, mine.ranks, input);
  Contestants all;
  const Shares shares{region, mine.ranks};
  all.peers.push_back(gather_netcdf_peer("gather", workload, mine.ranks));
  all.shares["gather"] = shares.of(1, 1);
  for (const Stripes &stripes : stripes_of(mine.stripes)) {
    add_schemes(all, workload, shares, stripes);
    add_sverdrup(all, workload, shares, stripes, options.settings);
  }
  if (served.roles)
    all.peers.push_back(served_peer(team, "sverdrup.servers", served.roles.get(), served.workload.get(), {}));
  measure(case_of(mine, region, all.shares), workload, all.peers, options, [&] {
    const auto results = take_turns(team, all.peers, false, options, [&] {
      make_input(workload, input);
      if (served.workload) make_input(*served.workload, served.input);
    });
    if (!results.empty()) remove_input(workload, input);
    if (!results.empty() && served.workload) remove_input(*served.workload, served.input);
    return results;
  });
}

void add_options(CLI::App &app, CmaqOptions &mine) {
  const auto read_stripes = [&mine](const std::vector<std::string> &texts) {
    stripes_of(texts);  // refuses
    mine.stripes = texts;
  };
  app.add_option("--domain", mine.region, "domain: ca, eus, conus, or real, which is a day of CMAQ (ca)")
      ->check(CLI::IsMember({"ca", "eus", "conus", "real"}));
  app.add_option("--scale", mine.scale, "divides the number of cells of a layer; 1 is the paper's size (16)")
      ->check(CLI::Range(1.0, 1e6));
  app.add_option("--species", mine.species, "number of variables (146)")->check(CLI::Range(1, 100000));
  app.add_option("--steps", mine.steps, "number of outputs (3; real: 24)")->check(CLI::Range(1, 1000000));
  add_servers(app, mine.servers);
  add_layout(app, mine.ranks.x, mine.ranks.y);
  add_compute(app, mine.compute, "none");
  app.add_option_function<std::vector<std::string>>(
         "--stripes", read_stripes,
         "stripes of the file, count x MiB, as in 5x1,11x2, or paper; all methods run with each")
      ->delimiter(',');
}

}  // namespace

Command cmaq_command() {
  const auto mine = std::make_shared<CmaqOptions>();
  return {"cmaq", "the air quality model of Wong et al. (2015): reads, computes and writes many species",
          [mine](CLI::App &app) { add_options(app, *mine); }, [mine](const Options &options) { run(*mine, options); },
          true};
}

}  // namespace sv_bench
