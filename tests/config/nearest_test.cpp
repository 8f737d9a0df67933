#include "config/nearest.hpp"

#include <gtest/gtest.h>

namespace sv {
namespace {

TEST(EditDistance, CountsSingleCharacters) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("io_layot", "io_layout"), 1);
}

TEST(EditDistance, IsSymmetric) {
  const std::vector<std::string> words = {"route", "writers", "window", "watchdog", "io_layout", "ranks_per_node"};
  for (const std::string &a : words)
    for (const std::string &b : words) EXPECT_EQ(edit_distance(a, b), edit_distance(b, a)) << a << " " << b;
}

TEST(Nearest, FindsWhatWasMeant) {
  const std::vector<std::string> keys = {"route", "io_layout", "writers", "window", "ranks_per_node", "table"};
  EXPECT_EQ(nearest("rout", keys), "route");
  EXPECT_EQ(nearest("writer", keys), "writers");
  EXPECT_EQ(nearest("windwo", keys), "window");
  EXPECT_EQ(nearest("io-layout", keys), "io_layout");
  EXPECT_EQ(nearest("TABLE", keys), "table");
  EXPECT_EQ(nearest("ranks", keys), "ranks_per_node");  // nearer than "table", of which more letters agree
}

TEST(Nearest, TakesTheFirstOfEquals) {
  EXPECT_EQ(nearest("x", {"a", "b"}), "a");
  EXPECT_EQ(nearest("x", {}), "");
}

}  // namespace
}  // namespace sv
