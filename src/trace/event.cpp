#include "trace/event.hpp"

#include <algorithm>

namespace sv::trace {

void Arguments::add(Argument kind, std::span<const int64_t> values) {
  if (used_ + 2 > room || values.empty()) return;
  const int n = std::min(static_cast<int>(values.size()), room - used_ - 1);
  words_[used_++] = argument_word(kind, n);
  std::copy_n(values.begin(), n, words_ + used_);
  used_ += n;
}

}  // namespace sv::trace
