#include "accumulator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include "number_type.hpp"

namespace sv::streams {

namespace {

constexpr size_t piece_cells = 1024;  // stay in the cache while several loops run over them
constexpr double no_value = std::numeric_limits<double>::quiet_NaN();  // yet

/// The value that a part has before the first step.
double beginning_of(const char *name) {
  const std::string part = name;
  return part == "min" || part == "max" || part == "value" ? no_value : 0.0;
}

std::vector<const char *> parts_of(Operation operation, bool has_missing) {
  std::vector<const char *> names;
  switch (operation) {
    case Operation::mean:
    case Operation::sum:
      names = {"sum"};
      break;
    case Operation::rms:
      names = {"squares"};
      break;
    case Operation::variance:
      names = {"mean", "deviations"};
      break;
    case Operation::minimum:
      return {"min"};
    case Operation::maximum:
      return {"max"};
    case Operation::range:
      return {"min", "max"};
    case Operation::first:
    case Operation::last:
      return {"value"};
    default:
      break;
  }
  // Of valid values: seconds, or for sum and count their number.
  if (has_missing || operation == Operation::count) names.push_back("weight");
  return names;
}

}  // namespace

Accumulator::Accumulator(Operation operation, const ValueKind &kind, size_t cells)
    : operation_(operation), kind_(kind), cells_(cells) {
  for (const char *const name : parts_of(operation, kind.has_missing)) parts_.push_back({name, {}});
}

void Accumulator::allocate() {
  for (Part &part : parts_) part.values.resize(cells_);
}

/// Before the first step of a period.
void Accumulator::clear(size_t begin, size_t end) {
  for (Part &part : parts_) std::fill(part.values.data() + begin, part.values.data() + end, beginning_of(part.name));
}

void Accumulator::restore(int64_t seconds, int64_t steps) {
  allocate();
  clear(0, cells_);
  seconds_ = seconds;
  steps_ = steps;
}

int64_t Accumulator::bytes() const { return static_cast<int64_t>(parts_.size() * cells_ * sizeof(double)); }

template <class Value, class IsValid>
void Accumulator::add_valid(const Cells<Value, IsValid> &cells, double weight) {
  const auto itself = [](double value) { return value; };
  const auto is_less = [](double value, double than) { return value < than; };
  const auto is_greater = [](double value, double than) { return value > than; };
  double *const first = part(0);
  double *const second = parts_.size() < 2 ? nullptr : part(1);
  switch (operation_) {
    case Operation::mean:
      if (is_finished_) return add_and_divide(cells, first, second, weight, static_cast<double>(seconds_));
      return add_terms(cells, first, second, weight, itself);
    case Operation::sum:
      return add_terms(cells, first, second, 1.0, itself);
    case Operation::rms:
      return add_terms(cells, first, second, weight, [](double value) { return value * value; });
    case Operation::minimum:
      return choose(cells, first, is_less);
    case Operation::maximum:
      return choose(cells, first, is_greater);
    case Operation::range:
      choose(cells, first, is_less);
      return choose(cells, second, is_greater);
    case Operation::first:
      return choose(cells, first, [](double, double) { return false; });
    case Operation::last:
      return choose(cells, first, [](double, double) { return true; });
    case Operation::count:
      if (kind_.has_missing) cells.each([=](size_t i, double, bool valid) { first[i] += valid ? 1.0 : 0.0; });
      return;
    case Operation::variance: {
      double *const weights = kind_.has_missing ? part(2) : nullptr;
      return add_deviations(cells, {first, second, weights, weight, weight / static_cast<double>(seconds_)});
    }
    case Operation::instant:
      return;
  }
}

template <class Value>
void Accumulator::add_cells(const Value *values, size_t begin, size_t end, double weight) {
  if (!kind_.has_missing) return add_valid(Cells<Value, Always>{values, begin, end, {}}, weight);
  if (std::isnan(kind_.missing)) return add_valid(Cells<Value, UnlessNan>{values, begin, end, {}}, weight);
  add_valid(Cells<Value, Unless>{values, begin, end, {kind_.missing}}, weight);
}

/// Integers become doubles first.
template <class Value>
void Accumulator::add_piece(const Value *values, size_t begin, size_t end, double weight) {
  if constexpr (std::is_floating_point_v<Value>) {
    add_cells(values, begin, end, weight);
  } else {
    std::array<double, piece_cells> piece;
    for (size_t i = begin; i < end; ++i) piece[i - begin] = static_cast<double>(values[i - begin]);
    add_cells(piece.data(), begin, end, weight);
  }
}

void Accumulator::add_step(const void *values, int64_t seconds, bool is_last) {
  const bool is_first = steps_ == 0;
  if (is_first) allocate();
  seconds_ += seconds;
  ++steps_;
  is_finished_ = is_last;
  const auto weight = static_cast<double>(seconds);
  with_type(kind_.type, [&](auto zero) {
    const auto *const own = static_cast<const decltype(zero) *>(values);
    for (size_t begin = 0; begin < cells_; begin += piece_cells) {
      const size_t end = std::min(cells_, begin + piece_cells);
      if (is_first) clear(begin, end);
      add_piece(own + begin, begin, end, weight);
      if (is_last) finish_cells(begin, end);
    }
  });
}

const double *Accumulator::finish() {
  if (steps_ == 0) {
    allocate();
    clear(0, cells_);
  }
  if (!is_finished_) finish_cells(0, cells_);
  is_finished_ = true;
  return part(0);
}

void Accumulator::finish_cells(size_t begin, size_t end) {
  double *const result = part(0);
  if (operation_ == Operation::count) {
    if (!kind_.has_missing) std::fill(result + begin, result + end, static_cast<double>(steps_));
    return;
  }
  const double *const other = parts_.size() < 2 ? nullptr : part(1);
  const double *const weights = kind_.has_missing ? parts_.back().values.data() : nullptr;
  const auto total = static_cast<double>(seconds_);
  const auto divide = [&](const double *from, const auto &function) {
    if (weights == nullptr)
      for (size_t i = begin; i < end; ++i) result[i] = function(from[i] / total);
    else
      for (size_t i = begin; i < end; ++i) result[i] = function(from[i] / weights[i]);
  };
  if (operation_ == Operation::mean && !is_finished_)
    divide(result, [](double value) { return value; });
  else if (operation_ == Operation::rms)
    divide(result, [](double value) { return std::sqrt(value); });
  else if (operation_ == Operation::variance)
    divide(other, [](double value) { return value; });
  else if (operation_ == Operation::range)
    for (size_t i = begin; i < end; ++i) result[i] = other[i] - result[i];
  else if (operation_ == Operation::sum && weights != nullptr)
    for (size_t i = begin; i < end; ++i) result[i] = weights[i] > 0 ? result[i] : no_value;
  if (kind_.has_missing) fill_missing(begin, end);
}

/// NaN stands where no value was valid (0 / 0).
void Accumulator::fill_missing(size_t begin, size_t end) {
  double *const result = part(0);
  for (size_t i = begin; i < end; ++i) result[i] = result[i] == result[i] ? result[i] : kind_.missing;
}

}  // namespace sv::streams
