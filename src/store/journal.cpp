#include "store/journal.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "store/companion.hpp"
#include "store/file_name.hpp"

namespace sv {

namespace {

using Bytes = std::vector<std::byte>;

constexpr int64_t magic = 0x3130'4c4e'524a'5653;     // "SVJRNL01"
constexpr int64_t disk_sector_bytes = 512;           // that a disk writes as a whole
constexpr int64_t head_bytes = 3 * sizeof(int64_t);  // magic, length of the rest, its sum

/// FNV-1a.
class Sum {
 public:
  void add(std::span<const std::byte> bytes) {
    for (const std::byte each : bytes) sum_ = (sum_ ^ static_cast<uint64_t>(each)) * 0x100000001b3U;
  }
  int64_t value() const { return static_cast<int64_t>(sum_); }

 private:
  uint64_t sum_ = 0xcbf29ce484222325U;
};

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

/// A stretch of the file: its required bytes now, and afterwards.
struct Stretch {
  int64_t offset_bytes;
  Bytes before, after;
};

/// Gives the file its old contents again, the last change first. Writes only bytes that a change has reached: where the
/// disk is full, the file may have no room for others.
void undo(PositionalFile &file, const std::vector<Change> &old, bool on_disk, StoreCounters &counters) {
  for (auto each = old.rbegin(); each != old.rend(); ++each) {
    const Bytes now = bytes_at(file, each->offset_bytes, each->bytes.size(), counters);
    const auto last = std::mismatch(now.rbegin(), now.rend(), each->bytes.rbegin()).first;
    const auto reached = static_cast<size_t>(now.rend() - last);
    if (reached > 0) file.write(each->offset_bytes, std::span(each->bytes).first(reached), counters);
  }
  if (on_disk) file.sync();
}

/// Whether a file that has `now` there is in the middle of the change: it has the new bytes or the old ones in every
/// sector, or first new and then old ones where a write has ended.
bool is_in_progress(std::span<const std::byte> now, const Stretch &of) {
  for (size_t at = 0, next; at < now.size(); at = next) {
    const int64_t sector = (of.offset_bytes + static_cast<int64_t>(at)) / disk_sector_bytes;
    next = std::min(now.size(), static_cast<size_t>((sector + 1) * disk_sector_bytes - of.offset_bytes));
    while (at < next && now[at] == of.after[at]) ++at;
    while (at < next && now[at] == of.before[at]) ++at;
    if (at < next) return false;
  }
  return true;
}

/// A journal and its file, compared piece by piece: memory is taken only for the differences.
class Comparison {
 public:
  Comparison(PositionalFile &file, PositionalFile &journal) : file_(file), journal_(journal) {}

  /// Nothing where the journal is not whole, or the file is not in the middle of this commit.
  UnfinishedCommit unfinished() {
    if (!is_whole()) return {};
    UnfinishedCommit rest;
    const int64_t end_bytes = number_at(head_bytes);
    rest.end_bytes = file_.size() < end_bytes ? end_bytes : 0;
    for (int64_t at = head_bytes + number_bytes; at + 2 * number_bytes <= end_;) {
      const int64_t offset_bytes = number_at(at), bytes = number_at(at + number_bytes);
      at += 2 * number_bytes;
      if (offset_bytes < 0 || bytes < 1 || bytes > (end_ - at) / 2 || offset_bytes > INT64_MAX - bytes) return {};
      if (!compare(at, {offset_bytes, bytes}, rest.changes)) return {};
      at += 2 * bytes;
    }
    return rest;
  }

 private:
  static constexpr int64_t piece_bytes = int64_t{1} << 18;  // whole sectors
  static constexpr int64_t number_bytes = sizeof(int64_t);
  /// A commit changes metadata, and so less than the file has, unless the file is small.
  int64_t most_bytes() const { return 4 * std::min(file_.size(), INT64_MAX / 8) + (int64_t{64} << 20); }

  Bytes in_journal(int64_t at, int64_t bytes) { return bytes_at(journal_, at, static_cast<size_t>(bytes), counters_); }
  int64_t number_at(int64_t at) { return whole_number_at(in_journal(at, number_bytes), 0); }

  bool is_whole() {
    const Bytes head = in_journal(0, head_bytes);
    const int64_t length = whole_number_at(head, number_bytes);
    if (whole_number_at(head, 0) != magic || length < number_bytes || length > most_bytes()) return false;
    if (length > journal_.size() - head_bytes) return false;
    end_ = head_bytes + length;
    Sum sum;
    for (int64_t at = head_bytes; at < end_; at += piece_bytes)
      sum.add(in_journal(at, std::min(piece_bytes, end_ - at)));
    return sum.value() == whole_number_at(head, 2 * number_bytes);
  }

  /// `at`: the position in the journal of the bytes of `range`, the old and then the new ones.
  struct Range {
    int64_t offset_bytes, bytes;
  };
  bool compare(int64_t at, const Range &range, std::vector<Change> &rest) {
    for (int64_t done = 0, next; done < range.bytes; done = next) {
      const int64_t begin = range.offset_bytes + done;
      next = std::min(range.bytes, (begin / piece_bytes + 1) * piece_bytes - range.offset_bytes);
      Stretch stretch{begin, in_journal(at + done, next - done), in_journal(at + range.bytes + done, next - done)};
      const Bytes now = bytes_at(file_, begin, stretch.after.size(), counters_);
      if (!is_in_progress(now, stretch)) return false;
      if (now != stretch.after) rest.push_back({begin, std::move(stretch.after)});
    }
    return true;
  }

  PositionalFile &file_, &journal_;
  StoreCounters counters_;
  int64_t end_ = 0;  // of the commit's part, in the journal
};

}  // namespace

std::string journal_of(const std::string &place) { return place + ".journal"; }

/// Returns the old contents.
std::vector<Change> Journal::keep(PositionalFile &file, const Commit &commit, bool on_disk, StoreCounters &counters) {
  std::vector<Change> old;
  Bytes all;
  for (const int64_t each : {magic, int64_t{0}, int64_t{0}, commit.end_bytes}) put(all, each);
  for (const Change &each : commit.changes) {
    put(all, each.offset_bytes);
    put(all, std::ssize(each.bytes));
    Bytes before = bytes_at(file, each.offset_bytes, each.bytes.size(), counters);
    all.insert(all.end(), before.begin(), before.end());
    all.insert(all.end(), each.bytes.begin(), each.bytes.end());
    old.push_back({each.offset_bytes, std::move(before)});
  }
  const auto body = std::span<const std::byte>(all).subspan(head_bytes);
  Sum sum_of_body;
  sum_of_body.add(body);
  const int64_t length = std::ssize(body), sum = sum_of_body.value();
  std::memcpy(all.data() + sizeof length, &length, sizeof length);
  std::memcpy(all.data() + 2 * sizeof length, &sum, sizeof sum);
  const bool is_new = !journal_.is_open();
  if (is_new) {
    remove_file(path_);
    journal_ = PositionalFile(path_, PositionalFile::Mode::make_private, file.path());
    journal_.take_rights_of(file);
  }
  journal_.write(0, all, counters);
  if (on_disk) {
    journal_.sync();
    if (is_new) sync_directory_of(path_);
  }
  return old;
}

void Journal::commit(PositionalFile &file, const Commit &commit, bool on_disk, StoreCounters &counters) {
  if (commit.changes.empty()) return;
  const std::vector<Change> old = keep(file, commit, on_disk, counters);
  const auto failed = caught(-1, [&] {
    if (file.size() < commit.end_bytes) file.resize(commit.end_bytes);
    for (const Change &each : commit.changes) file.write(each.offset_bytes, each.bytes, counters);
    if (on_disk) file.sync();
  });
  if (failed && caught(-1, [&] { undo(file, old, on_disk, counters); })) throw Error(*failed);  // the journal stays
  journal_.resize(0);
  if (failed) throw Error(*failed);
}

void Journal::remove() {
  if (!journal_.is_open()) return;
  const bool is_empty = journal_.size() == 0;
  journal_.close();
  if (is_empty) remove_file(path_);
}

void UnfinishedCommit::apply(int64_t offset_bytes, std::span<std::byte> bytes) const {
  const int64_t end = offset_bytes + std::ssize(bytes);
  for (const Change &each : changes) {
    const int64_t first = std::max(offset_bytes, each.offset_bytes),
                  last = std::min(end, each.offset_bytes + std::ssize(each.bytes));
    if (first < last)
      std::copy_n(each.bytes.begin() + (first - each.offset_bytes), last - first,
                  bytes.begin() + (first - offset_bytes));
  }
}

void complete_commit(PositionalFile &file, const std::string &place) {
  Companion journal = companion_of(file, journal_of(place));
  refuse_foreign(journal, file, journal_of(place));
  if (!journal.file.is_open()) return;
  const UnfinishedCommit rest = Comparison(file, journal.file).unfinished();
  StoreCounters uncounted;
  if (rest.end_bytes > 0) file.resize(rest.end_bytes);
  for (const Change &each : rest.changes) file.write(each.offset_bytes, each.bytes, uncounted);
  file.sync();
  remove_file(journal_of(place));
}

void complete_commit_at(const std::string &path) {
  const std::string place = target_of(path, true);
  if (presence_itself(journal_of(place)) == Presence::absent) return;
  PositionalFile file(place, PositionalFile::Mode::update, path);
  if (file.lock()) complete_commit(file, place);
}

UnfinishedCommit unfinished_commit_of(const std::string &path) {
  constexpr std::chrono::milliseconds patience(2000), pause(20);
  const std::string place = target_of(path, false);
  const auto end = std::chrono::steady_clock::now() + patience;
  for (;; std::this_thread::sleep_for(pause)) {
    if (presence_itself(journal_of(place)) == Presence::absent) return {};
    PositionalFile file(place, PositionalFile::Mode::read, path);
    Companion journal = companion_of(file, journal_of(place));
    if (!journal.file.is_open()) return {.changes = {}, .has_foreign_journal = journal.is_foreign};
    UnfinishedCommit rest = Comparison(file, journal.file).unfinished();
    const bool may_end = !rest.is_empty() && file.is_locked();  // its writer lives
    if (!may_end || std::chrono::steady_clock::now() > end) return rest;
  }
}

}  // namespace sv
