// Values of a file of the user's, on which the codecs are measured: chunks of a few levels of a variable's last record.
#include "sample.hpp"

#include <netcdf.h>

#include <algorithm>
#include <stdexcept>

namespace sv_probe {

namespace {

constexpr size_t most_sample_bytes = size_t{4} << 20, chunk_cells = 97200;

/// Owns an open file. Local.
class Source {
 public:
  Source(const std::string &path, const std::string &variable) : path_(path) {
    require(nc_open(path.c_str(), NC_NOWRITE, &file_));
    if (nc_inq_varid(file_, variable.c_str(), &variable_) != NC_NOERR)
      refuse("has no variable '" + variable + "'. Give another --sample FILE:VARIABLE");
    int dims = 0;
    nc_type type = NC_NAT;
    require(nc_inq_varndims(file_, variable_, &dims));
    require(nc_inq_vartype(file_, variable_, &type));
    if (type != NC_FLOAT && type != NC_DOUBLE && type != NC_INT && type != NC_SHORT)
      refuse("'" + variable + "' is neither float, double, int nor short. Give another --sample FILE:VARIABLE");
    element_bytes_ = type == NC_DOUBLE ? 8 : type == NC_SHORT ? 2 : 4;
    std::vector<int> ids(static_cast<size_t>(dims));
    int unlimited = -1;
    require(nc_inq_vardimid(file_, variable_, ids.data()));
    require(nc_inq_unlimdim(file_, &unlimited));
    for (const int id : ids) {
      size_t length = 0;
      require(nc_inq_dimlen(file_, id, &length));
      if (length == 0) refuse("'" + variable + "' has no values. Give another --sample FILE:VARIABLE");
      const bool is_record = id == unlimited && lengths_.empty();
      start_.push_back(is_record ? length - 1 : 0);
      lengths_.push_back(is_record ? 1 : length);
    }
    if (dims < 2) refuse("'" + variable + "' has fewer than two dimensions. Give another --sample FILE:VARIABLE");
  }
  ~Source() {
    if (file_ >= 0) nc_close(file_);  // only read
  }
  Source(const Source &) = delete;
  Source &operator=(const Source &) = delete;

  int element_bytes() const { return element_bytes_; }
  /// Of whole rows, or the middle of one that is longer, a level or a part of one at a time, evenly over all levels.
  std::vector<std::vector<std::byte>> chunks() {
    const size_t dims = lengths_.size(), rows = lengths_[dims - 2];
    const size_t most_cells = most_sample_bytes / static_cast<size_t>(element_bytes_);
    const size_t row = std::min(lengths_[dims - 1], most_cells);
    size_t levels = 1;
    for (size_t d = 0; d + 2 < dims; ++d) levels *= lengths_[d];
    const size_t taken_rows = std::clamp<size_t>(most_cells / row, 1, rows);
    const size_t taken = std::clamp<size_t>(most_cells / (row * taken_rows), 1, levels);
    std::vector<std::byte> values;
    for (size_t i = 0; i < taken; ++i) read_level(i * levels / taken, taken_rows, row, values);
    std::vector<std::vector<std::byte>> cut;
    const size_t step = chunk_cells * static_cast<size_t>(element_bytes_);
    for (size_t at = 0; at < values.size(); at += step)
      cut.emplace_back(values.data() + at, values.data() + std::min(values.size(), at + step));
    return cut;
  }

 private:
  void read_level(size_t level, size_t rows, size_t row, std::vector<std::byte> &values) {
    const size_t dims = lengths_.size();
    std::vector<size_t> start = start_, count(dims, 1);
    for (size_t d = dims - 2; d-- > 0; level /= lengths_[d]) start[d] += level % lengths_[d];
    start[dims - 2] = (lengths_[dims - 2] - rows) / 2;
    start[dims - 1] = (lengths_[dims - 1] - row) / 2;
    count[dims - 2] = rows;
    count[dims - 1] = row;
    const size_t before = values.size();
    values.resize(before + rows * row * static_cast<size_t>(element_bytes_));
    require(nc_get_vara(file_, variable_, start.data(), count.data(), values.data() + before));
  }
  void require(int status) const {
    if (status != NC_NOERR) refuse(std::string("netCDF says: ") + nc_strerror(status) + ". Give another --sample");
  }
  [[noreturn]] void refuse(const std::string &why) const { throw std::invalid_argument(path_ + ": " + why); }

  const std::string path_;
  int file_ = -1, variable_ = -1, element_bytes_ = 4;
  std::vector<size_t> start_, lengths_;
};

}  // namespace

Sample read_sample(const std::string &name) {
  const size_t colon = name.rfind(':');
  if (colon == std::string::npos)
    throw std::invalid_argument("--sample: '" + name + "' is not like ocean.nc:temp, a file and its variable");
  Source source(name.substr(0, colon), name.substr(colon + 1));
  return {name, source.element_bytes(), source.chunks()};
}

}  // namespace sv_probe
