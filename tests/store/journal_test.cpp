// A commit that is cut off anywhere is completed from the journal next to the file; later changes of others
// stay.
#include "store/journal.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "status_of.hpp"
#include "support/random_bytes.hpp"

namespace sv {
namespace {

namespace fs = std::filesystem;
const std::string held = "journalled", journal_path = journal_of(held);

Bytes content_of_file(const std::string &path) {
  Bytes all(fs::file_size(path));
  std::ifstream(path, std::ios::binary)
      .read(reinterpret_cast<char *>(all.data()), static_cast<std::streamsize>(all.size()));
  return all;
}

void give_file(const std::string &path, const Bytes &bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/// Nothing beyond so many bytes of a file can be written while it lives. `handler`: whether that kills the process.
class ShortFiles {
 public:
  ShortFiles(rlim_t bytes, sighandler_t handler) {
    signal(SIGXFSZ, handler);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit less{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &less);
  }
  ~ShortFiles() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

/// A file of which three stretches change, the last of them at its end, which cannot be written at first.
class Interrupted : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove(journal_path);
    before_ = random_bytes(engine_, 40000);
    after_ = before_;
    for (const auto &[at, bytes] : {std::pair(0, 48), std::pair(700, 5000), std::pair(39000, 900)}) {
      changes_.push_back({at, random_bytes(engine_, static_cast<size_t>(bytes))});
      std::copy(changes_.back().bytes.begin(), changes_.back().bytes.end(), after_.begin() + at);
    }
    after_.resize(41000);
    give_file(held, before_);
    EXPECT_EXIT(commit_up_to(30000, SIG_DFL), ::testing::KilledBySignal(SIGXFSZ), "");
    journal_ = content_of_file(journal_path);
  }
  /// With files of at most so many bytes.
  Status commit_up_to(rlim_t bytes, sighandler_t handler) {
    const ShortFiles limit(bytes, handler);
    PositionalFile file(held, PositionalFile::Mode::update);
    return testing::status_of([&] { Journal(held).commit(file, {changes_, end_bytes_}, true, counters_); });
  }
  /// The first so many bytes of the changes are in the file.
  Bytes cut_off(int64_t bytes) const {
    Bytes some = before_;
    for (const Change &each : changes_) {
      const int64_t here = std::clamp<int64_t>(bytes, 0, std::ssize(each.bytes));
      std::copy_n(each.bytes.begin(), here, some.begin() + each.offset_bytes);
      bytes -= here;
    }
    return some;
  }
  /// What a reader reads, who writes nothing; it must be what the file has when a writer has opened it.
  Bytes completed(const Bytes &file, const Bytes &journal) {
    give_file(held, file);
    give_file(journal_path, journal);
    const Bytes read = read_by(unfinished_commit_of(held));
    EXPECT_EQ(content_of_file(held), file) << "a reader has written into the file";
    EXPECT_EQ(content_of_file(journal_path), journal) << "a reader has written into the journal";
    complete();
    const Bytes all = content_of_file(held);
    EXPECT_EQ(read, all);
    return all;
  }
  static Bytes read_by(const UnfinishedCommit &rest) {
    Bytes bytes = content_of_file(held);
    bytes.resize(std::max(bytes.size(), static_cast<size_t>(rest.end_bytes)));
    rest.apply(0, bytes);
    return bytes;
  }
  static void complete() {
    PositionalFile writer(held, PositionalFile::Mode::update);
    complete_commit(writer, held);
  }

  std::mt19937 engine_{1};
  Bytes before_, after_, journal_;
  std::vector<Change> changes_;
  int64_t end_bytes_ = 41000;
  StoreCounters counters_;
};

TEST_F(Interrupted, IsCompletedWhereverItEnded) {
  EXPECT_EQ(content_of_file(held), before_) << "longer it could not become";
  for (int64_t bytes = 0; bytes <= 48 + 5000 + 900; bytes += 61) {
    ASSERT_EQ(completed(cut_off(bytes), journal_), after_) << bytes;
    ASSERT_FALSE(fs::exists(journal_path)) << bytes;
  }
}

/// The last change ends in its middle.
TEST_F(Interrupted, IsUndoneByItsProcess) {
  changes_.back().offset_bytes = 39500;
  end_bytes_ = 40000;
  EXPECT_NE(commit_up_to(40000, SIG_IGN), Status::ok);
  EXPECT_EQ(content_of_file(held), before_);
  EXPECT_EQ(fs::file_size(journal_path), 0U);
  EXPECT_EQ(commit_up_to(RLIM_INFINITY, SIG_IGN), Status::ok) << "it can be repeated";
}

TEST_F(Interrupted, IsCompletedBeforeAnotherLibraryOpensIt) {
  give_file(held, cut_off(3000));
  give_file(journal_path, journal_);
  {
    PositionalFile writer(held, PositionalFile::Mode::update);
    ASSERT_TRUE(writer.lock());
    complete_commit_at(held);
    EXPECT_EQ(content_of_file(held), cut_off(3000)) << "its writer lives";
  }
  complete_commit_at(held);
  EXPECT_EQ(content_of_file(held), after_);
  EXPECT_FALSE(fs::exists(journal_path));
}

TEST_F(Interrupted, HasNotBegunWhereTheJournalIsNotWhole) {
  for (size_t bytes = 0; bytes < journal_.size(); bytes += 487) {
    const Bytes part(journal_.begin(), journal_.begin() + static_cast<std::ptrdiff_t>(bytes));
    ASSERT_EQ(completed(before_, part), before_) << bytes;
    Bytes wrong = journal_;
    wrong[bytes] ^= std::byte{1};
    ASSERT_EQ(completed(before_, wrong), before_) << bytes;
  }
}

TEST_F(Interrupted, LeavesWhatOthersHaveChanged) {
  Bytes other = cut_off(48 + 3000);
  other[5000] = static_cast<std::byte>(~std::to_integer<unsigned>(before_[5000]));
  EXPECT_EQ(completed(other, journal_), other);
  EXPECT_EQ(completed(after_, journal_), after_);
}

TEST_F(Interrupted, WaitsForItsWriter) {
  give_file(held, cut_off(1000));
  give_file(journal_path, journal_);
  PositionalFile writer(held, PositionalFile::Mode::update);
  ASSERT_TRUE(writer.lock());
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(read_by(unfinished_commit_of(held)), after_);
  EXPECT_GE(std::chrono::steady_clock::now() - begun, std::chrono::seconds(1))
      << "its writer has it locked, and is at work";
  EXPECT_EQ(content_of_file(held), cut_off(1000));
  complete_commit(writer, held);
  EXPECT_EQ(content_of_file(held), after_);
}

/// Of another user, who may make files in a directory that all users may write.
TEST_F(Interrupted, BelievesNoOtherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  give_file(held, before_);
  give_file(journal_path, journal_);
  const uid_t owner = 4321, other = 1234;
  ASSERT_EQ(::chown(held.c_str(), owner, owner), 0);
  const auto found_with = [&](uid_t user) {
    EXPECT_EQ(::chown(journal_path.c_str(), user, user), 0);
    return unfinished_commit_of(held);
  };
  for (const uid_t user : {owner, uid_t{0}}) EXPECT_EQ(read_by(found_with(user)), after_) << user;
  const UnfinishedCommit foreign = found_with(other);
  EXPECT_TRUE(foreign.is_empty());
  EXPECT_TRUE(foreign.has_foreign_journal);
  EXPECT_EQ(testing::status_of([] { complete(); }), Status::access);
  EXPECT_EQ(content_of_file(held), before_);
  fs::rename(journal_path, "moved.journal");
  fs::create_symlink("moved.journal", journal_path);
  ASSERT_EQ(::chown("moved.journal", owner, owner), 0);
  EXPECT_TRUE(unfinished_commit_of(held).is_empty()) << "it was read through a link";
}

/// Of some gigabytes that take no room on the disk.
TEST_F(Interrupted, TakesNoMoreMemoryThanItsFileNeeds) {
  give_file(held, before_);
  give_file(journal_path, journal_);
  fs::resize_file(journal_path, uintmax_t{3} << 30);
  PositionalFile file(journal_path, PositionalFile::Mode::update);
  const int64_t length = (int64_t{3} << 30) - 24;
  file.write(sizeof length, std::as_bytes(std::span(&length, 1)), counters_);
  rlimit before{};
  getrlimit(RLIMIT_DATA, &before);
  const rlimit less{rlim_t{1} << 30, before.rlim_max};
  setrlimit(RLIMIT_DATA, &less);
  const Status status = testing::status_of([] { EXPECT_TRUE(unfinished_commit_of(held).is_empty()); });
  setrlimit(RLIMIT_DATA, &before);
  EXPECT_EQ(status, Status::ok);
}

TEST(Journal, IsEmptyBetweenCommits) {
  std::mt19937 engine(2);
  give_file("whole", Bytes(1000));
  PositionalFile file("whole", PositionalFile::Mode::update);
  StoreCounters counters;
  Journal journal("whole");
  for (int round = 0; round < 3; ++round) {
    const std::vector<Change> changes{{round * 100, random_bytes(engine, 300)}};
    journal.commit(file, {changes, 1000}, round == 1, counters);
    EXPECT_EQ(fs::file_size(journal_of("whole")), 0U);
    Bytes found(300);
    file.read(round * 100, found, counters);
    EXPECT_EQ(found, changes.front().bytes);
  }
  journal.remove();
  EXPECT_FALSE(fs::exists(journal_of("whole")));
}

}  // namespace
}  // namespace sv
