#include "outcome.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "trace/format.hpp"

namespace sv_trace_tool {

namespace {

namespace fs = std::filesystem;
using namespace sv::trace;

/// Opens a file for reading; nothing is read of a pipe or another file that is not regular.
class TraceFile {
 public:
  explicit TraceFile(const fs::path &path) : descriptor_(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
    struct stat status {};
    if (descriptor_ >= 0 && fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode)) bytes_ = status.st_size;
  }
  ~TraceFile() {
    if (descriptor_ >= 0) close(descriptor_);  // only read
  }
  TraceFile(const TraceFile &) = delete;
  TraceFile &operator=(const TraceFile &) = delete;

  bool has(int64_t bytes, int64_t offset) const { return offset >= 0 && bytes <= bytes_ && offset <= bytes_ - bytes; }
  bool read(char *to, int64_t bytes, int64_t offset) const {
    if (!has(bytes, offset)) return false;
    for (int64_t done = 0; done < bytes;) {
      const ssize_t some = pread(descriptor_, to + done, static_cast<size_t>(bytes - done), offset + done);
      if (some < 0 && errno == EINTR) continue;
      if (some <= 0) return false;
      done += some;
    }
    return true;
  }

 private:
  int descriptor_;
  int64_t bytes_ = 0;
};

// -1: it cannot be read.
int64_t calls_in(const TraceFile &file, const Section &section) {
  const int64_t entries = section.entry_bytes == sizeof(Total) ? std::clamp<int64_t>(section.capacity, 0, 1 << 20) : 0;
  const auto size = static_cast<int64_t>(sizeof(Total)) * entries;
  if (!file.has(size, section.offset_bytes)) return -1;
  std::vector<char> bytes(static_cast<size_t>(size));
  if (!file.read(bytes.data(), size, section.offset_bytes)) return -1;
  int64_t calls = 0;
  for (int64_t i = 0; i < entries; ++i) {
    int64_t of_one = 0;
    std::memcpy(&of_one, bytes.data() + static_cast<size_t>(i) * sizeof(Total) + offsetof(Total, calls), sizeof of_one);
    calls += of_one;
  }
  return calls;
}

void add(Outcome &outcome, const fs::path &path) {
  const TraceFile file(path);
  alignas(Header) char bytes[sizeof(Header)];
  if (!file.read(bytes, sizeof bytes, 0) || std::memcmp(bytes, magic, sizeof magic) != 0) return;
  const Header &header = *reinterpret_cast<const Header *>(bytes);
  const int64_t known = calls_in(file, header.sections[section_totals]);
  const int64_t rest = calls_in(file, header.sections[section_path_totals]);
  if (known < 0 || rest < 0) return;
  const int64_t calls = known + rest;
  if (header.producer != Producer::tracer) return;
  if (calls == 0 && (header.flags & initialized_mpi) == 0) {
    std::error_code ignored;  // then it stays
    fs::remove(path, ignored);
    return;
  }
  const Section &ring = header.sections[section_ring];
  ++outcome.processes;
  outcome.killed += (header.flags & ended) == 0;
  outcome.calls += calls;
  outcome.wrapped += ring.used > ring.capacity;
  outcome.lost += ring.lost;
}

std::string counted(int64_t n, const std::string &singular, const std::string &plural) {
  return std::to_string(n) + ' ' + (n == 1 ? singular : plural);
}

}  // namespace

Outcome gathered(const std::string &directory) {
  Outcome outcome;
  std::error_code error;
  for (const fs::directory_entry &entry : fs::directory_iterator(directory, error)) {
    if (entry.path().extension() == ".svtrace") add(outcome, entry.path());
  }
  return outcome;
}

std::string sentence(const Outcome &outcome, const std::string &directory) {
  if (outcome.processes == 0)
    return "sv-trace: nothing was recorded: the command opened no data file, is linked statically, or runs as another "
           "user";
  std::string text = "sv-trace: " + counted(outcome.processes, "process", "processes") + ", " +
                     counted(outcome.calls, "call", "calls") + ", in " + directory;
  if (outcome.killed > 0)
    text += "\n  " + counted(outcome.killed, "process", "processes") + " did not end by itself: killed, or crashed";
  if (outcome.wrapped > 0)
    text += "\n  of " + counted(outcome.wrapped, "process", "processes") +
            " the oldest calls are counted, but no longer kept one by one (--memory)";
  if (outcome.lost > 0)
    text += "\n  " + counted(outcome.lost, "call is", "calls are") + " counted, but not kept: the disk is full";
  return text;
}

}  // namespace sv_trace_tool
