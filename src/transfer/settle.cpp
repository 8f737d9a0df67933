#include "transfer/settle.hpp"

#include "file/home.hpp"
#include "transfer/behind.hpp"
#include "transfer/carrier.hpp"

namespace sv {

void settle(File &file) {
  if (BehindFile *const later = behind_of(file)) return later->settle();
  Carrier *const carrier = file.mode == Mode::data ? file.home().carrier() : nullptr;
  if (carrier != nullptr) carrier->settle();
}

}  // namespace sv
