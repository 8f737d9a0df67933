#include "tracer/call.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace sv::profile {

namespace {

class KeepErrno {
 public:
  KeepErrno() = default;
  ~KeepErrno() { errno = error_; }
  KeepErrno(const KeepErrno &) = delete;
  KeepErrno &operator=(const KeepErrno &) = delete;

 private:
  const int error_ = errno;
};

// The path of the library that an address lies in; empty: none.
std::string library_of(const void *address) {
  Dl_info library{};
  return dladdr(address, &library) != 0 && library.dli_fname != nullptr ? library.dli_fname : "";
}

}  // namespace

void *real_function(const char *name, const void *caller) {
  const Unseen unseen;
  if (void *const next = dlsym(RTLD_NEXT, name)) return next;
  std::vector<std::string> libraries{library_of(caller)};
  dl_iterate_phdr(
      [](dl_phdr_info *library, size_t, void *all) {
        static_cast<std::vector<std::string> *>(all)->emplace_back(library->dlpi_name);
        return 0;
      },
      &libraries);
  const std::string own = library_of(reinterpret_cast<void *>(&real_function));
  for (const std::string &library : libraries) {
    void *const handle = library.empty() ? nullptr : dlopen(library.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) continue;
    void *const found = dlsym(handle, name);
    dlclose(handle);  // it is loaded all the same
    if (found != nullptr && library_of(found) != own) return found;
  }
  dprintf(STDERR_FILENO, "sv-trace: %s was called, but no library that is loaded has it\n", name);
  abort();
}

void *TracedName::find(const void *caller) {
  void *known = real_.load(std::memory_order_relaxed);
  if (known == nullptr) {
    known = real_function(name_, caller);
    real_.store(known, std::memory_order_relaxed);
  }
  return known;
}

uint32_t TracedName::number(trace::Recorder &recorder) {
  const uint64_t known = numbered_.load(std::memory_order_relaxed), now = generation();
  if (known >> 32 == now) return static_cast<uint32_t>(known);
  const uint32_t number = recorder.function(layer_, name_);
  if (number != 0) numbered_.store(now << 32 | number, std::memory_order_relaxed);
  return number;
}

Call::Call(TracedName &function, bool only_within) : recorder_(profile::recorder()) {
  if (recorder_ == nullptr) return;
  const KeepErrno keep;
  const Unseen unseen;
  if (only_within && recorder_->current_path() == trace::no_caller) {
    recorder_ = nullptr;
    return;
  }
  open_ = recorder_->begin(function.number(*recorder_));
  event_.start_ns = open_.start_ns;
  if (open_.path == 0) recorder_ = nullptr;
}

Call::~Call() {
  over();
  if (recorder_ == nullptr) return;
  const KeepErrno keep;
  // Not in the child of a fork within the call, which has a recorder of its own.
  if (recorder_ == known_recorder()) recorder_->end(open_, event_, arguments_);
}

void Call::about(uint32_t file, uint32_t variable) {
  event_.file = file;
  event_.variable = variable;
  if (recorder_ != nullptr) recorder_->about(file, variable);
}

void Call::argument(Argument kind, int64_t value) { arguments_.add(kind, value); }
void Call::argument(Argument kind, std::span<const int64_t> values) { arguments_.add(kind, values); }

void Call::over() {
  if (recorder_ == nullptr || over_) return;
  event_.duration_ns = recorder_->now_ns() - event_.start_ns;
  over_.emplace();
}

int Call::returns(int status) {
  over();
  if (status != 0) {
    failed();
    argument(Argument::status, status);
  }
  return status;
}

int Call::results(int result) {
  returns(result < 0 ? errno : result);
  return result;
}

void Call::forget() {
  if (recorder_ != nullptr) recorder_->forget(open_);
  recorder_ = nullptr;
}

}  // namespace sv::profile
