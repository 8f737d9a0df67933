#include "transfer/settle.hpp"

#include "file/home.hpp"
#include "transfer/background_writer.hpp"
#include "transfer/remote_writer.hpp"

namespace sv {

void settle(File &file) {
  if (WriteBehindFile *const later = behind_of(file)) return later->settle();
  RemoteWriter *const carrier = file.mode == Mode::data ? file.home().carrier() : nullptr;
  if (carrier != nullptr) carrier->settle();
}

}  // namespace sv
