#include "workload/workload.hpp"

#include <sverdrup/sverdrup.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace sv_bench {

namespace {

// Between the same cells of neighbouring variables.
constexpr int64_t between_variables = 5077;

template <typename T>
void fill_row(std::byte *row, int64_t count, int64_t first) {
  T *values = reinterpret_cast<T *>(row);
  for (int64_t i = 0; i < count; ++i) values[i] = static_cast<T>(value_of(first + i));
}

// Gives `count` values of each row, and the same again after every `pitch` of them.
void fill_rows(const Box &box, int64_t count, int64_t pitch, std::byte *memory) {
  const auto fill_values = [&](std::byte *values, int64_t first) {
    switch (box.type) {
      case SV_DOUBLE:
        return fill_row<double>(values, count, first);
      case SV_FLOAT:
        return fill_row<float>(values, count, first);
      default:
        break;  // of the integers only the width matters
    }
    if (box.width == 1) fill_row<uint8_t>(values, count, first);
    if (box.width == 2) fill_row<uint16_t>(values, count, first);
    if (box.width == 4) fill_row<uint32_t>(values, count, first);
    if (box.width == 8) fill_row<uint64_t>(values, count, first);
  };
  box.for_each_row([&](int64_t offset, int64_t place) {
    const int64_t first = box.first_value + (offset - box.slab_offset) / box.width;
    for (int64_t at = 0; at < box.elements; at += pitch) fill_values(memory + place + at * box.width, first + at);
  });
}

// The rows of one record of a region: `lengths` of the variable without records.
Box box_of(const Region &region, const std::vector<int64_t> &lengths, const std::vector<int64_t> &memory_steps,
           int64_t width) {
  const size_t skip = region.count.size() - lengths.size();
  Box box{};
  box.elements = 1;
  box.width = width;
  box.count = {1, 1, 1};
  int64_t step = width;  // in the file
  size_t outer = box.count.size();
  for (size_t d = lengths.size(); d-- > 0;) {
    const int64_t count = region.count[d + skip], row = box.elements * width;
    const int64_t apart = region.apart.empty() ? step : step * region.apart[d + skip];
    box.file_offset += region.start[d + skip] * step;
    if (outer == box.count.size() && apart == row && memory_steps[d + skip] == row) {
      box.elements *= count;
    } else if (outer < box.count.size() && box.file_step[outer] * box.count[outer] == apart &&
               box.memory_step[outer] * box.count[outer] == memory_steps[d + skip]) {
      box.count[outer] *= count;  // goes on as regularly
    } else {
      if (outer == 0) throw std::runtime_error("a workload's variable has too many dimensions");
      --outer;
      box.count[outer] = count;
      box.file_step[outer] = apart;
      box.memory_step[outer] = memory_steps[d + skip];
    }
    step *= lengths[d];
  }
  return box;
}

}  // namespace

int64_t first_number(const Schema &schema, int variable, int64_t record) {
  return variable * between_variables + record * schema.slab_elements(schema.variables[static_cast<size_t>(variable)]);
}

int64_t Region::elements() const {
  int64_t product = 1;
  for (const int64_t length : count) product *= length;
  return product;
}

int64_t Access::elements() const {
  int64_t sum = 0;
  for (const Region &region : regions) sum += region.elements();
  return sum;
}

std::vector<int64_t> Access::memory_steps(int64_t width) const {
  const std::vector<int64_t> &lengths = frame ? frame->shape : regions.front().count;
  std::vector<int64_t> steps(lengths.size(), width);
  for (size_t d = lengths.size(); d-- > 1;) steps[d - 1] = steps[d] * lengths[d];
  return steps;
}

int64_t Access::array_place(int64_t width) const {
  int64_t at = place;
  if (!frame) return at;
  const std::vector<int64_t> steps = memory_steps(width);
  for (size_t d = 0; d < steps.size(); ++d) at -= frame->start[d] * steps[d];
  return at;
}

Workload::Workload(MPI_Comm comm, Schema what) : team(comm), schema(std::move(what)), file(cdf5_file(schema)) {}

void Workload::add(Access access) {
  const Variable &what = variable(access);
  const int64_t width = what.type.bytes;
  const int64_t begin = file.begins[static_cast<size_t>(access.variable)];
  access.place = used_bytes_;
  int64_t values = access.elements();
  if (access.frame) {
    const std::vector<int64_t> steps = access.memory_steps(width);
    for (size_t d = 0; d < steps.size(); ++d) access.place += access.frame->start[d] * steps[d];
    values = Region{{}, access.frame->shape}.elements();
  }
  int64_t place = access.place;
  for (const Region &region : access.regions) {
    const std::vector<int64_t> steps = Access{access.variable, {region}, access.frame}.memory_steps(width);
    const bool records = schema.is_record(what);
    Box box = box_of(region, schema.shape(what), steps, width);
    if (!region.count.empty()) box.line = region.count.back();
    const int64_t in_slab = box.file_offset;
    for (int64_t r = 0; region.elements() > 0 && r < (records ? region.count[0] : 1); ++r) {
      const int64_t record = records ? region.start[0] + r : 0;
      box.type = what.type.number;
      box.step = step_ends_.size();
      box.slab_offset = begin + record * file.record_bytes;
      box.file_offset = box.slab_offset + in_slab;
      box.place = place + (records ? r * steps[0] : 0);
      box.first_value = first_number(schema, access.variable, file_per_step_ ? static_cast<int64_t>(box.step) : record);
      (region.count.empty() && team.rank > 0 ? copies_ : boxes_).push_back(box);
    }
    place += region.elements() * width;
  }
  used_bytes_ += (values * width + 7) / 8 * 8;
  accesses_.push_back(std::move(access));
}

void Workload::end_step() {
  step_ends_.push_back(accesses_.size());
  most_used_bytes_ = std::max(most_used_bytes_, used_bytes_);
  if (reuses_memory_) used_bytes_ = 0;
}

void Workload::fill() {
  memory_.assign(static_cast<size_t>(needed_bytes()), std::byte{0xA5});
  std::stable_sort(boxes_.begin(), boxes_.end(),
                   [](const Box &a, const Box &b) { return a.file_offset < b.file_offset; });
  for (const std::vector<Box> *boxes : {&boxes_, &copies_}) {
    for (const Box &box : *boxes) {
      if (!reuses_memory_ || box.step == 0) fill_rows(box, box.elements, box.elements, memory_.data());
    }
  }
}

void Workload::advance(size_t step) const {
  if (!reuses_memory_) return;
  if (points) points->advance(step);
  for (const Box &box : boxes_) {
    if (box.step == step) fill_rows(box, 1, box.line, memory_.data());
  }
}

bool Workload::matches(const std::vector<std::byte> &values) const {
  bool equal = values.size() == memory_.size();
  for (const Box &box : boxes_) {
    if (!equal) return false;
    box.for_each_row([&](int64_t, int64_t place) {
      const auto bytes = static_cast<size_t>(box.elements * box.width);
      equal = equal && std::memcmp(values.data() + place, memory_.data() + place, bytes) == 0;
    });
  }
  return equal;
}

bool Workload::holds(const Access &access, const std::vector<std::byte> &values) const {
  const int64_t width = variable(access).type.bytes;
  int64_t from = 0, place = access.place;
  bool equal = true;
  for (const Region &region : access.regions) {
    const Region alone{std::vector<int64_t>(region.count.size()), region.count};
    const std::vector<int64_t> steps = Access{access.variable, {region}, access.frame}.memory_steps(width);
    const Box rows = box_of(alone, region.count, steps, width);
    rows.for_each_row([&](int64_t offset, int64_t at) {
      const auto bytes = static_cast<size_t>(rows.elements * width);
      equal = equal && std::memcmp(values.data() + from + offset, memory_.data() + place + at, bytes) == 0;
    });
    from += region.elements() * width;
    place += region.elements() * width;
  }
  return equal;
}

void fill(const Workloads &workloads) {
  for (const auto &workload : workloads) workload->fill();
}

int64_t needed_bytes(const Workloads &workloads) {
  int64_t bytes = 0;
  for (const auto &workload : workloads) bytes += workload->needed_bytes();
  return bytes;
}

std::vector<Piece> pieces_of(const Workload &workload) {
  const Schema &schema = workload.schema;
  const CdfFile &file = workload.file;
  std::vector<int64_t> slab_ends;
  for (const bool records : {false, true}) {
    for (int64_t record = 0; record < (records ? schema.records : 1); ++record) {
      for (size_t v = 0; v < schema.variables.size(); ++v) {
        const Variable &variable = schema.variables[v];
        if (schema.is_record(variable) == records)
          slab_ends.push_back(file.begins[v] + record * file.record_bytes + schema.slab_bytes(variable));
      }
    }
  }
  const std::vector<Box> &boxes = workload.boxes();
  const auto header = static_cast<int64_t>(file.header.size());
  std::vector<Piece> pieces;
  Piece piece{0, header, 0, 0};
  for (size_t s = 0; s < slab_ends.size(); ++s) {
    const int64_t values_begin = piece.begin == 0 ? header : piece.begin;
    if (piece.end > values_begin && slab_ends[s] - values_begin > workload.piece_bytes) {
      pieces.push_back(piece);
      piece.begin = piece.end;
      piece.first_box = piece.end_box;
    }
    piece.end = slab_ends[s];
    while (piece.end_box < boxes.size() && boxes[piece.end_box].file_offset < piece.end) ++piece.end_box;
  }
  piece.end = std::max(piece.end, file.end);  // with the zeros that end it
  pieces.push_back(piece);
  return pieces;
}

}  // namespace sv_bench
