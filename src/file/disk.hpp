// The durable part of a context: the number of ended steps, the closed files that must still be synchronised, and the
// thread that synchronises. State; src/engine/durability.cpp acts on it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "file/syncer.hpp"
#include "store/unsynced_files.hpp"

namespace sv {

class Disk {
 public:
  int64_t steps_ended() const { return steps_; }
  void end_step() { ++steps_; }
  /// Local. Of servers: whose files they are that are written now, by how many steps have ended for these.
  void at_step(int64_t steps) { steps_ = steps; }

  /// As servers have reported.
  void served(int64_t durable_steps) { served_steps_ = std::max(served_steps_, durable_steps); }
  int64_t served_steps() const { return served_steps_; }
  /// Of files that are gone: how many steps of them are on the disk. All, once closed files were synchronised.
  void released(int64_t durable_steps) { released_steps_ = std::min(released_steps_, durable_steps); }
  void synchronised() { released_steps_ = INT64_MAX; }
  int64_t released_steps() const { return released_steps_; }

  UnsyncedFiles &unsynced_files() { return unsynced_files_; }
  Syncer &syncer() { return syncer_; }
  /// The number of the next request to synchronise, the same on all ranks.
  int64_t next_request() { return ++requests_; }
  /// How many there were.
  int64_t requests() const { return requests_; }

 private:
  int64_t steps_ = 0, served_steps_ = 0, released_steps_ = INT64_MAX, requests_ = 0;
  UnsyncedFiles unsynced_files_;
  Syncer syncer_;
};

}  // namespace sv
