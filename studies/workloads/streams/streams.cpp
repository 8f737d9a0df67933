// sv-bench pop, cice and licom: models that compute while streams of history, movie and restart files are written.
#include "calendar.hpp"
#include "command.hpp"
#include "describe.hpp"
#include "methods/collected.hpp"
#include "overlap/baselines.hpp"
#include "overlap/figures.hpp"
#include "overlap/roles.hpp"
#include "room.hpp"

namespace sv_bench {

namespace {

using nlohmann::json;

struct StreamOptions {
  StreamWish wish;
  int64_t days = 0;
  int clients = 0, servers = 2;
  bool computes_as_paper = true;
};

void complete(StreamOptions &mine) {
  StreamWish &wish = mine.wish;
  if (mine.clients == 0) mine.clients = clients_beside(mine.servers);
  if (wish.scale == 0) wish.scale = wish.model.scale;
  if (wish.steps == 0) wish.steps = (mine.days > 0 ? mine.days : wish.model.days) * wish.model.steps_per_day;
  if (mine.computes_as_paper)
    wish.compute.seconds =
        wish.model.compute_seconds / wish.scale / static_cast<double>(wish.model.days * wish.model.steps_per_day);
  wish.compute.between_exchanges = std::max(1e-4, wish.compute.seconds);  // halos: in each step
  complete_layout(wish.ranks.x, wish.ranks.y, mine.clients);
  require_cells(rows_of(wish), columns_of(wish), wish.ranks);
}

/// Every rank of `roles.all`; `run` is null on servers, and outlives the peers.
std::vector<Peer> peers_of(const Roles &roles, const StreamRun *run, const StreamOptions &mine,
                           const Options &options) {
  std::vector<Peer> peers;
  const auto add = [&](const std::string &name, const std::function<Peer(const Workload &workload)> &writer) {
    std::function<Peer()> make;
    if (run != nullptr)
      make = [&] {
        return several_peer(name, run->schedule(), [&](const ModelFile &file) { return writer(*file.workload); });
      };
    peers.push_back(peer_of_some(roles.all, name, make));
  };
  add("no_output", [](const Workload &w) { return no_output_peer("", w); });
  add("pack", [](const Workload &w) { return pack_peer("", w); });
  add("gather", [&mine](const Workload &w) { return gather_netcdf_peer("", w, mine.wish.ranks); });
  add("pnetcdf", [](const Workload &w) { return pnetcdf_peer("", w, false, Way::each); });
  const auto add_alone = [&](const std::string &name, const std::string &setting) {
    std::vector<std::string> settings = options.settings;
    settings.insert(settings.begin(), setting);
    std::function<Peer()> alone;
    if (run != nullptr) alone = [&] { return sverdrup_several_peer(name, run->schedule(), settings, false); };
    peers.push_back(peer_of_some(roles.all, name, alone));
  };
  add_alone("sverdrup.no_servers", "async=none");
  add_alone("sverdrup.threads", "async=threads");
  ServedMaker served;
  if (run != nullptr) {
    served = {&first_written(run->schedule()),
              [run](const std::vector<std::string> &of) { return several_in_context(run->schedule(), of); }};
  }
  if (mine.servers == 0) return peers;
  peers.push_back(served_peer(roles.all, "sverdrup.servers", &roles, served, {}));
  const std::string ready = "async=auto, " + std::to_string(mine.servers);
  peers.push_back(served_peer(roles.all, "sverdrup.auto", &roles, served, {ready}));
  return peers;
}

/// What each stream cost; the figures of overlap are all there already.
void add_streams(const Report &, std::string &table, json &document) {
  table += format("\n%-30s %-10s %6s %10s %8s %10s\n", "of a run", "stream", "files", "MB", "calls", "blocked, s");
  for (const json &entry : document["results"]) {
    for (const json &stream : entry.at("streams"))
      table += format("%-30s %-10s %6d %10.3f %8d %10.4f\n", entry.at("name").get<std::string>().c_str(),
                      stream.at("name").get<std::string>().c_str(), stream.at("files").get<int>(),
                      1e-6 * stream.at("bytes").get<double>(), stream.at("calls").get<int>(),
                      stream.at("blocked").get<double>());
  }
}

json streams_of(const StreamRun &run) {
  json streams = json::array();
  for (size_t s = 0; s < run.workloads().size(); ++s) {
    const Workload &workload = *run.workloads()[s];
    streams.push_back({{"name", run.schedule().files[s].name},
                       {"outputs", workload.steps()},
                       {"variables", workload.schema.variables.size()},
                       {"type", workload.schema.variables.front().type.name},
                       {"bytes", workload.bytes()}});
  }
  return streams;
}

Case case_of(const StreamOptions &mine, const StreamRun *run, int ranks) {
  const StreamWish &wish = mine.wish;
  const StreamModel &model = wish.model;
  const std::string title = model.name + ", " + std::to_string(columns_of(wish)) + "x" + std::to_string(rows_of(wish)) +
                            "x" + std::to_string(model.levels) + ", " + std::to_string(wish.steps) + " steps of " +
                            text_of(wish.compute) + ", " + std::to_string(mine.clients) + " clients, " +
                            std::to_string(mine.servers) + " servers";
  return {model.name,
          title,
          {{"clients", mine.clients},
           {"servers", mine.servers},
           {"scale", wish.scale},
           {"shape", {model.levels, rows_of(wish), columns_of(wish)}},
           {"steps", wish.steps},
           {"steps_per_day", model.steps_per_day},
           {"compute", text_of(wish.compute)},
           {"layout", {wish.ranks.x, wish.ranks.y}},
           {"growing", wish.growing},
           {"streams", run == nullptr ? json() : streams_of(*run)}},
          ranks,
          add_streams,
          run == nullptr ? 0 : run->bytes()};
}

void describe_streams(const StreamOptions &mine, const Options &options) {
  const StreamWish &wish = mine.wish;
  const std::vector<DescribedStream> streams = described(wish);
  Description what{wish.model.name, wish.ranks, wish.steps, wish.compute.seconds, {}};
  for (const DescribedStream &stream : streams)
    what.files.push_back({stream.name, stream.schema, false, "", stream.files, stream.after});
  describe(what, options);
}

void run_streams(StreamOptions mine, const Options &options) {
  const Team world(MPI_COMM_WORLD);
  complete(mine);
  if (!options.describe.empty()) return describe_streams(mine, options);
  const Roles roles = roles_of(world.comm, mine.clients, mine.servers, options.settings);
  std::unique_ptr<StreamRun> run;
  std::string refused;
  try {
    if (roles.clients) run = std::make_unique<StreamRun>(*roles.clients, mine.wish);
  } catch (const std::invalid_argument &error) {
    refused = error.what();
  }
  if (!world.all(refused.empty())) throw std::invalid_argument(refused);
  Need need{0, 0};
  if (run) {
    const int64_t gathers = roles.clients->rank == 0 ? 2 * run->largest_slab_bytes() : 0;
    need = {run->needed_bytes() + gathers, run->bytes()};
  }
  require_room(roles.all, need, options.directory, "take a larger --scale, fewer --steps, or more nodes");
  if (run) run->fill();
  const std::vector<Peer> peers = peers_of(roles, run.get(), mine, options);
  measure_figures(case_of(mine, run.get(), world.ranks), roles.all, run ? run->workloads().front().get() : nullptr,
                  peers, options);
}

void add_options(CLI::App &app, StreamOptions &mine) {
  const auto read_compute = [&mine](const std::string &text) {
    mine.wish.compute = compute_wish(text);
    mine.computes_as_paper = false;
  };
  app.add_option("--clients", mine.clients, "number of ranks that compute (all ranks that do not serve)")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--servers", mine.servers, "number of ranks that serve (2)")->check(CLI::Range(0, 1000000));
  app.add_option("--scale", mine.wish.scale,
                 "divides the number of cells of a level and the time of computing; 1 is the paper's size (" +
                     std::to_string(static_cast<int>(mine.wish.model.scale)) + ")")
      ->check(CLI::Range(1.0, 1e7));
  app.add_option("--days", mine.days, "number of days to simulate (" + std::to_string(mine.wish.model.days) + ")")
      ->check(CLI::Range(1, 100000));
  app.add_option("--steps", mine.wish.steps,
                 "number of steps of the model, instead of --days (" + std::to_string(mine.wish.model.steps_per_day) +
                     " a day)")
      ->check(CLI::Range(1, 100000000));
  app.add_option_function<std::string>("--compute", read_compute,
                                       "computing in each step: 2ms (sleeping), spin:2ms (processor time) or halo:2ms "
                                       "(the paper's, divided by --scale)");
  app.add_flag("--growing", mine.wish.growing,
               "writes one growing file for each stream, instead of a file for each output");
  add_layout(app, mine.wish.ranks.x, mine.wish.ranks.y);
}

Command stream_command(const std::string &model, const std::string &help) {
  const auto mine = std::make_shared<StreamOptions>();
  mine->wish.model = stream_model(model);
  return {model, help, [mine](CLI::App &app) { add_options(app, *mine); },
          [mine](const Options &options) { run_streams(*mine, options); }, true};
}

}  // namespace

Command pop_command() {
  return stream_command("pop",
                        "an ocean model's hourly history and movie, and daily restart files (Huang et al. 2013)");
}
Command cice_command() {
  return stream_command("cice", "a sea ice model's daily history files of many surfaces (Huang et al. 2013)");
}
Command licom_command() {
  return stream_command("licom", "an ocean model's daily history files and a restart file (Huang et al. 2013)");
}

}  // namespace sv_bench
