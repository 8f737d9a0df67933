#include "method.hpp"

#include <filesystem>
#include <stdexcept>

namespace sv_bench {

void Method::remove_one(const std::string &path) const {
  if (team_.rank != 0) return;
  std::error_code error;  // a store's files may be directories
  if (std::filesystem::remove_all(path, error) == 0 || error)
    throw std::runtime_error("cannot remove '" + path + "': " + (error ? error.message() : "it is not there"));
}

OneFileMethod::OneFileMethod(const Workload &workload, bool reads)
    : Method(workload.team),
      workload_(workload),
      reads_(reads),
      values_(static_cast<size_t>(reads ? workload.memory_bytes() : 0)) {}

std::optional<bool> OneFileMethod::check(const std::string &path) {
  return reads_ ? team_.all(workload_.matches(values_)) : check_with_netcdf(workload_, path);
}

void OneFileMethod::remove(const std::string &path) {
  if (!reads_) remove_one(path);
}

void OneFileMethod::begin() {
  phases_ = {};
  first_output_ = since_ = MPI_Wtime();
}

void OneFileMethod::opened() {
  phases_.open = MPI_Wtime() - since_;
  since_ += phases_.open;
}

void OneFileMethod::begin_step(size_t step) {
  if (workload_.model == nullptr) {
    workload_.advance(step);
    return;
  }
  const Computed computed = workload_.model->compute(step, [this](bool begins) { communicates(begins); });
  phases_.compute += computed.seconds;
  phases_.communication += computed.communication;
  phases_.read += computed.read;
  if (step == 0) first_output_ = MPI_Wtime();
}

void OneFileMethod::moved() {
  const double both = MPI_Wtime() - since_;
  phases_.transfer = both - phases_.compute - phases_.read;
  since_ += both;
}

void OneFileMethod::closed() {
  const double now = MPI_Wtime();
  phases_.close = now - since_;
  phases_.output = now - first_output_;
}

void SteppedMethod::run(const std::string &path) {
  begin();
  open(path);
  opened();
  for (size_t s = 0; s < workload_.steps(); ++s) {
    begin_step(s);
    move(s);
    if (workload_.steps() > 1) end_step();
  }
  moved();
  close();
  settle();
  closed();
}

std::optional<bool> SteppedMethod::check_steps(const std::string &path, size_t first, size_t end) {
  return reads_ ? OneFileMethod::check(path) : check_with_netcdf(workload_, path, first, end);
}

}  // namespace sv_bench
