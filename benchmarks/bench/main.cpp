// sv-bench: measures how fast the library writes and reads, compared with other libraries and with the least work
// possible. docs/benchmarks.md explains its use.
#include <mpi.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <stdexcept>

#include "command.hpp"
#include "janitor.hpp"
#include "preload.hpp"
#include "support/ending.hpp"

namespace {

std::string described_names(const std::vector<sv_bench::Command> &commands) {
  std::string names;
  for (const sv_bench::Command &command : commands)
    if (command.describes) names += " " + command.name;
  return names;
}

/// Some launchers end all ranks as soon as one ends with an error, before another has printed it. So all wait for each
/// other.
void wait_for_all(int &argc, char **&argv) {
  if (MPI_Init(&argc, &argv) == MPI_SUCCESS && MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS) MPI_Finalize();
}

}  // namespace

int main(int argc, char **argv) {
  using namespace sv_bench;
  const std::vector<Command> commands = all_commands();
  Options options;
  int exit_code = 0, provided = 0;
  const Command *const command = parse(argc, argv, commands, options, exit_code);
  if (command == nullptr) {
    if (exit_code != sv_tools::exit_success) wait_for_all(argc, argv);
    return sv_tools::ended("sv-bench", exit_code);
  }
  try {
    std::filesystem::create_directories(options.directory);
    run_under_shim(options, argv);
    janitor();
    const int level = options.mpi_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED;
    if (MPI_Init_thread(&argc, &argv, level, &provided) != MPI_SUCCESS) return 1;
    if (provided < level) throw std::runtime_error("MPI does not let threads call it");
  } catch (const std::exception &error) {
    std::cerr << "sv-bench: " << error.what() << "\n";
    return 1;
  }
  try {
    forget_shim_state(MPI_COMM_WORLD);
    options.run = getpid();
    if (MPI_Bcast(&options.run, 1, MPI_INT, 0, MPI_COMM_WORLD) != MPI_SUCCESS)
      throw std::runtime_error("MPI_Bcast fails");
    if (!options.describe.empty() && !command->describes)
      throw std::invalid_argument("--describe: " + command->name +
                                  " cannot be described, but these can:" + described_names(commands));
    command->run(options);
  } catch (const std::invalid_argument &error) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) std::cerr << "sv-bench: " << error.what() << "\n";
    exit_code = sv_tools::exit_usage;
  } catch (const std::exception &error) {
    std::cerr << "\nsv-bench: " << error.what() << "\n" << std::flush;
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  exit_code = sv_tools::ended("sv-bench", exit_code);
  return MPI_Finalize() == MPI_SUCCESS ? exit_code : sv_tools::exit_failure;
}
