#include "store/being_written.hpp"

#include "store/positional_file.hpp"
#include "store/retry.hpp"

namespace sv {

bool may_be_written(const std::string &place) {
  try {
    const PositionalFile there(place, PositionalFile::Mode::itself);
    return !retry_until([&] { return !there.is_locked(); });
  } catch (const Error &error) {
    return error.status() != Status::not_found;
  }
}

Error busy(const std::string &path, const std::string &place) {
  return Error(Status::access, "another program, or another file of this one, is writing '" + place + "'",
               "Wait until it has ended, or give one of them another name")
      .in_file(path);
}

}  // namespace sv
