// The requests of one collective call: the list of this rank, and the fields that the lists of all ranks request
// together. A batch (engine/batch.hpp) and the puts of a step (engine/recorded.hpp) make a list, request_table.hpp
// brings the lists together, and combined_transfer.hpp carries the fields out. Values.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "plan/combined.hpp"
#include "transfer/requests.hpp"

namespace sv {

struct RunTable;

/// The requests of this rank.
struct RequestList {
  File &file;
  std::string call;  // names the call, for comparison and messages
  Direction direction;
  bool alike = false;                    // all ranks make the same calls: a cell that one of them omits is put by none
  std::vector<const Request *> mine{};   // all of this direction, checked; borrowed
  std::vector<int> places{};             // of each, in the list of the caller: for messages
  bool complaint = false, more = false;  // sent to all: found an error, has requests of the other direction, too
};

/// A request that others forbid: equal on all ranks.
struct Refusal {
  int rank;     // -1: of every rank
  int request;  // its place in that rank's list
  std::string cause;
};

/// This rank's requests on the fields of a band.
struct OwnRequests {
  int orders = 0;          // on each field
  std::vector<int> asked;  // for each record of the band, and each order: place in the rank's list

  int at(int64_t record, int order) const { return asked[static_cast<size_t>(record * orders + order)]; }
};

struct AskedFields {
  RequestList list;  // this rank's
  std::vector<Band> bands{};
  std::vector<OwnRequests> own{};           // of each band; nothing where there is a table
  std::shared_ptr<const RunTable> table{};  // where ranks ask different things: whose the cells are; else nullptr
  std::vector<Refusal> refused{};           // they have no part in the bands
  bool any = false;                         // whether a rank asks for something
  bool complaint = false, more = false;     // whether a rank has said so
  int64_t hash = 0;                         // of asked_alike: of this rank's requests; equal on all ranks then

  File &file() const { return list.file; }
  const Request &mine(int request) const { return *list.mine[static_cast<size_t>(request)]; }
};

}  // namespace sv
