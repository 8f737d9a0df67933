#include "weights_file.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "failure.hpp"
#include "sharing.hpp"

namespace sv::streams {

namespace {

constexpr const char *no_weights = "Give a file of weights as ESMF_RegridWeightGen, SCRIP or CDO (gencon) write it";

/// The names of a form, by side where there are two.
struct Names {
  const char *weights, *links;
  const char *addresses[2], *cells[2], *dims[2];
  const char *facts[2][6];  // by CellFact
};

constexpr Names esmf = {
    "S",
    "n_s",
    {"col", "row"},
    {"n_a", "n_b"},
    {"src_grid_dims", "dst_grid_dims"},
    {{"yc_a", "xc_a", "yv_a", "xv_a", "area_a", "frac_a"}, {"yc_b", "xc_b", "yv_b", "xv_b", "area_b", "frac_b"}}};
constexpr Names scrip = {"remap_matrix",
                         "num_links",
                         {"src_address", "dst_address"},
                         {"src_grid_size", "dst_grid_size"},
                         {"src_grid_dims", "dst_grid_dims"},
                         {{"src_grid_center_lat", "src_grid_center_lon", "src_grid_corner_lat", "src_grid_corner_lon",
                           "src_grid_area", "src_grid_frac"},
                          {"dst_grid_center_lat", "dst_grid_center_lon", "dst_grid_corner_lat", "dst_grid_corner_lon",
                           "dst_grid_area", "dst_grid_frac"}}};

const Names &names_of(bool is_esmf) { return is_esmf ? esmf : scrip; }

bool is_angle(CellFact fact) { return fact != CellFact::area && fact != CellFact::fraction; }

/// Without the rounding errors of radians, so that 40 degrees are 40.
double degrees(double radians) {
  constexpr double digits = 1e10;
  return std::round(radians * (180 / 3.14159265358979323846) * digits) / digits;
}

}  // namespace

WeightsFile::WeightsFile(sv_context *io, const std::string &path) : io_(io), path_(path) {
  sv_file *opened = nullptr;
  if (const int status = sv_open(io, path.c_str(), SV_NOWRITE | SV_LITERAL, &opened); status != SV_OK)
    throw Failure(status, sv_message(), no_weights);
  file_.reset(opened);
  is_esmf_ = variable(esmf.weights).has_value();
  const Names &names = names_of(is_esmf_);
  if (!variable(names.weights) || !variable(names.addresses[0]) || !variable(names.addresses[1]))
    throw Failure(SV_EFORMAT, path + ": there are no variables 'S', 'row' and 'col', nor 'remap_matrix'", no_weights);
  links_ = dimension(names.links).value_or(0);
  if (links_ == 0) throw Failure(SV_EFORMAT, path + ": there are no weights", no_weights);
  if (!is_esmf_ && dimension("num_wgts") != 1)
    throw Failure(SV_ENOTSUP, path + ": each link has several weights, of higher order",
                  "Make weights of first order, bilinear ones or those of nearest cells");
  read_shape(Side::source);
  read_shape(Side::target);
}

void WeightsFile::read_shape(Side side) {
  const auto number = static_cast<size_t>(side);
  const Names &names = names_of(is_esmf_);
  const std::optional<int> dims = variable(names.dims[number]);
  const std::optional<int64_t> cells = dimension(names.cells[number]);
  if (!dims || !cells)
    throw Failure(SV_EFORMAT,
                  path_ + ": there is no '" + (dims ? names.cells[number] : names.dims[number]) + "' for the grid",
                  no_weights);
  std::vector<int64_t> &shape = shapes_[number];
  shape.resize(static_cast<size_t>(lengths_of(*dims).front()));
  must(sv_get_var(file_.get(), *dims, SV_NO_RECORD, SV_INT64, shape.data(), nullptr));
  std::reverse(shape.begin(), shape.end());
  const int64_t product = std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
  if (product != *cells || product <= 0 || shape.size() > 2)
    throw Failure(SV_EFORMAT,
                  path_ + ": '" + names.dims[number] + "' has " + std::to_string(product) + " cells in " +
                      std::to_string(shape.size()) + " dimensions, but '" + names.cells[number] + "' is " +
                      std::to_string(*cells),
                  no_weights);
  cells_[number] = *cells;
}

std::optional<int> WeightsFile::variable(const char *name) const {
  int var = -1;
  if (sv_inq_varid(file_.get(), name, &var) != SV_OK) return std::nullopt;
  return var;
}

std::optional<int> WeightsFile::variable_of(Side side, CellFact fact) const {
  return variable(names_of(is_esmf_).facts[static_cast<size_t>(side)][static_cast<size_t>(fact)]);
}

int64_t WeightsFile::vertices(Side side) const {
  const std::optional<int> var = variable_of(side, CellFact::latitude_corners);
  return var && has(side, CellFact::longitude_corners) ? lengths_of(*var).back() : 0;
}

std::optional<int64_t> WeightsFile::dimension(const char *name) const {
  int dim = -1;
  int64_t length = 0;
  if (sv_inq_dimid(file_.get(), name, &dim) != SV_OK) return std::nullopt;
  must(sv_inq_dim(file_.get(), dim, nullptr, &length));
  return length;
}

std::vector<int64_t> WeightsFile::lengths_of(int var) const {
  int ndims = 0, dims[SV_MAX_DIMS];
  must(sv_inq_var(file_.get(), var, nullptr, nullptr, &ndims, dims, nullptr));
  std::vector<int64_t> lengths(static_cast<size_t>(ndims));
  for (size_t d = 0; d < lengths.size(); ++d) must(sv_inq_dim(file_.get(), dims[d], nullptr, &lengths[d]));
  return lengths;
}

std::string WeightsFile::text(int var, const char *name) const {
  int type = 0;
  int64_t count = 0;
  if (sv_inq_att(file_.get(), var, name, &type, &count) != SV_OK || type != SV_CHAR) return "";
  std::string made(static_cast<size_t>(count), ' ');
  must(sv_get_att(file_.get(), var, name, SV_CHAR, made.data()));
  return made;
}

template <class Value>
std::vector<Value> WeightsFile::read_numbers(int var, int64_t begin, int64_t end) const {
  std::vector<int64_t> count = lengths_of(var), start(count.size(), 0);
  start.front() = begin;
  count.front() = end - begin;
  std::vector<Value> made(
      static_cast<size_t>(std::accumulate(count.begin(), count.end(), int64_t{1}, std::multiplies<>())));
  constexpr int type = std::is_same_v<Value, double> ? SV_DOUBLE : SV_INT64;
  must(sv_get_vara(file_.get(), var, start.data(), count.data(), type, made.data(), nullptr));
  return made;
}

std::vector<Link> WeightsFile::read_links(int64_t begin, int64_t end) const {
  const Names &names = names_of(is_esmf_);
  const auto weights = read_numbers<double>(*variable(names.weights), begin, end);
  const auto sources = read_numbers<int64_t>(*variable(names.addresses[0]), begin, end);
  const auto targets = read_numbers<int64_t>(*variable(names.addresses[1]), begin, end);
  std::vector<Link> links(weights.size());
  for (size_t i = 0; i < links.size(); ++i) links[i] = {targets[i] - 1, sources[i] - 1, weights[i]};
  check(links, begin);
  return links;
}

/// All ranks throw, with the last bad link of all.
void WeightsFile::check(const std::vector<Link> &links, int64_t begin) const {
  const auto is_good = [&](const Link &link) {
    return link.target >= 0 && link.target < cells(Side::target) && link.source >= 0 &&
           link.source < cells(Side::source) && std::isfinite(link.weight);
  };
  int64_t bad = -1;
  for (size_t i = 0; i < links.size(); ++i)
    if (!is_good(links[i])) bad = begin + static_cast<int64_t>(i);
  bad = largest_of_ranks(io_, bad);
  if (bad >= 0)
    throw Failure(SV_EFORMAT,
                  path_ + ": weight " + std::to_string(bad + 1) +
                      " is not finite, or its cell is outside of the grids of " + std::to_string(cells(Side::source)) +
                      " and " + std::to_string(cells(Side::target)) + " cells",
                  no_weights);
}

std::vector<double> WeightsFile::read(Side side, CellFact fact, int64_t begin, int64_t end) const {
  const std::optional<int> var = variable_of(side, fact);
  if (!var) return {};
  auto values = read_numbers<double>(*var, begin, end);
  if (is_angle(fact) && text(*var, "units").starts_with("rad"))
    for (double &value : values) value = degrees(value);
  return values;
}

}  // namespace sv::streams
