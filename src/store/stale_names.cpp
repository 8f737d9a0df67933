#include "store/stale_names.hpp"

#include <sys/stat.h>

#include "base/error.hpp"
#include "store/retry.hpp"
#include "store/shared_storage.hpp"

namespace sv {

namespace {

int64_t number_of(const std::string &path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? static_cast<int64_t>(status.st_ino & INT64_MAX) : 0;
}

}  // namespace

bool names_are_kept(const std::string &path) {
  const SharedStorage *const storage = shared_storage_around(path);
  return storage != nullptr && storage->caches_names;
}

int64_t number_where_names_are_kept(const std::string &path) { return names_are_kept(path) ? number_of(path) : 0; }

// Where hosts give a file different numbers, it is as fresh by then as it gets.
void await_number(const std::string &path, int64_t number) {
  if (number != 0 && names_are_kept(path)) retry_until([&] { return number_of(path) == number; });
}

PositionalFile opened_held(const std::string &place, const std::function<PositionalFile()> &open) {
  PositionalFile found = open();
  if (!names_are_kept(place)) return found;
  const bool is_held = retry_until([&] {
    if (!found.is_locked()) found = open();
    return found.is_locked();
  });
  if (!is_held)
    throw Error(Status::access, "this host finds another file under this name than the one that is being written",
                "Hosts must see each other's locks there: mount the file system with them, or choose another one")
        .in_file(place);
  return found;
}

}  // namespace sv
