// A session's records of its own work: the identity of this process, and the place of its trace.
#include <algorithm>
#include <set>
#include <system_error>

#include "base/json.hpp"
#include "config/configuration.hpp"
#include "engine/session.hpp"
#include "sverdrup/sverdrup.h"
#include "trace/cores.hpp"
#include "trace/world.hpp"

namespace sv {

void Session::open_trace() {
  if (settings_.trace.empty()) return;
  try {
    own_steps_ = std::make_unique<trace::Steps>(trace::Place{
        .directory = settings_.trace, .producer = trace::Producer::library, .ring_bytes = settings_.trace_bytes});
  } catch (const std::system_error &error) {
    throw system_error(error.code().value(), std::string("'trace': nothing can be recorded: ") + error.what(),
                       settings_.trace);
  }
  own_steps_->recorder().header().flags |= trace::initialized_mpi;
  own_steps_->recorder().note(trace::cores_note());
}

/// The launchers' numbers must be different; otherwise ranks count as in this communicator.
void Session::number_ranks() {
  const trace::World world = trace::world_of_environment();
  std::vector<int> numbers = comm_.all_gather<int>(std::span<const int>(&world.rank, 1));
  const std::set<int> different(numbers.begin(), numbers.end());
  const bool known = *different.begin() >= 0 && std::ssize(different) == std::ssize(numbers);
  for (int rank = 0; !known && rank < comm_.size(); ++rank) numbers[static_cast<size_t>(rank)] = rank;
  own_steps_->name(numbers[static_cast<size_t>(comm_.rank())], known ? world.ranks : comm_.size());
  own_steps_->ranks = std::move(numbers);
}

void Session::note_run(const Comm &all) const {
  const char *const role = servers_ == 0 ? "both" : is_model() ? "client" : "server";
  own_steps_->recorder().note(json_object({{"kind", json_text("run")},
                                           {"version", json_text(SV_VERSION)},
                                           {"rank", json_number(int64_t{all.rank()})},
                                           {"ranks", json_number(int64_t{all.size()})},
                                           {"role", json_text(role)},
                                           {"servers", json_number(int64_t{servers_})},
                                           {"settings", settings_json(settings_)}}));
}

}  // namespace sv
