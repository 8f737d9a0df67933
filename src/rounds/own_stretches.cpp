#include "rounds/own_stretches.hpp"

#include <algorithm>
#include <chrono>

#include "file/home.hpp"
#include "rounds/behind.hpp"
#include "transport/wait.hpp"

namespace sv {

namespace {

constexpr int64_t most_part_bytes = 64 << 10;
/// Where the quickest call takes longer than to write its bytes at a slow rate, by so much, each call has a price.
constexpr int64_t slow_call_us = 100, slow_bytes_per_us = 250;

int64_t microseconds_since(Moment begun) {
  return std::chrono::duration_cast<std::chrono::microseconds>(moment_now() - begun).count();
}

}  // namespace

bool reaches_stretches(const File &file) {
  Home &home = file.home();
  const Surroundings &surroundings = home.owners.surroundings;
  return home.places_here() && home.has_offsets() && behind_of(file) == nullptr && !surroundings.shared_file_system &&
         !surroundings.late;
}

bool writes_own_stretches(const File &file, int rounds) {
  if (rounds > 1 && file.context().topology().nodes() == 1) return false;
  Home &home = file.home();
  const bool slow_calls = home.owners.surroundings.slow_calls.value_or(false);
  return home.owners.asked.is_open() && !slow_calls && home.maker.told_way().empty() && reaches_stretches(file);
}

StretchWriter::StretchWriter(File &file, int first_rank)
    : file_(file),
      is_known_(file.home().owners.surroundings.slow_calls.has_value()),
      finds_out_(!is_known_ && file.context().rank() == first_rank) {}

int64_t StretchWriter::part_bytes(bool as_in_file) const {
  return finds_out_ || (is_known_ && !as_in_file) ? most_part_bytes : INT64_MAX;
}

void StretchWriter::write(const Slab &slab, std::span<const std::byte> values) {
  const Moment begun = moment_now();
  file_.home().store().write(slab, values);
  // With the bytes of longer calls, the price of a call is not seen.
  const auto bytes = std::ssize(values);
  if (bytes <= most_part_bytes) extra_us_ = std::min(extra_us_, microseconds_since(begun) - bytes / slow_bytes_per_us);
}

void learn_calls(File &file, int64_t extra_us) {
  if (extra_us < INT64_MAX) file.home().owners.surroundings.slow_calls = extra_us > slow_call_us;
}

}  // namespace sv
