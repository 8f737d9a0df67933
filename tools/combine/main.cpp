// sv-combine: joins the pieces of a set of files (routes per_pe and per_domain, and the sets of FMS) into the file that
// a one-file route would have written.
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "pieces.hpp"
#include "support/names.hpp"
#include "support/program.hpp"

namespace {

struct Options {
  std::string in, out;
  bool force = false, quiet = false;
  std::vector<std::string> settings;
};

void check_names(const Options &options) {
  if (std::filesystem::exists(options.in))
    throw std::runtime_error("'" + options.in + "' is one file, not a set of pieces. Rename it if '" + options.in +
                             ".0000' and those that follow are meant");
  sv_tools::check_apart(options.in, options.out);
  if (!options.force && std::filesystem::exists(options.out))
    throw std::runtime_error("'" + options.out + "' exists. Remove it, or say --force");
}

void join_classic(const Options &options) {
  sv_tools::copy_file({"sv-combine", options.in, options.out, SV_PUBLISHED, options.settings, options.quiet});
}

void join(const Options &options) {
  sv_tools::together(MPI_COMM_WORLD, [&] { check_names(options); });
  if (!sv_combine::is_netcdf4(options.in)) return join_classic(options);
  Options classic = options;
  classic.in = options.out + ".pieces";
  try {
    sv_combine::make_classic(MPI_COMM_WORLD, options.in, classic.in);
    join_classic(classic);
  } catch (...) {
    sv_combine::remove_pieces(MPI_COMM_WORLD, classic.in);
    throw;
  }
  sv_combine::remove_pieces(MPI_COMM_WORLD, classic.in);
}

}  // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app{
      "Joins the pieces of a set, IN.0000, IN.0001 ..., as the routes per_pe and per_domain or FMS write them, into "
      "the file that a one-file route would have written. NetCDF-4 pieces are first copied to classic ones, beside "
      "OUT. "
      "Under mpiexec all ranks work.",
      "sv-combine"};
  app.add_option("IN", options.in, "the name without numbers: ocean.nc")->required();
  app.add_option("OUT", options.out, "the joined file (IN)");
  app.add_flag("-f,--force", options.force, "write OUT even if it exists");
  app.add_flag("-q,--quiet", options.quiet, "no progress bar");
  app.add_option("--set", options.settings, "key=value: a setting of Sverdrup, such as writers=4")
      ->allow_extra_args(false);
  return sv_tools::run(app, argc, argv, [&options] {
    if (options.out.empty()) options.out = options.in;
    join(options);
  });
}
