#include "transfer/field_job.hpp"
#include "delivery/file_delivery.hpp"

namespace sv {

FieldMemory field_memory(const Field &field, const Decomp &decomp, const Values &values) {
  const Layout &layout = *decomp.layout;
  if (layout.points() == nullptr) {
    Index block = field.shape, array = field.shape;
    for (int d = 0; d < decomp.count.n; ++d) {
      block[field.first_axis + d] = decomp.count[d];
      array[field.first_axis + d] = decomp.halo_low[d] + decomp.count[d] + decomp.halo_high[d];
    }
    MemoryView view = array_view(array, values);
    for (int d = 0; view.first != nullptr && d < decomp.count.n; ++d)  // nullptr: of a rank that owns nothing
      view.first += decomp.halo_low[d] * view.stride_bytes[field.first_axis + d];
    return {false, view, {}, block};
  }
  const int64_t points = layout.cells_of_rank(decomp.context->rank());
  PointView view = point_view(field, layout.shape().n, points, size_of(values.type), values.strides);
  view.first = values.data;
  Index shape = view.outer;
  shape.push(points);
  for (int d = 0; d < view.inner.n; ++d) shape.push(view.inner[d]);
  return {.has_points = true, .block = array_view(shape, values), .points = view, .shape = shape};
}

void hold_points_on_host(FieldMemory &memory, const Field &field, const Decomp &decomp, const Values &values) {
  if (!memory.has_points) return;
  std::unique_ptr<HostCopy> host = host_copy(memory.shape, values);
  if (host == nullptr) return;
  memory = field_memory(field, decomp, {values.type, host->data()});
  memory.host = std::move(host);
}

namespace {

void find_field(FieldJob &job) {
  job.file.variable(job.variable);  // checks the id
  job.field = job.file.home().places().field(job.variable, job.record);
  job.field.first_axis = job.first_axis;
}

std::shared_ptr<const Plan> plan_of(const FieldJob &job) {
  Context &context = job.file.context();
  const Home &home = job.file.home();
  const Route &route = *job.route;
  const bool collects = (route.io_nx > 0 && !route.self) || !route.primaries.empty();
  const int stages = collects ? 2 : 1;
  return std::make_shared<const Plan>(make_plan(
      job.layout, job.field, route,
      {context.topology(), home.places().extents(job.variable), home.places().stripe_bytes(job.variable),
       delivery_of(job.file).round_budget(stages), route.self ? home.pieces(job.variable) : std::vector<Territory>{}}));
}

/// One that was made before for a field that is alike; otherwise makes it, and keeps it.
void find_plan(FieldJob &job) {
  Home &home = job.file.home();
  job.plan = home.plans.find(*job.layout, *job.route, job.field, home.places().extents(job.variable),
                             home.places().stripe_bytes(job.variable));
  if (job.plan != nullptr) return;
  job.plan = plan_of(job);
  home.plans.keep(job.layout, job.route, job.plan);
}

}  // namespace

void plan_writing(FieldJob &job) {
  find_field(job);
  if (job.file.home().writes_here()) job.plan = plan_of(job);
}

void plan_decomposed(FieldJob &job) {
  job.route = job.file.home().route(job.layout);
  find_field(job);
  if (job.file.home().writes_here()) find_plan(job);
}

void plan_reading(FieldJob &job) {
  Home &home = job.file.home();
  job.route = home.reading_route();
  find_field(job);
  const bool exchanges = home.reads_through_writers() || job.layout->points() != nullptr;
  if (exchanges && home.readers() != Readers::servers) find_plan(job);
}

void check_fits(const FieldJob &job, const FieldMemory &memory, const PackRow &row) {
  if (job.file.settings().out_of_range != RangeError::refuse) return;
  if (memory.has_points) return check_fits(job.file, job.variable, {Box::whole(memory.shape), memory.block}, row);
  for (const Patch &patch : job.layout->patches_of_rank(job.file.context().rank()))
    check_fits(job.file, job.variable, patch_piece(job.field, patch, memory.block), row);
}

}  // namespace sv
