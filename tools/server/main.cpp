// sv-server: ranks that write the output of the models in the same job:
//
//   mpiexec -n 2 sv-server : -n 14 ./ocean
#include <mpi.h>
#include <sverdrup/sverdrup.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "support/ending.hpp"
#include "support/usage.hpp"

namespace {

/// Returns the exit code. After SV_ETIMEOUT others are gone, and MPI_Finalize would wait for them.
int serve(const std::string &config, const std::vector<std::string> &settings) {
  std::vector<const char *> list;
  for (const std::string &setting : settings) list.push_back(setting.c_str());
  const int status =
      sv_serve(MPI_COMM_WORLD, config.empty() ? nullptr : config.c_str(), static_cast<int>(list.size()), list.data());
  if (status == SV_OK) return 0;
  std::fprintf(stderr, "sv-server: %s\n", sv_message());
  std::fflush(nullptr);
  if (status == SV_ETIMEOUT) _exit(1);
  return 1;
}

}  // namespace

int main(int argc, char **argv) {
  std::string config;
  std::vector<std::string> settings;
  CLI::App app{
      "Writes the output of models that are started in the same job: mpiexec -n 2 sv-server : -n 14 ./ocean. Settings "
      "of the models override the settings given here. The program ends when all models have called sv_finalize. The "
      "exit code is 1 if data could not be written.",
      "sv-server"};
  sv_tools::print_usage(app);
  app.add_option("--config", config, "a configuration file for models that have none");
  app.add_option("--set", settings, "key=value: any setting of Sverdrup, such as async.memory=2GiB")
      ->allow_extra_args(false);
  app.set_version_flag("--version", std::string("sv-server ") + sv_version());
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return sv_tools::ended("sv-server", sv_tools::parse_failure(app, error));
  }
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);  // the thread that writes makes no MPI calls
  const int failed = serve(config, settings);
  MPI_Finalize();
  return failed;
}
