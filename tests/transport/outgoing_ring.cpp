// Where a node has no server, its clients have the pages of its outgoing ring in their memory before they place
// anything there: ranks 0 and 1 are the clients of one node, rank 2 is a server on another one.
//
// run: ranks=3 limit=60 hosts=1
#include "transport/hand_over.hpp"

#include <sys/mman.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "with_link.hpp"

namespace {

using namespace sv;

constexpr int component = 0, server = 2;

/// How many bytes of the mapping with this address have pages in the memory of this process.
int64_t resident_bytes(const std::byte *address) {
  const auto wanted = reinterpret_cast<uintptr_t>(address);
  std::ifstream maps("/proc/self/smaps");
  bool is_it = false;
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    uintptr_t begin = 0, end = 0;
    char dash = 0;
    long kibibytes = 0;
    if (words >> std::hex >> begin >> dash >> end && dash == '-') is_it = begin <= wanted && wanted < end;
    if (is_it && std::sscanf(line.c_str(), "Rss: %ld kB", &kibibytes) == 1) return int64_t{kibibytes} * 1024;
  }
  return -1;
}

/// Linux 5.14 and later.
bool kernel_maps_ahead() {
  constexpr int populate_read = 22;  // MADV_POPULATE_READ
  constexpr size_t page = 4096;
  void *const address = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const bool does = address != MAP_FAILED && madvise(address, page, populate_read) == 0;
  if (address != MAP_FAILED) munmap(address, page);
  return does;
}

/// However long its thread takes.
void await_pages(const Ring &ring) {
  constexpr int most_looks = 3000;
  for (int look = 0; look < most_looks; ++look) {
    if (resident_bytes(ring.data) >= ring.capacity) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  sv::test::give_up(std::to_string(resident_bytes(ring.data)) + " of " + std::to_string(ring.capacity) +
                    " bytes have pages");
}

}  // namespace

int main() {
  if (!kernel_maps_ahead()) return 0;
  sv::test::with_link({.server_memory_bytes = 8 << 20, .ranks_per_node = 2, .share_memory = true, .limit_seconds = 60},
                      {.servers = {server}, .groups = {{server}}, .clients = {{0, 1}}}, [](const Link &link) {
                        if (link.comm().rank() == server) return;
                        const HandOver hand_over(link, component, {.synchronous = true, .pace = {}});
                        await_pages(link.memory().outgoing(component));
                      });
}
