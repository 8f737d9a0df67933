#include "file/file_system.hpp"

#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "base/error.hpp"
#include "store/directory.hpp"
#include "store/file_name.hpp"
#include "store/shared_storage.hpp"
#include "store/striping.hpp"

namespace sv {

std::string check_can_create(const std::string &path, bool exclusive, bool folder) {
  std::string target = check_new_file(path, exclusive, folder).target;
  const std::string directory = directory_of(target);
  if (access(directory.c_str(), W_OK | X_OK) != 0)
    throw system_error(errno, "cannot write to the directory '" + directory + "'", path);
  return target;
}

namespace {

void find_stripes(const std::string &target, bool is_new, Surroundings &found) {
  const std::string directory = directory_of(target);
  if (is_new) found.targets = storage_targets_at(directory);
  const std::optional<FileStripes> stripes = stripes_at(is_new ? directory : target);
  if (!stripes) return;
  found.stripe_bytes = stripes->unit_bytes;
  found.stripe_count = stripes->count;
}

}  // namespace

Surroundings surroundings_of(const std::string &target, const FileSettings &settings, bool is_new) {
  Surroundings found;
  struct statfs status {};
  const bool known = statfs(directory_of(target).c_str(), &status) == 0;
  const SharedStorage *const storage = known ? shared_storage(static_cast<long>(status.f_type)) : nullptr;
  found.shared_file_system = storage != nullptr;
  found.late = settings.visibility == Visibility::automatic ? storage != nullptr && storage->late
                                                            : settings.visibility == Visibility::late;
  // Parallel file systems report their stripe as the preferred size of a transfer.
  if (found.shared_file_system) found.stripe_bytes = std::max<int64_t>(found.stripe_bytes, status.f_bsize);
  if (storage != nullptr && storage->stripes != nullptr) find_stripes(target, is_new, found);
  if (settings.stripe_bytes > 0) found.stripe_bytes = settings.stripe_bytes;
  return found;
}

}  // namespace sv
