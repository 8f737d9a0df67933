// Many small schedules as one: those of a round are next to each other in the window, and a rank's parts of all of them
// for one writer form one slice. Fields that are brought one by one (chunks, whose file positions we do not know) cost
// a meeting of all ranks each, so they share it. transfer/small_fields.hpp makes one. Local; the same on all ranks.
#pragma once

#include <functional>
#include <vector>

#include "packing/schedule.hpp"
#include "packing/source.hpp"
#include "plan/plan.hpp"

namespace sv {

class SideBySide final : public Schedule {
 public:
  /// Each of `all` has one round, and outlives this. `budget`: of a round, in which one of them has room by itself.
  SideBySide(std::vector<const Schedule *> all, const Topology &topology, const Budget &budget);

  /// The part of a slice that belongs to one of the schedules, and its beginning in the slice.
  struct Portion {
    int schedule, sink;
    int64_t begin_bytes;
  };
  const std::vector<Portion> &portions(int sink, int round) const { return slice(sink, round).portions; }
  /// The schedules of a round: from the first of them to behind the last.
  int first(int round) const { return firsts_[static_cast<size_t>(round)]; }
  int last(int round) const { return firsts_[static_cast<size_t>(round) + 1]; }

  int rounds() const override { return static_cast<int>(std::ssize(firsts_)) - 1; }
  int sinks() const override { return static_cast<int>(std::ssize(writers_)); }
  int rank_of(int sink) const override { return writers_[static_cast<size_t>(sink)]; }
  std::vector<int> sinks_of_node(int node) const override { return of_node_[static_cast<size_t>(node)]; }
  int64_t slice_begin(int sink, int round) const override { return slice(sink, round).begin_bytes; }
  int64_t slice_bytes(int sink, int round) const override { return slice(sink, round).bytes; }
  int64_t bytes_of(int rank, int sink, int round) const override;
  void spread(const Part &part, const std::byte *message, std::byte *slice) const override;
  void gather(const Part &part, const std::byte *slice, std::byte *message) const override;
  bool fills() const override;
  void fill(int sink, int round, std::byte *slice) const override;

 private:
  struct Slice {
    std::vector<Portion> portions;
    int64_t begin_bytes = 0, bytes = 0;
  };
  void find_writers(const Topology &topology);
  void begin_round(int first);
  void place(int schedule);
  void set_begins();
  const Schedule &of(const Portion &portion) const { return *all_[static_cast<size_t>(portion.schedule)]; }
  const Slice &slice(int sink, int round) const {
    return slices_[static_cast<size_t>(round) * writers_.size() + static_cast<size_t>(sink)];
  }

  const std::vector<const Schedule *> all_;
  std::vector<int> writers_;               // the ranks of sinks, ascending
  std::vector<std::vector<int>> of_node_;  // sinks
  std::vector<int> firsts_;                // schedules that begin rounds, and their number
  std::vector<Slice> slices_;              // by round and sink
};

/// A rank's parts of all of them.
class SideBySideSource final : public Source {
 public:
  /// `sources`: by schedule. Both outlive it.
  SideBySideSource(const SideBySide &schedule, std::vector<Source *> sources)
      : schedule_(schedule), sources_(std::move(sources)) {}

  int64_t put(int sink, int round, Form form, std::byte *to) override {
    int64_t bytes = 0;
    for (const SideBySide::Portion &each : schedule_.portions(sink, round))
      bytes += sources_[static_cast<size_t>(each.schedule)]->put(
          each.sink, 0, form, to + (form == Form::compact ? bytes : each.begin_bytes));
    return bytes;
  }

 private:
  const SideBySide &schedule_;
  const std::vector<Source *> sources_;
};

}  // namespace sv
