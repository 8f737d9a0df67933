// The workloads of the studies' program: those of papers, and those of sv-bench.
#include "command.hpp"

namespace sv_bench {

Command coll_perf_command();
Command flash_command();
Command cfio_throughput_command();
Command cfio_loop_command();
Command points_command();
Command macom_command();
Command mom5_command();
Command cmaq_command();
Command pop_command();
Command cice_command();
Command licom_command();
Command segments_command();
Command subsets_command();

std::vector<Command> all_commands() {
  return {field_command(),     patterns_command(), records_command(), coll_perf_command(),
          flash_command(),     overlap_command(),  start_command(),   cfio_throughput_command(),
          cfio_loop_command(), points_command(),   macom_command(),   mom5_command(),
          cmaq_command(),      pop_command(),      cice_command(),    licom_command(),
          replay_command(),    segments_command(), small_command(),   subsets_command()};
}

}  // namespace sv_bench
