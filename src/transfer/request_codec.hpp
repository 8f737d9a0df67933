// Encodes requests that ranks exchange. Repeated regions (of the next variable, the next record) are sent once.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "transfer/requests.hpp"

namespace sv {

/// Requests that this rank brings to a call.
struct Gathering {
  Direction direction;
  std::vector<const Request *> mine;  // this rank's, all of this direction, checked
  std::vector<int> places;            // of each, in the list of the caller: for messages
  bool complaint = false;             // sent to all: this rank has found an error
  bool more = false;                  // sent to all: it has requests of the other direction, too
  bool alike = false;                 // all ranks make the same calls: a cell that one of them omits is put by none
};

constexpr int every_rank = -1;

/// A request that others forbid: equal on all ranks.
struct Refusal {
  int rank;     // -1: of every rank
  int request;  // its place in that rank's list
  std::string cause;
};

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
Encoded encoded(const File &file, const Gathering &gathering, const RequestMemory &memory);
/// Appends the entries of a rank. They point into `memory`.
void decode(int rank, std::span<const int64_t> numbers, RequestMemory &memory, std::vector<Entry> &entries);

}  // namespace sv
