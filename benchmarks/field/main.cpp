// sv-bench field: how fast the library writes and reads a distributed field, beside what others do and beside the least
// that it can cost. docs/benchmarks.md tells how to run and read it.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include "environment.hpp"
#include "patterns.hpp"
#include "preload.hpp"
#include "report.hpp"
#include "rounds.hpp"

namespace {

using namespace sv_bench;

// Throws std::invalid_argument, on all ranks alike.
Field field_of(const Options &options) {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Field field{options.shape, options.px, options.py, element_type(options.type)};
  if (field.px == 0) {
    int dims[2] = {0, 0};
    MPI_Dims_create(ranks, 2, dims);
    field.py = dims[0];
    field.px = dims[1];
  }
  if (field.px * field.py != ranks)
    throw std::invalid_argument("a layout of " + std::to_string(field.px) + "x" + std::to_string(field.py) + " needs " +
                                std::to_string(field.px * field.py) + " ranks, and there are " + std::to_string(ranks));
  return field;
}

void run(const Options &options) {
  const Field field = field_of(options);
  const std::vector<Peer> peers = all_peers();
  const std::string mpi_io = mpi_io_component(MPI_COMM_WORLD, options.directory);
  const Block block(field, MPI_COMM_WORLD);
  if (options.patterns) return run_patterns(block, peers, options, environment(mpi_io, options.directory));
  const std::vector<Result> results =
      options.memory ? measure_memory(block, peers, options) : measure_time(block, peers, options);
  if (block.rank != 0) return;
  const Report report{field, options, peers, results, environment(mpi_io, options.directory)};
  std::cout << to_table(report) << std::flush;
  if (options.json.empty()) return;
  std::ofstream file(options.json);
  file << to_json(report).dump(2) << "\n";
  if (!file.flush()) throw std::runtime_error("cannot write '" + options.json + "'");
}

}  // namespace

int main(int argc, char **argv) {
  Options options;
  int exit_code = 0;
  if (!parse(argc, argv, options, exit_code)) return exit_code;
  int provided = 0;
  try {
    std::filesystem::create_directories(options.directory);
    run_under_shim(options, argv);
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return 1;
  } catch (const std::exception &error) {
    std::cerr << "sv-bench: " << error.what() << "\n";
    return 1;
  }
  try {
    forget_shim_state(MPI_COMM_WORLD);
    run(options);
  } catch (const std::invalid_argument &error) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) std::cerr << "sv-bench: " << error.what() << "\n";
    exit_code = 1;
  } catch (const std::exception &error) {
    std::cerr << "\nsv-bench: " << error.what() << "\n" << std::flush;
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return MPI_Finalize() == MPI_SUCCESS ? exit_code : 1;
}
