#include "profile/sverdrup_calls.hpp"

#include <iterator>

namespace sv::profile {
namespace {

std::span<const int64_t> values_of(const int64_t *values, int n) {
  return {values, values != nullptr && n > 0 ? static_cast<size_t>(n) : 0};
}

}  // namespace

int64_t bytes_of_sverdrup_type(int type) {
  constexpr int64_t bytes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};  // SV_BYTE to SV_UINT64
  return type >= 0 && type < static_cast<int>(std::size(bytes)) ? bytes[type] : 0;
}

// A variable may have more dimensions than the grid: then each of the rank's cells has as many values.
int64_t elements_of_part(const SverdrupPart &part, int64_t cells_of_variable) {
  return cells_of_variable < 0 || part.grid <= 0 ? -1 : part.owned * (cells_of_variable / part.grid);
}

SverdrupCall::SverdrupCall(TracedName &function, Word file, int var) : call_(function) {
  if (!call_) {
    return;
  }
  known_ =
      var < 0 ? sverdrup_files().file(call_.recorder(), file) : sverdrup_files().variable(call_.recorder(), file, var);
  if (known_.traced) {
    call_.about(known_.file, known_.variable);
  } else {
    call_.forget();
  }
}

void SverdrupCall::elements(int64_t elements, int type) {
  if (elements >= 0) {
    call_.bytes(elements * bytes_of_sverdrup_type(type));
  }
}

void SverdrupCall::field(Word decomp, int64_t record, int type) {
  const SverdrupPart part = sverdrup_files().part(decomp);
  if (record >= 0) {
    call_.argument(Argument::record, record);
  }
  if (!part.start.empty()) {
    call_.argument(Argument::start, part.start);
    call_.argument(Argument::count, part.count);
  }
  elements(elements_of_part(part, known_.cells), type);
}

void SverdrupCall::whole(int64_t record, int type) {
  if (record >= 0) {
    call_.argument(Argument::record, record);
  }
  elements(known_.cells, type);
}

void SverdrupCall::block(const int64_t *start, const int64_t *count, int type) {
  if (known_.ndims >= 0 && start != nullptr && count != nullptr) {
    call_.argument(Argument::start, values_of(start, known_.ndims));
    call_.argument(Argument::count, values_of(count, known_.ndims));
    elements(elements_of(count, known_.ndims), type);
  }
}

void SverdrupCall::blocks(int n, const int64_t *const *starts, const int64_t *const *counts, int type) {
  call_.argument(Argument::requests, n);
  if (known_.ndims < 0 || starts == nullptr || counts == nullptr) {
    return;
  }
  int64_t all = 0;
  for (int b = 0; b < n; ++b) {
    all += elements_of(counts[b], known_.ndims);
  }
  if (n > 0) {
    block(starts[0], counts[0], type);
  }
  elements(all, type);
}

}  // namespace sv::profile
