#include "store/journal.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>

#include "base/error.hpp"
#include "store/file_name.hpp"

namespace sv {

namespace {

using Bytes = std::vector<std::byte>;

constexpr int64_t magic = 0x3130'4c4e'524a'5653;    // "SVJRNL01"
constexpr int64_t disk_sector_bytes = 512;          // that a disk writes as a whole
constexpr size_t head_bytes = 3 * sizeof(int64_t);  // magic, length of the rest, its sum

/// Of a file: as it was, and as it shall be.
struct Kept {
  int64_t offset_bytes;
  Bytes before, after;
};

struct KeptCommit {
  std::vector<Kept> changes;
  int64_t end_bytes = 0;
};

/// FNV-1a.
int64_t sum_of(std::span<const std::byte> bytes) {
  uint64_t sum = 0xcbf29ce484222325U;
  for (const std::byte each : bytes) sum = (sum ^ static_cast<uint64_t>(each)) * 0x100000001b3U;
  return static_cast<int64_t>(sum);
}

void put(Bytes &to, int64_t number) {
  const auto *const first = reinterpret_cast<const std::byte *>(&number);
  to.insert(to.end(), first, first + sizeof number);
}

int64_t whole_number_at(std::span<const std::byte> bytes, size_t at) {
  int64_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

/// Where the file ends earlier, zeros.
Bytes bytes_at(PositionalFile &file, int64_t offset_bytes, size_t bytes, StoreCounters &counters) {
  Bytes found(bytes);
  const auto got = static_cast<size_t>(file.read(offset_bytes, found, counters));
  std::fill(found.begin() + static_cast<std::ptrdiff_t>(got), found.end(), std::byte{});
  return found;
}

/// Nothing where it is not whole.
KeptCommit decoded_journal(std::span<const std::byte> all) {
  if (all.size() < head_bytes || whole_number_at(all, 0) != magic) return {};
  const int64_t length = whole_number_at(all, sizeof(int64_t));
  if (length < 0 || length > std::ssize(all) - static_cast<int64_t>(head_bytes)) return {};
  const auto body = all.subspan(head_bytes, static_cast<size_t>(length));
  if (sum_of(body) != whole_number_at(all, 2 * sizeof(int64_t))) return {};
  if (body.size() < sizeof(int64_t)) return {};
  KeptCommit kept{{}, whole_number_at(body, 0)};
  for (size_t at = sizeof(int64_t); at + 2 * sizeof(int64_t) <= body.size();) {
    const int64_t offset_bytes = whole_number_at(body, at);
    const auto bytes = static_cast<size_t>(whole_number_at(body, at + sizeof(int64_t)));
    at += 2 * sizeof(int64_t);
    if (bytes > (body.size() - at) / 2) return {};
    const auto before = body.subspan(at, bytes), after = body.subspan(at + bytes, bytes);
    kept.changes.push_back({offset_bytes, {before.begin(), before.end()}, {after.begin(), after.end()}});
    at += 2 * bytes;
  }
  return kept;
}

KeptCommit journal_beside(const std::string &place) {
  const std::string path = journal_of(place);
  if (presence_itself(path) != Presence::file) return {};
  PositionalFile file(path, PositionalFile::Mode::read);
  StoreCounters uncounted;
  return decoded_journal(bytes_at(file, 0, static_cast<size_t>(file.size()), uncounted));
}

/// Whether a file that has `now` at this place is in the middle of the change: it has the new bytes or the old ones in
/// every sector, or first new and then old ones where a write has ended.
bool is_under_way(std::span<const std::byte> now, const Kept &kept) {
  for (size_t at = 0, next; at < now.size(); at = next) {
    const int64_t sector = (kept.offset_bytes + static_cast<int64_t>(at)) / disk_sector_bytes;
    next = std::min(now.size(), static_cast<size_t>((sector + 1) * disk_sector_bytes - kept.offset_bytes));
    while (at < next && now[at] == kept.after[at]) ++at;
    while (at < next && now[at] == kept.before[at]) ++at;
    if (at < next) return false;
  }
  return true;
}

/// What the file has not taken over yet; nothing where it is not in the middle of this commit.
KeptCommit still_to_do(PositionalFile &file, KeptCommit kept, StoreCounters &counters) {
  KeptCommit rest{{}, file.size() < kept.end_bytes ? kept.end_bytes : 0};
  for (Kept &each : kept.changes) {
    const Bytes now = bytes_at(file, each.offset_bytes, each.after.size(), counters);
    if (!is_under_way(now, each)) return {};
    if (now != each.after) rest.changes.push_back(std::move(each));
  }
  return rest;
}

}  // namespace

std::string journal_of(const std::string &place) { return place + ".journal"; }

void Journal::keep(PositionalFile &file, const Commit &commit, bool on_disk, StoreCounters &counters) {
  Bytes all;
  for (const int64_t each : {magic, int64_t{0}, int64_t{0}, commit.end_bytes}) put(all, each);
  for (const Change &each : commit.changes) {
    put(all, each.offset_bytes);
    put(all, std::ssize(each.bytes));
    const Bytes before = bytes_at(file, each.offset_bytes, each.bytes.size(), counters);
    all.insert(all.end(), before.begin(), before.end());
    all.insert(all.end(), each.bytes.begin(), each.bytes.end());
  }
  const auto body = std::span<const std::byte>(all).subspan(head_bytes);
  const int64_t length = std::ssize(body), sum = sum_of(body);
  std::memcpy(all.data() + sizeof length, &length, sizeof length);
  std::memcpy(all.data() + 2 * sizeof length, &sum, sizeof sum);
  const bool is_new = !beside_.is_open();
  if (is_new) {
    remove_file(path_);
    beside_ = PositionalFile(path_, PositionalFile::Mode::make, file.path());
    beside_.take_rights_of(file);
  }
  beside_.write(0, all, counters);
  if (!on_disk) return;
  beside_.sync();
  if (is_new) sync_directory_of(path_);
}

void Journal::commit(PositionalFile &file, const Commit &commit, bool on_disk, StoreCounters &counters) {
  if (commit.changes.empty()) return;
  keep(file, commit, on_disk, counters);
  if (file.size() < commit.end_bytes) file.resize(commit.end_bytes);
  for (const Change &each : commit.changes) file.write(each.offset_bytes, each.bytes, counters);
  if (on_disk) file.sync();
  beside_.resize(0);
}

void Journal::remove() {
  if (!beside_.is_open()) return;
  const bool is_empty = beside_.size() == 0;
  beside_.close();
  if (is_empty) remove_file(path_);
}

void complete_commit(PositionalFile &file, const std::string &place) {
  StoreCounters uncounted;
  const KeptCommit rest = still_to_do(file, journal_beside(place), uncounted);
  if (rest.end_bytes > 0) file.resize(rest.end_bytes);
  for (const Kept &each : rest.changes) file.write(each.offset_bytes, each.after, uncounted);
  if (presence_itself(journal_of(place)) != Presence::file) return;
  file.sync();
  remove_file(journal_of(place));
}

void complete_commit_of(const std::string &path) {
  constexpr std::chrono::milliseconds patience(2000), pause(20);
  const std::string place = target_of(path, false);
  const auto is_interrupted = [&place] {
    KeptCommit kept = journal_beside(place);
    if (kept.changes.empty()) return false;
    PositionalFile file(place, PositionalFile::Mode::read);
    StoreCounters uncounted;
    const KeptCommit rest = still_to_do(file, std::move(kept), uncounted);
    return rest.end_bytes > 0 || !rest.changes.empty();
  };
  const auto end = std::chrono::steady_clock::now() + patience;
  while (is_interrupted() && std::chrono::steady_clock::now() < end) {
    try {
      PositionalFile file(place, PositionalFile::Mode::update, path);
      if (file.lock()) return complete_commit(file, place);
    } catch (const Error &error) {
      if (error.status() != Status::access) throw;
      throw Error(Status::access, "a commit of it was interrupted, which this process may not complete",
                  "Open it once where it may be written, with SV_WRITE or with sv-copy")
          .in_file(path);
    }
    std::this_thread::sleep_for(pause);  // its writer lives
  }
}

}  // namespace sv
