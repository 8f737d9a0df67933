// A rank's points on their way to and from the sinks of a plan of one field.
#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>

#include "packing/patch_values.hpp"
#include "packing/point_schedules.hpp"

namespace sv {

/// The caller's points, on their way to the sinks of a kind of schedule: packed straight into place, or into one body
/// for each sink that collects.
template <class Kind>
class CallersPoints final : public FieldSource {
 public:
  CallersPoints(const Plan &plan, int rank, const PointView &view, const PackRow &row)
      : rank_(rank), row_(row), schedule_(plan, 0), points_(*plan.stages.front().sources->points()), view_(view) {}

  int64_t put(int sink, int round, Form form, std::byte *to) override {
    const int64_t bytes = schedule_.bytes_of(rank_, sink, round);
    if (bytes == 0) return 0;
    if constexpr (std::is_same_v<Kind, CollectSchedule>) {
      if (form == Form::in_place) to += schedule_.body_begin({rank_, sink, round});
      form = Form::compact;
    }
    const PointsInMemory mine{points_.of(rank_), points_.local(), view_};
    out_of_range += pack_points(mine, schedule_.ranges(sink, round), row_, form, to);
    return bytes;
  }

 private:
  const int rank_;
  const PackRow &row_;
  const Kind schedule_;
  const PointTable &points_;
  const PointView &view_;
};
using PointSource = CallersPoints<StageSchedule>;
using BodySource = CallersPoints<CollectSchedule>;

/// The points that a primary has collected, in order, on their way to the writers.
class PrimarySource final : public Source {
 public:
  PrimarySource(const Plan &plan, int rank, Slices collected)
      : plan_(plan), collected_(std::move(collected)), first_sink_(first_sink(plan, rank)) {}

  int64_t put(int sink, int round, Form form, std::byte *to) override {
    if (first_sink_ < 0) return 0;
    const int from = first_sink_ + sink;
    const bool orders = form == Form::in_place || plan_.collects_all();
    const PointTable &points = *plan_.stages.front().sources->points();
    const CellRanges ranges = bodies_.ranges(from, round);
    int64_t bytes = 0;
    bodies_.for_bodies(from, round, collected_(from, round), [&](int rank, const std::byte *body) {
      const int64_t own = bodies_.bytes_of(rank, from, round);
      if (orders)
        spread_points(points.of(rank), ranges, plan_.field.element_bytes, body, to);
      else
        std::copy_n(body, own, to + bytes);
      bytes += own;
    });
    return bytes;
  }

 private:
  /// The first of the sinks for which this rank collects; −1 if it is no primary.
  static int first_sink(const Plan &plan, int rank) {
    const std::vector<int> &primaries = plan.route.primaries;
    const auto found = std::find(primaries.begin(), primaries.end(), rank);
    const auto writers = static_cast<int>(plan.stages.back().sinks.size());
    return found == primaries.end() ? -1 : static_cast<int>(found - primaries.begin()) * writers;
  }
  const Plan &plan_;
  const Slices collected_;
  const int first_sink_;
  const CollectSchedule bodies_{plan_, 0};
};

/// The caller's array, unpacked directly from the read bytes.
class PointTarget final : public FieldTarget {
 public:
  PointTarget(const Plan &plan, int rank, const PointView &view, const UnpackRow &row)
      : points_(*plan.stages.front().sources->points()), rank_(rank), view_(view), row_(row), schedule_(plan, 0) {}

  void take(int sink, int round, Form form, const std::byte *from) override {
    const PointsInMemory mine{points_.of(rank_), points_.local(), view_};
    out_of_range += unpack_points(mine, schedule_.ranges(sink, round), row_, form, from);
  }

 private:
  const PointTable &points_;
  const int rank_;
  const PointView &view_;
  const UnpackRow &row_;
  const StageSchedule schedule_;
};

/// Of a field with these pieces, by the layout of the plan; all of them must outlive it.
inline std::unique_ptr<FieldSource> source_of(const Plan &plan, int rank, const FieldPieces<PackRow> &pieces) {
  const bool bodies = !plan.groups.empty();
  if (pieces.points != nullptr && bodies) return std::make_unique<BodySource>(plan, rank, *pieces.points, *pieces.row);
  if (pieces.points != nullptr) return std::make_unique<PointSource>(plan, rank, *pieces.points, *pieces.row);
  return std::make_unique<ArraySource>(plan, rank, pieces.of_patch);
}
/// The source of the second stage of such a plan, from the slices of the first.
inline std::unique_ptr<Source> passed_on_source(const Plan &plan, int rank, Slices collected) {
  if (!plan.groups.empty()) return std::make_unique<PrimarySource>(plan, rank, std::move(collected));
  return std::make_unique<CollectedSource>(plan, rank, std::move(collected));
}
inline std::unique_ptr<FieldTarget> target_of(const Plan &plan, int rank, const FieldPieces<UnpackRow> &pieces) {
  if (pieces.points != nullptr) return std::make_unique<PointTarget>(plan, rank, *pieces.points, *pieces.row);
  return std::make_unique<ArrayTarget>(plan, rank, pieces.of_patch);
}

}  // namespace sv
