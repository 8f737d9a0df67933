// The chunks of a written file that one rank has encoded: bodies without a place in the file,
// and the places of written ones. A store has one Bodies; it reads and writes no file itself.
// Local.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <vector>

#include "backend/netcdf4/encoder.hpp"
#include "backend/netcdf4/storage.hpp"

namespace sv::netcdf4 {

/// Ready to be written.
struct Body {
  ChunkKey key;
  std::span<const std::byte> bytes;  // in the room of its batch
  uint32_t mask = 0;                 // of filters that it has not passed through
};

/// A body, as announced to the owner.
struct Wanted {
  ChunkKey key;
  int64_t bytes;
  uint32_t mask = 0;
};

/// Bodies that get their places together. One without bytes was encoded again since: it is not to be written.
struct Batch {
  std::vector<Body> bodies;
  std::map<ChunkKey, size_t> at;  // where in `bodies`
  std::vector<BodyRoom> rooms;    // of the encoders, once it is complete
};

struct Bodies {
  Batch waiting;                     // not announced to the other ranks yet
  std::deque<Batch> awaiting_place;  // whose places have not come yet, oldest first
  std::map<ChunkKey, ChunkPlace> places;

  /// The latest of a chunk that stands in memory only; empty where there is none.
  StoredBody body_of(const ChunkKey &key) const {
    const auto stored = [](const Body &body) { return StoredBody{body.bytes, body.mask}; };
    if (const auto found = waiting.at.find(key); found != waiting.at.end())
      return stored(waiting.bodies[found->second]);
    for (auto batch = awaiting_place.rbegin(); batch != awaiting_place.rend(); ++batch)
      if (const auto found = batch->at.find(key); found != batch->at.end()) return stored(batch->bodies[found->second]);
    return {};
  }
};

}  // namespace sv::netcdf4
