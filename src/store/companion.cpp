#include "store/companion.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <optional>

#include "base/error.hpp"

namespace sv {

namespace {

/// Nothing where it went meanwhile, became a link, or cannot be read.
std::optional<PositionalFile> opened_itself(const std::string &path) {
  try {
    return PositionalFile(path, PositionalFile::Mode::itself);
  } catch (const Error &error) {
    const bool is_hidden = error.status() == Status::access || error.status() == Status::not_found;
    if (!is_hidden && presence_itself(path) != Presence::link) throw;
    return std::nullopt;
  }
}

}  // namespace

Companion companion_of(const PositionalFile &of, const std::string &path) {
  struct stat there {};
  if (::lstat(path.c_str(), &there) != 0) return {};
  const auto is_believed = [&of](uid_t owner) {
    const uid_t root = 0;
    return owner == of.owner() || owner == ::geteuid() || owner == root;
  };
  if (!S_ISREG(there.st_mode)) return {{}, !is_believed(there.st_uid)};
  std::optional<PositionalFile> file = opened_itself(path);
  if (!file) return {{}, presence_itself(path) != Presence::absent};
  if (!is_believed(file->owner())) return {{}, true};
  return {std::move(*file), false};
}

std::string unbelieved(const std::string &of, const std::string &path) {
  return "file '" + of + "': '" + path +
         "', which stands next to it, belongs to another user, and is not used. If that "
         "user's run was interrupted, let that user open the file once with SV_WRITE";
}

void refuse_foreign(const Companion &companion, const PositionalFile &of, const std::string &path) {
  if (!companion.is_foreign) return;
  throw Error(Status::access, "'" + path + "', which stands next to it, belongs to another user, and is not believed",
              "Remove it; or, where that user's run was interrupted, let that user open the file once with SV_WRITE")
      .in_file(of.path());
}

}  // namespace sv
