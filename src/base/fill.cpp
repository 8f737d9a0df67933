#include "base/fill.hpp"

#include <cstring>

namespace sv {

void fill_elements(std::byte *to, int64_t elements, const std::byte *value, int64_t element_bytes) {
  if (elements <= 0) return;
  const int64_t bytes = elements * element_bytes;
  std::memcpy(to, value, static_cast<size_t>(element_bytes));
  for (int64_t done = element_bytes; done < bytes; done *= 2)  // doubles the filled part
    std::memcpy(to + done, to, static_cast<size_t>(done < bytes - done ? done : bytes - done));
}

}  // namespace sv
