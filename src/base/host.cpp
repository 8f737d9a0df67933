#include "base/host.hpp"

#include <sys/stat.h>
#include <sys/utsname.h>

#include <cstdio>
#include <memory>
#include <string>

#include "base/signature.hpp"

namespace sv {

/// The kernel has a number of its own since it was started, which containers have, too; process numbers have a
/// namespace; and of hosts that are made up on one machine, each has a name.
uint64_t host_signature() {
  const std::unique_ptr<FILE, int (*)(FILE *)> file(std::fopen("/proc/sys/kernel/random/boot_id", "re"), std::fclose);
  char kernel[64] = "";
  struct stat processes {};
  utsname host{};
  if (file == nullptr || std::fgets(kernel, sizeof kernel, file.get()) == nullptr) return 0;
  if (stat("/proc/self/ns/pid", &processes) != 0 || uname(&host) != 0) return 0;
  return signature_of(std::string(kernel) + std::to_string(processes.st_ino) + ' ' + host.nodename);
}

}  // namespace sv
