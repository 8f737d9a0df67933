// sv-bench start: how long a model waits in sv_init, with servers and threads and without.
#include <algorithm>
#include <stdexcept>

#include "command.hpp"
#include "environment.hpp"
#include "methods/sverdrup_context.hpp"
#include "report.hpp"

namespace sv_bench {

namespace {

/// A context that is made and ended, without any output.
class Start : public Method {
 public:
  Start(const Team &team, std::vector<std::string> options) : Method(team), options_(std::move(options)) {}

  void run(const std::string &) override {
    MPI_Barrier(team_.comm);
    const double begin = MPI_Wtime();
    const SverdrupContext context(team_.comm, options_, nullptr);
    // A server stays in sv_init: only the model's wait counts.
    phases_.open = context.computes() ? MPI_Wtime() - begin : 0;
    context.finish();
  }
  std::optional<Phases> phases() override { return phases_; }
  std::optional<bool> check(const std::string &) override { return {}; }
  void remove(const std::string &) override {}

 private:
  const std::vector<std::string> options_;
  Phases phases_;
};

/// What MPI needs for one communicator of the same ranks; sv_init makes several.
class Duplicate : public Method {
 public:
  explicit Duplicate(const Team &team) : Method(team) {}

  void run(const std::string &) override {
    MPI_Barrier(team_.comm);
    const double begin = MPI_Wtime();
    MPI_Comm made = MPI_COMM_NULL;
    if (MPI_Comm_dup(team_.comm, &made) != MPI_SUCCESS) throw std::runtime_error("MPI_Comm_dup fails");
    phases_.open = MPI_Wtime() - begin;
    MPI_Comm_free(&made);
  }
  std::optional<Phases> phases() override { return phases_; }
  std::optional<bool> check(const std::string &) override { return {}; }
  void remove(const std::string &) override {}

 private:
  Phases phases_;
};

Peer start_peer(const Team &team, const std::string &name, const std::string &setting, const Options &options) {
  std::vector<std::string> settings{setting};
  settings.insert(settings.end(), options.settings.begin(), options.settings.end());
  return {name, false, "", [&team, settings] { return std::make_unique<Start>(team, settings); }};
}

void run(const Options &options) {
  const Team team(MPI_COMM_WORLD);
  std::vector<Peer> peers{{"MPI_Comm_dup", false, "", [&team] { return std::make_unique<Duplicate>(team); }},
                          start_peer(team, "sverdrup.no_servers", "async=none", options),
                          start_peer(team, "sverdrup.threads", "async=threads", options)};
  for (int servers = 1; servers < team.ranks; servers *= 2)
    peers.push_back(start_peer(team, "sverdrup.servers." + std::to_string(servers),
                               "async=servers:" + std::to_string(servers), options));
  const nlohmann::json around = environment("", options.directory);
  const std::vector<Result> results = take_turns(team, peers, false, options, [] {});
  if (team.rank != 0) return;
  nlohmann::json document{{"benchmark", "start"}, {"case", {{"ranks", team.ranks}}}, {"environment", around}};
  std::string table = format("\n%-30s %10s %10s %10s\n", "milliseconds in sv_init", "median", "min", "max");
  for (const Result &result : results) {
    const std::vector<double> &seconds = result.whole_seconds;
    const double least = *std::min_element(seconds.begin(), seconds.end());
    const double most = *std::max_element(seconds.begin(), seconds.end()), median = median_of(seconds);
    table += format("%-30s %10.3f %10.3f %10.3f\n", result.name.c_str(), 1e3 * median, 1e3 * least, 1e3 * most);
    document["results"].push_back(
        {{"name", result.name}, {"seconds", {{"min", least}, {"median", median}, {"max", most}}}, {"rounds", seconds}});
  }
  print_and_keep(table, document, options);
}

}  // namespace

Command start_command() {
  return {"start", "begins and ends contexts: how long sv_init keeps a model, with servers and without",
          [](CLI::App &) {}, [](const Options &options) { run(options); }};
}

}  // namespace sv_bench
