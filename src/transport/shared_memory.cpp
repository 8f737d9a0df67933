#include "transport/shared_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <utility>

namespace sv {

namespace {

/// Bytes the kernel says could be allocated without swapping; -1 when it does not say.
int64_t available_memory() {
  std::ifstream meminfo("/proc/meminfo");
  std::string key, unit;
  int64_t kibibytes = 0;
  while (meminfo >> key >> kibibytes && std::getline(meminfo, unit))
    if (key == "MemAvailable:") return kibibytes * 1024;
  return -1;
}

/// With strict accounting, what the kernel still promises; -1 where it promises without limit, or does not say.
int64_t promised_memory() {
  int mode = 0;
  std::ifstream("/proc/sys/vm/overcommit_memory") >> mode;
  if (mode != 2) return -1;
  std::ifstream meminfo("/proc/meminfo");
  std::string key, unit;
  int64_t kibibytes = 0, limit = -1;
  while (meminfo >> key >> kibibytes && std::getline(meminfo, unit)) {
    if (key == "CommitLimit:") limit = kibibytes;
    if (key == "Committed_AS:" && limit >= 0) return std::max<int64_t>(0, limit - kibibytes) * 1024;
  }
  return -1;
}

/// Why there is no such memory; empty: there is.
std::string lacking(int64_t bytes) {
  const int64_t available = available_memory(), promised = promised_memory();
  if (available >= 0 && bytes > available / 2)
    return std::to_string(bytes >> 20) + " MiB are more than half of the node's available memory";
  if (promised >= 0 && bytes > promised)
    return std::to_string(bytes >> 20) + " MiB are more memory than the kernel promises to anybody";
  return "";
}

int make_pages(int descriptor, int64_t begin, int64_t end) {
  int code = EINTR;
  while (code == EINTR) code = posix_fallocate(descriptor, begin, end - begin);
  return code;
}

/// The pages of its first bytes are there, and its last bytes are `token`, by which the other ranks know it.
int make_memory_file(int64_t bytes, int64_t made_bytes, int64_t token, std::string &why) {
  why = lacking(bytes);
  if (!why.empty()) return -1;
  const int fd = memfd_create("sverdrup", MFD_CLOEXEC);
  if (fd < 0) {
    why = std::string("memfd_create: ") + std::strerror(errno);
    return -1;
  }
  const int64_t last = bytes - static_cast<int64_t>(sizeof token);
  int code = ftruncate(fd, bytes) == 0 ? 0 : errno;
  if (code == 0) code = make_pages(fd, 0, made_bytes);
  if (code == 0 && pwrite(fd, &token, sizeof token, last) != sizeof token) code = EIO;
  if (code != 0) {
    why = "the node has no memory left: " + std::string(std::strerror(code));
    close(fd);
    return -1;
  }
  return fd;
}

/// Whether this is the leader's file. Processes in containers of their own have the same numbers, so that something
/// else may stand under its name in /proc.
bool is_marked(int fd, int64_t bytes, int64_t token) {
  int64_t found = 0;
  struct stat status {};
  return fstat(fd, &status) == 0 && status.st_size == bytes &&
         pread(fd, &found, sizeof found, bytes - static_cast<int64_t>(sizeof found)) == sizeof found && found == token;
}

std::byte *map(int fd, int64_t bytes, std::string &why) {
  void *address = mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (address == MAP_FAILED) {
    why = std::string("mmap: ") + std::strerror(errno);
    return nullptr;
  }
  madvise(address, static_cast<size_t>(bytes), MADV_HUGEPAGE);  // where the system has some for shared memory
  return static_cast<std::byte *>(address);
}

}  // namespace

SharedMemory::SharedMemory(SharedMemory &&other) noexcept { *this = std::move(other); }

SharedMemory &SharedMemory::operator=(SharedMemory &&other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(is_private_, other.is_private_);
  std::swap(is_made_, other.is_made_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

SharedMemory::~SharedMemory() { release(); }

void SharedMemory::release() {
  if (data_ != nullptr) munmap(data_, static_cast<size_t>(bytes_));
  data_ = nullptr;
  forget_file();
}

SharedMemory SharedMemory::allocate(const Comm &node, int64_t bytes, std::string &why) {
  SharedMemory memory = reserve(node, bytes, bytes, why);
  if (memory) memory.map_pages(0, bytes);  // so the first output pays for no page faults of ranks
  return memory;
}

SharedMemory SharedMemory::reserve(const Comm &node, int64_t bytes, int64_t made_bytes, std::string &why) {
  SharedMemory memory = begin(node, bytes, made_bytes, why);
  node.all_true(true);
  memory.settle();
  return memory;
}

SharedMemory SharedMemory::begin(const Comm &node, int64_t bytes, int64_t made_bytes, std::string &why) {
  const bool leader = node.rank() == 0;
  struct {
    int64_t process, descriptor, token;
  } place{getpid(), -1, std::chrono::steady_clock::now().time_since_epoch().count()};
  if (leader) place.descriptor = make_memory_file(bytes, made_bytes, place.token, why);
  node.broadcast(&place, sizeof place, 0);
  SharedMemory memory;
  memory.bytes_ = bytes;
  memory.is_made_ = made_bytes == bytes;
  if (place.descriptor < 0) return memory;
  const std::string path = "/proc/" + std::to_string(place.process) + "/fd/" + std::to_string(place.descriptor);
  const int fd = leader ? static_cast<int>(place.descriptor) : open(path.c_str(), O_RDWR | O_CLOEXEC);
  memory.descriptor_ = fd;
  if (fd < 0)
    why = "cannot open " + path + ": " + std::strerror(errno);
  else if (!is_marked(fd, bytes, place.token))
    why = path + " is another file on this rank: ranks of a node have process numbers of their own";
  else
    memory.data_ = map(fd, bytes, why);
  return memory;
}

void SharedMemory::settle() {
  if (data_ == nullptr || is_made_) forget_file();
}

void SharedMemory::forget_file() {
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
}

bool SharedMemory::make(int64_t begin, int64_t end, std::string &why) const {
  if (descriptor_ < 0) return true;
  const int code = make_pages(descriptor_, begin, end);
  if (code != 0) why = "the node has no memory left: " + std::string(std::strerror(code));
  return code == 0;
}

void SharedMemory::map_pages(int64_t begin, int64_t end) const {
  constexpr int64_t page = 4096;
  constexpr int populate_read = 22;  // MADV_POPULATE_READ, which older headers do not have, nor older kernels do
  if (is_private_) return;
  const int64_t first = begin / page * page;
  madvise(data_ + first, static_cast<size_t>(end - first), populate_read);
}

SharedMemory SharedMemory::private_memory(int64_t bytes) {
  SharedMemory memory;
  void *address = mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (address != MAP_FAILED) memory.data_ = static_cast<std::byte *>(address);
  memory.bytes_ = bytes;
  memory.is_private_ = true;
  return memory;
}

}  // namespace sv
