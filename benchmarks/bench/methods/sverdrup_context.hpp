// A context of Sverdrup for one method, which lives as long as a model's would: over all its runs.
#pragma once

#include <sverdrup/sverdrup.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "method.hpp"

namespace sv_bench {

/// Throws std::runtime_error with the library's own words.
void check_sverdrup(int status, const char *call);

class SverdrupContext {
 public:
  /// Collective, as are all functions. `options`: "key=value". `grid`: of the decomposition, if there is one.
  SverdrupContext(const Team &team, const std::vector<std::string> &options, const std::optional<Grid> &grid);
  void finish() const { check_sverdrup(sv_finalize(io_), "sv_finalize"); }
  sv_context *io() const { return io_; }
  sv_decomp *grid() const { return grid_; }

  /// What the context has counted so far, on rank 0; the summary goes through a file.
  nlohmann::json summary(const std::string &beside) const;
  /// Of one of `runs` equal runs, on rank 0. `counts`: whether the library's writes are system calls, and not calls of
  /// another library.
  Traffic traffic(const std::string &beside, int64_t runs, bool counts) const;

 private:
  const Team team_;
  sv_context *io_ = nullptr;
  sv_decomp *grid_ = nullptr;
};

}  // namespace sv_bench
