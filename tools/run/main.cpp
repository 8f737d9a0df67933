// sv-run: runs a program of PnetCDF or netCDF on Sverdrup, unchanged, and lists the files that it handled
// (docs/dropin.md).
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/printable.hpp"
#include "comparing.hpp"
#include "ending.hpp"
#include "launching.hpp"
#include "outcome.hpp"
#include "taken.hpp"
#include "tracing.hpp"
#include "usage.hpp"

namespace {

namespace fs = std::filesystem;

struct Options {
  std::string config, trace;
  std::vector<std::string> linked;
  bool quiet = false, compares = false, keeps = false;
  int pairs = 1;
};

/// A file for the lines of the run's processes, which no other program writes.
class List {
 public:
  List() {
    std::string name = (fs::temp_directory_path() / "sv-run.XXXXXX").string();
    const int made = mkstemp(name.data());
    if (made < 0)
      throw std::runtime_error("no temporary file can be made in '" + fs::temp_directory_path().string() + "'");
    close(made);
    path_ = name;
  }
  ~List() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  List(const List &) = delete;
  const std::string &path() const { return path_; }

 private:
  std::string path_;
};

/// Runs it on Sverdrup, in a folder (empty: this one).
int run(const Options &options, const std::vector<std::string> &command, const std::string &directory) {
  sv_tools::Launch launch{"sv-run", {sv_tools::own_library("libsv_run.so")}, {}, directory};
  if (!options.config.empty()) launch.variables.emplace_back("SV_CONFIG", fs::absolute(options.config).string());
  if (options.quiet && options.trace.empty() && directory.empty()) sv_tools::become_launched(command, launch);
  const List list;
  launch.variables.emplace_back("SV_RUN_FILES", list.path());
  std::string traces;
  if (!options.trace.empty()) {
    traces = sv_tools::made_folder(options.trace, false);
    sv_tools::add_tracing(launch, {traces, int64_t{32} << 20, {}});
  }
  const int status = sv_tools::run_launched(command, launch);
  if (!options.quiet) std::cerr << sv::printable_message(sv_run::summary(sv_run::files_in(list.path())));
  if (traces.empty()) return status;
  const sv_trace_tool::Outcome outcome = sv_trace_tool::gathered(traces);
  if (!options.quiet) std::cerr << sv::printable_message(sv_trace_tool::sentence(outcome, traces)) << '\n';
  sv_tools::make_report("sv-run", traces, traces + "/report.html");
  return status;
}

/// Seconds that an action takes.
template <class Action>
double timed(Action &&action) {
  const auto begin = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Seconds without Sverdrup and with it, and their ratio, of each pair of runs.
struct Times {
  std::vector<double> before, now, ratios;
  std::string line() const {
    const std::string pairs = ratios.size() == 1 ? "" : "; " + std::to_string(ratios.size()) + " pairs of runs";
    return "sv-run: without Sverdrup " + sv_run::middle(before, 3, " s") + ", with it " + sv_run::middle(now, 3, " s") +
           ": " + sv_run::middle(ratios, 2, "") + pairs + '\n';
  }
};

struct Statuses {
  int theirs = 0, ours = 0;
  bool is_interrupted = false;  // the last of the two runs
};

/// One run without Sverdrup and one with it, unless the first is interrupted.
Statuses run_pair(const Options &options, const std::vector<std::string> &command, const sv_run::Folders &folders,
                  Times &times) {
  Statuses statuses;
  const auto without = [&] {
    times.before.push_back(timed([&] {
      statuses.theirs = sv_tools::run_launched(command, {"sv-run", {}, {}, folders.without()});
    }));
    statuses.is_interrupted = sv_tools::was_interrupted(statuses.theirs);
  };
  const auto with = [&] {
    times.now.push_back(timed([&] { statuses.ours = run(options, command, folders.with()); }));
    statuses.is_interrupted = sv_tools::was_interrupted(statuses.ours);
  };
  const bool with_first = times.ratios.size() % 2 == 1;  // the second run finds another memory than the first
  with_first ? with() : without();
  if (statuses.is_interrupted) return statuses;
  with_first ? without() : with();
  times.ratios.push_back(times.now.back() / times.before.back());
  return statuses;
}

/// Runs it without Sverdrup and with it, as often as asked for or until a pair differs, and compares.
int compare(Options options, const std::vector<std::string> &command) {
  Times times;
  sv_tools::Janitor janitor;
  for (int left = options.pairs; left > 0; --left) {
    sv_run::Folders folders(options.linked, janitor);
    const Statuses statuses = run_pair(options, command, folders, times);
    const auto [theirs, ours, is_interrupted] = statuses;
    if (is_interrupted) {
      if (options.keeps) folders.keep();
      std::cerr << "sv-run: interrupted: the runs are not compared\n";
      return theirs != 0 ? theirs : ours;
    }
    const sv_run::Outcome outcome(folders);
    const bool differs = outcome.data_differ() || theirs != ours;
    const bool last = left == 1 || differs || ours != 0;
    if (last) std::cerr << times.line() << sv::printable_message(outcome.table());
    if (theirs != ours)
      std::cerr << "  it ended with " << theirs << " without, and with " << ours << " on Sverdrup\n";
    else if (ours != 0)
      std::cerr << "  the command fails without Sverdrup, too: it ended with " << ours << " in both runs\n";
    if (differs || (last && options.keeps)) {
      folders.keep();
      std::cerr << "  the runs are in " << folders.without() << " and " << folders.with() << '\n';
    }
    if (last) return ours != 0 ? ours : differs ? 1 : 0;
    options.quiet = true;  // the files are those of the first pair
  }
  return 0;
}

constexpr const char *about =
    "Runs a program of PnetCDF or netCDF on Sverdrup, unchanged.\n\n"
    "--compare runs it twice, each time in a copy of this directory next to it (DIRECTORY.without and DIRECTORY.with), "
    "so that relative paths mean the same. All files are copied, since the program may change them; large ones that it "
    "only reads may be linked (--link). Targets of symbolic links outside the directory are copied too. It compares "
    "the "
    "files of both runs: netCDF files by value, others by their bytes. Files that are written by absolute paths are "
    "not "
    "compared. Copies of equal runs are removed.";

}  // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app{about, "sv-run"};
  sv_tools::print_usage(app, " COMMAND...");
  app.add_option("-c,--config", options.config, "configuration of Sverdrup")->check(CLI::ExistingFile);
  app.add_flag("-q,--quiet", options.quiet, "print nothing at the end");
  auto *const trace = app.add_option("--trace", options.trace, "record the run in this folder, and write its report");
  auto *const compares = app.add_flag("--compare", options.compares, "run it twice, with and without, and compare");
  compares->excludes(trace);
  app.add_option("--link", options.linked, "with --compare: shell wildcards of files that are linked, not copied")
      ->needs(compares)
      ->expected(1);
  app.add_option("--pairs", options.pairs, "with --compare: how many times it runs both")
      ->needs(compares)
      ->check(CLI::PositiveNumber);
  app.add_flag("--keep", options.keeps, "with --compare: keep the copies")->needs(compares);
  app.set_version_flag("--version", "sv-run " SV_VERSION);
  app.prefix_command();
  try {
    app.parse(argc, argv);
    std::vector<std::string> command = app.remaining();
    if (!command.empty() && command.front() == "--")
      command.erase(command.begin());
    else if (!command.empty() && command.front().front() == '-')
      throw CLI::ExtrasError({command.front()});
    if (command.empty()) throw CLI::RequiredError("a command");
    return options.compares ? compare(options, command) : run(options, command, "");
  } catch (const CLI::ParseError &error) {
    return sv_tools::ended("sv-run", sv_tools::parse_failure(app, error));
  } catch (const std::exception &error) {
    std::cerr << "sv-run: " << sv::printable_message(error.what()) << '\n';
    return sv_tools::exit_failure;
  }
}
