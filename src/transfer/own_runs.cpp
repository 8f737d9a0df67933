#include "transfer/own_runs.hpp"

#include <algorithm>
#include <array>
#include <queue>

#include "file/home.hpp"

namespace sv {

namespace {

constexpr int64_t most_elements = 1 << 30;  // of a run

/// Makes runs of the requests, one after the other, in their order.
class RunMaker {
 public:
  explicit RunMaker(const File &file) : file_(file) {}

  void add(const Request &request, int number);
  void skip() { made_.of.push_back({}); }
  OwnRuns take() { return std::move(made_); }

 private:
  void begin(const Request &request, int number);
  void add_cells(const Request &request);
  void add_regions(const Request &request);
  void add_blocks(const Request &request);
  void add_box(int64_t record, const Strided &cells, const MemoryView &memory);
  void push(int64_t record, int64_t element, std::byte *memory, int64_t elements);

  const File &file_;
  OwnRuns made_;
  int number_ = 0;
  int64_t record_ = 0;  // of the last run: one of two records would be of two fields
  bool has_records_ = false;
  Index shape_, stride_;  // of a field; between its cells, in elements
  int64_t base_bytes_ = 0, step_bytes_ = 0;
};

void RunMaker::begin(const Request &request, int number) {
  const Variable &variable = file_.variable(request.variable);
  const Places &places = file_.home().places();
  number_ = number;
  has_records_ = variable.has_records;
  shape_ = file_.schema().slab_shape(variable);
  stride_ = contiguous_strides(shape_, 1);
  const Field field = places.field(request.variable, has_records_ ? 0 : -1);
  base_bytes_ = field.offset_bytes;
  step_bytes_ = has_records_ ? places.step_bytes(request.variable) : 0;
  const bool regions = request.kind == RequestArgs::Kind::regions;
  const Index &apart = request.memory.view.stride_bytes;
  const int64_t stride =
      (regions && request.memory.in_a_row) || apart.n == 0 ? size_of(request.type) : apart[apart.n - 1];
  made_.of.push_back({request.variable, field.element_bytes, stride});
}

void RunMaker::push(int64_t record, int64_t element, std::byte *memory, int64_t elements) {
  const RunsOfRequest &of = made_.of.back();
  int64_t offset = base_bytes_ + record * step_bytes_ + element * of.element_bytes;
  if (!made_.runs.empty()) {
    OwnRun &last = made_.runs.back();
    if (last.request == number_ && record == record_ &&
        offset == last.offset_bytes + last.elements * of.element_bytes &&
        memory == last.memory + last.elements * of.stride_bytes && last.elements + elements <= most_elements) {
      last.elements += static_cast<int32_t>(elements);
      return;
    }
  }
  record_ = record;
  for (; elements > most_elements; elements -= most_elements) {
    made_.runs.push_back({offset, memory, static_cast<int32_t>(most_elements), number_});
    offset += most_elements * of.element_bytes;
    memory += most_elements * of.stride_bytes;
  }
  made_.runs.push_back({offset, memory, static_cast<int32_t>(elements), number_});
}

/// `cells`: of the field, without the record dimension. `memory`: of the same dimensions.
void RunMaker::add_box(int64_t record, const Strided &cells, const MemoryView &memory) {
  if (cells.empty()) return;
  const int last = cells.dims() - 1;
  if (last < 0) return push(record, 0, memory.first, 1);
  int64_t element = 0;
  for (int d = 0; d <= last; ++d) element += cells.start[d] * stride_[d];
  Index done(last + 1, 0);
  std::byte *at = memory.first;
  while (true) {
    if (cells.stride[last] == 1 || cells.count[last] == 1)
      push(record, element, at, cells.count[last]);
    else
      for (int64_t i = 0; i < cells.count[last]; ++i)
        push(record, element + i * cells.stride[last], at + i * memory.stride_bytes[last], 1);
    int d = last - 1;
    for (; d >= 0; --d) {
      at += memory.stride_bytes[d];
      element += cells.stride[d] * stride_[d];
      if (++done[d] < cells.count[d]) break;
      at -= cells.count[d] * memory.stride_bytes[d];
      element -= cells.count[d] * cells.stride[d] * stride_[d];
      done[d] = 0;
    }
    if (d < 0) return;
  }
}

/// A list of single cells.
void RunMaker::add_cells(const Request &request) {
  const std::span<const int64_t> starts = request.regions.starts();
  const ValuesInMemory &memory = request.memory;
  const int dims = request.regions.dims(), first = has_records_ ? 1 : 0;
  const int64_t size = request.regions.size(), apart = memory.in_a_row ? size_of(request.type) : 0;
  made_.runs.reserve(made_.runs.size() + static_cast<size_t>(size));
  const int64_t *at = starts.data();
  for (int64_t r = 0; r < size; ++r, at += dims) {
    int64_t element = 0;
    for (int d = first; d < dims; ++d) element += at[d] * stride_[d - first];
    const int64_t offset = memory.offset_bytes.empty() ? r * apart : memory.offset_bytes[static_cast<size_t>(r)];
    push(has_records_ ? at[0] : 0, element, memory.view.first + offset, 1);
  }
}

void RunMaker::add_regions(const Request &request) {
  for (int64_t r = 0; r < request.regions.size(); ++r) {
    const Strided region = request.regions.at(r);
    if (region.empty()) continue;
    MemoryView memory = request.block(r).view;
    if (!has_records_) {
      add_box(0, region, memory);
      continue;
    }
    const Strided cells = region.without_record();
    const int64_t apart = memory.stride_bytes[0];
    for (int d = 1; d < region.dims(); ++d) memory.stride_bytes[d - 1] = memory.stride_bytes[d];
    --memory.stride_bytes.n;
    for (int64_t i = 0; i < region.count[0]; ++i, memory.first += apart)
      add_box(region.start[0] + i * region.stride[0], cells, memory);
  }
}

/// A whole variable, or this rank's part of a distributed one.
void RunMaker::add_blocks(const Request &request) {
  const int64_t record = std::max<int64_t>(0, request.record);
  if (request.kind == RequestArgs::Kind::replicated)
    return add_box(record, Strided::dense(Box::whole(shape_)), request.memory.view);
  const int rank = file_.context().rank();
  int region = 0;
  for (const Patch &patch : request.layout->patches_of_rank(rank)) {
    Box box = Box::whole(shape_);
    for (int d = 0; d < patch.box.dims(); ++d) {
      box.start[request.first_axis + d] = patch.box.start[d];
      box.count[request.first_axis + d] = patch.box.count[d];
    }
    add_box(record, Strided::dense(box), piece_of(request, Claim{rank, 0, box, region++}, record).memory);
  }
}

void RunMaker::add(const Request &request, int number) {
  begin(request, number);
  if (request.kind != RequestArgs::Kind::regions) return add_blocks(request);
  if (request.regions.size() > 1 && request.regions.are_cells() && request.regions.dims() > 0)
    return add_cells(request);
  add_regions(request);
}

bool before(const OwnRun &a, const OwnRun &b) { return a.offset_bytes < b.offset_bytes; }

/// By place in the file; keeps the order of equals. Eleven bits at a time, of as many as differ.
void sort_runs(std::vector<OwnRun> &runs) {
  if (std::is_sorted(runs.begin(), runs.end(), before)) return;
  constexpr size_t few = 256;
  if (runs.size() < few) return std::stable_sort(runs.begin(), runs.end(), before);
  const auto [least, most] = std::minmax_element(runs.begin(), runs.end(), before);
  const int64_t first = least->offset_bytes;
  const auto span = static_cast<uint64_t>(most->offset_bytes - first);
  constexpr int bits = 11;
  std::vector<OwnRun> other(runs.size());
  for (int shift = 0; shift < 64 && span >> shift != 0; shift += bits) {
    std::array<size_t, (1 << bits) + 1> places{};
    const auto digit = [&](const OwnRun &run) {
      return static_cast<size_t>(static_cast<uint64_t>(run.offset_bytes - first) >> shift & ((1 << bits) - 1));
    };
    for (const OwnRun &run : runs) ++places[digit(run) + 1];
    for (size_t d = 1; d < places.size(); ++d) places[d] += places[d - 1];
    for (const OwnRun &run : runs) other[places[digit(run)]++] = run;
    runs.swap(other);
  }
}

OwnRun part_of(const OwnRuns &own, const OwnRun &run, int64_t begin, int64_t end) {
  const RunsOfRequest &of = own.of[static_cast<size_t>(run.request)];
  const int64_t before = (begin - run.offset_bytes) / of.element_bytes;
  return {begin, run.memory + before * of.stride_bytes, static_cast<int32_t>((end - begin) / of.element_bytes),
          run.request};
}

/// `own`: as made, in the order of requests and regions. Sorted and without what later ones take.
void keep_later(OwnRuns &own) {
  std::vector<size_t> order(own.runs.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return before(own.runs[a], own.runs[b]); });
  std::vector<OwnRun> kept;
  std::priority_queue<size_t> open;  // the latest first
  int64_t at = 0;
  const auto advance = [&](int64_t to) {
    while (!open.empty() && at < to) {
      const OwnRun &run = own.runs[open.top()];
      const int64_t end = std::min(to, own.end_of(run));
      if (end <= at) {
        open.pop();
        continue;
      }
      kept.push_back(part_of(own, run, at, end));
      at = end;
    }
    at = std::max(at, to);
  };
  for (const size_t i : order) {
    advance(own.runs[i].offset_bytes);
    open.push(i);
  }
  advance(INT64_MAX);
  own.runs = std::move(kept);
}

}  // namespace

OwnRuns runs_of(const File &file, const std::vector<const Request *> &requests, const std::vector<bool> &left_out,
                bool later_wins) {
  const auto made = [&] {
    RunMaker maker(file);
    for (size_t i = 0; i < requests.size(); ++i)
      if (left_out[i])
        maker.skip();
      else
        maker.add(*requests[i], static_cast<int>(i));
    return maker.take();
  };
  OwnRuns own = made();
  sort_runs(own.runs);
  int64_t end = 0;
  for (const OwnRun &run : own.runs) {
    own.share_cells = own.share_cells || run.offset_bytes < end;
    end = std::max(end, own.end_of(run));
  }
  if (!own.share_cells || !later_wins) return own;
  own = made();
  keep_later(own);
  return own;
}

void leave_out(OwnRuns &own, const std::vector<FileRange> &ranges) {
  std::vector<OwnRun> left;
  auto range = ranges.begin();
  for (const OwnRun &run : own.runs) {
    int64_t at = run.offset_bytes;
    const int64_t end = own.end_of(run);
    while (range != ranges.end() && range->end <= at) ++range;
    for (auto each = range; each != ranges.end() && each->begin < end; ++each) {
      if (each->begin > at) left.push_back(part_of(own, run, at, each->begin));
      at = std::max(at, each->end);
    }
    if (at < end) left.push_back(part_of(own, run, at, end));
  }
  own.runs = std::move(left);
}

void cut(OwnRuns &own, const std::vector<int64_t> &places) {
  std::vector<OwnRun> rests;
  auto place = places.begin();
  for (OwnRun &run : own.runs) {
    while (place != places.end() && *place <= run.offset_bytes) ++place;
    const int64_t end = own.end_of(run);
    if (place == places.end() || *place >= end) continue;
    auto next = place;
    const OwnRun whole = run;
    run = part_of(own, whole, run.offset_bytes, *next);
    for (; next != places.end() && *next < end; ++next)
      rests.push_back(part_of(own, whole, *next, next + 1 == places.end() ? end : std::min(end, *(next + 1))));
  }
  if (rests.empty()) return;
  const auto middle = std::ssize(own.runs);
  own.runs.insert(own.runs.end(), rests.begin(), rests.end());
  std::stable_sort(own.runs.begin() + middle, own.runs.end(), before);
  std::inplace_merge(own.runs.begin(), own.runs.begin() + middle, own.runs.end(), before);
}

}  // namespace sv
