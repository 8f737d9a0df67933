// Named values of a gate: the words of ranks, and the meaning of the largest word over these ranks.
#include "transport/agreed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace {

using sv::Agreed;

struct Vote {
  sv::Min<int64_t> done{};
  sv::Max<int> bytes{};
  sv::All ready{};
  sv::Same hash{};
  auto members() { return std::tie(done, bytes, ready, hash); }
};

Vote agreed(const std::vector<Vote> &votes) {
  Agreed all = sv::words_with(votes.front());
  for (const Vote &each : votes) {
    const Agreed words = sv::words_with(each);
    for (size_t i = 0; i < words.size(); ++i) all[i] = std::max(all[i], words[i]);
  }
  return sv::read_words<Vote>(all);
}

TEST(Agreed, ReducesEachMemberInItsWay) {
  const Vote one{.done = -3, .bytes = 7, .ready = true, .hash = 5};
  const Vote other{.done = 9, .bytes = 2, .ready = true, .hash = 5};
  const Vote all = agreed({one, other});
  EXPECT_EQ(all.done, -3);
  EXPECT_EQ(all.bytes, 7);
  EXPECT_TRUE(all.ready);
  EXPECT_TRUE(all.hash.is_equal());
}

TEST(Agreed, ComparesNumbersAndConditions) {
  const Vote all = agreed({{.ready = true, .hash = 5}, {.ready = false, .hash = -5}});
  EXPECT_FALSE(all.ready);
  EXPECT_FALSE(all.hash.is_equal());
  EXPECT_EQ(all.hash.largest, 5);
  EXPECT_EQ(all.hash.least, -5);
}

TEST(Agreed, FindsWhatIsSoOnOneRank) {
  struct Stops {
    sv::Any stops{};
    auto members() { return std::tie(stops); }
  };
  const Agreed yes = sv::words_with(Stops{.stops = true}), no = sv::words_with(Stops{});
  EXPECT_GT(yes[0], no[0]);
  EXPECT_TRUE(sv::read_words<Stops>(yes).stops);
  EXPECT_FALSE(sv::read_words<Stops>(no).stops);
}

struct Tail {
  sv::Max<int64_t> number{};
  auto members() { return std::tie(number); }
};

TEST(Agreed, WritesNoOtherWords) {
  Agreed words{1, 2, 3, 4, 5, 6, 7};
  sv::write_words<4>(words, Tail{.number = 9});
  EXPECT_EQ(words, (Agreed{1, 2, 3, 4, 9, 6, 7}));
  EXPECT_EQ((sv::read_words<Tail, 5>(words).number), 6);
}

}  // namespace
