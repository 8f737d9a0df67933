// sv-bench segments: requests of very many single cells, as E3SM and ParallelIO make them. The cost of posting and
// waiting for each of the cells, compared with PnetCDF.
#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <random>
#include <stdexcept>

#include "command.hpp"
#include "environment.hpp"
#include "report.hpp"
#include "segments/segment_calls.hpp"

namespace sv_bench {

namespace {

struct SegmentsOptions {
  int64_t segments = 500000;
  int variables = 1;
  std::string order = "cyclic";
};

/// Cell i of a rank is the (i · ranks + rank)-th of all, so that no two of a rank follow one another; a rank alone has
/// every other cell. `shuffled`: listed in no order.
SegmentPlaces segments_of(const SegmentsOptions &mine, const Team &team) {
  constexpr int64_t levels = 10;
  const int64_t apart = std::max(team.ranks, 2), cells = (mine.segments * apart + levels - 1) / levels;
  SegmentPlaces segments{levels, cells, {}};
  std::vector<int64_t> order(static_cast<size_t>(mine.segments));
  for (int64_t i = 0; i < mine.segments; ++i) order[static_cast<size_t>(i)] = i * apart + team.rank;
  if (mine.order == "shuffled") std::shuffle(order.begin(), order.end(), std::mt19937_64(1));
  for (const int64_t cell : order) {
    segments.places.push_back(cell / cells);
    segments.places.push_back(cell % cells);
  }
  return segments;
}

/// Nanoseconds for each segment, of the slowest rank, of every round.
struct Times {
  std::vector<double> post, wait;
};

struct Contestant {
  std::string name;
  std::unique_ptr<SegmentCalls> calls;
  std::array<Times, 2> times{};  // writing, reading
};

class Contest {
 public:
  Contest(const SegmentsOptions &mine, const Options &options)
      : mine_(mine), options_(options), segments_(segments_of(mine, team_)) {
    const auto add = [&](const std::string &name, std::unique_ptr<SegmentCalls> calls) {
      if (calls != nullptr) contestants_.push_back({name, std::move(calls)});
    };
    if (options.selects("sverdrup"))
      add("sverdrup", sverdrup_segments(MPI_COMM_WORLD, segments_, mine.variables, options.settings));
    if (options.selects("pnetcdf")) add("pnetcdf", pnetcdf_segments(MPI_COMM_WORLD, segments_, mine.variables));
  }

  void run() {
    for (int round = 0; round <= options_.repeat; ++round)
      for (Contestant &each : contestants_) {
        const std::string path = options_.file(each.name);
        move(each, path, false, round > 0);
        move(each, path, true, round > 0);
        if (team_.rank == 0) std::remove(path.c_str());
      }
    for (Contestant &each : contestants_) each.calls->finish();
  }
  void tell();

 private:
  /// Values that encode rank, variable and segment.
  /// Of posting and waiting together, of each round.
  std::vector<double> seconds_of(const Times &times) const;
  double value_of(int variable, int64_t segment) const {
    return static_cast<double>((variable * team_.ranks + team_.rank) * mine_.segments + segment);
  }
  void move(Contestant &each, const std::string &path, bool reads, bool counts);

  const Team team_{MPI_COMM_WORLD};
  const SegmentsOptions mine_;
  const Options &options_;
  SegmentPlaces segments_;
  std::vector<Contestant> contestants_;
};

/// Writes all variables, or reads them back.
void Contest::move(Contestant &each, const std::string &path, bool reads, bool counts) {
  const auto n = static_cast<size_t>(segments_.count());
  std::vector<double> values(n * static_cast<size_t>(mine_.variables), -1);
  const auto value = [&](int variable, size_t i) -> double & { return values[static_cast<size_t>(variable) * n + i]; };
  if (!reads)
    for (int v = 0; v < mine_.variables; ++v)
      for (size_t i = 0; i < n; ++i) value(v, i) = value_of(v, static_cast<int64_t>(i));
  each.calls->open(path, reads);
  const double post = timed(team_, [&] {
    for (int v = 0; v < mine_.variables; ++v) each.calls->post(v, reads, &value(v, 0));
  });
  const double wait = timed(team_, [&] { each.calls->wait(); });
  each.calls->close();
  bool right = true;
  for (int v = 0; v < mine_.variables; ++v)
    for (size_t i = 0; i < n; ++i) right = right && value(v, i) == value_of(v, static_cast<int64_t>(i));
  if (!team_.all(right)) throw std::runtime_error(each.name + ": the values are wrong");
  if (!counts) return;
  const double per_segment = 1e9 / static_cast<double>(values.size());
  each.times[reads ? 1 : 0].post.push_back(post * per_segment);
  each.times[reads ? 1 : 0].wait.push_back(wait * per_segment);
}

std::vector<double> Contest::seconds_of(const Times &times) const {
  const double cells = static_cast<double>(mine_.segments) * mine_.variables;
  std::vector<double> seconds;
  for (size_t i = 0; i < times.post.size(); ++i) seconds.push_back((times.post[i] + times.wait[i]) * cells * 1e-9);
  return seconds;
}

void Contest::tell() {
  const std::string component = mpi_io_component(team_.comm, options_.directory);
  if (team_.rank != 0) return;
  nlohmann::json results = nlohmann::json::array();
  std::string table = format("%lld single cells of each of %d ranks, %d variables, %s, over %s; nanoseconds a cell\n",
                             static_cast<long long>(mine_.segments), team_.ranks, mine_.variables, mine_.order.c_str(),
                             component.c_str()) +
                      format("%-14s %10s %22s\n", "", "post", "wait (least, most)");
  for (const bool reads : {false, true})
    for (const Contestant &each : contestants_) {
      const Times &times = each.times[reads ? 1 : 0];
      const auto [least, most] = std::minmax_element(times.wait.begin(), times.wait.end());
      table += format("%-14s %10.1f %10.1f (%.1f, %.1f)\n", ((reads ? "read." : "") + each.name).c_str(),
                      median_of(times.post), median_of(times.wait), *least, *most);
      const std::vector<double> rounds = seconds_of(times);
      const auto [shortest, longest] = std::minmax_element(rounds.begin(), rounds.end());
      results.push_back({{"name", (reads ? "read." : "") + each.name},
                         {"seconds", {{"min", *shortest}, {"median", median_of(rounds)}, {"max", *longest}}},
                         {"rounds", rounds},
                         {"post_ns", times.post},
                         {"wait_ns", times.wait},
                         {"verified", true}});
    }
  const nlohmann::json document{
      {"benchmark", "segments"},
      {"case",
       {{"segments", mine_.segments},
        {"variables", mine_.variables},
        {"order", mine_.order},
        {"ranks", team_.ranks},
        {"directory", options_.directory},
        {"device", options_.device.empty() ? nlohmann::json() : nlohmann::json(options_.device)},
        {"repeat", options_.repeat},
        {"settings", options_.settings}}},
      {"environment", environment(component, options_.directory)},
      {"results", results}};
  print_and_keep(table, document, options_);
}

void run(const SegmentsOptions &mine, const Options &options) {
  Contest contest(mine, options);
  contest.run();
  contest.tell();
}

}  // namespace

Command segments_command() {
  const auto mine = std::make_shared<SegmentsOptions>();
  const auto add_options = [mine](CLI::App &app) {
    app.add_option("--segments", mine->segments, "number of single cells of each rank (500000)")
        ->check(CLI::Range(1, 100000000));
    app.add_option("--vars", mine->variables, "number of variables, a request each (1)")->check(CLI::Range(1, 10000));
    app.add_option("--order", mine->order, "cyclic: in the order of the file; shuffled: in no order")
        ->check(CLI::IsMember({"cyclic", "shuffled"}));
  };
  return {"segments", "writes and reads very many single cells by one request a variable, as E3SM and ParallelIO do",
          add_options, [mine](const Options &options) { run(*mine, options); }};
}

}  // namespace sv_bench
