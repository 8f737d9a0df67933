// The tables of a trace file (trace/format.hpp) while it is written: where its sections are in memory, how names are
// found in them, and how an event is added. A Recorder has one, and is the only one to call it.
#pragma once

#include "trace/event.hpp"
#include "trace/format.hpp"
#include "trace/index.hpp"
#include "trace/lock.hpp"
#include "trace/mapped_file.hpp"

namespace sv::trace {

inline constexpr int64_t part_bytes = 1 << 20;  // of the ring, reserved at a time
inline constexpr int64_t page_bytes = 4096;

/// Entries of each section but the ring. Indices have twice as many slots.
inline constexpr uint32_t functions_at_most = 1024, paths_at_most = 4096, files_at_most = 2048,
                          variables_at_most = 4096;
inline constexpr uint32_t totals_at_most = 4096, notes_at_most = 512, threads_at_most = 64;
inline constexpr int64_t text_at_most = 512 << 10;

/// The bytes of the file before the ring.
int64_t bytes_before_ring();

class Tables {
 public:
  /// Bytes of the ring: a multiple of the page.
  Tables(const std::string &path, int64_t ring_bytes);

  /// The implementation of the Recorder's functions of these names.
  uint32_t function(Layer layer, std::string_view name);
  uint32_t file(std::string_view path);
  uint32_t variable(uint32_t file, int32_t id, std::string_view name);
  uint32_t path(uint32_t caller, uint32_t function);
  int64_t note(std::string_view json, uint32_t file);
  /// Counts an event and, where there is room, keeps it. `thread`: its slot's index.
  void record(uint32_t path, const Event &event, std::span<const int64_t> arguments, uint16_t thread);
  /// The slot that this thread (a number of the kernel) has, or one that has become free; nullptr: none has.
  Thread *claim_thread(int32_t tid);
  uint16_t index_of(const Thread &thread) { return static_cast<uint16_t>(&thread - entries<Thread>(section_threads)); }

  Header &header() { return *reinterpret_cast<Header *>(mapped_.data()); }
  Section &section(SectionIndex index) { return header().sections[index]; }
  template <typename Entry>
  Entry *entries(SectionIndex index) {
    return reinterpret_cast<Entry *>(mapped_.data() + section(index).offset_bytes);
  }
  uint64_t number() const { return number_; }
  int64_t now_ns();

 private:
  uint32_t next_entry(SectionIndex index, int64_t at_most);
  int64_t keep_text(std::string_view text);
  std::string_view text(int64_t offset, int64_t bytes);
  uint32_t make_path(uint32_t caller, uint32_t function);
  Total &total(uint64_t key, uint32_t path);
  void count(Total &total, const Event &event);
  void append(uint32_t path, const Event &event, std::span<const int64_t> arguments, uint16_t thread);
  bool may_touch(int64_t ring_end_bytes);

  MappedFile mapped_;
  const uint64_t number_;  // among the recorders of this process; from 1
  Index<2 * functions_at_most> functions_;
  Index<2 * paths_at_most> paths_;
  Index<2 * files_at_most> files_;
  Index<2 * variables_at_most> variables_;
  Lock text_lock_, threads_lock_, ring_lock_;
  std::atomic<int64_t> ring_reserved_bytes_{0};
  bool disk_full_ = false;  // found so once; under ring_lock_
};

}  // namespace sv::trace
