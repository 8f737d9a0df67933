#include "condition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "failure.hpp"
#include "number_type.hpp"

namespace sv::streams {

namespace {

constexpr const char *comparisons[] = {">", ">=", "<", "<=", "==", "!="};

bool compare(const std::string &comparison, double value, double limit) {
  if (comparison == ">") return value > limit;
  if (comparison == ">=") return value >= limit;
  if (comparison == "<") return value < limit;
  if (comparison == "<=") return value <= limit;
  return (comparison == "==") == (value == limit);
}

}  // namespace

std::optional<ConditionRequest> condition_in(const std::string &text) {
  std::istringstream in(text);
  ConditionRequest made{"", "", 0, text};
  std::string more;
  const bool is_read = static_cast<bool>(in >> made.field >> made.comparison >> made.limit);
  if (!is_read || in >> more) return std::nullopt;
  if (std::find(std::begin(comparisons), std::end(comparisons), made.comparison) == std::end(comparisons))
    return std::nullopt;
  return made;
}

Condition::Condition(const ConditionRequest &request, const Field &field, const std::vector<Field> &fields)
    : field_(&field), on_(nullptr), request_(request) {
  for (const Field &each : fields)
    if (each.name == request.field) on_ = &each;
  if (on_ == nullptr)
    throw Failure(SV_ECONFIG, "the condition '" + request.text + "' is on a field that the model does not declare",
                  "Name a declared field");
  if (on_->is_static && !on_->constant.empty()) look(0, on_->constant.data());
  if (on_->axes == field.axes && on_->decomp == field.decomp) return;
  const auto first = field.axes.begin() + field.first_axis;
  const bool is_grid = field.decomp != nullptr && on_->decomp == field.decomp &&
                       std::equal(first, first + field.grid_axes, on_->axes.begin(), on_->axes.end());
  if (!is_grid)
    throw Failure(SV_ECONFIG, "the field of the condition '" + request.text + "' is on another grid",
                  "Name a field with the same axes, or with the grid's alone, and the same decomposition");
  for (auto axis = first + field.grid_axes; axis != field.axes.end(); ++axis)
    repeats_ *= static_cast<size_t>(axis->length);
}

void Condition::look(Time end, const void *values) {
  looked_ = end;
  holds_.resize(on_->cells);
  with_type(on_->kind.type, [&](auto zero) {
    const auto *const own = static_cast<const decltype(zero) *>(values);
    for (size_t i = 0; i < holds_.size(); ++i) {
      const auto value = static_cast<double>(own[i]);
      holds_[i] = !is_missing(on_->kind, value) && compare(request_.comparison, value, request_.limit) ? 1 : 0;
    }
  });
}

const double *Condition::apply(Time end, const void *values, const Calendar &calendar) {
  if (!on_->is_static && looked_ != end)
    throw Failure(SV_EORDER,
                  "field '" + field_->name + "' was sent at " + calendar.text_of(end) + " before field '" + on_->name +
                      "', on which a condition of the streams is",
                  "Send '" + on_->name + "' first, at the end of each step");
  selected_.resize(field_->cells);
  with_type(field_->kind.type, [&](auto zero) {
    const auto *const own = static_cast<const decltype(zero) *>(values);
    for (size_t i = 0; i < selected_.size(); ++i) {
      const auto value = static_cast<double>(own[i]);
      const bool counts = holds_[i / repeats_ % holds_.size()] != 0 && !is_missing(field_->kind, value);
      selected_[i] = counts ? value : std::numeric_limits<double>::quiet_NaN();
    }
  });
  return selected_.data();
}

}  // namespace sv::streams
