#include "options.hpp"

#include <fnmatch.h>
#include <mpi.h>
#include <sverdrup/sverdrup.h>

#include <cstdlib>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "command.hpp"
#include "support/ending.hpp"
#include "support/usage.hpp"

namespace sv_bench {

namespace {

bool is_first_rank() {
  for (const char *name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"}) {
    const char *rank = std::getenv(name);
    if (rank != nullptr) return std::string(rank) == "0";
  }
  return true;
}

void add_common(CLI::App &app, Options &options) {
  app.add_option("--dir", options.directory, "folder in which the files are written (.)");
  app.add_option("--repeat", options.repeat, "number of rounds (7)")->check(CLI::Range(1, 1000));
  app.add_option("--json", options.json, "writes the results to this file");
  app.add_option("--device", options.device,
                 "emulated storage: a rate, and optionally a latency and targets, as in 500MB/s,0.5ms,targets=4");
  app.add_flag("--durable", options.durable, "a run lasts until what it wrote is on the disk (fsync)");
  app.add_flag("--memory", options.memory,
               "measures memory instead of time: the PSS of all ranks, without their values (not of every workload)");
  app.add_flag("--mpi-threads", options.mpi_threads,
               "initialises MPI for calls from threads (MPI_THREAD_MULTIPLE), as forwarding in a thread needs it");
  app.add_option("--describe", options.describe,
                 "writes a description of the output to this file, for sv-plan --case, and runs nothing");
  app.add_option("--only", options.only, "runs only these methods; wildcards are possible, as in sverdrup.*,floor")
      ->delimiter(',');
  app.add_option("--set", options.settings, "key=value: a setting for all methods of Sverdrup");
}

/// "--set async=servers:N" is --servers N: the servers are fixed before the methods. Other modes are settings,
/// standby servers only in addition to --servers. Throws CLI::ValidationError for a workload that has no
/// servers.
void take_servers(CLI::App &app, Options &options) {
  const std::string key = "async=servers:", standby = "async=auto:";
  std::vector<std::string> others;
  for (const std::string &setting : options.settings) {
    CLI::Option *const servers = app.get_option_no_throw("--servers");
    if (!setting.starts_with(key) && (servers != nullptr || !setting.starts_with(standby))) {
      others.push_back(setting);
    } else if (servers != nullptr) {
      servers->clear();
      servers->add_result(setting.substr(key.size()));
      servers->run_callback();
    } else if (setting != key + "0") {
      throw CLI::ValidationError("--set " + setting + ": " + app.get_name() +
                                 " has no method with servers; take overlap, or another workload with --servers");
    }
  }
  options.settings = others;
}

}  // namespace

bool Options::selects(const std::string &name) const {
  for (const std::string &pattern : only) {
    if (fnmatch(pattern.c_str(), name.c_str(), 0) == 0) return true;
  }
  return false;
}

std::string Options::file(const std::string &method) const {
  return directory + "/sv-bench-" + std::to_string(run) + "." + method + ".nc";
}

std::vector<int64_t> lengths(const std::string &text) {
  std::vector<int64_t> numbers;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, 'x');) {
    size_t used = 0;
    int64_t number = 0;
    try {
      number = std::stoll(part, &used);
    } catch (const std::logic_error &) {
      used = std::string::npos;  // neither a number nor in range
    }
    if (used != part.size() || number < 1) throw CLI::ValidationError("'" + text + "' is not like 50x1080x1440");
    numbers.push_back(number);
  }
  return numbers;
}

void add_pair(CLI::App &app, const std::string &name, const std::string &help, int &first, int &second) {
  const auto read = [name, &first, &second](const std::string &text) {
    const std::vector<int64_t> numbers = lengths(text);
    if (numbers.size() != 2 || numbers[0] > 1000000 / numbers[1])
      throw CLI::ValidationError(name + ": give two numbers, x first, such as 8x15, not '" + text + "'");
    first = static_cast<int>(numbers[0]);
    second = static_cast<int>(numbers[1]);
  };
  app.add_option_function<std::string>(name, read, help);
}

void add_cells(CLI::App &app, const std::string &name, const std::string &help, std::vector<int64_t> &cells) {
  const auto read = [name, &cells](const std::string &text) {
    cells = lengths(text);
    if (cells.size() != 2) throw CLI::ValidationError(name + ": give rows x columns, not '" + text + "'");
  };
  app.add_option_function<std::string>(name, read, help);
}

void add_layout(CLI::App &app, int &px, int &py) {
  add_pair(app, "--layout", "ranks in x and in y: px x py (as square as possible)", px, py);
}

void add_servers(CLI::App &app, int &servers) {
  app.add_option("--servers", servers, "also measures with so many of the ranks as servers (0: does not)")
      ->check(CLI::Range(0, 1000000));
}

void complete_layout(int &px, int &py) {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  complete_layout(px, py, ranks);
}

void complete_layout(int &px, int &py, int ranks) {
  if (px == 0) {
    int dims[2] = {0, 0};
    MPI_Dims_create(ranks, 2, dims);
    py = dims[0];
    px = dims[1];
  }
  if (px * py != ranks)
    throw std::invalid_argument("a layout of " + std::to_string(px) + "x" + std::to_string(py) + " needs " +
                                std::to_string(px * py) + " ranks, and there are " + std::to_string(ranks));
}

const Command *parse(int argc, char **argv, const std::vector<Command> &commands, Options &options, int &exit_code) {
  CLI::App app("Sverdrup's benchmarks; run with MPI, for example: mpiexec -n 16 sv-bench field --layout 4x4");
  app.name("sv-bench");
  sv_tools::print_usage(app);
  app.set_version_flag("--version", "sv-bench " SV_VERSION);
  app.require_subcommand(1);
  for (const Command &command : commands) {
    CLI::App *sub = app.add_subcommand(command.name, command.help);
    add_common(*sub, options);
    command.add_options(*sub);
  }
  try {
    app.parse(argc, argv);
    for (const Command &command : commands) {
      if (!app.got_subcommand(command.name)) continue;
      take_servers(*app.get_subcommand(command.name), options);
      return &command;
    }
  } catch (const CLI::ParseError &error) {
    std::ostringstream out, err;
    exit_code = sv_tools::parse_failure(app, error, out, err);
    if (is_first_rank()) {
      std::cout << out.str();
      std::cerr << err.str();
    }
  }
  return nullptr;
}

}  // namespace sv_bench
