// A subcommand of sv-bench: one workload, by a file (or folder) of its own.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "options.hpp"

namespace sv_bench {

struct Command {
  std::string name, help;
  /// Adds the options of this workload only. Local, before MPI_Init.
  std::function<void(CLI::App &)> add_options;
  /// Collective. Throws std::invalid_argument, on all ranks alike, for an impossible request; std::runtime_error
  /// for failures.
  std::function<void(const Options &)> run;
  bool describes = false;  // run follows options.describe
};

/// The commands of this program, in the order of its help. sv-bench has those of commands.cpp, the program of studies/
/// more.
std::vector<Command> all_commands();
Command field_command();
Command patterns_command();
Command records_command();
Command overlap_command();
Command start_command();
Command replay_command();
Command small_command();

/// The command that the user named; null: the program exits with `exit_code`. Errors and help are printed by one
/// rank. Called before MPI_Init.
const Command *parse(int argc, char **argv, const std::vector<Command> &commands, Options &options, int &exit_code);

/// "50x1080x1440" in numbers, all at least 1. Throws CLI::ValidationError.
std::vector<int64_t> lengths(const std::string &text);
/// Adds an option "--layout PXxPY"; both are 0 where the user names none.
void add_layout(CLI::App &app, int &px, int &py);
/// Adds an option of that name: "AxB", such as "8x15". Both are 0 where the user gives none.
void add_pair(CLI::App &app, const std::string &name, const std::string &help, int &first, int &second);
/// Adds an option of that name: "AxB" cells, rows x columns.
void add_cells(CLI::App &app, const std::string &name, const std::string &help, std::vector<int64_t> &cells);
/// Adds an option "--servers": as many of the ranks serve in one more method, sverdrup.servers, in which the others
/// compute.
void add_servers(CLI::App &app, int &servers);
/// Completes a layout of so many ranks: as square as possible where none was named. Throws std::invalid_argument.
void complete_layout(int &px, int &py, int ranks);
/// The same, of all ranks. Collective.
void complete_layout(int &px, int &py);

}  // namespace sv_bench
