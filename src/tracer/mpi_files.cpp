#include "tracer/mpi_files.hpp"

#include <string>

#include "tracer/json.hpp"

namespace sv::profile {
namespace {

constexpr int longest_hint = 1024;  // MPI_MAX_INFO_VAL of MPICH, the longest
constexpr int longest_key = 256;    // MPI_MAX_INFO_KEY of MPICH and of the standard's ABI

std::string hints_as_json(const MpiLibrary &mpi, Word info) {
  std::string result = "{";
  int keys = 0;
  if (mpi.same(info, mpi.info_null) || mpi.info_get_nkeys(info, &keys) != 0) {
    keys = 0;
  }
  for (int k = 0; k < keys; ++k) {
    char key[longest_key + 1] = {};
    char value[longest_hint + 1] = {};
    int found = 0;
    if (mpi.info_get_nthkey(info, k, key) == 0 && mpi.info_get(info, key, longest_hint, value, &found) == 0 &&
        found != 0) {
      result += (result.size() > 1 ? ", " : "") + json_string(key) + ": " + json_string(value);
    }
  }
  return result + "}";
}

}  // namespace

void MpiFiles::opened(Word handle, std::string path) {
  const MutexLock lock(mutex_);
  files_.insert_or_assign(handle, File{NumberedPath(std::move(path))});
}

bool MpiFiles::is_new(const std::string &path) {
  const MutexLock lock(mutex_);
  return noted_.insert(path).second;
}

void MpiFiles::closed(Word handle) {
  const MutexLock lock(mutex_);
  files_.erase(handle);
}

void MpiFiles::about(MpiCall &call, Word handle) {
  if (!call) {
    return;
  }
  uint32_t file = 0;
  {
    const MutexLock lock(mutex_);
    const auto found = files_.find(handle);
    if (found == files_.end()) {
      return;
    }
    file = found->second.path.number(call->recorder());
  }
  if (file != 0) {
    call->about(file);
  } else {
    call->forget();
  }
}

void MpiFiles::viewed(Word handle, int64_t displacement, int64_t unit_bytes, bool linear) {
  const MutexLock lock(mutex_);
  const auto found = files_.find(handle);
  if (found != files_.end()) {
    found->second.displacement = displacement;
    found->second.unit_bytes = unit_bytes;
    found->second.linear = linear && unit_bytes >= 0;
  }
}

int64_t MpiFiles::offset(Word handle, int64_t in_view) {
  const MutexLock lock(mutex_);
  const auto found = files_.find(handle);
  if (found == files_.end() || !found->second.linear) {
    return -1;
  }
  return found->second.displacement + in_view * found->second.unit_bytes;
}

// Lives as long as the process: libraries close files in their destructors.
MpiFiles &mpi_files() {
  static MpiFiles &files = *new MpiFiles;
  return files;
}

void note_hints(MpiCall &call, const std::string &path, Word asked, Word handle) {
  const MpiLibrary &mpi = call.library();
  if (mpi.info_get_nkeys == nullptr || mpi.info_get_nthkey == nullptr || mpi.info_get == nullptr ||
      mpi.file_get_info == nullptr || mpi.info_free == nullptr) {
    return;
  }
  Word used = 0;
  if (mpi.file_get_info(handle, &used) != 0) {
    return;
  }
  const int64_t number = call->recorder().note("{\"kind\": \"hints\", \"file\": " + json_string(path) +
                                                   ", \"asked\": " + hints_as_json(mpi, asked) +
                                                   ", \"used\": " + hints_as_json(mpi, used) + "}",
                                               call->recorder().file(path));
  mpi.info_free(&used);
  if (number >= 0) {
    call->argument(Argument::hints, number);
  }
}

}  // namespace sv::profile
