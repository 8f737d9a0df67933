#include "store/sieve.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "base/error.hpp"
#include "store/shared_storage.hpp"

namespace sv {
namespace {

constexpr int64_t largest_group = 4 << 20;
constexpr size_t most_grouped_runs = 4096;

int64_t end_of(const FileRun &run) { return run.offset_bytes + run.bytes; }

}  // namespace

void Sieve::read_all(PositionalFile &file, int64_t offset, std::span<std::byte> bytes, StoreCounters &counters) const {
  const int64_t wanted = static_cast<int64_t>(bytes.size()), got = file.read(offset, bytes, counters);
  if (got < wanted && !holes_are_zeros_)
    throw Error(Status::format,
                "the file ends after " + std::to_string(offset + got) + " bytes, but data are wanted up to byte " +
                    std::to_string(offset + wanted),
                "It was cut off, or the run that wrote it did not come to its end: take another copy, or read the "
                "existing part")
        .in_file(file.path());
  if (got < wanted) std::memset(&bytes[static_cast<size_t>(got)], 0, static_cast<size_t>(wanted - got));
}

bool Sieve::joins(const PositionalFile &file, const FileRun &run) {
  if (group_.empty() || group_.size() == most_grouped_runs || end_of(run) - group_.front().offset_bytes > largest_group)
    return false;
  const int64_t end = end_of(group_.back()), gap = run.offset_bytes - end;
  if (gap < 0 || gap >= bytes_of_a_call) return false;
  if (end_of(run) - end < bytes_of_a_call) return true;
  if (!is_shared_) is_shared_ = shared_storage_around(file.path()) != nullptr;
  return *is_shared_;  // there a call may wait for other hosts
}

/// Empties the group.
void Sieve::end(PositionalFile &file, std::byte *values, StoreCounters &counters) {
  if (group_.empty()) return;
  const auto place = [&](const FileRun &run) {
    return std::span(values + run.buffer_bytes, static_cast<size_t>(run.bytes));
  };
  const int64_t begin = group_.front().offset_bytes;
  if (group_.size() == 1) {
    read_all(file, begin, place(group_[0]), counters);
  } else {
    const auto length = static_cast<size_t>(end_of(group_.back()) - begin);
    if (buffer_.size() < length) buffer_.resize(length);
    read_all(file, begin, std::span(buffer_).first(length), counters);
    for (const FileRun &run : group_)
      std::memcpy(place(run).data(), &buffer_[static_cast<size_t>(run.offset_bytes - begin)], place(run).size());
  }
  group_.clear();
}

}  // namespace sv
