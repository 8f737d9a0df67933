// The roles of ranks: any number of servers with any number of clients, on nodes of any sizes.
#include "plan/roles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"

namespace {

using namespace sv;
using Ranks = std::vector<int>;
using Placement = ServerRequest::Placement;

Ranks served_by(const std::string &text, const Topology &topology, Placement placement = Placement::spread) {
  const bool is_mode = text.starts_with("auto") || text == "none" || text == "threads" || text.starts_with("servers");
  ServerRequest request = parse_async_mode(is_mode ? text : "servers:" + text);
  request.placement = placement;
  return servers_of(request, topology);
}

Crew crew_of(const Ranks &servers, int groups, const std::vector<Ranks> &clients) {
  return {servers, groups_of(servers, groups), clients, {}};
}

TEST(Servers, AsManyAsWereAskedFor) {
  const Topology topology = Topology::uniform(16, 4);
  const std::vector<std::pair<std::string, size_t>> cases{{"0", 0},           {"1", 1},
                                                          {"15", 15},         {"1/8", 2},
                                                          {"1/3", 5},         {"1/100", 1},
                                                          {"ratio 8", 2},     {"ratio 5", 3},
                                                          {"ratio 99", 1},    {"1 per node", 4},
                                                          {"3 per node", 12}, {"auto", 0},
                                                          {"1/16", 1},        {"auto:1 per node", 4},
                                                          {"auto: 1/8", 2},   {"auto:1", 1},
                                                          {"none", 0},        {"threads", 0},
                                                          {"servers", 4}};
  for (const auto &[text, count] : cases) EXPECT_EQ(served_by(text, topology).size(), count) << text;
  EXPECT_EQ(served_by("1/16", Topology::uniform(100, 10)).size(), 6u);
  EXPECT_EQ(served_by("1/16", Topology::uniform(2, 2)), Ranks{1});
  EXPECT_EQ(served_by("0", Topology::uniform(1, 1)), Ranks{});
}

TEST(Servers, StandWhereTheyAreAskedTo) {
  const Topology topology = Topology::uniform(10, 4);
  EXPECT_EQ(served_by("3", topology), (Ranks{2, 3, 7})) << "spread: the ends of the nodes with the most ranks left";
  EXPECT_EQ(served_by("5", topology), (Ranks{1, 2, 3, 6, 7}));
  EXPECT_EQ(served_by("2", topology), (Ranks{3, 7}));
  EXPECT_EQ(served_by("3", topology, Placement::last), (Ranks{7, 8, 9}));
  EXPECT_EQ(served_by("1 per node", topology), (Ranks{3, 7, 9}));
  EXPECT_EQ(served_by("1 per node", topology, Placement::last), (Ranks{7, 8, 9}));
}

TEST(Servers, EveryNumberIsPossibleAndSpreadEvenly) {
  for (int ranks = 2; ranks <= 24; ++ranks)
    for (int per_node = 1; per_node <= 9; ++per_node)
      for (int servers = 1; servers < ranks; ++servers) {
        const Topology topology = Topology::uniform(ranks, per_node);
        const Ranks taken = served_by(std::to_string(servers), topology);
        ASSERT_EQ(std::ssize(taken), servers);
        ASSERT_TRUE(std::is_sorted(taken.begin(), taken.end()));
        ASSERT_EQ(std::set<int>(taken.begin(), taken.end()).size(), taken.size());
        ASSERT_TRUE(taken.front() >= 0 && taken.back() < ranks);
        int least = ranks, most = 0;  // that are left on a node
        for (const Ranks &node : topology.ranks_of) {
          const auto left = static_cast<int>(std::count_if(node.begin(), node.end(), [&](int rank) {
            return !std::binary_search(taken.begin(), taken.end(), rank);
          }));
          if (std::ssize(node) == per_node) least = std::min(least, left);
          most = std::max(most, left);
        }
        ASSERT_LE(most, least + 1) << servers << " of " << ranks << " ranks, " << per_node << " on a node";
      }
}

TEST(Servers, WhoLeavesNobodyToComputeIsRefused) {
  const Topology topology = Topology::uniform(4, 2);
  for (const std::string text : {"4", "5", "2 per node", "9/10"}) {
    try {
      served_by(text, topology);
      FAIL() << text;
    } catch (const Error &error) {
      EXPECT_EQ(error.status(), Status::config) << text;
      EXPECT_NE(std::string(error.what()).find("none to compute"), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(served_by("1", Topology::uniform(1, 1)), Error);
}

TEST(Servers, TheRequestIsUnderstoodAndToldTheSame) {
  for (const std::string text : {"none", "threads", "servers:7", "servers:1/8", "servers:3/16", "servers:ratio 2",
                                 "servers:1 per node", "servers:12 per node", "auto", "auto:1 per node", "auto:2"})
    EXPECT_EQ(async_mode_text(parse_async_mode(text)), text);
  EXPECT_EQ(async_mode_text(parse_async_mode("servers")), "servers:1 per node");
  EXPECT_EQ(async_mode_text(parse_async_mode("servers:0")), "none");
  for (const std::string text : {"",
                                 "2",
                                 "servers:",
                                 "servers:-1",
                                 "servers:1.5",
                                 "servers:8/8",
                                 "servers:9/8",
                                 "servers:0/4",
                                 "servers:1/0",
                                 "servers:ratio 1",
                                 "servers:ratio",
                                 "servers:0 per node",
                                 "servers:all",
                                 "servers:4 ",
                                 "servers:99999999999",
                                 "none:1",
                                 "threads:1",
                                 "auto:",
                                 "auto:0",
                                 "auto:auto",
                                 "auto:threads",
                                 "auto:auto:1",
                                 "auto 1"})
    EXPECT_THROW(parse_async_mode(text), Error) << "'" << text << "'";
}

TEST(Groups, AreNeighboursAndAsEvenAsCanBe) {
  const Ranks servers{2, 3, 5, 7, 11};
  for (int groups = 1; groups <= 8; ++groups) {
    const auto all = groups_of(servers, groups);
    ASSERT_EQ(std::ssize(all), std::min(groups, 5));
    Ranks together;
    size_t least = servers.size(), most = 0;
    for (const Ranks &group : all) {
      together.insert(together.end(), group.begin(), group.end());
      least = std::min(least, group.size());
      most = std::max(most, group.size());
    }
    EXPECT_EQ(together, servers);
    EXPECT_LE(most, least + 1);
    EXPECT_GE(least, 1u);
  }
}

TEST(Crews, KnowWhoIsWhat) {
  const Crew crew = crew_of({3, 7}, 1, {{0, 1, 2}, {4, 5, 6}});
  for (const int server : crew.servers) {
    EXPECT_TRUE(crew.serves(server));
    EXPECT_EQ(crew.component_of(server), -1);
  }
  EXPECT_FALSE(crew.serves(0));
  EXPECT_EQ(crew.component_of(2), 0);
  EXPECT_EQ(crew.component_of(5), 1);
  const Topology topology = Topology::uniform(8, 4);
  EXPECT_EQ(crew.clients_on(0, 0, topology), (Ranks{0, 1, 2}));
  EXPECT_EQ(crew.clients_on(0, 1, topology), Ranks{});
  EXPECT_EQ(crew.servers_on(1, topology), Ranks{7});
}

/// Every server gets the commands of every component from one client, of its own node if there is one; and clients
/// share the sending.
TEST(Crews, TellersAreOnTheNodeOfTheServerWhereSomebodyIs) {
  for (int ranks = 2; ranks <= 20; ++ranks)
    for (int per_node = 1; per_node <= 6; ++per_node)
      for (int servers = 1; servers < ranks; ++servers) {
        const Topology topology = Topology::uniform(ranks, per_node);
        const Ranks taken =
            served_by(std::to_string(servers), topology, servers % 2 == 0 ? Placement::last : Placement::spread);
        std::vector<Ranks> clients(1);
        for (int rank = 0; rank < ranks; ++rank)
          if (!std::binary_search(taken.begin(), taken.end(), rank)) clients[0].push_back(rank);
        if (clients[0].size() > 2) {  // a second component, of every third of them
          clients.emplace_back();
          for (size_t i = 0; i < clients[0].size(); i += 3) clients[1].push_back(clients[0][i]);
          std::erase_if(clients[0],
                        [&](int rank) { return std::count(clients[1].begin(), clients[1].end(), rank) > 0; });
        }
        const Crew crew = crew_of(taken, 1, clients);
        for (int c = 0; c < std::ssize(clients); ++c)
          for (const int server : taken) {
            const int command_source = crew.command_source(c, server, topology);
            ASSERT_EQ(crew.component_of(command_source), c);
            const int node = topology.node_of[static_cast<size_t>(server)];
            ASSERT_TRUE(topology.same_node(command_source, server) || crew.clients_on(node, c, topology).empty())
                << "server " << server << " of " << ranks << " ranks, " << per_node << " on a node";
          }
      }
}

TEST(Crews, ManyServersWithoutClientsAreToldByDifferentOnes) {
  const Topology topology = Topology::uniform(8, 4);
  const Crew crew = crew_of({4, 5, 6, 7}, 1, {{0, 1, 2, 3}});
  std::set<int> command_sources;
  for (const int server : crew.servers) command_sources.insert(crew.command_source(0, server, topology));
  EXPECT_EQ(command_sources.size(), 4u);
}

}  // namespace
