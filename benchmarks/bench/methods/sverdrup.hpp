// Sverdrup through its public interface, in all the ways in which a model can write many variables.
#pragma once

#include <string>

#include "methods/methods.hpp"
#include "methods/sverdrup_calls.hpp"
#include "methods/sverdrup_context.hpp"

namespace sv_bench {

/// Of ranks that compute; a subclass says how long a context lives.
class SverdrupFiles : public OneFileMethod {
 protected:
  SverdrupFiles(const Workload &workload, bool reads, Way way) : OneFileMethod(workload, reads), way_(way) {}
  /// Collective: one file, from nothing to written, or read.
  void run_in(const SverdrupContext &context, const std::string &path);
  void communicates(bool begins) override;

 private:
  void step(const SverdrupFile &file, size_t number);

  const Way way_;
  sv_context *io_ = nullptr;  // during run_in
};

}  // namespace sv_bench
