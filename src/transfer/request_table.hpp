// The requests of all ranks in one call or wait, brought together: fields, and the claims on them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plan/combined.hpp"
#include "transfer/request_codec.hpp"
#include "transfer/run_table.hpp"

namespace sv {

/// This rank's requests on the fields of a band.
struct OwnRequests {
  int orders = 0;          // on each field
  std::vector<int> asked;  // for each record of the band, and each order: place in the rank's list

  int at(int64_t record, int order) const { return asked[static_cast<size_t>(record * orders + order)]; }
};

struct AskedFields {
  std::vector<Band> bands;
  std::vector<OwnRequests> own;           // of each band; nothing where there is a table
  std::shared_ptr<const RunTable> table;  // where ranks ask different things: whose the cells are; else nullptr
  std::vector<Refusal> refused;           // they have no part in the bands
  bool any = false;                       // whether a rank asks for something
  bool complaint = false, more = false;   // whether a rank has said so
  int64_t hash = 0;                       // of asked_alike: of this rank's requests; equal on all ranks then
};

/// Collective. Puts that share cells are both rejected, unless the file lets the later one win. `call` names the call,
/// for comparison. Throws on every rank the error of one of them.
AskedFields exchange_requests(File &file, const std::string &call, const Gathering &gathering);

/// Local. The requests of all ranks, if all are equal to this rank's. nullopt if only an exchange decides it (regions),
/// or there is no request. Throws as exchange_requests would.
std::optional<AskedFields> asked_alike(File &file, const Gathering &gathering);

}  // namespace sv
