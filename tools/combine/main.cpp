// sv-combine: joins the pieces of a set of files (routes per_pe and per_domain, and the sets of FMS) into the file that
// a one-file route would have written.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "joining.hpp"
#include "pieces.hpp"

namespace {

struct Options {
  std::string in, out;
  bool force = false, quiet = false;
  std::vector<std::string> settings;
};

/// A line that is drawn anew; only on a terminal.
class Bar {
 public:
  Bar(bool shown, int64_t bytes) : shown_(shown && bytes > 0), bytes_(bytes) {}
  void operator()(int64_t done) {
    const auto percent = static_cast<int>(100 * done / std::max<int64_t>(bytes_, 1));
    if (!shown_ || percent == percent_) return;
    percent_ = percent;
    const std::string full(static_cast<size_t>(percent / 2), '#'), rest(static_cast<size_t>(50 - percent / 2), '.');
    std::fprintf(stderr, "\rsv-combine: [%s%s] %3d %% of %.0f MB%s", full.c_str(), rest.c_str(), percent,
                 static_cast<double>(bytes_) / 1e6, percent == 100 ? "\n" : "");
  }

 private:
  bool shown_;
  int64_t bytes_;
  int percent_ = -1;
};

void check_names(const Options &options) {
  if (std::filesystem::exists(options.in))
    throw std::runtime_error("'" + options.in + "' is one file, not a set of pieces. Rename it if '" + options.in +
                             ".0000' and those that follow are meant");
  if (!options.force && std::filesystem::exists(options.out))
    throw std::runtime_error("'" + options.out + "' exists. Remove it, or say --force");
}

sv_context *start(const std::vector<std::string> &settings) {
  std::vector<const char *> list;
  for (const std::string &setting : settings) list.push_back(setting.c_str());
  sv_context *io = nullptr;
  sv_combine::must(sv_init(MPI_COMM_WORLD, nullptr, static_cast<int>(list.size()), list.data(), &io));
  return io;
}

/// The joined file has the format of the pieces.
void join_classic(const Options &options, int rank) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  std::vector<std::string> settings{"route=ranges", "writers=" + std::to_string(ranks), "window=1MiB"};
  settings.insert(settings.end(), options.settings.begin(), options.settings.end());
  sv_context *const io = start(settings);
  sv_file *in = nullptr, *out = nullptr;
  sv_combine::must(sv_open(io, options.in.c_str(), SV_NOWRITE, &in));
  int version = 0;
  sv_combine::must(sv_inq_format(in, &version));
  const int format = version == 1 ? SV_CLASSIC : version == 2 ? SV_64BIT_OFFSET : SV_64BIT_DATA;
  sv_combine::must(sv_create(io, options.out.c_str(), format | SV_PUBLISHED, &out));
  sv_combine::Joining joining(in, out);
  joining.define();
  Bar bar(rank == 0 && !options.quiet && isatty(STDERR_FILENO) != 0, joining.bytes());
  const double begin = MPI_Wtime();
  joining.copy(bar);
  sv_combine::must(sv_close(in));
  sv_combine::must(sv_close(out));
  const double seconds = MPI_Wtime() - begin, megabytes = static_cast<double>(joining.bytes()) / 1e6;
  sv_combine::must(sv_finalize(io));
  if (rank == 0 && !options.quiet)
    std::printf("sv-combine: %s: %.1f MB in %.2f s, %.0f MB/s\n", options.out.c_str(), megabytes, seconds,
                megabytes / seconds);
}

void join(const Options &options, int rank) {
  check_names(options);
  if (!sv_combine::is_netcdf4(options.in)) return join_classic(options, rank);
  Options classic = options;
  classic.in = options.out + ".pieces";
  try {
    sv_combine::make_classic(MPI_COMM_WORLD, options.in, classic.in);
    join_classic(classic, rank);
  } catch (...) {
    sv_combine::remove_pieces(MPI_COMM_WORLD, classic.in);
    throw;
  }
  sv_combine::remove_pieces(MPI_COMM_WORLD, classic.in);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Options options;
  CLI::App app{
      "Joins the pieces of a set, IN.0000, IN.0001 ..., as the routes per_pe and per_domain or FMS write them, into "
      "the "
      "file that a one-file route would have written. NetCDF-4 pieces are first copied to classic ones, beside OUT. "
      "Under "
      "mpiexec all ranks work."};
  app.add_option("IN", options.in, "the name without numbers: ocean.nc")->required();
  app.add_option("OUT", options.out, "the joined file (IN)");
  app.add_flag("-f,--force", options.force, "write OUT even if it exists");
  app.add_flag("-q,--quiet", options.quiet, "no progress bar");
  app.add_option("--set", options.settings, "key=value: a setting of Sverdrup, such as writers=4");
  int status = 0;
  try {
    app.parse(argc, argv);
    if (options.out.empty()) options.out = options.in;
    join(options, rank);
  } catch (const CLI::ParseError &error) {
    status = rank == 0 ? app.exit(error) : error.get_exit_code();
  } catch (const std::exception &error) {
    if (rank == 0) std::fprintf(stderr, "sv-combine: %s\n", error.what());
    status = 1;
  }
  // What failed has failed on every rank: MPI ends in order.
  MPI_Finalize();
  return status;
}
