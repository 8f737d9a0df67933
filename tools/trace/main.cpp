// sv-trace: runs a command and records the I/O calls of all its processes (docs/tracing.md).
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/printable.hpp"
#include "ending.hpp"
#include "layout.hpp"
#include "outcome.hpp"
#include "tracing.hpp"
#include "usage.hpp"

namespace {

struct Options {
  std::string directory, report;
  int64_t megabytes = 32;
  std::vector<std::string> patterns;
  bool force = false, quiet = false, layout = false;
};

void add_options(CLI::App &app, Options &options) {
  app.add_option("-o,--output", options.directory, "folder for the traces (PROGRAM.svtrace)");
  app.add_option("--memory", options.megabytes, "memory of each process for its latest calls, in MiB (32)")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 20));
  app.add_option("--files", options.patterns, "shell wildcards of the files to record, instead of all data files");
  app.add_option("--report", options.report, "write the report to this file afterwards");
  app.add_flag("-f,--force", options.force, "remove existing traces from the folder");
  app.add_flag("-q,--quiet", options.quiet, "print no last line");
  app.set_version_flag("--version", "sv-trace " SV_VERSION);
  app.add_flag("--layout", options.layout, "print the layout of trace files as JSON, and run nothing");
}

int trace(const Options &options, const std::vector<std::string> &command) {
  const std::string folder =
      options.directory.empty() ? sv_tools::program_name(command) + ".svtrace" : options.directory;
  const bool was_there = std::filesystem::exists(folder);
  const std::string directory = sv_tools::made_folder(folder, options.force);
  sv_tools::Launch launch{"sv-trace", {}, {}, {}};
  sv_tools::add_tracing(launch, {directory, options.megabytes << 20, options.patterns});
  const int status = sv_tools::run_launched(command, launch);
  const sv_trace_tool::Outcome outcome = sv_trace_tool::gathered(directory);
  if (!options.quiet) std::cerr << sv::printable_message(sv_trace_tool::sentence(outcome, directory)) << '\n';
  if (!options.report.empty()) {
    sv_tools::make_report("sv-trace", directory, options.report);
  } else if (!options.quiet && outcome.processes > 0) {
    std::cerr << "  The report: sverdrup report " << sv::printable_message(directory) << '\n';
  }
  std::error_code stays;
  if (outcome.processes == 0 && !was_there) std::filesystem::remove(directory, stays);  // if nothing is in it
  return status;
}

}  // namespace

int main(int argc, char **argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto dashes = std::find(words.begin(), words.end(), "--");
  const std::vector<std::string> command(dashes == words.end() ? dashes : dashes + 1, words.end());
  Options options;
  CLI::App app{"Runs a command and records the I/O calls of all its processes.", "sv-trace"};
  sv_tools::print_usage(app, " -- COMMAND...");
  add_options(app, options);
  try {
    app.parse(static_cast<int>(dashes - words.begin()) + 1, argv);
    if (options.layout) {
      sv_trace_tool::print_layout(std::cout);
      return sv_tools::ended("sv-trace", sv_tools::exit_success);
    }
    if (command.empty()) throw CLI::RequiredError("a command, after --,");
    return trace(options, command);
  } catch (const CLI::ParseError &error) {
    return sv_tools::ended("sv-trace", sv_tools::parse_failure(app, error));
  } catch (const std::exception &error) {
    std::cerr << "sv-trace: " << sv::printable_message(error.what()) << '\n';
    return sv_tools::exit_failure;
  }
}
