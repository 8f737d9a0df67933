#include "places.hpp"

#include <algorithm>
#include <limits>

#include "convert.hpp"

namespace sv::pnetcdf {

namespace {

/// Appends `n` cells from `first` on, in the row-major order of the dimensions from `d` on, as boxes: the rest of a
/// row, whole rows, the beginning of a row.
class Boxes {
 public:
  Boxes(Cells &cells, const Shape &shape) : cells_(cells), shape_(shape), start_(cells.dims), count_(cells.dims, 1) {}

  void append(int64_t record, int64_t first, int64_t n) {
    if (shape_.has_records) start_[0] = record;
    split(shape_.has_records ? 1 : 0, first, n);
    cells_.cells += n;
  }

 private:
  void split(size_t d, int64_t first, int64_t n) {
    if (n == 0) return;
    if (d >= cells_.dims) return write();
    int64_t row = 1;
    for (size_t i = d + 1; i < cells_.dims; ++i) row *= shape_.lengths[i];
    const int64_t head = std::min(n, (row - first % row) % row), rows = (n - head) / row, tail = n - head - rows * row;
    one_of(d, first, row, head);
    if (rows > 0) {
      start_[d] = (first + head) / row;
      count_[d] = rows;
      for (size_t i = d + 1; i < cells_.dims; ++i) start_[i] = 0, count_[i] = shape_.lengths[i];
      write();
    }
    one_of(d, first + n - tail, row, tail);
  }
  void one_of(size_t d, int64_t first, int64_t row, int64_t n) {
    if (n == 0) return;
    start_[d] = first / row;
    count_[d] = 1;
    split(d + 1, first % row, n);
  }
  void write() {
    cells_.numbers.insert(cells_.numbers.end(), start_.begin(), start_.end());
    cells_.numbers.insert(cells_.numbers.end(), count_.begin(), count_.end());
  }

  Cells &cells_;
  const Shape &shape_;
  std::vector<MPI_Offset> start_, count_;
};

}  // namespace

Places::Places(Dataset &own) : own_(own), records_begin_(std::numeric_limits<int64_t>::max()) {
  must(sv_inq_file_layout(own.file, nullptr, nullptr, &record_bytes_));
  for (int v = 0; v < own.variable_count(); ++v) {
    const Shape &shape = own.variable(v);
    Slab slab{0, type_bytes(shape.type), v};
    must(sv_inq_varoffset(own.file, v, &slab.begin_bytes));
    for (size_t d = shape.has_records ? 1 : 0; d < shape.lengths.size(); ++d) slab.bytes *= shape.lengths[d];
    if (shape.has_records) records_begin_ = std::min(records_begin_, slab.begin_bytes);
    (shape.has_records ? recorded_ : fixed_).push_back(slab);
  }
  for (auto *const slabs : {&fixed_, &recorded_})
    std::sort(slabs->begin(), slabs->end(), [](const Slab &a, const Slab &b) { return a.begin_bytes < b.begin_bytes; });
}

const Places::Slab &Places::slab_at(int64_t offset_bytes, const std::vector<Slab> &slabs) const {
  const auto after = std::upper_bound(slabs.begin(), slabs.end(), offset_bytes,
                                      [](int64_t offset, const Slab &slab) { return offset < slab.begin_bytes; });
  refuse_if(after == slabs.begin(), NC_EINVALCOORDS);
  const Slab &found = *(after - 1);
  refuse_if(offset_bytes >= found.begin_bytes + found.bytes, NC_EINVALCOORDS);
  return found;
}

void Places::find(int64_t offset_bytes, int64_t bytes, std::vector<Cells> &found) const {
  while (bytes > 0) {
    const bool in_records = offset_bytes >= records_begin_;
    const int64_t record = in_records ? (offset_bytes - records_begin_) / record_bytes_ : 0;
    const int64_t place = offset_bytes - record * record_bytes_;
    const Slab &slab = slab_at(place, in_records ? recorded_ : fixed_);
    const Shape &shape = own_.variable(slab.variable);
    const int64_t width = type_bytes(shape.type), within = place - slab.begin_bytes;
    const int64_t now = std::min(bytes, slab.bytes - within);
    refuse_if(within % width != 0 || now % width != 0, NC_EINVALCOORDS);
    if (found.empty() || found.back().variable != slab.variable) {
      refuse_if(!found.empty() && own_.variable(found.front().variable).type != shape.type, NC_EMULTITYPES);
      found.push_back({slab.variable, shape.lengths.size(), 0, {}});
    }
    Boxes(found.back(), shape).append(record, within / width, now / width);
    offset_bytes += now;
    bytes -= now;
  }
}

}  // namespace sv::pnetcdf
