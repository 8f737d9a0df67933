// Encodes requests that ranks exchange. Repeated regions (of the next variable, the next record) are sent once.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "transfer/asked_fields.hpp"

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

/// Claims of all ranks on a field; or, where puts share cells, whose do.
struct KnownClaims {
  std::shared_ptr<const Claims> claims;
  std::vector<std::pair<size_t, size_t>> conflicts;  // each entry (as they stand in the key) and one it conflicts with
};

/// The exchanged requests of the ranks of a file, and the result: the same requests come again with every step. Except
/// `told`, equal on all ranks.
struct RequestMemory {
  std::map<std::vector<int64_t>, int64_t> registered;   // this rank's sets, by their contents
  std::deque<RegionSet> sets;                           // of all ranks
  std::vector<std::vector<const RegionSet *>> of_rank;  // by rank, in the order in which they were sent
  std::map<std::vector<int64_t>, KnownClaims> known;
  int64_t regions = 0, claims = 0;  // in all of them

  /// Begins anew where it has become large.
  void bound();
};

/// A request, or those of its regions that are of the same records.
struct Entry {
  int rank;  // or every_rank
  int request, place;
  int variable;
  RequestArgs::Kind kind;
  int64_t decomp;  // distributed
  RecordRange records;
  const RegionSet *regions = nullptr;
  std::shared_ptr<const Layout> layout{};  // distributed: left to be found
};

/// `fresh`: sets that are sent for the first time; to be remembered once all have received them.
struct Encoded {
  std::vector<int64_t> numbers;
  std::map<std::vector<int64_t>, int64_t> fresh;
};
Encoded encoded(const RequestList &list, const RequestMemory &memory);
/// Appends the entries of a rank. They point into `memory`.
void decode(int rank, std::span<const int64_t> numbers, RequestMemory &memory, std::vector<Entry> &entries);

}  // namespace sv
