#include "join.hpp"

#include <sverdrup/sverdrup.h>

#include "support/copying.hpp"

namespace sv_bench {

void join(MPI_Comm comm, const std::string &set, const std::string &path) {
  using sv_tools::must;
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  const std::string writers = "writers=" + std::to_string(ranks);
  const char *settings[] = {"route=ranges", writers.c_str(), "window=1MiB"};
  sv_context *io = nullptr;
  sv_file *in = nullptr, *out = nullptr;
  must(sv_init(comm, nullptr, 3, settings, &io));
  must(sv_open(io, set.c_str(), SV_NOWRITE, &in));
  must(sv_create(io, path.c_str(), SV_CLOBBER, &out));
  sv_tools::Copying copying(in, out);
  copying.define();
  copying.copy([](double) {});
  must(sv_close(in));
  must(sv_close(out));
  must(sv_finalize(io));
}

}  // namespace sv_bench
