#include "weights.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>

#include "cell_exchange.hpp"
#include "exact_sum.hpp"
#include "number_type.hpp"
#include "sharing.hpp"

namespace sv::streams {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr size_t lanes = 4, links_at_once = 64;

/// A sum in which the order of additions is that of independent lanes: each takes every fourth term.
struct Lanes {
  double parts[lanes] = {};
  double total() const { return (parts[0] + parts[1]) + (parts[2] + parts[3]); }
};

/// Adds the products of values, those which are NaN left out, and the weights of the others. `count`: a multiple of the
/// number of lanes.
void add_products(size_t count, const double *values, const double *weights, Lanes &sum, Lanes &of_valid) {
  Lanes products = sum, valid = of_valid;
  for (size_t i = 0; i < count; i += lanes)
    for (size_t lane = 0; lane < lanes; ++lane) {
      const double value = values[i + lane], weight = weights[i + lane], product = weight * value;
      const bool is_valid = value == value;
      products.parts[lane] += is_valid ? product : 0.0;
      valid.parts[lane] += is_valid ? weight : 0.0;
    }
  sum = products;
  of_valid = valid;
}

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
  weights_.resize(weights_.size() + lanes, 0.0);  // those of an incomplete group of lanes are read
  for (size_t i = 1; i < begins_.size(); ++i) {
    begins_[i] += begins_[i - 1];
    Lanes total;
    for (size_t k = begins_[i - 1]; k < begins_[i]; ++k) total.parts[(k - begins_[i - 1]) % lanes] += weights_[k];
    totals_.push_back(total.total());
  }
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

Weights::Runs Weights::runs_of(const std::vector<uint32_t> &places, size_t levels, size_t own_cells) const {
  Runs runs;
  const auto follows = [&](const Run &last, uint32_t place) {
    if (place == CellExchange::no_place || last.place == CellExchange::no_place) return place == last.place;
    return place == last.place + last.length && place != own_cells;
  };
  for (size_t level = 0; level < levels; ++level)
    for (size_t cell = 0; cell < totals_.size(); ++cell) {
      runs.begins.push_back(runs.all.size());
      for (size_t k = begins_[cell]; k < begins_[cell + 1]; ++k) {
        const uint32_t place = places[level * sources_.size() + columns_[k]];
        if ((k - begins_[cell]) % links_at_once != 0 && follows(runs.all.back(), place))
          ++runs.all.back().length;
        else
          runs.all.push_back({place, 1});
      }
    }
  runs.begins.push_back(runs.all.size());
  return runs;
}

/// The source values of one level, for one index of the axes after the grid.
template <class Value>
struct Weights::Slab {
  const Value *own, *others;
  size_t own_cells, own_stride, others_stride;
  double missing;  // NaN: none is

  /// In double precision, NaN where they are missing.
  void read(const Run &run, double *values) const {
    const auto copy = [&](const Value *from, size_t stride) {
      for (size_t i = 0; i < run.length; ++i) {
        const auto value = static_cast<double>(from[i * stride]);
        values[i] = value == missing ? not_a_number : value;
      }
    };
    if (run.place == CellExchange::no_place)
      std::fill_n(values, run.length, not_a_number);
    else if (run.place >= own_cells)
      copy(others + (run.place - own_cells) * others_stride, others_stride);
    else if (own_stride == 1)
      copy(own + run.place, 1);
    else
      copy(own + run.place * own_stride, own_stride);
  }
};

/// Blocks of cells keep their weights in the cache for all levels.
void Weights::apply(const Sources &of, const Runs &runs, double *results) const {
  constexpr size_t block = 512;
  const size_t cells = totals_.size(), inner = of.inner;
  with_type(of.kind.type, [&](auto zero) {
    using Value = decltype(zero);
    Slab<Value> slab{nullptr, nullptr, of.own_cells, inner, of.outer * inner, not_a_number};
    if (of.kind.has_missing) slab.missing = of.kind.missing;
    for (size_t begin = 0; begin < cells; begin += block)
      for (size_t i = 0; i < of.outer * of.levels * inner; ++i) {
        const size_t level = i / inner % of.levels, outer = i / inner / of.levels, of_inner = i % inner;
        slab.own = static_cast<const Value *>(of.own) + outer * of.own_cells * inner + of_inner;
        slab.others = static_cast<const Value *>(of.others) + outer * inner + of_inner;
        const size_t *const run_begins = runs.begins.data() + level * cells;
        double *const to = results + i / inner * cells * inner + of_inner;
        for (size_t cell = begin; cell < std::min(begin + block, cells); ++cell) {
          const double result = product(slab, cell, runs.all.data() + run_begins[cell]);
          to[cell * inner] = result == result ? result : slab.missing;
        }
      }
  });
}

/// NaN where there is none.
template <class Value>
double Weights::product(const Slab<Value> &slab, size_t cell, const Run *run) const {
  double values[links_at_once];
  Lanes sum, of_valid;
  for (size_t k = begins_[cell], end = 0; k < begins_[cell + 1]; k = end) {
    end = std::min(k + links_at_once, begins_[cell + 1]);
    size_t count = 0;
    for (; count < end - k; count += (run++)->length) slab.read(*run, values + count);
    for (; count % lanes != 0; ++count) values[count] = not_a_number;
    add_products(count, values, weights_.data() + k, sum, of_valid);
  }
  const double valid = of_valid.total(), total = totals_[cell];
  const bool is_whole = valid == total;
  if (!(valid > 0) || (!is_whole && rule_ == MissingRule::missing)) return not_a_number;
  return is_whole || rule_ != MissingRule::mean ? sum.total() : sum.total() * (total / valid);
}

}  // namespace sv::streams
