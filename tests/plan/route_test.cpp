#include "plan/route.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "random_case.hpp"

namespace sv::test {
namespace {

std::vector<std::vector<int>> ranks_of(const Topology &topology) {
  return {topology.ranks_of.begin(), topology.ranks_of.end()};
}

using Kind = Writers::Kind;

class Resolve : public ::testing::Test {
 protected:
  Route route(const RouteRequest &request) const { return resolve(request, *layout_, topology_, surroundings_); }

  /// The error's text; fails where there is none, or it is not about an invalid request.
  std::string refusal(const RouteRequest &request) const {
    try {
      route(request);
    } catch (const Error &error) {
      EXPECT_EQ(error.status(), Status::invalid);
      EXPECT_NE(std::string(error.what()).find("nearest valid"), std::string::npos) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "route " << request.name << " was not refused";
    return "";
  }

  std::shared_ptr<const Layout> layout_ = block_layout(40, 30, 4, 3);
  Topology topology_ = Topology::uniform(12, 4);
  Surroundings surroundings_;
};

TEST_F(Resolve, SerialIsTheLowestRank) {
  const Route r = route({"serial", 0, 0, {}});
  EXPECT_EQ(r.writers, std::vector<int>{0});
  EXPECT_FALSE(r.self);
  EXPECT_EQ(r.io_nx, 0);
}

TEST_F(Resolve, SharedWritesItself) {
  const Route r = route({"shared", 0, 0, {Kind::self, 0}});
  EXPECT_TRUE(r.self);
  EXPECT_TRUE(r.writers.empty());
}

TEST_F(Resolve, RowsAndColumnsAreIoLayouts) {
  const Route row = route({"row", 0, 0, {}}), column = route({"column", 0, 0, {Kind::count, 2}});
  EXPECT_EQ(row.io_nx, 1);
  EXPECT_EQ(row.io_ny, 3);
  EXPECT_TRUE(row.self);
  EXPECT_EQ(column.io_nx, 4);
  EXPECT_EQ(column.io_ny, 1);
  EXPECT_FALSE(column.self);
  EXPECT_EQ(column.writers, (std::vector<int>{0, 4}));
}

TEST_F(Resolve, DomainsDefaultToANodeEach) {
  const Route r = route({"domains", 0, 0, {}});
  EXPECT_EQ(r.io_nx, 1);
  EXPECT_EQ(r.io_ny, 3);
  topology_ = Topology::uniform(12, 1);
  EXPECT_EQ(route({"domains", 0, 0, {}}).io_ny, 3) << "no more than rows of blocks";
  topology_ = Topology::uniform(12, 12);
  EXPECT_EQ(route({"domains", 0, 0, {}}).io_ny, 1);
}

TEST_F(Resolve, AutoTakesWhatIsGiven) {
  EXPECT_EQ(route({"auto", 2, 2, {}}).name, "domains");
  EXPECT_EQ(route({"auto", 0, 0, {Kind::self, 0}}).name, "shared");
  const Route r = route({"auto", 0, 0, {Kind::per_node, 2}});
  EXPECT_EQ(r.name, "ranges");
  EXPECT_EQ(r.writers, (std::vector<int>{0, 1, 4, 5, 8, 9}));
}

TEST_F(Resolve, AutoChoosesByTopologyAndSaysWhy) {
  EXPECT_EQ(route({}).writers, (std::vector<int>{0, 4, 8}));
  topology_ = Topology::uniform(12, 12);
  const Route one = route({});
  EXPECT_EQ(one.name, "ranges");
  EXPECT_EQ(one.writers, std::vector<int>{0});
  EXPECT_NE(one.reason.find("12 ranks"), std::string::npos);
  layout_ = block_layout(1000, 1000, 40, 10);
  topology_ = Topology::uniform(400, 4);
  surroundings_ = {true, 1 << 20, 8};
  EXPECT_EQ(route({}).writers.size(), 32U) << "four for each of 8 stripes";
  surroundings_.stripe_count = 150;
  EXPECT_EQ(route({}).writers.size(), 150U) << "more stripes than nodes: one for each";
  surroundings_.stripe_count = 1000;
  EXPECT_EQ(route({}).writers.size(), 400U) << "every rank";
}

TEST_F(Resolve, OnLocalFileSystemsSmallFieldsHaveOneWriter) {
  const int64_t most = route({}).whole_bytes;
  EXPECT_EQ(most, most_sent_bytes);
  EXPECT_EQ(route({"auto", 0, 0, {Kind::per_node, 1}}).whole_bytes, 0) << "asked for";
  const auto writers = [&](int64_t bytes) {
    const ListedExtents extents({{0, 4096}, {4096, 4096 + bytes}});
    return make_plan(layout_, {{30, 40, bytes / 1200}, 0, 1, 4096}, route({}),
                     {topology_, extents, 4096, {1 << 20, 1 << 20}})
        .stages.front()
        .sinks.size();
  };
  EXPECT_EQ(writers(most / 1200 * 1200), 1U);
  EXPECT_EQ(writers(most / 1200 * 1200 + 1200), 3U);
  surroundings_.shared_file_system = true;
  EXPECT_EQ(route({}).whole_bytes, 0) << "stripes have their owners";
}

TEST_F(Resolve, ConflictsAreRefusedWithTheNearest) {
  EXPECT_NE(refusal({"serial", 0, 0, {Kind::count, 4}}).find("'ranges'"), std::string::npos);
  EXPECT_NE(refusal({"serial", 1, 1, {}}).find("'domains'"), std::string::npos);
  EXPECT_NE(refusal({"shared", 0, 0, {Kind::count, 4}}).find("'ranges'"), std::string::npos);
  EXPECT_NE(refusal({"row", 2, 2, {}}).find("io_layout"), std::string::npos);
  EXPECT_NE(refusal({"ranges", 2, 2, {}}).find("'domains'"), std::string::npos);
  EXPECT_NE(refusal({"ranges", 0, 0, {Kind::self, 0}}).find("'shared'"), std::string::npos);
  EXPECT_NE(refusal({"domains", 5, 3, {}}).find("io_layout = 4,3"), std::string::npos);
  EXPECT_NE(refusal({"ranges", 0, 0, {Kind::count, 13}}).find("writers = 12"), std::string::npos);
  EXPECT_NE(refusal({"auto", 0, 0, {Kind::per_node, 5}}).find("writers = 4 per node"), std::string::npos);
  EXPECT_NE(refusal({"auto", 0, 0, {Kind::count, 0}}).find("writers = 1"), std::string::npos);
  EXPECT_NE(refusal({"auto", 2, 0, {}}).find("io_layout = 2,1"), std::string::npos);
}

TEST_F(Resolve, UnknownRoutesAreRefusedWithTheKnownOnes) {
  try {
    route({"serail", 0, 0, {}});
    FAIL() << "there is no such route";
  } catch (const Error &error) {
    EXPECT_NE(std::string(error.what()).find("serial, shared, domains"), std::string::npos) << error.what();
  }
}

TEST(Writers, AreParsed) {
  EXPECT_EQ(parse_writers("auto").kind, Kind::automatic);
  EXPECT_EQ(parse_writers("self").kind, Kind::self);
  EXPECT_EQ(parse_writers("4").kind, Kind::count);
  EXPECT_EQ(parse_writers("4").n, 4);
  EXPECT_EQ(parse_writers("2 per node").kind, Kind::per_node);
  EXPECT_EQ(parse_writers("2 per node").n, 2);
  for (const char *bad : {"", "0", "-1", "four", "2 per nodes", "4 ", "99999999999"}) {
    EXPECT_THROW(parse_writers(bad), Error) << bad;
  }
}

TEST(Writers, AreSpreadOverNodes) {
  const Topology three = Topology::uniform(10, 4);  // 4, 4 and 2 ranks
  EXPECT_EQ(spread_writers(1, three), (std::vector<int>{0}));
  EXPECT_EQ(spread_writers(2, three), (std::vector<int>{0, 4}));
  EXPECT_EQ(spread_writers(4, three), (std::vector<int>{0, 1, 4, 8}));
  EXPECT_EQ(spread_writers(8, three), (std::vector<int>{0, 1, 2, 4, 5, 6, 8, 9}));
  EXPECT_EQ(spread_writers(99, three).size(), 10U);
  EXPECT_EQ(spread_writers(2, Topology::uniform(8, 1)), (std::vector<int>{0, 4})) << "apart";
}

TEST(Topology, NodesAreNumberedByTheirLowestRank) {
  const Topology t = Topology::from_labels({7, 3, 7, 9, 3});
  EXPECT_EQ(std::vector<int>(t.node_of.begin(), t.node_of.end()), (std::vector<int>{0, 1, 0, 2, 1}));
  EXPECT_EQ(ranks_of(t), (std::vector<std::vector<int>>{{0, 2}, {1, 4}, {3}}));
  EXPECT_TRUE(t.same_node(1, 4));
}

TEST(Topology, UniformNodesMayEndWithASmallerOne) {
  const Topology t = Topology::uniform(5, 2);
  EXPECT_EQ(ranks_of(t), (std::vector<std::vector<int>>{{0, 1}, {2, 3}, {4}}));
}

}  // namespace
}  // namespace sv::test
