// For each line that it reads, copies "hostile.zarr" to "copy.nc" as sv-copy does; or, for "write", opens it for
// writing and closes it; or, for "make", writes "ours". Answers each with a line: "read" or "refused", the most kB of
// memory that it has had so far, and the cause of a refusal. To start a program for each group takes longer than all
// else.
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <iostream>

#include "support/copying.hpp"
#include "support/program.hpp"
#include "support/sanitized.hpp"

namespace {

/// The copy of a file that claims to be large would be large; only the memory of reading is checked.
void limit(int resource, rlim_t most) {
  const rlimit both{most, most};
  if (setrlimit(static_cast<__rlimit_resource>(resource), &both) != 0) std::abort();
}

/// A growing group with records in shards of two, of which the last one is half full.
void make_group() {
  sv_context *io =
      sv_tools::start(MPI_COMM_WORLD, {"store=zarr", "chunks=2,8", "chunks.shards=2,16", "compression=zstd:1"});
  sv_file *file = nullptr;
  int dims[2], ids[2];
  const std::vector<float> values(16, 1.5F);
  sv_tools::must(sv_create(io, "ours", SV_GROWING, &file));
  sv_tools::must(sv_def_dim(file, "time", SV_UNLIMITED, &dims[0]));
  sv_tools::must(sv_def_dim(file, "x", 16, &dims[1]));
  sv_tools::must(sv_def_var(file, "t", SV_FLOAT, 2, dims, &ids[0]));
  sv_tools::must(sv_def_var(file, "n", SV_FLOAT, 1, dims + 1, &ids[1]));
  sv_tools::must(sv_put_att_text(file, ids[0], "units", "m"));
  sv_tools::must(sv_enddef(file));
  sv_tools::must(sv_put_var(file, ids[1], SV_NO_RECORD, SV_FLOAT, values.data(), nullptr));
  for (int record = 0; record < 3; ++record) {
    sv_tools::must(sv_put_var(file, ids[0], record, SV_FLOAT, values.data(), nullptr));
    sv_tools::must(sv_end_step(io));
  }
  sv_tools::must(sv_close(file));
  sv_tools::must(sv_finalize(io));
}

void open_for_writing() {
  sv_context *io = sv_tools::start(MPI_COMM_WORLD, {});
  sv_file *file = nullptr;
  const bool is_open = sv_open(io, "hostile.zarr", SV_WRITE, &file) == SV_OK;
  const bool is_closed = is_open && sv_close(file) == SV_OK;
  const std::string cause = is_closed ? "" : sv_message();
  sv_finalize(io);
  if (!is_closed) throw std::runtime_error(cause);
}

long most_kb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return sv::test::is_sanitized() ? 0 : usage.ru_maxrss;
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::signal(SIGXFSZ, SIG_IGN);
  limit(RLIMIT_FSIZE, rlim_t{4} << 20);
  if (!sv::test::is_sanitized()) limit(RLIMIT_AS, rlim_t{4} << 30);
  for (std::string line; std::getline(std::cin, line);) {
    std::string verdict = "read", cause;
    try {
      if (line == "make")
        make_group();
      else if (line == "write")
        open_for_writing();
      else
        sv_tools::copy_file({"sv-copy", "hostile.zarr", "copy.nc", SV_PUBLISHED, {}, true});
    } catch (const std::exception &error) {
      verdict = "refused";
      cause = error.what();
      std::replace(cause.begin(), cause.end(), '\n', ' ');
    }
    std::cout << verdict << ' ' << most_kb() << ' ' << cause << std::endl;
  }
  return MPI_Finalize();
}
