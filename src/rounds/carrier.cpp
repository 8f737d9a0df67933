#include "rounds/carrier.hpp"

#include "rounds/behind.hpp"

namespace sv {

void settle(File &file) {
  if (file.mode() != Mode::data) return;
  if (Carrier *const carrier = file.home().carrier()) return carrier->settle();
  if (BehindFile *const later = file.home().behind()) later->settle();
}

}  // namespace sv
