// Reads a trace file as its format says, for the tests of who writes it.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "trace/recorder.hpp"

namespace svtest {

namespace fs = std::filesystem;
namespace trace = sv::trace;

struct FoundEvent {
  int64_t number;
  trace::Event event;
  std::string path;  // "outer>inner"
  uint16_t thread;
  std::vector<int64_t> words;
};

/// A copy of the only trace in a folder.
class Reading {
 public:
  explicit Reading(const fs::path &folder) {
    for (const fs::directory_entry &entry : fs::directory_iterator(folder)) {
      if (!path_.empty()) throw std::runtime_error("two traces in " + folder.string());
      path_ = entry.path();
    }
    bytes_.resize(fs::file_size(path_));
    std::ifstream(path_, std::ios::binary).read(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
  }

  const fs::path &path() const { return path_; }
  const trace::Header &header() const { return *reinterpret_cast<const trace::Header *>(bytes_.data()); }
  const trace::Section &section(trace::SectionIndex index) const { return header().sections[index]; }
  template <typename Entry>
  const Entry *entries(trace::SectionIndex index) const {
    return reinterpret_cast<const Entry *>(bytes_.data() + section(index).offset_bytes);
  }
  std::string text(int64_t offset, int64_t bytes) const {
    return {entries<char>(trace::section_text) + offset, static_cast<size_t>(bytes)};
  }
  std::string file(uint32_t number) const {
    const trace::File &one = entries<trace::File>(trace::section_files)[number];
    return text(one.text_offset, one.text_bytes);
  }
  std::string name_of(uint32_t path) const {
    const trace::Path &one = entries<trace::Path>(trace::section_paths)[path];
    const std::string own = entries<trace::Function>(trace::section_functions)[one.function].name;
    if (one.caller == trace::lost_caller) return "?>" + own;
    return one.caller == trace::no_caller ? own : name_of(one.caller) + '>' + own;
  }

  /// By path, file and variable: "outer>inner 1 0"; files that had no room of their own: "outer>inner *".
  std::map<std::string, const trace::Total *> totals() const {
    std::map<std::string, const trace::Total *> found;
    for (int64_t i = 0; i < section(trace::section_totals).capacity; ++i) {
      const trace::Total &total = entries<trace::Total>(trace::section_totals)[i];
      const uint64_t key = total.key;
      if (key != 0)
        found[name_of(static_cast<uint32_t>(key >> 48)) + ' ' + std::to_string(key >> 24 & 0xffffff) + ' ' +
              std::to_string(key & 0xffffff)] = &total;
    }
    for (int64_t i = 0; i < section(trace::section_path_totals).capacity; ++i) {
      const trace::Total &total = entries<trace::Total>(trace::section_path_totals)[i];
      if (total.key != 0) found[name_of(static_cast<uint32_t>(i)) + " *"] = &total;
    }
    return found;
  }

  /// In the order in which they were recorded.
  std::vector<FoundEvent> events() const {
    const trace::Section &ring = section(trace::section_ring);
    const auto *slots = entries<trace::Slot>(trace::section_ring);
    const auto *arguments = entries<trace::ArgumentSlot>(trace::section_ring);
    std::vector<FoundEvent> found;
    for (int64_t n = std::max<int64_t>(0, ring.used - ring.capacity); n < ring.used; ++n) {
      const trace::Slot &slot = slots[n % ring.capacity];
      if (slot.ticket != n + 1) continue;
      FoundEvent one{
          n,
          {slot.start_ns, slot.duration_ns, slot.bytes, slot.offset, slot.file, slot.variable, slot.failed != 0},
          name_of(slot.path),
          slot.thread,
          {}};
      for (int i = 1; i < slot.slots; ++i) {
        const int64_t *const words = arguments[(n + i) % ring.capacity].words;
        one.words.insert(one.words.end(), words + 1, words + 8);
      }
      found.push_back(one);
    }
    return found;
  }

 private:
  fs::path path_;
  std::vector<char> bytes_;
};

}  // namespace svtest
