#include "states.hpp"

#include <algorithm>
#include <memory>
#include <random>
#include <set>

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

/// The losses of power at one moment, which differ in how many changes of names are kept, and in which data are lost.
/// A run of many small files has a hundred million of them, so that they are numbered, and made when one is asked for.
struct Losses {
  State like;
  int names;                                        // changes of names that may be kept
  std::shared_ptr<const std::vector<int>> pending;  // operations on data that may be lost

  uint64_t size() const { return (static_cast<uint64_t>(names) + 1) * of_data(); }
  State operator[](uint64_t number) const {
    constexpr int sectors[] = {0, 512, 4096};
    State state = like;
    state.names_kept = static_cast<int>(number / of_data());
    number %= of_data();
    if (number < 2) {
      state.loss = number == 0 ? Loss::none : Loss::all;
      return state;
    }
    number -= 2;
    state.loss = number < 3 * pending->size() ? Loss::lose_one : Loss::keep_one;
    state.victim = (*pending)[number / 3 % pending->size()];
    state.sector = sectors[number % 3];
    state.seed = static_cast<uint64_t>(state.operations);
    return state;
  }

 private:
  uint64_t of_data() const { return pending->empty() ? 1 : 2 + 2 * 3 * pending->size(); }
};

std::vector<Losses> all_losses(const Log &log) {
  std::vector<Losses> all;
  at_every_moment(log, [&](const Disk &disk) {
    const auto pending = std::make_shared<const std::vector<int>>(disk.pending_data());
    for (const Names model : {Names::own, Names::with_data}) {
      const int directories = disk.pending_directories(model);
      for (int only = -1; only < (directories > 1 ? directories : 0); ++only)
        all.push_back({power_loss(disk, model, 0, only), disk.pending_names(model, only), pending});
    }
  });
  return all;
}

/// At most `count` of the numbers below `size`, sorted.
std::set<uint64_t> some_numbers(uint64_t size, size_t count, uint64_t seed) {
  std::mt19937_64 dice(seed);
  std::set<uint64_t> numbers;
  while (numbers.size() < std::min<uint64_t>(size, count))
    numbers.insert(size <= count ? numbers.size() : dice() % size);
  return numbers;
}

}  // namespace

std::vector<State> kill_states(const Log &log, size_t count, uint64_t seed) {
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
  std::vector<State> chosen;
  for (const uint64_t number : some_numbers(states.size(), count, seed)) chosen.push_back(states[number]);
  return chosen;
}

std::vector<State> systematic_states(const Log &log, size_t count, uint64_t seed) {
  const std::vector<Losses> all = all_losses(log);
  uint64_t size = 0;
  for (const Losses &each : all) size += each.size();
  std::vector<State> states;
  auto of = all.begin();
  uint64_t before = 0;  // states of the losses before `of`
  for (const uint64_t number : some_numbers(size, count, seed)) {
    while (number - before >= of->size()) before += (of++)->size();
    states.push_back((*of)[number - before]);
  }
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

}  // namespace svcrash
