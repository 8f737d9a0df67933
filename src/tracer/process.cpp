#include "tracer/process.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <filesystem>
#include <new>

#include "trace/cores.hpp"
#include "trace/lock.hpp"

namespace sv::profile {

namespace {

// The launcher of the ranks is none: its files do not belong to the run.
constexpr std::string_view launchers[] = {"mpiexec", "mpirun",  "mpiexec.openmpi", "mpirun.openmpi", "orterun",
                                          "orted",   "prterun", "prted",           "mpiexec.hydra",  "mpirun.hydra",
                                          "srun",    "aprun",   "mpiexec.mpich",   "mpirun.mpich",   "hydra_pmi_proxy"};

std::atomic<trace::Recorder *> current{nullptr};
std::atomic<uint64_t> generations{1}, families{1};
std::atomic<bool> refused{false};
std::atomic<bool> active{false};  // since the library was initialised: earlier calls are not traced
std::atomic<pid_t> process{0};
trace::Lock making;

struct Sight {
  volatile int unseen = 0;
  volatile bool vforked = false;  // this thread called vfork(): it may be the child, which works in its parent's memory
};
constinit thread_local Sight sight;

Settings settings_of_environment() {
  Settings s;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  s.began_ns = now.tv_sec * int64_t{1000000000} + now.tv_nsec;
  if (const char *const directory = std::getenv("SV_TRACE_DIRECTORY"); directory != nullptr && *directory != '\0')
    s.directory = std::filesystem::absolute(directory);  // the program may go elsewhere
  if (const char *const bytes = std::getenv("SV_TRACE_BYTES"))
    std::from_chars(bytes, bytes + std::strlen(bytes), s.ring_bytes);
  const char *const files = std::getenv("SV_TRACE_FILES");
  for (std::string_view rest = files != nullptr ? files : ""; !rest.empty();) {
    const std::string_view pattern = rest.substr(0, rest.find(':'));
    if (!pattern.empty()) s.patterns.emplace_back(pattern);
    rest.remove_prefix(std::min(pattern.size() + 1, rest.size()));
  }
  const bool launches =
      std::ranges::find(launchers, std::string_view(program_invocation_short_name)) != std::end(launchers);
  s.active = !s.directory.empty() && !launches;
  return s;
}

trace::Recorder *make_recorder() {
  const Unseen unseen;
  const int error = errno;
  const trace::Lock::Held held(making);
  if (current.load() == nullptr && !refused.load()) try {
      const bool child = generation() > 1;
      auto *const made = new trace::Recorder(
          {settings().directory, trace::Producer::tracer, settings().ring_bytes, child ? 0 : settings().began_ns});
      if (child) made->header().flags |= trace::forked;
      made->note(trace::cores_note());
      current = made;
    } catch (const std::exception &failure) {
      refused = true;
      dprintf(STDERR_FILENO, "sv-trace: process %d is not traced: %s\n", static_cast<int>(getpid()), failure.what());
    }
  errno = error;
  return current.load();
}

}  // namespace

const Settings &settings() {
  static const Settings &known = *new Settings(settings_of_environment());
  return known;
}

uint64_t generation() { return generations.load(std::memory_order_relaxed); }
uint64_t family() { return families.load(std::memory_order_relaxed); }

bool is_tracing() {
  if (!active.load(std::memory_order_relaxed) || sight.unseen > 0) return false;
  // Only after a vfork() the kernel is asked, and in the parent only once.
  if (sight.vforked) sight.vforked = getpid() != process.load(std::memory_order_relaxed);
  return !sight.vforked;
}

trace::Recorder *recorder() {
  if (!is_tracing()) return nullptr;
  trace::Recorder *const known = current.load(std::memory_order_acquire);
  if (known != nullptr || refused.load(std::memory_order_relaxed)) return known;
  return make_recorder();
}

trace::Recorder *known_recorder() { return current.load(std::memory_order_acquire); }

void starts() {
  process = getpid();
  active = true;
}

void forks() { ++families; }

// The parent's file stays mapped, since a call may be open that belongs to it; it is not written to any more.
void forked() {
  new (&making) trace::Lock;
  current = nullptr;
  process = getpid();
  ++generations;
}

void vforks() {
  ++families;
  sight.vforked = true;
}

void ends() {
  trace::Recorder *const known = known_recorder();
  if (known != nullptr && is_tracing()) known->finish();
}

void stays() {
  trace::Recorder *const known = known_recorder();
  if (known == nullptr || !is_tracing()) return;
  known->header().flags &= ~uint32_t{trace::ended};
  known->header().end_ns = 0;
}

Unseen::Unseen() { sight.unseen = sight.unseen + 1; }
Unseen::~Unseen() { sight.unseen = sight.unseen - 1; }

}  // namespace sv::profile
