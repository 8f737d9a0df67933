// sv-probe: a machine profile from small measurements, in the format of sv-plan --predict (docs/probe.md).
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "profile.hpp"
#include "support/program.hpp"
#include "support/usage.hpp"

namespace {

using namespace sv_probe;

void add_options(CLI::App &app, Options &options) {
  app.add_option("--dir", options.directory, "folder on the storage to probe (.)");
  app.add_option("--output", options.output, "writes the profile to this file (standard output)");
  app.add_option("--json", options.json, "writes all samples to this file, as JSON");
  app.add_option("--budget", options.budget_seconds, "time that probing may take, in seconds (120)")
      ->check(sv_tools::between(1.0, 86400.0));
  app.add_option("--rounds", options.rounds, "largest number of rounds (5)")->check(CLI::Range(1, 1000));
  app.add_option("--burst", options.burst_bytes, "bytes to write to find where the rate falls (1GiB; 0: none)")
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::Range(int64_t{0}, int64_t{1} << 60));
  app.add_option("--stripe", options.stripe_bytes, "size of a stripe (as the file system reports it)")
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::Range(int64_t{4096}, call_bytes));
  app.add_option("--targets", options.targets, "storage targets of a file (measured with two writers)")
      ->check(CLI::Range(1, 100000));
  app.add_option("--sample", options.sample,
                 "values on which codecs are measured: FILE:VARIABLE of a netCDF file (a smooth field of its own)");
  app.add_option("--ranks-per-node", options.ranks_per_node, "assumes that so many ranks share a node")
      ->envname("SV_TESTING_RANKS_PER_NODE")
      ->check(CLI::Range(1, 1000000));
  app.add_flag("-q,--quiet", options.quiet, "prints no progress");
}

void write(const std::string &path, const std::string &text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(path + ": cannot be written. Give another --output or --json");
}

/// Before anything is measured.
void require_writable(const std::string &path) {
  if (path.empty()) return;
  const bool is_there = std::filesystem::exists(path);
  if (!std::ofstream(path, std::ios::app))
    throw std::invalid_argument(path + ": cannot be written. Give another --output or --json");
  if (!is_there) std::filesystem::remove(std::filesystem::canonical(path));  // a link that led nowhere stays
}

void work(const Options &options, sv_tools::Janitor &janitor) {
  Team team(MPI_COMM_WORLD, options.ranks_per_node);
  sv_tools::together(team.comm(), [&] {
    if (!std::filesystem::is_directory(options.directory))
      throw std::invalid_argument(options.directory + ": is no folder on rank " + std::to_string(team.rank()) +
                                  ". Make it, or give another --dir");
    if (team.rank() != 0) return;
    for (const std::string &path : {options.output, options.json}) require_writable(path);
  });
  const Run run = probe(team, options, janitor);
  const std::vector<Key> keys = keys_of(team, run);
  sv_tools::together(team.comm(), [&] {
    if (team.rank() != 0) return;
    const std::string text = profile_text(keys, team, options, run);
    if (options.output.empty()) std::fputs(text.c_str(), stdout);
    if (!options.output.empty()) write(options.output, text);
    if (!options.json.empty()) write(options.json, json_text(keys, team, options, run));
  });
}

}  // namespace

int main(int argc, char **argv) {
  sv_tools::Janitor janitor;
  Options options;
  CLI::App app{
      "Measures what a machine and its storage can do, and writes a profile for sv-plan --predict. Start it with "
      "as many ranks as a node or two have cores: mpiexec -n 16 sv-probe --dir /scratch/me",
      "sv-probe"};
  add_options(app, options);
  return sv_tools::run(app, argc, argv, [&] { work(options, janitor); });
}
