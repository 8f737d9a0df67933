// Sverdrup through its public interface, in all the ways in which a model can write many variables.
#pragma once

#include <optional>
#include <string>

#include "methods/methods.hpp"
#include "methods/sverdrup_calls.hpp"
#include "methods/sverdrup_context.hpp"

namespace sv_bench {

/// One file, in a context that somebody else holds; of ranks that compute.
class SverdrupFiles : public SteppedMethod {
 public:
  SverdrupFiles(const Workload &workload, bool reads, Way way) : SteppedMethod(workload, reads), way_(way) {}
  /// Before each run, if not always in the same. `context` outlives the run.
  void use(const SverdrupContext &context) { context_ = &context; }
  void open(const std::string &path) override;
  void move(size_t step) override;
  void close() override;
  void end_step() override;
  void settle() override;
  /// The output may be a set of files.
  void remove(const std::string &path) override;
  void communicates(bool begins) override;

 private:
  const Way way_;
  const SverdrupContext *context_ = nullptr;
  std::optional<SverdrupFile> file_;  // while it is open
};

}  // namespace sv_bench
