// How ranks tell each other what they ask for. Regions that come again (of the next variable, the next record) are told
// once.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "engine/request_table.hpp"

namespace sv {

constexpr int every_rank = -1;

/// Which records a request is about: 0 and 1 for variables without.
struct RecordRange {
  int64_t first, count, apart;
};

/// Regions of a field, not empty; without the record dimension.
struct RegionSet {
  struct Region {
    int place;  // in the request
    Strided cells;
  };
  int id;  // of all sets of a call
  std::vector<Region> regions;
};
using RegionSets = std::deque<RegionSet>;

/// A request, or those of its regions that are of the same records.
struct Entry {
  int rank;  // or every_rank
  int request, place;
  int variable;
  Asked::Kind kind;
  int64_t decomp;  // distributed
  RecordRange records;
  const RegionSet *regions = nullptr;
  std::shared_ptr<const Layout> layout{};  // distributed: left to be found
};

std::vector<int64_t> encoded(const File &file, const Gathering &gathering);
/// Appends the entries of a rank. They point into `sets`.
void decode(int rank, std::span<const int64_t> numbers, RegionSets &sets, std::vector<Entry> &entries);

}  // namespace sv
