// The messages of single ranks: one per rank, receiver and round, as if ranks of a node were not combined.
#pragma once

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "scene.hpp"

namespace sv_plan {

/// Finds the I/O domain a cell lies in. Domains form a grid of columns and rows, perhaps with gaps.
class DomainIndex {
 public:
  explicit DomainIndex(const std::vector<sv::IoDomain> &domains);
  /// Index into the domains; -1 where no rank owns anything in that column and row of domains.
  int of(const sv::Index &cell) const;

 private:
  std::vector<int64_t> columns_, rows_;               // first cells, ascending
  std::map<std::pair<int64_t, int64_t>, int> known_;  // by first row and column
};

class Messages {
 public:
  explicit Messages(const Scene &scene);
  /// Calls visit(receiver's rank, elements) for each message of `patch`, a source of `stage`, in the order of the file;
  /// those to the rank itself and to ranks of its node, which are no messages but copies, too.
  void of(int stage, const sv::Patch &patch, const std::function<void(int rank, int64_t elements)> &visit) const;

 private:
  /// The part of a sink in a round: ends before position `end`.
  struct Chunk {
    int64_t end;
    int rank;
  };

  const Scene &scene_;
  DomainIndex domains_;
  std::vector<Chunk> chunks_;  // of the field, where ranges of it have writers; ascending
};

/// The elements from one rank to another, over all rounds.
struct Flow {
  int stage, from, to;
  int64_t elements;
};
/// The first `most` of them, by stage and sender; `all`: how many there are.
struct FlowList {
  std::vector<Flow> flows;
  int64_t all = 0;
};
FlowList list_flows(const Scene &scene, int most);

}  // namespace sv_plan
