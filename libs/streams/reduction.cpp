#include "reduction.hpp"

#include <algorithm>
#include <cmath>

#include "failure.hpp"
#include "number_type.hpp"
#include "sharing.hpp"

namespace sv::streams {

namespace {

constexpr int64_t most_regions = 100000;
constexpr int64_t sums_at_once = 16384;  // 9 MiB

/// The values of a variable over the field's grid, for each value of this rank's array of one level.
std::vector<double> values_in(sv_context *io, const Field &field, const GridVariable &variable) {
  size_t cells = 1;
  for (size_t d = 0; d < field.extent.size(); ++d) {
    const auto outer = static_cast<size_t>(field.first_axis);
    const size_t inner = field.axes.size() - outer - static_cast<size_t>(field.grid_axes);
    const bool is_of_grid = field.decomp == nullptr || (d >= outer && d < field.extent.size() - inner);
    if (is_of_grid) cells *= static_cast<size_t>(field.extent[d]);
  }
  std::vector<double> made(cells);
  sv_file *file = nullptr;
  must(sv_open(io, variable.file.c_str(), SV_NOWRITE | SV_LITERAL, &file));
  int id = -1, status = sv_inq_varid(file, variable.name.c_str(), &id);
  if (status == SV_OK)
    status = field.decomp != nullptr ? sv_get(file, id, field.decomp, SV_NO_RECORD, SV_DOUBLE, made.data(), nullptr)
                                     : sv_get_var(file, id, SV_NO_RECORD, SV_DOUBLE, made.data(), nullptr);
  if (status != SV_OK) {
    const std::string text = sv_message();
    sv_close(file);  // the error that led here is the one to report
    throw Failure(status, text, "Give a variable over the grid of field '" + field.name + "'");
  }
  must(sv_close(file));
  return made;
}

/// The field without time that stands for a variable of a file; nullptr: the request is of a file, or there is none.
const Field *field_in(const std::optional<GridVariable> &variable, const Field &field,
                      const std::vector<Field> &fields) {
  if (!variable || !variable->file.empty()) return nullptr;
  const Field *const found = static_field_named(fields, variable->name);
  if (found == nullptr)
    throw Failure(SV_ECONFIG, "'" + variable->name + "' is no field without time of the model",
                  "Declare it with sv_def_static_field, or give FILE:VARIABLE");
  const auto first = field.axes.begin() + (field.decomp == nullptr ? 0 : field.first_axis);
  const auto last = field.decomp == nullptr ? field.axes.end() : first + field.grid_axes;
  if (found->decomp != field.decomp || !std::equal(first, last, found->axes.begin(), found->axes.end()))
    throw Failure(SV_ECONFIG, "'" + found->name + "' is not over the grid of the field",
                  "Name a field without time that has the grid's axes and decomposition");
  return found;
}

/// Missing values become 0.
std::vector<double> constants_or_0(const Field &field) {
  std::vector<double> made = constants_of(field);
  for (double &value : made) value = is_missing(field.kind, value) ? 0 : value;
  return made;
}

}  // namespace

Reduction::Reduction(const Field &field, const FieldView &view, const ReductionRequest &request,
                     const std::vector<Field> &fields)
    : field_(&field), view_(&view), request_(request), is_reduced_(view.axes().size(), false) {
  for (const std::string &name : request.axes) {
    const auto is_this = [&](const Axis &axis) { return is_called(axis, name); };
    const auto at = std::find_if(view.axes().begin(), view.axes().end(), is_this);
    if (at == view.axes().end())
      throw Failure(SV_ECONFIG, "there is no axis '" + name + "' to reduce", "Name axes of the field, or X, Y or Z");
    is_reduced_[static_cast<size_t>(at - view.axes().begin())] = true;
  }
  regions_of_model_ = field_in(request.regions, field, fields);
  weights_of_model_ = field_in(request.weights, field, fields);
  if (request.regions) {
    axes_.push_back({"region", 1, {1}, {}, {{"long_name", "number of the region"}}, {}});
  }
  for (size_t d = 0; d < is_reduced_.size(); ++d)
    if (!is_reduced_[d]) axes_.push_back(view.axes()[d]);
}

void Reduction::prepare(sv_context *io) {
  const auto of_cells = [&](const GridVariable &variable, const Field *of_model) {
    const std::vector<double> all = of_model == nullptr ? values_in(io, *field_, variable) : constants_or_0(*of_model);
    std::vector<double> made;
    for (const int64_t place : view_->level_places()) made.push_back(all[static_cast<size_t>(place)]);
    return made;
  };
  if (request_.weights) weights_ = of_cells(*request_.weights, weights_of_model_);
  std::vector<int64_t> regions;
  if (request_.regions) {
    int64_t most = 0;
    for (const double number : of_cells(*request_.regions, regions_of_model_)) {
      const bool is_region = number >= 1 && number <= static_cast<double>(most_regions);  // others belong to none
      regions.push_back(is_region ? static_cast<int64_t>(number) : 0);
      most = std::max(most, regions.back());
    }
    most = largest_of_ranks(io, most);
    if (most == 0)
      throw Failure(SV_ECONFIG,
                    (request_.regions->file.empty() ? "" : request_.regions->file + ": ") + "variable '" +
                        request_.regions->name + "' has no region",
                    "Number the regions from 1 to " + std::to_string(most_regions));
    axes_.front().length = most;
    axes_.front().values.clear();
    for (int64_t i = 1; i <= most; ++i) axes_.front().values.push_back(static_cast<double>(i));
  }
  place_cells(regions);
}

void Reduction::place_cells(const std::vector<int64_t> &regions) {
  // Strides of the results along the axes of the part; 0 along those that are reduced.
  const std::vector<Axis> &axes = view_->axes();
  std::vector<int64_t> strides(axes.size(), 0);
  int64_t stride = 1;
  for (size_t d = axes.size(); d-- > 0;) {
    if (is_reduced_[d]) continue;
    strides[d] = stride;
    stride *= axes[d].length;
  }
  results_.resize(static_cast<size_t>(request_.regions ? stride * axes_.front().length : stride));
  to_ = view_->part_cells();
  const auto [begin, end] = view_->grid_axes();
  const auto place = [&](std::vector<int64_t> &numbers, size_t first, size_t last) {
    for (int64_t &number : numbers) {
      int64_t rest = number;
      number = 0;
      for (size_t d = last; d-- > first; rest /= axes[d].length) number += rest % axes[d].length * strides[d];
    }
  };
  place(to_.outer, 0, begin);
  place(to_.grid, begin, end);
  place(to_.inner, end, axes.size());
  for (size_t i = 0; i < regions.size(); ++i)
    to_.grid[i] = regions[i] == 0 ? -1 : to_.grid[i] + (regions[i] - 1) * stride;
}

std::string Reduction::cell_method() const {
  std::string text;
  for (size_t d = 0; d < is_reduced_.size(); ++d)
    if (is_reduced_[d]) text += " " + view_->axes()[d].name + ":";
  text += request_.is_mean ? " mean" : " sum";
  std::string comment;
  if (request_.regions) comment = "over regions of " + request_.regions->name;
  if (request_.weights) comment += (comment.empty() ? "" : ", ") + ("weighted by " + request_.weights->name);
  return comment.empty() ? text : text + " (comment: " + comment + ")";
}

/// Adds the terms of the results from `begin` on, of which there are as many as sums.
template <class Value>
void Reduction::add_cells(const Value *values, const ValueKind &kind, int64_t begin, std::vector<ExactSum> &sums,
                          std::vector<ExactSum> &weights) const {
  const auto count = static_cast<uint64_t>(sums.size());
  for (const int64_t outer : to_.outer)
    for (size_t i = 0; i < to_.grid.size(); ++i)
      for (const int64_t inner : to_.inner) {
        const auto value = static_cast<double>(*values++);
        const auto to = static_cast<uint64_t>(outer + to_.grid[i] + inner - begin);
        if (to_.grid[i] < 0 || to >= count || is_missing(kind, value)) continue;
        sums[to].add(weights_.empty() ? value : value * weights_[i]);
        if (!weights.empty()) weights[to].add(weights_[i]);
      }
}

void Reduction::take(sv_context *io, const void *values, const ValueKind &kind) {
  must(sv_flush(io, SV_HANDED_OVER));  // a rank that has failed is not waited for below
  // Of a field that each rank has whole, one rank adds the terms.
  const bool adds = field_->decomp != nullptr || is_first_rank(io);
  const bool has_weights = request_.is_mean && request_.weights.has_value();  // also on a rank without cells
  for (int64_t begin = 0; begin < std::ssize(results_); begin += sums_at_once) {
    const int64_t count = std::min(std::ssize(results_) - begin, sums_at_once);
    std::vector<ExactSum> sums(static_cast<size_t>(count)), weights(has_weights ? sums.size() : 0);
    if (adds)
      with_type(kind.type,
                [&](auto zero) { add_cells(static_cast<const decltype(zero) *>(values), kind, begin, sums, weights); });
    add_over_ranks(io, sums);
    add_over_ranks(io, weights);
    for (size_t i = 0; i < sums.size(); ++i) {
      double result = sums[i].value();
      const auto terms = static_cast<double>(sums[i].count());
      if (request_.is_mean) result /= has_weights ? weights[i].value() : terms;
      if (terms == 0) result = kind.has_missing ? kind.missing : std::nan("");
      results_[static_cast<size_t>(begin) + i] = result;
    }
  }
}

}  // namespace sv::streams
