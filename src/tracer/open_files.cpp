#include "tracer/open_files.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <iterator>

#include "tracer/files.hpp"

namespace sv::profile {

std::string traced_file(const char *given) {
  static constexpr std::string_view drivers[] = {"ufs", "nfs",    "lustre", "gpfs",    "pvfs2", "panfs",
                                                 "xfs", "testfs", "daos",   "quobyte", "beegfs"};
  const std::string_view name = given != nullptr ? given : "";
  if (name.find("://") != std::string_view::npos) {
    return std::string(name);
  }
  const size_t colon = name.find(':');
  const bool has_driver = colon != std::string_view::npos &&
                          std::find(std::begin(drivers), std::end(drivers), name.substr(0, colon)) != std::end(drivers);
  return traced_path(has_driver ? name.substr(colon + 1) : name);
}

uint32_t NumberedPath::number(trace::Recorder &recorder) {
  if (path_.empty()) {
    return 0;
  }
  const int32_t process = recorder.header().pid;
  if (process_ != process) {
    number_ = recorder.file(path_);
    process_ = process;
  }
  return number_;
}

void *sibling_of(const void *function, const char *name) {
  Dl_info library;
  if (function == nullptr || dladdr(function, &library) == 0) {
    return nullptr;
  }
  // RTLD_NOLOAD counts a use; the library is never closed, since the program itself goes on using it.
  void *handle = dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  return handle != nullptr ? dlsym(handle, name) : nullptr;
}

void OpenFiles::opened(Word handle, std::string path, const void *function) {
  std::call_once(learnt_, [&] { learn(function); });
  File opened{NumberedPath(std::move(path)), {}};
  const MutexLock lock(mutex_);
  files_.insert_or_assign(handle >> shift_, std::move(opened));
}

void OpenFiles::closed(Word handle) {
  const MutexLock lock(mutex_);
  files_.erase(handle >> shift_);
}

void OpenFiles::changed(Word handle) {
  const MutexLock lock(mutex_);
  if (File *file = find(handle)) {
    file->variables.clear();
  }
}

OpenFiles::File *OpenFiles::find(Word handle) {
  const auto found = files_.find(handle >> shift_);
  return found != files_.end() ? &found->second : nullptr;
}

KnownVariable OpenFiles::file(trace::Recorder &recorder, Word handle) {
  const MutexLock lock(mutex_);
  KnownVariable known;
  if (File *file = find(handle)) {
    known.file = file->path.number(recorder);
    known.traced = !file->path.path().empty();
  }
  return known;
}

KnownVariable OpenFiles::variable(trace::Recorder &recorder, Word handle, int id) {
  const KnownVariable of_file = file(recorder, handle);
  Variable answer;
  for (const bool asked : {false, true}) {
    // Not under the lock: reads of netCDF-4 for its answer are part of the traced call, and recorded.
    if (!of_file.traced || (asked && !ask(handle, id, answer.name, answer.known))) {
      break;
    }
    const MutexLock lock(mutex_);
    File *const file = find(handle);
    if (file == nullptr) {
      break;
    }
    if (asked) {
      file->variables.insert_or_assign({handle, id}, std::move(answer));
    }
    const auto found = file->variables.find({handle, id});
    if (found != file->variables.end()) {
      Variable &variable = found->second;
      if (variable.process != recorder.header().pid) {
        variable.known.variable = recorder.variable(of_file.file, id, variable.name);
        variable.process = recorder.header().pid;
      }
      KnownVariable known = variable.known;
      known.file = of_file.file;
      return known;
    }
  }
  return of_file;
}

}  // namespace sv::profile
