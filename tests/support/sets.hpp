// Sets of files: joined as sv-combine joins them, and removed.
#pragma once

#include <cstdio>

#include "check.hpp"
#include "support/copying.hpp"

namespace svtest {

/// Local.
inline void remove_pieces(const std::string &path) {
  for (int piece = 0;; ++piece) {
    char name[32];
    std::snprintf(name, sizeof name, ".%04d", piece);
    std::remove((path + name + ".complete").c_str());
    if (std::remove((path + name).c_str()) != 0) return;
  }
}

/// Collective on `comm`, which need not be that of those who wrote the set.
inline void join(MPI_Comm comm, const std::string &set, const std::string &path,
                 const std::vector<std::string> &options) {
  sv_context *io = start(comm, options);
  sv_file *in = nullptr, *out = nullptr;
  SV_MUST(sv_open(io, set.c_str(), SV_NOWRITE, &in));
  SV_MUST(sv_create(io, path.c_str(), 0, &out));
  sv_tools::Copying copying(in, out);
  copying.define();
  copying.copy([](double) {});
  SV_MUST(sv_close(in));
  SV_MUST(sv_close(out));
  SV_MUST(sv_finalize(io));
}

}  // namespace svtest
