// The numbers of a plan: the data that each rank sends, writes and holds in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "points.hpp"
#include "prediction/traffic.hpp"
#include "scene.hpp"

namespace sv_plan {

/// A rank that receives in a stage: an I/O PE, or a writer. Bytes over all rounds.
struct Receiver {
  int stage, rank;
  int64_t bytes = 0;           // from any rank, itself included
  int64_t own_node_bytes = 0;  // of them, copied inside its node
  int64_t messages = 0;        // from other nodes, one per node and round
};

struct NodeLoad {
  int64_t sent_bytes = 0, messages = 0, received_bytes = 0;
  int64_t peak_bytes = 0;  // of its window that are ever in use, both halves
};

/// How many writers the stripes of the file have.
struct Stripes {
  int64_t all = 0;
  int64_t examined = 0;  // the first ones, where there are very many; levels repeat themselves
  int64_t shared = 0;    // of those examined, with several writers
  int most = 0;
  double mean = 0;
};

struct Study {
  std::vector<sv::Traffic> by_rank;
  sv::Traffic total;
  std::vector<Receiver> receivers;  // by stage, then rank
  std::vector<NodeLoad> nodes;
  std::vector<std::vector<int64_t>> matrix;  // bytes by receiver and node; empty where that would be large
  // Of blocks, not of points: one per rank, receiver and round.
  int64_t messages_before = 0;  // between nodes, if every rank sent for itself
  int64_t copies = 0;           // inside nodes; no messages
  Stripes stripes;              // of routes that write one file
  int64_t pool_bytes = 0;       // of a node's window
  PointMemory points;           // of plans of points

  int64_t peak_bytes() const;
  int peak_node() const;
  int64_t most_received() const;  // by a receiver, in all rounds
  int writers() const;            // ranks that write
};

Study study_of(const Scene &scene);

}  // namespace sv_plan
