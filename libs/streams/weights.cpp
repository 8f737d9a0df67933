#include "weights.hpp"

#include <algorithm>
#include <cstdio>

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

Weights::Weights(sv_context *io, const NodeGroup &nodes, const std::string &path) : path_(path), nodes_(&nodes) {
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
  for (size_t k = 0; k < own.size(); ++k) {
    while (target_->begin() + static_cast<int64_t>(links_.cells()) < own[k].target) links_.end_cell();
    const auto at = std::lower_bound(sources_.begin(), sources_.end(), own[k].source);
    links_.columns.push_back(static_cast<uint32_t>(at - sources_.begin()));
    links_.weights.push_back(own[k].weight);
  }
  while (target_->begin() + static_cast<int64_t>(links_.cells()) < target_->end()) links_.end_cell();
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
    for (size_t k = links_.begins[i]; k < links_.begins[i + 1]; ++k)
      after.add(links_.weights[k] * areas[i] * (rule_ == MissingRule::mean ? shares[i] : 1));
  const double integral = sum_over_ranks(io, before);
  if (!(integral > 0)) return;  // the file has no areas in fact
  char text[64];
  std::snprintf(text, sizeof text, "; it changes the integral of a constant by %.1e",
                sum_over_ranks(io, after) / integral - 1);
  description_ += text;
}

SourceCells &Weights::source_cells_of(sv_context *io, int64_t levels, const std::vector<int64_t> &own) {
  std::vector<int64_t> fits;
  for (const auto &each : source_cells_of_) fits.push_back(each->is_of(levels, own) ? 1 : 0);
  take_least(io, fits);
  const auto found = std::find(fits.begin(), fits.end(), 1);
  if (found != fits.end()) return *source_cells_of_[static_cast<size_t>(found - fits.begin())];
  const SourceCells::Needed needed{source_cells_, levels, sources_};
  return *source_cells_of_.emplace_back(std::make_unique<SourceCells>(io, *nodes_, needed, own));
}

/// Blocks of cells keep their weights in the cache for all slabs.
void Weights::apply(const Slabs &of, double *results) const {
  constexpr size_t block = 512;
  const size_t cells = links_.cells(), slab_bytes = sources_.size() * bytes_of_source(of.sources.type);
  for (size_t begin = 0; begin < cells; begin += block)
    for (size_t slab = 0; slab < of.slabs; ++slab) {
      const size_t first = (slab / of.inner * cells + begin) * of.inner + slab % of.inner;
      const auto *const sources = static_cast<const std::byte *>(of.sources.values) + slab * slab_bytes;
      multiply(links_, {of.sources.type, sources}, {begin, std::min(begin + block, cells)},
               {rule_ == MissingRule::missing, rule_ == MissingRule::mean, results + first, of.inner});
    }
}

}  // namespace sv::streams
