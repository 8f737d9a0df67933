#include "trace/recorder.hpp"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <system_error>

#include "trace/tables.hpp"
#include "trace/world.hpp"

namespace sv::trace {

namespace {

// A thread's state in the recorder that it used last. `spare`: its calls, where that has no slot for it.
struct Mine {
  uint64_t recorder = 0;
  Thread *thread = nullptr;
  uint16_t index = 0;
  volatile bool inside = false;
  Thread spare{};
};
constinit thread_local Mine mine;

// While a thread works on the tables, a handler of a signal may interrupt it and come here too: it then records
// nothing.
class Inside {
 public:
  Inside() : first_(!mine.inside) {
    mine.inside = true;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~Inside() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (first_) mine.inside = false;
  }
  Inside(const Inside &) = delete;
  Inside &operator=(const Inside &) = delete;
  explicit operator bool() const { return first_; }

 private:
  const bool first_;
};

int64_t nanoseconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return now.tv_sec * int64_t{1000000000} + now.tv_nsec;
}

// Within the size that files of this process may have: to grow beyond it would end the process (SIGXFSZ).
int64_t ring_bytes_of(const Place &place) {
  int64_t bytes = std::max(place.ring_bytes, page_bytes) / page_bytes * page_bytes;
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    const int64_t room = (static_cast<int64_t>(limit.rlim_cur) - bytes_before_ring()) / page_bytes * page_bytes;
    if (room < page_bytes)
      throw std::system_error(EFBIG, std::generic_category(),
                              "a trace file in '" + place.directory + "' needs " +
                                  std::to_string(bytes_before_ring() + page_bytes) + " bytes (see ulimit -f)");
    bytes = std::min(bytes, room);
  }
  return bytes;
}

std::string host_name() {
  char name[sizeof(Header::host)] = "";
  return gethostname(name, sizeof name - 1) == 0 && name[0] != '\0' ? name : "unknown";
}

}  // namespace

Recorder::Recorder(const Place &place) {
  const std::filesystem::path folder = std::filesystem::absolute(place.directory);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw std::system_error(error, "trace folder '" + folder.string() + "' cannot be made");
  const int64_t ring_bytes = ring_bytes_of(place);
  const std::string host = host_name();
  int64_t now_ns = 0;
  while (!tables_) {  // until the name is unique
    now_ns = nanoseconds(CLOCK_REALTIME);
    const std::string name = host + '-' + std::to_string(getpid()) + '-' + std::to_string(now_ns) + ".svtrace";
    try {
      tables_ = std::make_unique<Tables>((folder / name).string(), ring_bytes);
    } catch (const std::system_error &failure) {
      if (failure.code() != std::errc::file_exists) throw;
    }
  }
  Header &h = header();
  h.version = version;
  h.header_bytes = sizeof(Header);
  h.producer = place.producer;
  h.start_monotonic_ns = nanoseconds(CLOCK_MONOTONIC);
  h.start_realtime_ns = now_ns;
  if (place.began_ns > 0) {
    h.start_realtime_ns -= h.start_monotonic_ns - place.began_ns;
    h.start_monotonic_ns = place.began_ns;
  }
  h.pid = getpid();
  h.parent_pid = getppid();
  const World world = world_of_environment();
  h.rank = world.rank;
  h.ranks = world.ranks;
  host.copy(h.host, sizeof h.host - 1);
  const std::string program = std::filesystem::read_symlink("/proc/self/exe", error).string();
  program.copy(h.program, sizeof h.program - 1);
  std::atomic_thread_fence(std::memory_order_release);
  std::memcpy(h.magic, magic, sizeof magic);  // last: the header is whole
}

Recorder::~Recorder() = default;

Header &Recorder::header() { return tables_->header(); }
int64_t Recorder::now_ns() const { return tables_->now_ns(); }

uint32_t Recorder::function(Layer layer, std::string_view name) {
  const Inside inside;
  return inside ? tables_->function(layer, name) : 0;
}

uint32_t Recorder::file(std::string_view path) {
  const Inside inside;
  return inside ? tables_->file(path) : 0;
}

uint32_t Recorder::variable(uint32_t file, int32_t id, std::string_view name) {
  const Inside inside;
  return inside ? tables_->variable(file, id, name) : 0;
}

uint32_t Recorder::path(uint32_t caller, uint32_t function) {
  const Inside inside;
  return inside && function != 0 ? tables_->path(caller, function) : 0;
}

int64_t Recorder::note(std::string_view json, uint32_t file) {
  const Inside inside;
  return inside ? tables_->note(json, file) : -1;
}

// The calls that the calling thread is in.
Thread &Recorder::thread() const {
  if (mine.recorder != tables_->number()) {
    mine.thread = tables_->claim_thread(static_cast<int32_t>(syscall(SYS_gettid)));
    mine.index = mine.thread == nullptr ? uint16_t{0xffff} : tables_->index_of(*mine.thread);
    if (mine.thread == nullptr) {
      mine.thread = &mine.spare;
      mine.spare.depth = 0;
    }
    mine.recorder = tables_->number();
  }
  return *mine.thread;
}

uint32_t Recorder::current_path() const {
  const Inside inside;
  if (!inside) return no_caller;
  const Thread &calls = thread();
  const int depth = std::min(calls.depth.load(std::memory_order_relaxed), deepest);
  return depth == 0 ? no_caller : calls.frames[depth - 1].path;
}

Open Recorder::begin(uint32_t function) {
  const uint32_t caller = current_path();
  const Inside inside;
  if (!inside || function == 0) return {};
  const Open open{tables_->path(caller, function), now_ns()};
  if (open.path == 0) return open;
  Thread &calls = thread();
  const int depth = calls.depth.load(std::memory_order_relaxed);
  if (depth < deepest) calls.frames[depth] = {open.path, 0, 0, 0, open.start_ns};
  calls.depth.store(depth + 1, std::memory_order_release);
  return open;
}

void Recorder::about(uint32_t file, uint32_t variable) {
  const Inside inside;
  if (!inside) return;
  Thread &calls = thread();
  const int depth = calls.depth.load(std::memory_order_relaxed);
  if (depth == 0 || depth > deepest) return;
  calls.frames[depth - 1].file = file;
  calls.frames[depth - 1].variable = variable;
}

void Recorder::end(const Open &open, const Event &event, const Arguments &arguments) {
  if (open.path == 0) return;
  add(open.path, event, arguments);
  forget(open);
}

void Recorder::forget(const Open &open) {
  const Inside inside;
  if (!inside || open.path == 0) return;
  Thread &calls = thread();
  const int depth = calls.depth.load(std::memory_order_relaxed);
  if (depth > 0) calls.depth.store(depth - 1, std::memory_order_release);
}

void Recorder::add(uint32_t path, const Event &event, const Arguments &arguments) {
  const Inside inside;
  if (!inside || path == 0) return;
  thread();
  tables_->record(path, event, arguments.words(), mine.index);
}

void Recorder::finish() {
  header().end_ns = now_ns();
  header().flags |= ended;
}

}  // namespace sv::trace
