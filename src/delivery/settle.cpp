#include "delivery/settle.hpp"

#include "delivery/background_writer.hpp"
#include "delivery/remote_writer.hpp"
#include "file/home.hpp"

namespace sv {

void settle(File &file) {
  if (WriteBehindFile *const later = behind_of(file)) return later->settle();
  RemoteWriter *const carrier = file.mode == Mode::data ? file.home().carrier() : nullptr;
  if (carrier != nullptr) carrier->settle();
}

}  // namespace sv
