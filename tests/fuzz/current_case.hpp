// The malformed file in hand: in memory, and on the disk (as current.nc) once a signal or a sanitizer ends the program.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>
#include <string>

#include "mutations.hpp"

extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace svfuzz {

class CurrentCase {
 public:
  explicit CurrentCase(const char *file_name = "current.nc") : descriptor_(memfd_create(file_name, 0)) {
    name = file_name;
    if (descriptor_ < 0) throw std::runtime_error("no file in memory");
    if (&__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(keep);
    for (const int signal : {SIGALRM, SIGABRT, SIGSEGV, SIGBUS, SIGFPE})
      if (signal == SIGALRM || &__sanitizer_set_death_callback == nullptr) std::signal(signal, die);
  }
  CurrentCase(const CurrentCase &) = delete;
  ~CurrentCase() { close(descriptor_); }

  /// For this process alone.
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }
  void set(const Bytes &bytes) {
    held = &bytes;
    const auto size = static_cast<off_t>(bytes.size());
    if (ftruncate(descriptor_, size) != 0 || pwrite(descriptor_, bytes.data(), bytes.size(), 0) != size)
      throw std::runtime_error("the file in memory cannot be written");
  }
  /// Writes it to the disk; may be called in a signal.
  static void keep() {
    const int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0 || held == nullptr) return;
    if (write(file, held->data(), held->size()) < 0) return;
    close(file);
  }

 private:
  static void die(int signal) {
    keep();
    std::signal(signal, SIG_DFL);
    raise(signal);
  }
  static inline const Bytes *held = nullptr;
  static inline const char *name = nullptr;
  int descriptor_;
};

}  // namespace svfuzz
