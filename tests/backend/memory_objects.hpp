// Objects in memory: the reference for every kind of Objects, which tests inspect from outside.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "store/objects.hpp"

namespace sv::testing {

using ObjectBytes = std::vector<std::byte>;
using MemorySpace = std::map<std::string, std::shared_ptr<const ObjectBytes>>;

class MemoryObject final : public Object {
 public:
  MemoryObject(std::string path, std::shared_ptr<const ObjectBytes> bytes)
      : path_(std::move(path)), bytes_(std::move(bytes)) {}
  const std::string &path() const override { return path_; }
  int64_t size() const override { return std::ssize(*bytes_); }
  int64_t read(int64_t offset_bytes, std::span<std::byte> bytes, StoreCounters &counters) override {
    const int64_t there = std::clamp<int64_t>(size() - offset_bytes, 0, std::ssize(bytes));
    std::copy_n(bytes_->begin() + std::min(offset_bytes, size()), there, bytes.begin());
    ++counters.reads;
    counters.read_bytes += there;
    return there;
  }

 private:
  const std::string path_;
  const std::shared_ptr<const ObjectBytes> bytes_;
};

class MemoryObjects final : public Objects {
 public:
  explicit MemoryObjects(std::shared_ptr<MemorySpace> space) : space_(std::move(space)) {}

  bool has(const std::string &name) const override { return space_->count(name) > 0 || !list(name).empty(); }
  std::unique_ptr<Object> open(const std::string &name) const override {
    const auto found = space_->find(name);
    return found == space_->end() ? nullptr : std::make_unique<MemoryObject>(name, found->second);
  }
  std::vector<Entry> list(const std::string &prefix) const override {
    const std::string begin = prefix.empty() ? "" : prefix + "/";
    std::vector<Entry> all;
    for (const auto &[name, bytes] : *space_) {
      if (!name.starts_with(begin)) continue;
      const size_t slash = name.find('/', begin.size());
      const bool is_object = slash == std::string::npos;
      const std::string part = name.substr(begin.size(), is_object ? slash : slash - begin.size());
      if (all.empty() || all.back().name != part)
        all.push_back({part, is_object ? EntryKind::file : EntryKind::directory});
    }
    return all;
  }
  void put(const std::string &name, std::span<iovec> parts, bool, StoreCounters &counters) override {
    ObjectBytes bytes;
    for (const iovec &part : parts) {
      const auto *const first = static_cast<const std::byte *>(part.iov_base);
      bytes.insert(bytes.end(), first, first + part.iov_len);
    }
    ++counters.writes;
    counters.written_bytes += std::ssize(bytes);
    (*space_)[name] = std::make_shared<const ObjectBytes>(std::move(bytes));
  }
  void put(const std::vector<Text> &texts, StoreCounters &counters) override {
    for (const auto &[name, text] : texts) {
      iovec part{const_cast<char *>(text.data()), text.size()};
      put(name, std::span(&part, 1), true, counters);
    }
  }
  void remove_chunks(const std::string &name) override {
    std::erase_if(*space_, [&](const auto &each) { return each.first == name || each.first.starts_with(name + "/"); });
  }
  void remove_parts(const std::string &) override {}  // a put() is there or not
  void sync() override {}

 private:
  const std::shared_ptr<MemorySpace> space_;
};

}  // namespace sv::testing
