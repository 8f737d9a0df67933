// How a server writes the rounds of a put when they have arrived from all clients: each slice by itself, or, where
// primaries among the servers have collected points, after these have brought them to their places in the file (Pang et
// al. 2023, Sect. 4.3).
#pragma once

#include "packing/kept_schedule.hpp"
#include "packing/written_parts.hpp"
#include "servers/server_context.hpp"
#include "servers/stream.hpp"

namespace sv {

class PutRounds {
 public:
  /// All must outlive it. `put` has its arrival.
  PutRounds(ServerContext &server_context, Landing &landing, ServedFile &served, const QueuedCommand &put);

  /// Collective over the servers of a group where the store's calls are; local otherwise.
  void write(int round);
  /// Collective. Until all primaries have the next round: models may take any time for it, which an exchange would not
  /// grant. False when the models have ended.
  bool await_primaries();
  /// Collective.
  void write_collected(int round);

 private:
  class DeferredSink;
  bool fills() const;
  std::vector<SliceInParts::Run> runs_of(const WrittenParts &parts, const Share &share) const;
  std::function<void(std::byte *slice)> ordering_of(const Arrival::Slice &slice, int round);
  std::vector<ArrivedRun> runs_in_order(int round, std::vector<std::vector<std::byte>> &ordered);
  void write_together(int round);
  Plan scattering_plan_for(int round) const;
  void give_back(int round);

  ServerContext &server_context_;
  Landing &landing_;
  ServedFile &served_;
  File &file_;
  const Layout &layout_;
  const MovedField field_;
  const Arrival &arrival_;
  const Plan &plan_;
  std::shared_ptr<const KeptSchedule> kept_;
};

}  // namespace sv
