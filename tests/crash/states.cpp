#include "states.hpp"

#include <algorithm>
#include <random>

namespace svcrash {
namespace {

constexpr int64_t page = 4096;

/// Calls `at` before every operation that changes something, and after the last one.
template <typename Action>
void at_every_moment(const Log &log, Action action) {
  Disk disk(log);
  for (const Operation &operation : log.operations) {
    if (operation.kind != Kind::mark) action(disk);
    disk.advance();
  }
  action(disk);
}

State power_loss(const Disk &disk, Names names, int names_kept, int names_only) {
  State state;
  state.operations = disk.done();
  state.crash = Crash::power;
  state.names = names;
  state.names_kept = names_kept;
  state.names_only = names_only;
  return state;
}

void add_losses(std::vector<State> &states, State state, const std::vector<int> &pending) {
  for (const Loss loss : {Loss::none, Loss::all}) {
    state.loss = loss;
    states.push_back(state);
    if (pending.empty()) return;
  }
  for (const Loss loss : {Loss::lose_one, Loss::keep_one})
    for (const int victim : pending)
      for (const int sector : {0, 512, 4096}) {
        state.loss = loss;
        state.victim = victim;
        state.sector = sector;
        state.seed = static_cast<uint64_t>(state.operations);
        states.push_back(state);
      }
}

}  // namespace

std::vector<State> kill_states(const Log &log) {
  std::vector<State> states;
  at_every_moment(log, [&](const Disk &disk) {
    State state;
    state.operations = disk.done();
    states.push_back(state);
    if (static_cast<size_t>(disk.done()) == log.operations.size()) return;
    const Operation &next = log.operations[static_cast<size_t>(disk.done())];
    if (next.kind != Kind::write) return;
    for (int64_t cut = (next.offset / page + 1) * page; cut < next.offset + next.length; cut += page) {
      state.kept_bytes = cut - next.offset;
      states.push_back(state);
    }
  });
  return states;
}

std::vector<State> systematic_states(const Log &log) {
  std::vector<State> states;
  at_every_moment(log, [&](const Disk &disk) {
    const std::vector<int> pending = disk.pending_data();
    for (const Names model : {Names::own, Names::with_data}) {
      const int directories = disk.pending_directories(model);
      for (int only = -1; only < (directories > 1 ? directories : 0); ++only)
        for (int kept = 0; kept <= disk.pending_names(model, only); ++kept)
          add_losses(states, power_loss(disk, model, kept, only), pending);
    }
  });
  return states;
}

std::vector<State> random_states(const Log &log, size_t count, uint64_t seed) {
  std::mt19937_64 dice(seed);
  std::vector<int> moments(count);
  for (int &moment : moments) moment = static_cast<int>(dice() % (log.operations.size() + 1));
  std::sort(moments.begin(), moments.end());
  std::vector<State> states;
  Disk disk(log);
  for (const int moment : moments) {
    while (disk.done() < moment) disk.advance();
    const Names model = dice() % 2 == 0 ? Names::own : Names::with_data;
    const int directories = disk.pending_directories(model);
    const int only = directories > 1 ? static_cast<int>(dice() % static_cast<uint64_t>(directories + 1)) - 1 : -1;
    const auto changes = static_cast<uint64_t>(disk.pending_names(model, only));
    State state = power_loss(disk, model, static_cast<int>(dice() % (changes + 1)), only);
    constexpr int sectors[] = {0, 512, 4096};
    state.loss = Loss::random;
    state.sector = sectors[dice() % 3];
    state.seed = dice();
    states.push_back(state);
  }
  return states;
}

std::vector<State> some_of(std::vector<State> states, size_t count, uint64_t seed) {
  if (states.size() <= count) return states;
  std::mt19937_64 dice(seed);
  std::vector<State> chosen;
  for (size_t left = states.size(); left > 0; --left)  // each with the chance that keeps `count`
    if (dice() % left < count - chosen.size()) chosen.push_back(states[states.size() - left]);
  return chosen;
}

}  // namespace svcrash
