#include "store/header_copy.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "base/error.hpp"
#include "base/signature.hpp"
#include "base/warning.hpp"
#include "store/companion.hpp"
#include "store/header_format.hpp"

namespace sv {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::array<char, 8> copy_signature{'S', 'V', 'H', 'E', 'A', 'D', '0', '1'};
constexpr size_t sector_bytes = 512;  // written whole or not at all
constexpr size_t copy_length_at = 24, copy_head_bytes = 32, copy_tail_bytes = 8;

/// What the file has where the new header is written, before and after: equally long. Of these, the old header takes
/// `old_bytes`.
struct Copy {
  uint64_t old_bytes = 0, count_bytes = 0;
  Bytes before, after;
};

void add_number(Bytes &bytes, uint64_t value) {
  for (int shift = 56; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::byte>(value >> shift));
}

uint64_t number_at(std::span<const std::byte> bytes, size_t at) {
  uint64_t value = 0;
  for (size_t i = 0; i < 8; ++i) value = value << 8 | std::to_integer<uint64_t>(bytes[at + i]);
  return value;
}

uint64_t checksum_of(std::span<const std::byte> bytes) {
  return signature_of({reinterpret_cast<const char *>(bytes.data()), bytes.size()});
}

Bytes encoded(const Copy &copy) {
  Bytes bytes;
  for (const char c : copy_signature) bytes.push_back(static_cast<std::byte>(c));
  for (const uint64_t number : {copy.old_bytes, copy.count_bytes, uint64_t{copy.before.size()}})
    add_number(bytes, number);
  bytes.insert(bytes.end(), copy.before.begin(), copy.before.end());
  bytes.insert(bytes.end(), copy.after.begin(), copy.after.end());
  add_number(bytes, checksum_of(bytes));
  return bytes;
}

/// Nothing where it is none, or not whole: then the header was not yet touched.
std::optional<Copy> decoded(std::span<const std::byte> bytes) {
  constexpr size_t head = copy_head_bytes, tail = copy_tail_bytes;
  if (bytes.size() < head + tail || std::memcmp(bytes.data(), copy_signature.data(), copy_signature.size()) != 0)
    return {};
  const uint64_t length = number_at(bytes, copy_length_at);
  const std::span<const std::byte> body = bytes.first(bytes.size() - tail);
  if (length > static_cast<uint64_t>(longest_header) || bytes.size() != head + 2 * length + tail ||
      number_at(bytes, body.size()) != checksum_of(body))
    return {};
  const auto middle = body.begin() + static_cast<std::ptrdiff_t>(head + length);
  Copy copy{number_at(bytes, 8), number_at(bytes, 16), {body.begin() + head, middle}, {middle, body.end()}};
  const bool makes_sense =
      copy.old_bytes >= records_offset + copy.count_bytes && copy.count_bytes <= 8 && length >= records_offset + 8;
  if (!makes_sense) return {};
  return copy;
}

/// The first bytes of a file; where it ends earlier, zeros.
Bytes first_bytes(PositionalFile &file, size_t n, StoreCounters &counters) {
  Bytes bytes(n);
  file.read(0, bytes, counters);
  return bytes;
}

/// What a companion holds, whose length is the one that it states: no more memory is taken than a header needs.
std::optional<Copy> copy_in(PositionalFile &file, StoreCounters &counters) {
  const int64_t size = file.size();
  const auto stated = static_cast<int64_t>(
      std::min<uint64_t>(number_at(first_bytes(file, copy_head_bytes, counters), copy_length_at), longest_header));
  if (size != static_cast<int64_t>(copy_head_bytes + copy_tail_bytes) + 2 * stated) return {};
  return decoded(first_bytes(file, static_cast<size_t>(size), counters));
}

enum class State { other, before, after, torn };

bool is_same(std::span<const std::byte> a, std::span<const std::byte> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

/// The bytes of a part of the file, with its old and new contents.
struct Compared {
  bool of_this_change = true, all_before = true, all_after = true;
};

/// A mixture has the old bytes or the new ones in every sector, or in a sector first new and then old ones, where a
/// write ended. Anything else is not of this change. From byte `begin` of the file on.
Compared compared(std::span<const std::byte> now, const Copy &copy, size_t begin, size_t end) {
  Compared all;
  for (size_t at = begin, next; at < end; at = next) {
    next = std::min(end, (at / sector_bytes + 1) * sector_bytes);
    const auto part = [at, next](std::span<const std::byte> whole) { return whole.subspan(at, next - at); };
    const auto found = part(now), before = part(copy.before), after = part(copy.after);
    const auto same = std::mismatch(found.begin(), found.end(), after.begin()).first - found.begin();
    const auto written = static_cast<size_t>(same);
    all.of_this_change = all.of_this_change && is_same(found.subspan(written), before.subspan(written));
    all.all_before = all.all_before && is_same(found, before);
    all.all_after = all.all_after && written == found.size();
  }
  return all;
}

/// Sets the copy's record count to the file's, which later commits have raised.
State state_of(std::span<const std::byte> found, Copy &copy) {
  for (Bytes *each : {&copy.before, &copy.after})
    std::copy_n(found.begin() + records_offset, copy.count_bytes, each->begin() + records_offset);
  const size_t old = std::min<size_t>(copy.old_bytes, found.size());
  const Compared head = compared(found, copy, 0, old), tail = compared(found, copy, old, found.size());
  if (!head.of_this_change || !tail.of_this_change) return State::other;
  return head.all_after && tail.all_after ? State::after : head.all_before ? State::before : State::torn;
}

/// All but the record count.
void write_header(PositionalFile &file, std::span<const std::byte> header, int64_t count_bytes,
                  StoreCounters &counters) {
  const auto rest = static_cast<size_t>(records_offset + count_bytes);
  file.write(static_cast<int64_t>(rest), header.subspan(rest), counters);
}

void settle(PositionalFile &file, const std::string &place, bool on_disk) {
  if (on_disk) file.sync();
  remove_file(header_copy_of(place));
  if (on_disk) sync_directory_of(place);
}

void write_copy(const Copy &copy, const PositionalFile &file, const std::string &place, bool on_disk) {
  const std::string path = header_copy_of(place);
  StoreCounters uncounted;
  remove_file(path);
  PositionalFile stored(path, PositionalFile::Mode::make_private, file.path());
  try {
    stored.take_rights_of(file);
    stored.write(0, encoded(copy), uncounted);
    if (on_disk) stored.sync();
    stored.close();
    if (on_disk) sync_directory_of(place);
  } catch (const Error &) {
    remove_file(path);
    throw;
  }
}

}  // namespace

std::string header_copy_of(const std::string &place) { return place + ".header"; }

void change_header(PositionalFile &file, const std::string &place, const HeaderChange &change,
                   StoreCounters &counters) {
  Copy copy{static_cast<uint64_t>(change.old_bytes),
            static_cast<uint64_t>(change.count_bytes),
            first_bytes(file, change.header.size(), counters),
            {change.header.begin(), change.header.end()}};
  if (is_same(copy.before, copy.after)) return;
  const auto old = static_cast<size_t>(std::min(change.old_bytes, static_cast<int64_t>(change.header.size())));
  try {
    write_copy(copy, file, place, change.on_disk);
  } catch (const Error &error) {
    if (change.needs_copy || error.status() != Status::no_space) throw;
  }
  try {
    // First the bytes behind the old header, which no reader uses: if there is no room for them, nothing has
    // happened.
    if (old < change.header.size()) file.write(static_cast<int64_t>(old), change.header.subspan(old), counters);
    write_header(file, change.header.first(old), change.count_bytes, counters);
    settle(file, place, change.on_disk);
  } catch (...) {
    try {
      write_header(file, std::span(copy.before).first(old), change.count_bytes, counters);
      settle(file, place, change.on_disk);
    } catch (const Error &) {
      // The first error is reported. The copy stays, and the next opening repairs the file.
    }
    throw;
  }
}

std::vector<std::byte> mended_header(PositionalFile &file, const std::string &place, StoreCounters &counters) {
  Companion found = companion_of(file, header_copy_of(place));
  if (found.is_foreign) warn(unbelieved(file.path(), header_copy_of(place)));
  std::optional<Copy> copy = found.file.is_open() ? copy_in(found.file, counters) : std::nullopt;
  if (!copy) return {};
  const State state = state_of(first_bytes(file, copy->before.size(), counters), *copy);
  if (state != State::torn) return {};
  copy->before.resize(std::min<size_t>(copy->before.size(), copy->old_bytes));
  return std::move(copy->before);
}

void mend_header(PositionalFile &file, const std::string &place, StoreCounters &counters) {
  Companion found = companion_of(file, header_copy_of(place));
  refuse_foreign(found, file, header_copy_of(place));
  if (!found.file.is_open()) {
    remove_file(header_copy_of(place));  // a link
    return;
  }
  if (std::optional<Copy> copy = copy_in(found.file, counters)) {
    // Written again even where it reads well: after a sync that failed, it may not stand on the disk so.
    const State state = state_of(first_bytes(file, copy->before.size(), counters), *copy);
    copy->before.resize(std::min<size_t>(copy->before.size(), copy->old_bytes));
    if (state != State::other)
      write_header(file, state == State::after ? copy->after : copy->before, static_cast<int64_t>(copy->count_bytes),
                   counters);
  }
  settle(file, place, true);
}

}  // namespace sv
