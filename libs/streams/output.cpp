#include "output.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "failure.hpp"
#include "grid_search.hpp"
#include "reduction.hpp"

namespace sv::streams {

namespace {

constexpr double usual_missing = 9.969209968386869e36;  // netCDF's fill value of float and double

/// The parts of a day, as an axis.
Axis parts_of_day(int parts) {
  Axis axis{
      "time_of_day_" + std::to_string(parts), parts, {}, {}, {{"long_name", "time of day"}, {"units", "hours"}}, {}};
  const double hours = 24.0 / parts;
  for (int i = 0; i < parts; ++i) {
    axis.values.push_back((i + 0.5) * hours);
    axis.bounds.insert(axis.bounds.end(), {i * hours, (i + 1) * hours});
  }
  return axis;
}

}  // namespace

Output::Output(sv_context *io, const Selected &selected, std::vector<Field> &fields, WeightsStore &store)
    : request(selected.request), field(&fields[selected.field]), kind(field->kind), missing(kind.missing) {
  try {
    request.part = located(io, *field, fields, request.part);
    const bool has_space = request.reduction || request.grid;
    view = std::make_unique<FieldView>(*field, request.part, has_space);
    if (has_levels(*field, request.part))
      interpolation = std::make_unique<Interpolation>(*field, request.part, has_space, *view);
    add_space(io, fields, store);
    if (request.where) condition = std::make_unique<Condition>(*request.where, *field, fields);
  } catch (const Failure &failure) {
    throw Failure(failure.status, request.place + ": field '" + field->name + "': " + failure.what(), failure.remedy);
  }
  const size_t dims = 1 + axes().size();
  if (const size_t chunks = request.storage.chunks.size(); chunks != 0 && chunks != dims)
    throw Failure(SV_ECONFIG,
                  request.place + ": field '" + field->name + "': " + std::to_string(chunks) +
                      " lengths of chunks for " + std::to_string(dims) + " dimensions",
                  "Give one for each, the record's first");
  if ((condition || interpolation || request.grid) && !kind.has_missing) missing = usual_missing;
  if (condition || interpolation) kind = {SV_DOUBLE, true, std::numeric_limits<double>::quiet_NaN()};
  if (request.operation == Operation::instant) return;
  for (int part = 0; part < request.parts_a_day; ++part)
    accumulators.emplace_back(request.operation, kind, view->cells());
}

/// A plan knows no weights, and takes the source grid.
void Output::add_space(sv_context *io, std::vector<Field> &fields, WeightsStore &store) {
  if (request.reduction && request.grid)
    throw Failure(SV_ECONFIG, "it has both 'grid' and 'reduce'", "Give one of them: 'grid: own' replaces the stream's");
  if (request.reduction) space = std::make_unique<Reduction>(*field, *view, *request.reduction, fields);
  if (!request.grid || io == nullptr) return;
  Weights &of_file = store.of_file(io, request.grid->weights);
  weights = &of_file;
  space = std::make_unique<Remapping>(*view, of_file);
}

void Output::prepare(sv_context *io) {
  view->divide(io);
  if (space) space->prepare(io);
}

std::vector<Axis> Output::axes() const {
  std::vector<Axis> made = space ? space->axes() : view->axes();
  if (request.parts_a_day > 1) made.insert(made.begin(), parts_of_day(request.parts_a_day));
  return made;
}

std::string Output::cell_methods() const {
  std::string text = std::string("time: ") + facts_of(request.operation).cell_method;
  if (request.parts_a_day > 1) text = "time: mean within days time: mean over days";
  if (condition) text += " (comment: where " + request.where->text + ")";
  return space ? text + space->cell_method() : text;
}

int64_t Output::memory_bytes() const {
  int64_t bytes = 0;
  for (const Accumulator &each : accumulators) bytes += each.bytes();
  return bytes;
}

const void *Output::select(Time now, const void *values, const Calendar &calendar) {
  const ValueKind *own = &field->kind;
  if (condition) {
    values = condition->apply(now, values, calendar);
    own = &kind;
  }
  return interpolation ? interpolation->apply(*own, values) : view->gather(own->type, values);
}

void Output::add(Time now, const void *values, const Calendar &calendar) {
  // A step belongs to the part of the day in which its middle is.
  const Time of_day = (field->sent + now) / 2 % seconds_a_day;
  const auto part = static_cast<size_t>(of_day * request.parts_a_day / seconds_a_day);
  Accumulator &to = accumulators[part];
  const void *const selected = select(now, values, calendar);
  if (now < end)
    to.add(selected, now - field->sent);
  else
    to.add_last(selected, now - field->sent);
}

void Output::finish(sv_context *io, Time now, const void *values, const Calendar &calendar) {
  const auto take = [&](int type, const void *of_part) {
    if (space)
      space->take(io, of_part, {type, kind.has_missing, kind.missing});
    else
      finished_ = {type, of_part};
  };
  if (is_instant()) return take(kind.type, select(now, values, calendar));
  if (accumulators.size() == 1) return take(SV_DOUBLE, accumulators.front().finish());
  results_.clear();
  for (Accumulator &each : accumulators) {
    take(SV_DOUBLE, each.finish());
    const auto *const made = space ? space->compute() : static_cast<const double *>(finished_.values);
    results_.insert(results_.end(), made, made + results());
  }
}

Result Output::result() {
  if (accumulators.size() <= 1) {
    if (!space && !has_nan()) return finished_;
    const auto *const made = space ? space->compute() : static_cast<const double *>(finished_.values);
    results_.assign(made, made + results());
  }
  if (has_nan())
    for (double &value : results_) value = value == value ? value : missing;
  return {SV_DOUBLE, results_.data()};
}

bool can_refer(const Output &from, const Output &to, bool is_bounds) {
  std::vector<Axis> needed = to.axes();
  if (is_bounds && !needed.empty()) needed.pop_back();
  const std::vector<Axis> all = from.axes();
  return std::all_of(needed.begin(), needed.end(),
                     [&](const Axis &axis) { return std::find(all.begin(), all.end(), axis) != all.end(); });
}

void check_axes(const std::vector<Output> &outputs) {
  std::map<std::string, Axis> axes;
  for (const Output &output : outputs)
    for (const Axis &axis : output.axes()) {
      const auto [known, is_new] = axes.try_emplace(axis.name, axis);
      if (!is_new && !have_same_cells(known->second, axis))
        throw Failure(SV_ECONFIG,
                      output.request.place + ": field '" + output.field->name +
                          "': another field of the stream has another slice of axis '" + axis.name + "'",
                      "Take one slice of an axis in a stream");
    }
  std::map<std::string, double> scalars;
  for (const Output &output : outputs)
    for (const ScalarRequest &each : output.request.scalars)
      if (axes.count(each.name) != 0 || scalars.try_emplace(each.name, each.value).first->second != each.value)
        throw Failure(SV_ECONFIG,
                      output.request.place + ": field '" + output.field->name + "': the stream has another '" +
                          each.name + "' than this scalar",
                      "Give one of them another name");
  const Weights *weights = nullptr;
  for (const Output &output : outputs) {
    if (output.weights == nullptr) continue;
    if (weights != nullptr && weights->target().coordinates() != output.weights->target().coordinates())
      throw Failure(SV_ECONFIG,
                    output.request.place + ": field '" + output.field->name + "': the target grids of '" +
                        weights->path() + "' and '" + output.weights->path() + "' differ",
                    "Take one target grid in a stream");
    weights = output.weights;
  }
  for (const Output &output : outputs)
    for (const Axis &axis : output.axes())
      for (const Auxiliary &each : axis.auxiliary)
        if (axes.count(each.name) != 0)
          throw Failure(SV_ECONFIG,
                        output.request.place + ": field '" + output.field->name +
                            "': its stations need a coordinate '" + each.name +
                            "', which is an axis of another field of the stream",
                        "Make two streams of it");
}

void Output::restart(Time now, Time next) {
  for (Accumulator &each : accumulators) each.begin();
  begin = now;
  end = next;
}

}  // namespace sv::streams
