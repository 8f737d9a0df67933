#include "weights.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "exact_sum.hpp"
#include "sharing.hpp"

namespace sv::streams {

namespace {

bool is_conservative(const WeightsFile &file) {
  const std::string method = file.attribute("map_method");
  return method.find("onserv") != std::string::npos;
}

bool is_divided_by_fraction(const WeightsFile &file) { return file.attribute("normalization") == "fracarea"; }

double sum_over_ranks(sv_context *io, ExactSum sum) {
  std::vector<ExactSum> sums = {sum};
  add_over_ranks(io, sums);
  return sums.front().value();
}

}  // namespace

Weights::Weights(sv_context *io, const std::string &path) : path_(path) {
  const WeightsFile file(io, path);
  source_shape_ = file.shape(Side::source);
  source_cells_ = file.cells(Side::source);
  target_ = std::make_unique<TargetGrid>(io, file);
  for (const int64_t cell : {int64_t{0}, source_cells_ - 1})
    for (const CellFact fact : {CellFact::longitude, CellFact::latitude}) {
      const std::vector<double> value = file.read(Side::source, fact, cell, cell + 1);
      source_corners_.insert(source_corners_.end(), value.begin(), value.end());
    }
  if (is_conservative(file)) rule_ = is_divided_by_fraction(file) ? MissingRule::mean : MissingRule::sum_alone;
  take_links(io, file);
  describe(io, file);
}

/// Each rank reads a part, and sends the links to the ranks of their target cells. Links of one cell arrive in the
/// file's order.
void Weights::take_links(sv_context *io, const WeightsFile &file) {
  const auto [rank, ranks] = rank_and_ranks(io);
  const Shares parts{file.links(), ranks};
  std::vector<std::vector<Link>> to(static_cast<size_t>(ranks));
  for (const Link &link : file.read_links(parts.begin(rank), parts.begin(rank + 1)))
    to[static_cast<size_t>(target_->owner(link.target))].push_back(link);
  std::vector<Link> own;
  for (const std::vector<Link> &part : exchanged(io, to)) own.insert(own.end(), part.begin(), part.end());
  std::stable_sort(own.begin(), own.end(), [](const Link &one, const Link &other) {
    return std::pair(one.target, one.source) < std::pair(other.target, other.source);
  });
  for (const Link &link : own) sources_.push_back(link.source);
  std::sort(sources_.begin(), sources_.end());
  sources_.erase(std::unique(sources_.begin(), sources_.end()), sources_.end());
  sources_.shrink_to_fit();
  begins_.assign(static_cast<size_t>(target_->end() - target_->begin()) + 1, 0);
  for (const Link &link : own) {
    ++begins_[static_cast<size_t>(link.target - target_->begin()) + 1];
    const auto at = std::lower_bound(sources_.begin(), sources_.end(), link.source);
    columns_.push_back(static_cast<uint32_t>(at - sources_.begin()));
    weights_.push_back(link.weight);
  }
  for (size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
}

/// The integral of a field that is 1 everywhere, on both grids. Exact sums have no order.
void Weights::describe(sv_context *io, const WeightsFile &file) {
  description_ = file.attribute("map_method");
  if (description_.empty()) description_ = "Remapping";
  description_ += " with " + path_;
  if (!is_conservative(file) || !file.has(Side::source, CellFact::area) || !file.has(Side::target, CellFact::area) ||
      !file.has(Side::source, CellFact::fraction) || !file.has(Side::target, CellFact::fraction))
    return;
  const auto [rank, ranks] = rank_and_ranks(io);
  const Shares parts{source_cells_, ranks};
  const auto read = [&](Side side, CellFact fact, int64_t begin, int64_t end) {
    return file.read(side, fact, begin, end);
  };
  const auto source_areas = read(Side::source, CellFact::area, parts.begin(rank), parts.begin(rank + 1));
  const auto source_shares = read(Side::source, CellFact::fraction, parts.begin(rank), parts.begin(rank + 1));
  const auto areas = read(Side::target, CellFact::area, target_->begin(), target_->end());
  const auto shares = read(Side::target, CellFact::fraction, target_->begin(), target_->end());
  ExactSum before, after;
  for (size_t i = 0; i < source_areas.size(); ++i) before.add(source_areas[i] * source_shares[i]);
  for (size_t i = 0; i < areas.size(); ++i)
    for (size_t k = begins_[i]; k < begins_[i + 1]; ++k)
      after.add(weights_[k] * areas[i] * (rule_ == MissingRule::mean ? shares[i] : 1));
  const double integral = sum_over_ranks(io, before);
  if (!(integral > 0)) return;  // the file has no areas in fact
  char text[64];
  std::snprintf(text, sizeof text, "; it changes the integral of a constant by %.1e",
                sum_over_ranks(io, after) / integral - 1);
  description_ += text;
}

void Weights::apply(const double *values, size_t count, double *results) const {
  if (count == 1)
    multiply(values, std::integral_constant<size_t, 1>(), results);
  else
    multiply(values, count, results);
}

template <class Count>
void Weights::multiply(const double *values, Count count, double *results) const {
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> of_valid(count);
  for (size_t cell = 0; cell + 1 < begins_.size(); ++cell, results += count) {
    double total = 0;
    for (size_t i = 0; i < count; ++i) results[i] = of_valid[i] = 0;
    for (size_t k = begins_[cell]; k < begins_[cell + 1]; ++k) {
      const double weight = weights_[k], *const from = values + columns_[k] * count;
      total += weight;
      for (size_t i = 0; i < count; ++i) {
        const bool is_valid = from[i] == from[i];
        results[i] += is_valid ? weight * from[i] : 0.0;
        of_valid[i] += is_valid ? weight : 0.0;
      }
    }
    for (size_t i = 0; i < count; ++i) {
      const bool is_whole = of_valid[i] == total;
      if (!(of_valid[i] > 0) || (!is_whole && rule_ == MissingRule::missing))
        results[i] = nothing;
      else if (!is_whole && rule_ == MissingRule::mean)
        results[i] *= total / of_valid[i];
    }
  }
}

}  // namespace sv::streams
