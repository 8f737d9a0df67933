// The four write patterns of FMS (Yang, Ward, Evans 2020, Table 1), measured: how many files a field becomes, how long
// writing it takes, and the time and memory of joining the pieces afterwards.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include "environment.hpp"
#include "field.hpp"
#include "memory.hpp"
#include "rounds.hpp"
#include "support/copying.hpp"
#include "support/names.hpp"

namespace sv_bench {

namespace {

using nlohmann::json;

struct Pattern {
  const char *title, *method;
};

constexpr Pattern patterns[] = {{"single-threaded, single file", "sverdrup.serial"},
                                {"distributed, a file per PE", "sverdrup.per_pe"},
                                {"distributed, a file per I/O domain", "sverdrup.per_domain"},
                                {"parallel, one shared file", "sverdrup.auto"}};

struct Measured {
  Pattern pattern;
  std::string path;
  std::unique_ptr<Method> method;
  int files = 1;
  bool in_pieces = false;
  std::vector<double> seconds = {}, join_seconds = {};
  int64_t join_bytes = 0;

  std::string joined() const { return path + ".joined"; }
};

void join(const Block &block, const Measured &one) {
  sv_tools::join(block.team.comm, one.path, one.joined(), sv_tools::copying_settings(block.team.comm));
}

void remove_joined(const Block &block, const Measured &one) {
  if (block.team.rank == 0 && std::remove(one.joined().c_str()) != 0)
    throw std::runtime_error("cannot remove '" + one.joined() + "'");
}

/// The run that is not timed: checks values, counts files, and watches the memory of joining.
void first_round(const Block &block, Measured &one) {
  one.method->run(one.path);
  const auto pieces = static_cast<int>(sv_tools::found_pieces(one.path).size());
  one.in_pieces = pieces > 0;
  one.files = std::max(1, pieces);
  if (one.method->check(one.path) == false)
    throw std::runtime_error(std::string(one.pattern.method) + ": the values are wrong");
  if (one.in_pieces) {
    MemoryWatch watch(block.team.comm);
    watch.begin();
    join(block, one);
    one.join_bytes = watch.peak_bytes_beyond();
    if (check_with_netcdf(block.workload(), one.joined()) == false)
      throw std::runtime_error(std::string(one.pattern.method) + ", joined: the values are wrong");
    remove_joined(block, one);
  }
  one.method->remove(one.path);
}

void round(const Block &block, Measured &one) {
  one.seconds.push_back(timed(block.team, [&] { one.method->run(one.path); }));
  if (one.in_pieces) {
    one.join_seconds.push_back(timed(block.team, [&] { join(block, one); }));
    remove_joined(block, one);
  }
  one.method->remove(one.path);
}

json spread(const std::vector<double> &seconds) {
  return {{"min", *std::min_element(seconds.begin(), seconds.end())},
          {"median", median_of(seconds)},
          {"max", *std::max_element(seconds.begin(), seconds.end())}};
}

void print(const Block &block, const std::vector<Measured> &all) {
  std::printf("%lld MB on %d ranks\n\n%-36s %6s %10s %10s %12s %12s\n",
              static_cast<long long>(block.workload().schema.bytes() / 1000000), block.team.ranks, "pattern", "files",
              "write s", "join s", "join MiB", "in all s");
  for (const Measured &one : all) {
    const double write = median_of(one.seconds), joining = one.in_pieces ? median_of(one.join_seconds) : 0;
    std::printf("%-36s %6d %10.3f ", one.pattern.title, one.files, write);
    if (one.in_pieces)
      std::printf("%10.3f %12.1f ", joining, static_cast<double>(one.join_bytes) / 1048576);
    else
      std::printf("%10s %12s ", "-", "-");
    std::printf("%12.3f\n", write + joining);
  }
}

void keep(const Block &block, const Options &options, const json &environment, const std::vector<Measured> &all) {
  json results = json::array();
  for (const Measured &one : all) {
    json entry{{"name", one.pattern.method},
               {"pattern", one.pattern.title},
               {"files", one.files},
               {"seconds", spread(one.seconds)},
               {"join", nullptr}};
    if (one.in_pieces) entry["join"] = {{"seconds", spread(one.join_seconds)}, {"peak_bytes_beyond", one.join_bytes}};
    results.push_back(entry);
  }
  const Field &field = block.field;
  std::ofstream file(options.json);
  file << json{{"benchmark", "patterns"},
               {"case",
                {{"shape", field.shape}, {"layout", {field.px, field.py}}, {"bytes", block.workload().schema.bytes()}}},
               {"environment", environment},
               {"results", results}}
              .dump(2)
       << "\n";
  if (!file.flush()) throw std::runtime_error("cannot write '" + options.json + "'");
}

// Prints the table; with --json, writes {"benchmark": "patterns", "case", "environment", "results": [{"name",
// "pattern", "files", "seconds": {min, median, max}, "join": null or {"seconds": {...}, "peak_bytes_beyond"}}]}. Memory
// is the sum over all ranks, beyond what they had before. Collective.
void run_patterns(const FieldOptions &mine, const Options &options) {
  const Block block(field_of(mine), MPI_COMM_WORLD);
  const std::string mpi_io = mpi_io_component(block.team.comm, options.directory);
  const std::vector<Peer> peers = field_peers(block, options.settings, {});
  std::vector<Measured> all;
  for (const Pattern &pattern : patterns) {
    for (const Peer &peer : peers) {
      if (peer.name != pattern.method || !options.selects(peer.name)) continue;
      Measured one{pattern, options.file(peer.name), peer.make()};
      all.push_back(std::move(one));
    }
  }
  for (Measured &one : all) first_round(block, one);
  for (int i = 0; i < options.repeat; ++i)
    for (Measured &one : all) round(block, one);
  for (Measured &one : all) one.method->finish();
  if (block.team.rank != 0) return;
  print(block, all);
  if (!options.json.empty()) keep(block, options, environment(mpi_io, options.directory), all);
}

}  // namespace

Command patterns_command() {
  const auto mine = std::make_shared<FieldOptions>();
  return {"patterns", "writes a field in the four patterns of Yang et al. (2020), Table 1, and joins what is in pieces",
          [mine](CLI::App &app) { add_field_options(app, *mine); },
          [mine](const Options &options) { run_patterns(*mine, options); }};
}

}  // namespace sv_bench
