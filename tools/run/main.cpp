// sv-run: runs a program of PnetCDF on Sverdrup, unchanged, and tells what was taken over (docs/dropin.md).
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "launching.hpp"
#include "taken.hpp"

namespace {

namespace fs = std::filesystem;

struct Options {
  std::string config;
  bool quiet = false;
};

/// A file that nobody else writes, for the lines of the run's processes.
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

int run(const Options &options, const std::vector<std::string> &command) {
  const List list;
  sv_tools::Launch launch{"sv-run", {sv_tools::own_library("libsverdrup_pnetcdf.so")}, {{"SV_RUN_FILES", list.path()}}};
  if (!options.config.empty()) launch.variables.emplace_back("SV_CONFIG", fs::absolute(options.config).string());
  const int status = sv_tools::run_launched(command, launch);
  if (!options.quiet) std::cerr << sv_run::summary(sv_run::files_in(list.path()));
  return status;
}

}  // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app{"Runs a program of PnetCDF on Sverdrup, unchanged: sv-run [OPTIONS] COMMAND...", "sv-run"};
  app.add_option("-c,--config", options.config, "configuration of Sverdrup")->check(CLI::ExistingFile);
  app.add_flag("-q,--quiet", options.quiet, "print nothing at the end");
  app.set_version_flag("--version", "sv-run " SV_VERSION);
  app.prefix_command();
  try {
    app.parse(argc, argv);
    std::vector<std::string> command = app.remaining();
    if (!command.empty() && command.front() == "--") command.erase(command.begin());
    if (command.empty()) throw CLI::RequiredError("a command");
    return run(options, command);
  } catch (const CLI::ParseError &error) {
    return app.exit(error);
  } catch (const std::exception &error) {
    std::cerr << "sv-run: " << error.what() << '\n';
    return 1;
  }
}
