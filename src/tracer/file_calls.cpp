#include "tracer/file_calls.hpp"

#include <algorithm>
#include <array>

#include "tracer/datasets.hpp"
#include "tracer/files.hpp"
#include "tracer/mpi.hpp"
#include "tracer/sverdrup_files.hpp"

namespace sv::profile {
namespace {

constexpr int most_listed = 32;  // dimensions of a variable that are recorded

// Only MPI-IO has words for file systems.
std::string path_of(Layer layer, const char *given) {
  return layer == Layer::sverdrup ? traced_path(given != nullptr ? given : "") : traced_file(given);
}

}  // namespace

OpenFiles &files_of(Layer layer) {
  if (layer == Layer::sverdrup) return sverdrup_files();
  return datasets_of(layer);
}

FileCall::FileCall(TracedName &function, Word handle, int variable) : call_(function) {
  if (!call_) {
    return;
  }
  OpenFiles &files = files_of(function.layer());
  known_ = variable < 0 ? files.file(call_.recorder(), handle) : files.variable(call_.recorder(), handle, variable);
  if (known_.traced) {
    call_.about(known_.file, known_.variable);
  } else {
    call_.forget();
  }
}

void FileCall::arguments(Argument kind, const int64_t *values, int n) {
  if (call_ && values != nullptr && n > 0) {
    call_.argument(kind, std::span(values, static_cast<size_t>(std::min(n, most_listed))));
  }
}

void FileCall::arguments(Argument kind, const int *values, int n) {
  if (call_ && values != nullptr && n > 0) {
    std::array<int64_t, most_listed> wide;
    const int listed = std::min(n, most_listed);
    std::copy_n(values, listed, wide.begin());
    call_.argument(kind, std::span(wide.data(), static_cast<size_t>(listed)));
  }
}

OpeningCall::OpeningCall(TracedName &function, const char *path, int mode)
    : call_(function),
      files_(files_of(function.layer())),
      path_(call_ ? path_of(function.layer(), path) : std::string()) {
  if (!call_) {
    return;
  }
  if (path_.empty()) {
    call_.forget();
    return;
  }
  call_.about(call_.recorder().file(path_));
  call_.argument(Argument::mode, mode);
}

void OpeningCall::among(Word communicator, const void *function) {
  if (call_) {
    call_.argument(Argument::communicator, mpi_library(function).ranks(communicator));
  }
}

int64_t elements_of(const int64_t *count, int ndims) {
  int64_t elements = 1;
  for (int d = 0; d < ndims; ++d) {
    elements *= count[d];
  }
  return elements;
}

}  // namespace sv::profile
