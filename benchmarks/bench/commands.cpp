// The workloads of sv-bench.
#include "command.hpp"

namespace sv_bench {

std::vector<Command> all_commands() {
  return {field_command(), patterns_command(), records_command(), overlap_command(),
          start_command(), replay_command(),   small_command()};
}

}  // namespace sv_bench
