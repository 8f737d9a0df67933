#include "tracer/sverdrup_calls.hpp"

#include <iterator>

namespace sv::profile {
int64_t bytes_of_sverdrup_type(int type) {
  constexpr int64_t bytes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};  // SV_BYTE to SV_UINT64
  return type >= 0 && type < static_cast<int>(std::size(bytes)) ? bytes[type] : 0;
}

// A variable may have more dimensions than the grid: then each of the rank's cells has as many values.
int64_t elements_of_part(const SverdrupPart &part, int64_t cells_of_variable) {
  return cells_of_variable < 0 || part.grid <= 0 ? -1 : part.owned * (cells_of_variable / part.grid);
}

void SverdrupCall::elements(int64_t elements, int type) {
  if (elements >= 0) {
    (*this)->bytes(elements * bytes_of_sverdrup_type(type));
  }
}

void SverdrupCall::field(Word decomp, int64_t record, int type) {
  const SverdrupPart part = sverdrup_files().part(decomp);
  if (record >= 0) {
    argument(Argument::record, record);
  }
  if (!part.start.empty()) {
    (*this)->argument(Argument::start, part.start);
    (*this)->argument(Argument::count, part.count);
  }
  elements(elements_of_part(part, known().cells), type);
}

void SverdrupCall::whole(int64_t record, int type) {
  if (record >= 0) {
    argument(Argument::record, record);
  }
  elements(known().cells, type);
}

void SverdrupCall::block(const int64_t *start, const int64_t *count, int type) {
  if (known().ndims >= 0 && start != nullptr && count != nullptr) {
    arguments(Argument::start, start, known().ndims);
    arguments(Argument::count, count, known().ndims);
    elements(elements_of(count, known().ndims), type);
  }
}

void SverdrupCall::blocks(int n, const int64_t *const *starts, const int64_t *const *counts, int type) {
  argument(Argument::requests, n);
  if (known().ndims < 0 || starts == nullptr || counts == nullptr) {
    return;
  }
  int64_t all = 0;
  for (int b = 0; b < n; ++b) {
    all += elements_of(counts[b], known().ndims);
  }
  if (n > 0) {
    block(starts[0], counts[0], type);
  }
  elements(all, type);
}

}  // namespace sv::profile
