#include "engine/point_requests.hpp"

#include "engine/orders.hpp"

namespace sv {

namespace {

/// With the record dimension's part in first place.
Index led_by(int64_t first, const Index &others) {
  Index all{first};
  for (int d = 0; d < others.n; ++d) all.push(others[d]);
  return all;
}

/// A stretch of a row of the grid: `n` points at `place`, which are those from `local` on of the rank's arrays.
struct PointStretch {
  int64_t place, local, n;
};

/// `array`: all of the rank's points, (outer, points, inner).
void add_region(const File &file, const MemoryBlock &array, const PointStretch &stretch, Request &request) {
  const Variable &variable = file.variable(request.variable);
  const Index shape = file.schema().slab_shape(variable), &grid = request.layout->shape();
  const Index at = cell_at(Box::whole(grid), stretch.place);
  const int first = request.first_axis, last = grid.n - 1;
  const int64_t point_stride = array.view.stride_bytes[first];
  Box box = Box::whole(shape);
  MemoryView view{nullptr, Index(shape.n, 0)};
  for (int d = 0; d < shape.n; ++d) {
    const int in_grid = d - first;
    view.stride_bytes[d] = array.view.stride_bytes[in_grid < 0 ? d : in_grid <= last ? first : d - last];
    if (in_grid < 0 || in_grid > last) continue;
    box.start[d] = at[in_grid];
    box.count[d] = in_grid == last ? stretch.n : 1;
  }
  if (variable.has_records) {
    box = {led_by(request.record, box.start), led_by(1, box.count)};
    view.stride_bytes = led_by(0, view.stride_bytes);
  }
  if (request.regions.empty()) request.memory.view.stride_bytes = view.stride_bytes;
  request.memory.offset_bytes.push_back(stretch.local * point_stride);
  request.regions.push(Strided::dense(box));
}

/// A run of the file is one region, or several where the grid has rows.
void become_regions(const File &file, Request &request) {
  const Layout &layout = *request.layout;
  const PointTable &points = *layout.points();
  const PointRuns &runs = points.of(file.context().rank());
  const int last = layout.shape().n - 1;
  const MemoryBlock array = request.block(0);
  request.memory = {{}, {array.view.first, {}}, false, {}};
  for (int64_t run = 0; run < runs.runs(); ++run) {
    PointStretch stretch{runs.place[static_cast<size_t>(run)], points.local()[static_cast<size_t>(run)], 0};
    for (int64_t left = runs.length(run); left > 0; left -= stretch.n) {
      const int64_t length = layout.shape()[last];
      stretch.n = std::min(left, length - stretch.place % length);
      add_region(file, array, stretch, request);
      stretch.place += stretch.n;
      stretch.local += stretch.n;
    }
  }
  request.kind = RequestArgs::Kind::regions;
  request.record = -1;
}

bool is_of_points(const Request &request) {
  return request.kind == RequestArgs::Kind::distributed && request.layout->points() != nullptr;
}

}  // namespace

void place_points(File &file, const std::string &call, std::span<Request *const> requests) {
  Orders &orders = orders_of(file);
  Context &context = file.context();
  const auto dims = static_cast<int64_t>(file.schema().dims.size());
  const auto dim_of = [&](const Request &request) {
    return request.in_places || !is_of_points(request) ? std::nullopt
                                                       : ordered_dim(file, request.variable, *request.layout);
  };
  while (orders.any()) {  // ranks may have different requests: they make, one after the other, what any of them lacks
    int64_t lacks = 0;
    std::shared_ptr<const Layout> layout;
    for (const Request *request : requests) {
      const std::optional<int> dim = dim_of(*request);
      if (dim && orders.known(*dim, request->decomp, request->layout.get()) == nullptr)
        lacks = std::max(lacks, request->decomp * dims + *dim + 1);
    }
    lacks = context.agree(call + ", orders", std::nullopt, Max(lacks));
    if (lacks == 0) break;
    const auto decomp = static_cast<int>((lacks - 1) / dims);
    for (const Request *request : requests)
      if (is_of_points(*request) && !request->in_places && request->decomp == decomp) layout = request->layout;
    if (layout == nullptr) layout = context.decomps.layout(decomp);
    orders.make(file, static_cast<int>((lacks - 1) % dims), decomp, layout);
  }
  for (Request *request : requests) {
    if (!is_of_points(*request)) continue;
    if (const std::optional<int> dim = dim_of(*request))
      request->layout = orders.known(*dim, request->decomp, request->layout.get())->layout;
    become_regions(file, *request);
  }
}

}  // namespace sv
