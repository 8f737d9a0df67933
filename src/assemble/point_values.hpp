// A rank's points on their way to and from the sinks of a plan of one field.
#pragma once

#include <algorithm>
#include <memory>

#include "assemble/patch_source.hpp"
#include "assemble/patch_target.hpp"
#include "assemble/point_schedules.hpp"

namespace sv {

/// The caller's points, on their way to the sinks of a kind of schedule.
template <class Kind>
class CallersPoints : public FieldSource {
 public:
  CallersPoints(const Plan &plan, int rank, const PointView &view, const PackRow &row)
      : rank_(rank), row_(row), schedule_(plan, 0), plan_(plan), view_(view) {}

  int64_t write_message(int sink, int round, std::byte *message) override {
    const int64_t bytes = schedule_.bytes_of(rank_, sink, round);
    if (bytes > 0)
      out_of_range += pack_points_compact(mine(), schedule_.ranges(sink, round), element_bytes(), row_, message);
    return bytes;
  }

 protected:
  PointsInMemory mine() const {
    const PointTable &points = *plan_.stages.front().sources->points();
    return {points.of(rank_), points.local(), view_};
  }
  int64_t element_bytes() const { return plan_.field.element_bytes; }

  const int rank_;
  const PackRow &row_;
  const Kind schedule_;

 private:
  const Plan &plan_;
  const PointView &view_;
};

/// Packed straight into place.
class PointSource final : public CallersPoints<StageSchedule> {
 public:
  using CallersPoints::CallersPoints;

  int64_t place(int sink, int round, std::byte *slice) override {
    out_of_range += pack_points(mine(), schedule_.ranges(sink, round), element_bytes(), row_, slice);
    return schedule_.bytes_of(rank_, sink, round);
  }
};

/// Packed into one body for each sink that collects.
class BodySource final : public CallersPoints<CollectSchedule> {
 public:
  using CallersPoints::CallersPoints;

  int64_t place(int sink, int round, std::byte *slice) override {
    if (schedule_.bytes_of(rank_, sink, round) == 0) return 0;
    return write_message(sink, round, slice + schedule_.body_begin({rank_, sink, round}));
  }
};

/// What a primary has collected, on its way to the writers: put in order.
class PrimarySource final : public Source {
 public:
  PrimarySource(const Plan &plan, int rank, Slices collected)
      : plan_(plan), collected_(std::move(collected)), first_sink_(first_sink(plan, rank)) {}

  int64_t place(int sink, int round, std::byte *slice) override {
    if (first_sink_ < 0) return 0;
    const PointTable &points = *plan_.stages.front().sources->points();
    const CellRanges ranges = bodies_.ranges(first_sink_ + sink, round);
    int64_t bytes = 0;
    for_bodies(sink, round, [&](int rank, const std::byte *body) {
      spread_points(points.of(rank), ranges, plan_.field.element_bytes, body, slice);
      bytes += bodies_.bytes_of(rank, first_sink_ + sink, round);
    });
    return bytes;
  }
  int64_t write_message(int sink, int round, std::byte *message) override {
    if (first_sink_ < 0 || plan_.collects_all()) return place(sink, round, message);
    int64_t bytes = 0;
    for_bodies(sink, round, [&](int rank, const std::byte *body) {
      const int64_t own = bodies_.bytes_of(rank, first_sink_ + sink, round);
      std::copy_n(body, own, message + bytes);
      bytes += own;
    });
    return bytes;
  }

 private:
  /// Of those that this rank collects for the writers; −1 where it is no primary.
  static int first_sink(const Plan &plan, int rank) {
    const std::vector<int> &primaries = plan.route.primaries;
    const auto found = std::find(primaries.begin(), primaries.end(), rank);
    const auto writers = static_cast<int>(plan.stages.back().sinks.size());
    return found == primaries.end() ? -1 : static_cast<int>(found - primaries.begin()) * writers;
  }
  template <class Visit>
  void for_bodies(int sink, int round, Visit &&visit) const {
    const int from = first_sink_ + sink;
    bodies_.for_bodies(from, round, collected_(from, round), visit);
  }

  const Plan &plan_;
  const Slices collected_;
  const int first_sink_;
  const CollectSchedule bodies_{plan_, 0};
};

/// The caller's array, unpacked straight from what was read.
class PointTarget final : public FieldTarget {
 public:
  PointTarget(const Plan &plan, int rank, const PointView &view, const UnpackRow &row)
      : plan_(plan), points_(*plan.stages.front().sources->points()), rank_(rank), view_(view), row_(row) {}

  void take(int sink, int round, const std::byte *slice) override {
    out_of_range += unpack_points(mine(), schedule_.ranges(sink, round), plan_.field.element_bytes, row_, slice);
  }
  void read_message(int sink, int round, const std::byte *message) override {
    out_of_range +=
        unpack_points_compact(mine(), schedule_.ranges(sink, round), plan_.field.element_bytes, row_, message);
  }

 private:
  PointsInMemory mine() const { return {points_.of(rank_), points_.local(), view_}; }

  const Plan &plan_;
  const PointTable &points_;
  const int rank_;
  const PointView &view_;
  const UnpackRow &row_;
  const StageSchedule schedule_{plan_, 0};
};

/// Of a field with these pieces, by the layout of the plan; all of them must outlive it.
inline std::unique_ptr<FieldSource> source_of(const Plan &plan, int rank, const FieldPieces<PackRow> &pieces) {
  const bool bodies = !plan.groups.empty();
  if (pieces.points != nullptr && bodies) return std::make_unique<BodySource>(plan, rank, *pieces.points, *pieces.row);
  if (pieces.points != nullptr) return std::make_unique<PointSource>(plan, rank, *pieces.points, *pieces.row);
  return std::make_unique<ArraySource>(plan, rank, pieces.of_patch);
}
/// What is passed on from the first stage of such a plan to the second.
inline std::unique_ptr<Source> passed_on_source(const Plan &plan, int rank, Slices collected) {
  if (!plan.groups.empty()) return std::make_unique<PrimarySource>(plan, rank, std::move(collected));
  return std::make_unique<CollectedSource>(plan, rank, std::move(collected));
}
inline std::unique_ptr<FieldTarget> target_of(const Plan &plan, int rank, const FieldPieces<UnpackRow> &pieces) {
  if (pieces.points != nullptr) return std::make_unique<PointTarget>(plan, rank, *pieces.points, *pieces.row);
  return std::make_unique<ArrayTarget>(plan, rank, pieces.of_patch);
}

}  // namespace sv
