#include "rounds.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/program.hpp"

namespace sv_probe {

namespace {

struct Measurement {
  const char *name;
  void (*measure)(Bench &, Measured &);
};
// Reading after writing, whose file it reads.
constexpr Measurement measurements[] = {
    {"packing", measure_packing},         {"turns", measure_turns},     {"messages", measure_messages},
    {"agreements", measure_agreements},   {"opening", measure_opening}, {"puts", measure_puts},
    {"writing", measure_writing},         {"reading", measure_reading}, {"rows", measure_rows},
    {"hand-overs", measure_hand_overs},   {"codecs", measure_codecs},   {"definitions", measure_definitions},
    {"ways of writing", measure_policies}};

void require_room(Team &team, const Scratch &scratch) {
  const int64_t needed = 2 * team.size() * call_bytes, there = scratch.free_bytes();
  if (there >= needed) return;
  std::array<char, 128> text{};
  std::snprintf(text.data(), text.size(),
                "needs %.3g GB, and %.3g GB are free: give another folder (--dir), or start fewer ranks",
                static_cast<double>(needed) / 1e9, static_cast<double>(there) / 1e9);
  throw std::invalid_argument(scratch.path() + ": " + text.data());
}

/// Collective. Rank 0 reads it: the file may be on its node alone.
Sample shared_sample(Team &team, const Options &options) {
  if (options.sample.empty()) return smooth_sample();
  Sample sample;
  sv_tools::together(team.comm(), [&] {
    if (team.rank() == 0) sample = read_sample(options.sample);
  });
  auto chunks = static_cast<int>(sample.chunks.size());
  MPI_Bcast(&chunks, 1, MPI_INT, 0, team.comm());
  MPI_Bcast(&sample.element_bytes, 1, MPI_INT, 0, team.comm());
  sample.name = options.sample;
  sample.chunks.resize(static_cast<size_t>(chunks));
  for (std::vector<std::byte> &chunk : sample.chunks) {
    auto bytes = static_cast<int>(chunk.size());
    MPI_Bcast(&bytes, 1, MPI_INT, 0, team.comm());
    chunk.resize(static_cast<size_t>(bytes));
    MPI_Bcast(chunk.data(), bytes, MPI_BYTE, 0, team.comm());
  }
  return sample;
}

double seconds_since(const Team &team, double begin) {
  double seconds = now() - begin;
  MPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, team.comm());
  return seconds;
}

}  // namespace

Run probe(Team &team, const Options &options, sv_tools::Janitor &janitor) {
  const double begin = now();
  const auto report = [&](const std::string &what) {
    if (team.rank() == 0 && !options.quiet)
      std::fprintf(stderr, "sv-probe: %4.1f s: %s\n", now() - begin, what.c_str());
  };
  Scratch scratch(team, options.directory, janitor);
  require_room(team, scratch);
  Bench bench{team, scratch, std::vector<char>(static_cast<size_t>(call_bytes), 'x'), {}, shared_sample(team, options)};
  Run run;
  run.sample = bench.sample.name;
  report("how much there is to write");
  choose_sizes(bench);
  report("targets");
  run.measured.stripes = find_stripes(bench, options);
  const double burst_seconds = options.burst_bytes > 0 ? 0.3 * options.budget_seconds : 0;
  const double before_rounds = seconds_since(team, begin);
  double used = before_rounds;
  // The first round is a warm-up: its measurements are dropped, unless there is no time for another.
  for (int round = 0; round <= options.rounds; ++round) {
    const double a_round = round > 0 ? (used - before_rounds) / round : 0;
    if (round > 0 && used + a_round > options.budget_seconds - burst_seconds) break;
    if (round == 1) {
      Stripes stripes = run.measured.stripes;
      run.measured = {};
      run.measured.stripes = std::move(stripes);
    }
    if (round > 0) report("round " + std::to_string(round) + " of " + std::to_string(options.rounds));
    for (const Measurement &each : measurements) {
      if (round == 0) report(std::string("once for warming up: ") + each.name);
      each.measure(bench, run.measured);
    }
    run.rounds = std::max(round, 1);
    used = seconds_since(team, begin);
  }
  if (options.burst_bytes > 0) {
    report("how long the rate lasts");
    run.measured.burst =
        find_burst(bench, options, run.measured, std::min(burst_seconds, options.budget_seconds - used));
  }
  run.seconds = seconds_since(team, begin);
  return run;
}

}  // namespace sv_probe
