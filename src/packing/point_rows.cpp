#include "packing/point_rows.hpp"

#include <array>
#include <cstring>
#include <type_traits>

namespace sv {

namespace {

int64_t offset_of(int64_t index, const Index &lengths, const Index &strides) {
  int64_t offset = 0;
  for (int d = lengths.n - 1; d >= 0; --d) {
    offset += index % lengths[d] * strides[d];
    index /= lengths[d];
  }
  return offset;
}

/// A run, or the part of it in a range: `count` points from place `place`, the `point`-th of the list on.
struct RunPart {
  int64_t run, place, point, count;
};

/// Calls visit(part) for the runs that have points at places [first, last). Remembers where the last call began, since
/// most ask for the same places again.
class RunsIn {
 public:
  explicit RunsIn(const PointRuns &points) : points_(points) {}

  template <class Visit>
  void operator()(int64_t first, int64_t last, Visit &&visit) {
    find(first, last);
    for (int64_t run = run_; run < end_; ++run) visit(part(run));
  }
  /// The same for those that begin and end inside in one go: all(first run, last run).
  template <class Visit, class All>
  void operator()(int64_t first, int64_t last, Visit &&visit, All &&all) {
    find(first, last);
    if (run_ == end_) return;
    visit(part(run_));
    if (run_ + 1 == end_) return;
    all(run_ + 1, end_ - 1);
    visit(part(end_ - 1));
  }

 private:
  void find(int64_t first, int64_t last) {
    if (first == first_ && last == last_) return;
    run_ = points_.run_at(first);
    end_ = std::lower_bound(points_.place.begin(), points_.place.end(), last) - points_.place.begin();
    first_ = first;
    last_ = last;
  }
  RunPart part(int64_t run) const {
    RunPart part{run, points_.place[static_cast<size_t>(run)], points_.before[static_cast<size_t>(run)],
                 points_.length(run)};
    if (part.place < first_) {
      part.count -= first_ - part.place;
      part.point += first_ - part.place;
      part.place = first_;
    }
    part.count = std::min(part.count, last_ - part.place);
    return part;
  }

  const PointRuns &points_;
  int64_t first_ = -1, last_ = -1, run_ = 0, end_ = 0;
};

constexpr int64_t long_run = 16;     // elements that are worth a call of their own
constexpr size_t tile_points = 512;  // short ones are gathered first: stays in the nearest cache

/// Moves `n` elements of `Bytes` bytes from offsets to contiguous, or back.
template <size_t Bytes>
void gather(const std::byte *from, const int64_t *offsets, size_t n, std::byte *to) {
  for (size_t i = 0; i < n; ++i) std::memcpy(to + i * Bytes, from + offsets[i], Bytes);
}
template <size_t Bytes>
void scatter(const std::byte *from, const int64_t *offsets, size_t n, std::byte *to) {
  for (size_t i = 0; i < n; ++i) std::memcpy(to + offsets[i], from + i * Bytes, Bytes);
}

template <class Move>
void with_width(int64_t bytes, Move &&move) {
  switch (bytes) {
    case 1:
      return move(std::integral_constant<size_t, 1>{});
    case 2:
      return move(std::integral_constant<size_t, 2>{});
    case 4:
      return move(std::integral_constant<size_t, 4>{});
    default:
      return move(std::integral_constant<size_t, 8>{});
  }
}
void gather(int64_t bytes, const std::byte *from, const int64_t *offsets, size_t n, std::byte *to) {
  with_width(bytes, [&](auto width) { gather<width()>(from, offsets, n, to); });
}
void scatter(int64_t bytes, const std::byte *from, const int64_t *offsets, size_t n, std::byte *to) {
  with_width(bytes, [&](auto width) { scatter<width()>(from, offsets, n, to); });
}

/// The rows of a rank's points in a share: contiguous in the file, and equally far apart in memory.
struct PointRow {
  std::byte *memory;
  int64_t stride;
  int64_t position;  // in the share, in elements
  int64_t count;
};

/// Elements that stand by themselves, some at a time: where in memory, and where in the file's order.
struct Tile {
  std::array<int64_t, tile_points> memory, file;
  std::array<std::byte, tile_points * 8> near, far;
  size_t n = 0;

  /// True when it is full.
  bool add(int64_t memory_offset, int64_t file_offset) {
    memory[n] = memory_offset;
    file[n] = file_offset;
    return ++n == tile_points;
  }
};

/// One element of `Bytes` bytes, whose bytes are reversed or not.
template <size_t Bytes, bool Swaps>
void move_element(const std::byte *from, std::byte *to) {
  using Word =
      std::conditional_t<Bytes == 1, uint8_t,
                         std::conditional_t<Bytes == 2, uint16_t, std::conditional_t<Bytes == 4, uint32_t, uint64_t>>>;
  Word word;
  std::memcpy(&word, from, Bytes);
  if constexpr (Swaps && Bytes == 2) word = __builtin_bswap16(word);
  if constexpr (Swaps && Bytes == 4) word = __builtin_bswap32(word);
  if constexpr (Swaps && Bytes == 8) word = __builtin_bswap64(word);
  std::memcpy(to, &word, Bytes);
}

/// Calls action(move), where move(from, to) moves one element so.
template <class Action>
void with_move(int64_t bytes, bool swaps, Action &&action) {
  with_width(bytes, [&](auto width) {
    if (swaps)
      action([](const std::byte *from, std::byte *to) { move_element<decltype(width)::value, true>(from, to); });
    else
      action([](const std::byte *from, std::byte *to) { move_element<decltype(width)::value, false>(from, to); });
  });
}

/// Calls row(PointRow) for rows that are worth it, and point(memory, position) for elements that stand by themselves;
/// both in the order of the file.
template <class Row, class Point>
class RowWalk {
 public:
  RowWalk(const PointsInMemory &points, Row &row, Point &point)
      : view_(points.view),
        locals_(points.local.data()),
        places_(points.runs.place.data()),
        before_(points.runs.before.data()),
        runs_(points.runs.runs()),
        runs_in_(points.runs),
        row_(row),
        point_(point) {}

  void operator()(const CellRange &range) {
    base_ = view_.at(range.outer, range.inner);
    const auto visit = [&](const RunPart &part) { visit_part(range, part); };
    if (range.length > 1) return runs_in_(range.first, range.last, visit);
    runs_in_(range.first, range.last, visit, [&](int64_t first, int64_t last) {
      const int64_t begin = range.position - range.first;
      const bool alone = before_[last] - before_[first] == last - first;  // every run is one point
      for (int64_t run = first; run < last; ++run) {
        if (run + ahead < runs_) __builtin_prefetch(base_ + locals_[run + ahead] * view_.point_stride);
        std::byte *const memory = base_ + locals_[run] * view_.point_stride;
        if (alone)
          point_(memory, begin + places_[run]);
        else
          visit_points(memory, begin + places_[run], before_[run + 1] - before_[run]);
      }
    });
  }

 private:
  static constexpr int64_t ahead = 16;  // values of scattered points are rarely in the cache

  void visit_points(std::byte *memory, int64_t position, int64_t count) {
    if (count >= long_run) return row_(PointRow{memory, view_.point_stride, position, count});
    for (int64_t i = 0; i < count; ++i) point_(memory + i * view_.point_stride, position + i);
  }
  void visit_part(const CellRange &range, const RunPart &part) {
    const int64_t local = locals_[part.run] + part.place - places_[part.run], length = range.length;
    const int64_t position = range.position + (part.place - range.first) * length;
    std::byte *const memory = base_ + local * view_.point_stride;
    if (length == 1) return visit_points(memory, position, part.count);
    if (step_ && view_.point_stride == *step_ * length)
      return row_(PointRow{memory, *step_, position, part.count * length});
    for (int64_t i = 0; i < part.count; ++i)
      for (int64_t k = 0; k < length; k += step_ ? length : 1)
        row_(PointRow{view_.at(range.outer, range.inner + k) + (local + i) * view_.point_stride,
                      step_.value_or(view_.element_bytes), position + i * length + k, step_ ? length : 1});
  }

  const PointView &view_;
  const int64_t *const locals_, *const places_, *const before_;
  const int64_t runs_;
  const std::optional<int64_t> step_{view_.inner_step()};
  RunsIn runs_in_;
  Row &row_;
  Point &point_;
  std::byte *base_ = nullptr;
};

template <class Row, class Point>
void for_point_rows(const PointsInMemory &points, const CellRanges &share, Row row, Point point) {
  share.visit(RowWalk<Row, Point>(points, row, point));
}

}  // namespace

std::byte *PointView::at(int64_t outer_index, int64_t inner_index) const {
  return first + offset_of(outer_index, outer, outer_stride) + offset_of(inner_index, inner, inner_stride);
}

std::optional<int64_t> PointView::inner_step() const {
  for (int d = 0; d + 1 < inner.n; ++d)
    if (inner_stride[d] != inner_stride[d + 1] * inner[d + 1]) return std::nullopt;
  return inner.n > 0 ? inner_stride[inner.n - 1] : point_stride;
}

PointView point_view(const Field &field, int grid_dims, int64_t points, int64_t element_bytes, const int64_t *stride) {
  PointView view;
  view.element_bytes = element_bytes;
  const int after = field.first_axis + grid_dims;
  for (int d = 0; d < field.first_axis; ++d) view.outer.push(field.shape[d]);
  for (int d = after; d < field.shape.n; ++d) view.inner.push(field.shape[d]);
  view.outer_stride = Index(view.outer.n, 0);
  view.inner_stride = Index(view.inner.n, 0);
  int64_t next = element_bytes;
  const auto take = [&](int dim, int64_t length) {
    const int64_t own = stride != nullptr ? stride[dim] : next;
    next *= length;
    return own;
  };
  for (int d = view.inner.n - 1; d >= 0; --d) view.inner_stride[d] = take(field.first_axis + 1 + d, view.inner[d]);
  view.point_stride = take(field.first_axis, points);
  for (int d = view.outer.n - 1; d >= 0; --d) view.outer_stride[d] = take(d, view.outer[d]);
  return view;
}

CellRanges::CellRanges(const Field &field, int grid_dims, const Share &share) : first_(share.first), last_(share.last) {
  // Only the slowest dimension of a group may be cut by the box, so that a group of dimensions is one.
  const int after = field.first_axis + grid_dims;
  int64_t outer = 1;
  for (int d = 0; d < field.shape.n; ++d) {
    int64_t &begin = d < field.first_axis ? outer_begin_ : d < after ? cell_begin_ : inner_begin_;
    int64_t &length = d < field.first_axis ? outer : d < after ? cells_ : inner_;
    begin = begin * field.shape[d] + share.box.start[d];
    length *= share.box.count[d];
  }
}

std::pair<int64_t, int64_t> CellRanges::cells() const {
  const int64_t slab = cells_ * inner_;
  if (first_ == last_) return {cell_begin_, cell_begin_};
  if (first_ / slab != (last_ - 1) / slab) return {cell_begin_, cell_begin_ + cells_};
  return {cell_begin_ + first_ % slab / inner_, cell_begin_ + (last_ - 1) % slab / inner_ + 1};
}

int64_t CellRanges::elements(const PointRuns &points) const {
  int64_t all = 0, first = -1, last = -1, some = 0;
  visit([&](const CellRange &range) {
    if (range.first != first || range.last != last)
      some = points.points_before(range.last) - points.points_before(range.first);
    first = range.first;
    last = range.last;
    all += some * range.length;
  });
  return all;
}

namespace {

/// Where elements stand in a buffer of this form: at their positions, or behind those before.
template <Form form, class Byte>
class Cursor {
 public:
  Cursor(Byte *buffer, int64_t element_bytes) : at_(buffer), element_bytes_(element_bytes) {}
  Byte *operator()(int64_t position, int64_t count = 1) {
    if constexpr (form == Form::in_place) return at_ + position * element_bytes_;
    return std::exchange(at_, at_ + count * element_bytes_);
  }

 private:
  Byte *at_;
  const int64_t element_bytes_;
};

template <Form form>
OutOfRange pack_as(const PointsInMemory &points, const CellRanges &share, const PackRow &row, std::byte *to) {
  OutOfRange bad = 0;
  const int64_t element_bytes = row.file_bytes(), width = points.view.element_bytes;
  Cursor<form, std::byte> place(to, element_bytes);
  const auto pack = [&](const PointRow &each) {
    bad += row(each.memory, each.stride, place(each.position, each.count), each.count);
  };
  if (row.is_plain()) {
    with_move(element_bytes, row.swaps(), [&](auto move) {
      for_point_rows(points, share, pack, [&](std::byte *memory, int64_t position) { move(memory, place(position)); });
    });
    return bad;
  }
  Tile tile;
  const auto flush = [&] {
    const auto n = static_cast<int64_t>(tile.n);
    gather(width, points.view.first, tile.memory.data(), tile.n, tile.near.data());
    bad += row(tile.near.data(), width, form == Form::compact ? place(0, n) : tile.far.data(), n);
    if (form == Form::in_place) scatter(element_bytes, tile.far.data(), tile.file.data(), tile.n, to);
    tile.n = 0;
  };
  const auto pack_in_turn = [&](const PointRow &each) {
    if (form == Form::compact) flush();  // bodies are in order
    pack(each);
  };
  for_point_rows(points, share, pack_in_turn, [&](std::byte *memory, int64_t position) {
    if (tile.add(memory - points.view.first, position * element_bytes)) flush();
  });
  flush();
  return bad;
}

template <Form form>
OutOfRange unpack_as(const PointsInMemory &points, const CellRanges &share, const UnpackRow &row,
                     const std::byte *from) {
  OutOfRange bad = 0;
  const int64_t element_bytes = row.file_bytes(), width = points.view.element_bytes;
  Cursor<form, const std::byte> place(from, element_bytes);
  const auto unpack = [&](const PointRow &each) {
    bad += row(place(each.position, each.count), each.memory, each.stride, each.count);
  };
  if (row.is_plain()) {
    with_move(element_bytes, row.swaps(), [&](auto move) {
      for_point_rows(points, share, unpack,
                     [&](std::byte *memory, int64_t position) { move(place(position), memory); });
    });
    return bad;
  }
  Tile tile;
  const auto flush = [&] {
    const auto n = static_cast<int64_t>(tile.n);
    if (form == Form::in_place) gather(element_bytes, from, tile.file.data(), tile.n, tile.far.data());
    bad += row(form == Form::compact ? place(0, n) : tile.far.data(), tile.near.data(), width, n);
    scatter(width, tile.near.data(), tile.memory.data(), tile.n, points.view.first);
    tile.n = 0;
  };
  const auto unpack_in_turn = [&](const PointRow &each) {
    if (form == Form::compact) flush();
    unpack(each);
  };
  for_point_rows(points, share, unpack_in_turn, [&](std::byte *memory, int64_t position) {
    if (tile.add(memory - points.view.first, position * element_bytes)) flush();
  });
  flush();
  return bad;
}

}  // namespace

OutOfRange pack_points(const PointsInMemory &points, const CellRanges &share, const PackRow &row, Form form,
                       std::byte *to) {
  return form == Form::compact ? pack_as<Form::compact>(points, share, row, to)
                               : pack_as<Form::in_place>(points, share, row, to);
}

OutOfRange unpack_points(const PointsInMemory &points, const CellRanges &share, const UnpackRow &row, Form form,
                         const std::byte *from) {
  return form == Form::compact ? unpack_as<Form::compact>(points, share, row, from)
                               : unpack_as<Form::in_place>(points, share, row, from);
}

namespace {

/// Calls move(offset in the share in bytes, bytes) for the runs of points in a share.
template <class Move>
void for_run_bytes(const PointRuns &points, const CellRanges &share, int64_t element_bytes, Move &&move) {
  RunsIn runs_in(points);
  share.visit([&](const CellRange &range) {
    runs_in(range.first, range.last, [&](const RunPart &part) {
      move((range.position + (part.place - range.first) * range.length) * element_bytes,
           part.count * range.length * element_bytes);
    });
  });
}

/// Most runs of scattered points are one element: a copy of known size is one instruction.
void copy_run(std::byte *to, const std::byte *from, int64_t bytes) {
  if (bytes == 8)
    std::memcpy(to, from, 8);
  else if (bytes == 4)
    std::memcpy(to, from, 4);
  else
    std::memcpy(to, from, static_cast<size_t>(bytes));
}

}  // namespace

void spread_points(const PointRuns &points, const CellRanges &share, int64_t element_bytes, const std::byte *compact,
                   std::byte *to) {
  for_run_bytes(points, share, element_bytes, [&](int64_t offset, int64_t bytes) {
    copy_run(to + offset, compact, bytes);
    compact += bytes;
  });
}

void gather_points(const PointRuns &points, const CellRanges &share, int64_t element_bytes, const std::byte *from,
                   std::byte *compact) {
  for_run_bytes(points, share, element_bytes, [&](int64_t offset, int64_t bytes) {
    copy_run(compact, from + offset, bytes);
    compact += bytes;
  });
}

void for_point_runs(const PointRuns &points, const CellRanges &share,
                    const std::function<void(int64_t position, int64_t elements)> &visit) {
  for_run_bytes(points, share, 1, visit);
}

}  // namespace sv
