// The model of a disk: which data may be lost, and which may not.
#include "crash/disk.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include <deque>

#include "crash/states.hpp"

namespace svcrash {
namespace {

/// A log made by hand, of files that are named by their numbers.
class Made {
 public:
  Made &create(const std::string &name) {
    log_.operations.push_back({Kind::create, log_.files++, 0, 0, {}, name, ""});
    return *this;
  }
  Made &write(int file, int64_t offset, size_t bytes, char value) {
    const auto &data = kept_->emplace_back(bytes, static_cast<std::byte>(value));
    log_.operations.push_back({Kind::write, file, offset, static_cast<int64_t>(bytes), data, "", ""});
    return *this;
  }
  Made &resize(int file, int64_t length) {
    log_.operations.push_back({Kind::resize, file, length, 0, {}, "", ""});
    return *this;
  }
  Made &sync(int file) {
    log_.operations.push_back({Kind::sync, file, 0, 0, {}, "", ""});
    return *this;
  }
  Made &sync_directory(const std::string &name = "") {
    log_.operations.push_back({Kind::sync_directory, -1, 0, 0, {}, name, ""});
    return *this;
  }
  Made &make_directory(const std::string &name) {
    log_.operations.push_back({Kind::make_directory, -1, 0, 0, {}, name, ""});
    return *this;
  }
  Made &rename(const std::string &from, const std::string &to, Kind kind = Kind::rename) {
    log_.operations.push_back({kind, -1, 0, 0, {}, from, to});
    return *this;
  }
  const Log &log() const { return log_; }

  /// At the end of the log.
  Image after(State state) const {
    Disk disk(log_);
    while (static_cast<size_t>(disk.done()) < log_.operations.size()) disk.advance();
    state.operations = disk.done();
    if (state.names_kept < 0) state.names_kept = disk.pending_names(state.names, state.names_only);
    return disk.image(state);
  }

 private:
  Log log_;
  std::shared_ptr<std::deque<std::vector<std::byte>>> kept_ =  // of all copies
      std::make_shared<std::deque<std::vector<std::byte>>>();
};

State power(Loss loss, int victim = -1, int sector = 0) {
  State state;
  state.crash = Crash::power;
  state.names_kept = -1;
  state.loss = loss;
  state.victim = victim;
  state.sector = sector;
  return state;
}

std::string text(const Image &image, const std::string &name, size_t at, size_t bytes) {
  const std::vector<std::byte> &all = image.at(name)->bytes;
  std::string found;
  for (size_t i = at; i < std::min(at + bytes, all.size()); ++i) found += static_cast<char>(all[i]);
  return found;
}

std::string names(const Image &image) {
  std::string all;
  for (const auto &[name, content] : image) all += name + " ";
  return all;
}

TEST(Disk, KeepsWhatWasSynced) {
  const Made run = Made().create("a").write(0, 0, 4, 'x').sync(0).write(0, 4, 4, 'y');
  EXPECT_EQ(text(run.after(power(Loss::all)), "a", 0, 10), "xxxx");
  EXPECT_EQ(text(run.after(power(Loss::none)), "a", 0, 10), "xxxxyyyy");
}

TEST(Disk, ALostWriteTakesLaterOnesOfItsSectorAlong) {
  const Made run = Made().create("a").write(0, 0, 2, 'x').write(0, 2, 2, 'y').write(0, 600, 2, 'z');
  EXPECT_EQ(text(run.after(power(Loss::lose_one, 1)), "a", 0, 4), std::string(4, '\0'));
  EXPECT_EQ(text(run.after(power(Loss::lose_one, 1)), "a", 600, 4), "zz");
  EXPECT_EQ(text(run.after(power(Loss::lose_one, 2)), "a", 0, 2), "xx");
}

TEST(Disk, OneWriteAloneReachesTheDisk) {
  const Made run = Made().create("a").write(0, 0, 2, 'x').write(0, 600, 2, 'z');
  EXPECT_EQ(run.after(power(Loss::keep_one, 1)).at("a")->bytes.size(), 2U);
  EXPECT_EQ(text(run.after(power(Loss::keep_one, 2)), "a", 600, 2), "zz");
  EXPECT_EQ(text(run.after(power(Loss::keep_one, 2)), "a", 0, 2), std::string(2, '\0'));
}

TEST(Disk, TearsAWriteAtSectors) {
  const Made run = Made().create("a").write(0, 0, 8 * 512, 'x');
  bool mixed = false;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    State state = power(Loss::lose_one, 1, 512);
    state.seed = seed;
    const Image image = run.after(state);
    for (size_t sector = 0; sector < 8; ++sector) {
      const std::string found = text(image, "a", sector * 512, 512);
      EXPECT_TRUE(found.find_first_not_of('x') == std::string::npos ||
                  found.find_first_not_of('\0') == std::string::npos);
      mixed = mixed || found.find('\0') != std::string::npos;
    }
  }
  EXPECT_TRUE(mixed);
}

TEST(Disk, ALostCutLeavesTheLength) {
  const Made run = Made().create("a").write(0, 0, 1000, 'x').sync(0).resize(0, 10);
  EXPECT_EQ(run.after(power(Loss::all)).at("a")->bytes.size(), 1000U);
  EXPECT_EQ(run.after(power(Loss::none)).at("a")->bytes.size(), 10U);
}

TEST(Disk, NamesReachTheDiskInTheirOrder) {
  const Made run = Made().create("part").write(0, 0, 4, 'x').sync(0).rename("part", "name");
  State state = power(Loss::none);
  state.names_kept = 0;
  EXPECT_TRUE(run.after(state).empty());
  state.names_kept = 1;
  EXPECT_EQ(run.after(state).count("part"), 1U);
  state.names_kept = 2;
  EXPECT_EQ(run.after(state).count("name"), 1U);
  EXPECT_EQ(run.after(state).count("part"), 0U);
}

TEST(Disk, ASyncOfAFilePutsNamesOnTheDiskWhereTheFileSystemDoesSo) {
  const Made run = Made().create("part").write(0, 0, 4, 'x').sync(0).rename("part", "name");
  State state = power(Loss::none);
  state.names = Names::with_data;
  state.names_kept = 0;
  EXPECT_EQ(run.after(state).count("part"), 1U);
  Made synced = run;
  synced.sync_directory();
  EXPECT_EQ(synced.after(state).count("name"), 1U);
}

TEST(Disk, AStateIsFoundAgainByItsText) {
  State state = power(Loss::random, 7, 512);
  state.operations = 12;
  state.seed = 1234567890123456789;
  EXPECT_EQ(text_of(state_of(text_of(state)).value()), text_of(state));
  EXPECT_FALSE(state_of("power:1").has_value());
}

TEST(States, AreAllKillsAndEachLossAlone) {
  const Made run = Made().create("a").write(0, 0, 10000, 'x').write(0, 20000, 10, 'y');
  EXPECT_EQ(kill_states(run.log(), 1000, 1).size(), 4U + 2U);  // before each, at the end, and at two pages
  size_t alone = 0;
  std::set<std::string> different;
  const std::vector<State> all = systematic_states(run.log(), 1000, 1);
  for (const State &state : all) {
    different.insert(text_of(state));
    alone += state.operations == 3 && state.loss == Loss::lose_one && state.sector == 0 && state.names == Names::own;
  }
  EXPECT_EQ(alone, 2U * 2U);  // each write, with the name and without it
  // In each model: nothing yet; a name or none; that with none, all, or 6 losses of a write lost; and with two writes.
  EXPECT_EQ(all.size(), 2U * (1 + 2 + 2 * (2 + 6) + 2 * (2 + 2 * 6)));
  EXPECT_EQ(different.size(), all.size());
}

TEST(States, AreFewOfVeryManyInTheirOrder) {
  Made run;
  for (int file = 0; file < 200; ++file) run.create(std::to_string(file)).write(file, 0, 10, 'x');
  const std::vector<State> some = systematic_states(run.log(), 500, 3);
  ASSERT_EQ(some.size(), 500U);  // of 32 million
  EXPECT_TRUE(std::is_sorted(some.begin(), some.end(),
                             [](const State &a, const State &b) { return a.operations < b.operations; }));
  EXPECT_NE(text_of(some.front()), text_of(systematic_states(run.log(), 500, 4).front()));
}

TEST(Disk, KeepsNamesOfOneDirectoryBeforeThoseOfOthers) {
  const Made run = Made().make_directory("d").sync_directory().create("d/a").create("b").rename("d", "e");
  State state = power(Loss::none);
  EXPECT_EQ(names(run.after(state)), "b e/a ");
  state.names_only = 0;  // the whole, without the files in `d`
  EXPECT_EQ(names(run.after(state)), "b ");
  state.names_only = 1;
  EXPECT_EQ(names(run.after(state)), "d/a ");
}

TEST(Disk, LosesWhatIsInADirectoryWithIt) {
  const Made run = Made().make_directory("d").create("d/a").sync_directory("d");
  State state = power(Loss::none);
  state.names_kept = 0;
  EXPECT_EQ(names(run.after(state)), "");
  EXPECT_EQ(names(Made(run).sync_directory().after(state)), "d/a ");
}

TEST(Disk, ExchangesDirectories) {
  const Made run = Made().make_directory("c").make_directory("d").create("c/a").create("d/b");
  EXPECT_EQ(names(Made(run).rename("c", "d", Kind::exchange).after(power(Loss::none))), "c/b d/a ");
}

}  // namespace
}  // namespace svcrash
