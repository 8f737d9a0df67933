#include "store/file_runs.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace sv {
namespace {

[[noreturn]] void defect(const std::string &cause) { throw Error(Status::internal, cause, "Please report this"); }

void check_slab(const Schema &schema, const Slab &slab, const Index &shape, int64_t buffer_elements) {
  if (slab.box.dims() != shape.n) defect("a slab has the wrong number of dimensions");
  for (int d = 0; d < shape.n; ++d)
    if (slab.box.start[d] < 0 || slab.box.count[d] < 0 || slab.box.start[d] + slab.box.count[d] > shape[d])
      defect("a slab reaches over the edge of its variable");
  if (slab.record < 0 || (slab.record > 0 && !schema.variables[slab.variable].has_records))
    defect("a slab has the wrong record");
  if (slab.first < 0 || slab.last < slab.first || slab.last > slab.box.elements())
    defect("a slab has the wrong range of elements");
  if (buffer_elements != slab.last - slab.first) defect("a slab's buffer has the wrong size");
}

}  // namespace

FileRunCursor::FileRunCursor(const PlacedSchema &schema, const Slab &slab, int64_t buffer_bytes)
    : base_bytes_(0), element_bytes_(0), first_(slab.first), at_(slab.first), last_(slab.last) {
  if (slab.variable < 0 || slab.variable >= static_cast<int>(schema.variables.size()))
    defect("a slab of a variable that does not exist");
  const Variable &variable = schema.variables[slab.variable];
  element_bytes_ = size_of(variable.type);
  const Index shape = schema.slab_shape(variable);
  check_slab(schema, slab, shape, buffer_bytes % element_bytes_ == 0 ? buffer_bytes / element_bytes_ : -1);
  base_bytes_ = schema.place(slab.variable).of_record(slab.record);
  int64_t inner = 1;
  int n = shape.n;
  for (; n > 0 && slab.box.count[n - 1] == shape[n - 1]; --n) inner *= shape[n - 1];
  for (int d = 0; d < n; ++d) {
    const int64_t factor = d == n - 1 ? inner : 1;
    shape_.push(shape[d] * factor);
    box_.start.push(slab.box.start[d] * factor);
    box_.count.push(slab.box.count[d] * factor);
  }
}

bool FileRunCursor::next(FileRun &run) {
  if (at_ >= last_) return false;
  const int n = shape_.n;
  int64_t elements = last_ - at_, place = at_;
  if (n > 0) {
    elements = std::min(elements, box_.count[n - 1] - at_ % box_.count[n - 1]);
    place = position(Box::whole(shape_), cell_at(box_, at_));
  }
  run = {base_bytes_ + place * element_bytes_, (at_ - first_) * element_bytes_, elements * element_bytes_};
  at_ += elements;
  return true;
}

}  // namespace sv
