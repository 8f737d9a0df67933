// sv-trace: runs a command and records the I/O calls of all its processes (docs/tracing.md).
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "layout.hpp"
#include "outcome.hpp"
#include "tracing.hpp"

namespace {

namespace fs = std::filesystem;

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

// Makes the folder, empty of traces; returns its absolute name.
std::string made_folder(const Options &options, const std::string &program) {
  const fs::path folder = fs::absolute(options.directory.empty() ? program + ".svtrace" : options.directory);
  if (folder.string().find(':') != std::string::npos)
    throw std::runtime_error("'" + folder.string() + "': the name of the folder may have no colon");
  fs::create_directories(folder);
  for (const fs::directory_entry &entry : fs::directory_iterator(folder)) {
    if (!options.force) throw std::runtime_error("'" + folder.string() + "' is not empty. Remove it, or say --force");
    if (entry.path().extension() == ".svtrace" && entry.is_regular_file()) fs::remove(entry.path());
  }
  return folder.lexically_normal();
}

// `sverdrup` of the folder beside this program, or of the path.
std::string report_program() {
  const fs::path beside = fs::path(sv_tools::own_folder()) / "../venv/bin/sverdrup";
  return access(beside.c_str(), X_OK) == 0 ? beside.lexically_normal().string() : "sverdrup";
}

std::string shell_quoted(const std::string &text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

void make_report(const Options &options, const std::string &directory) {
  unsetenv("LD_PRELOAD");
  const std::string command = shell_quoted(report_program()) + " report " + shell_quoted(directory) + " --output " +
                              shell_quoted(options.report);
  if (std::system(command.c_str()) != 0)
    std::cerr << "sv-trace: no report was made by: " << command << "\n  The traces are in " << directory << '\n';
}

int trace(const Options &options, const std::vector<std::string> &command) {
  const std::string directory = made_folder(options, sv_tools::program_name(command));
  sv_tools::Launch launch{"sv-trace", {}, {}};
  sv_tools::add_tracing(launch, {directory, options.megabytes << 20, options.patterns});
  const int status = sv_tools::run_launched(command, launch);
  const sv_trace_tool::Outcome outcome = sv_trace_tool::gathered(directory);
  if (!options.quiet) std::cerr << sv_trace_tool::sentence(outcome, directory) << '\n';
  if (!options.report.empty()) {
    make_report(options, directory);
  } else if (!options.quiet && outcome.processes > 0) {
    std::cerr << "  The report: sverdrup report " << directory << '\n';
  }
  return status;
}

}  // namespace

int main(int argc, char **argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto dashes = std::find(words.begin(), words.end(), "--");
  const std::vector<std::string> command(dashes == words.end() ? dashes : dashes + 1, words.end());
  Options options;
  CLI::App app{"Runs a command and records the I/O calls of all its processes: sv-trace [OPTIONS] -- COMMAND...",
               "sv-trace"};
  add_options(app, options);
  try {
    app.parse(static_cast<int>(dashes - words.begin()) + 1, argv);
    if (options.layout) {
      sv_trace_tool::print_layout(std::cout);
      return 0;
    }
    if (command.empty()) throw CLI::RequiredError("a command, after --,");
    return trace(options, command);
  } catch (const CLI::ParseError &error) {
    return app.exit(error);
  } catch (const std::exception &error) {
    std::cerr << "sv-trace: " << error.what() << '\n';
    return 1;
  }
}
