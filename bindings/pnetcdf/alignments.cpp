#include "alignments.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "codes.hpp"

namespace sv::pnetcdf {

namespace {

constexpr int64_t farthest_of_all = std::numeric_limits<int64_t>::max() / 4;

int64_t rounded_up(int64_t bytes, int64_t multiple) {
  const int64_t rest = bytes % multiple;
  return rest == 0 ? bytes : bytes + multiple - rest;
}

int64_t in_fours(int64_t bytes) { return bytes == 0 ? 4 : rounded_up(bytes, 4); }

int64_t after(int64_t begin, int64_t bytes) {
  refuse_if(bytes > farthest_of_all - begin, NC_EVARSIZE);
  return begin + bytes;
}

}  // namespace

void Alignments::choose(const Room &room, int64_t fixed_bytes) {
  constexpr int64_t usual = 512;
  if (data == 0) {
    const bool follows_records = fixed_bytes > 0 && room.record_align > 0;
    const bool follows_stripes = stripe > 0 && fixed_bytes > 4 * stripe;
    data = room.data_align > 0 ? room.data_align
           : follows_records   ? room.record_align
           : follows_stripes   ? stripe
                               : usual;
  }
  if (record == 0) record = room.record_align;
  data = in_fours(data);
  variable = in_fours(variable);
  record = in_fours(record);
}

Layout Layout::of_file(const std::vector<Extent> &variables, std::vector<int64_t> begins, int64_t header_bytes) {
  Layout made;
  made.is_placed = true;
  if (variables.empty()) return made;
  made.record_begin = header_bytes;
  const auto first = [&](bool has_records) {
    const auto is_one = [&](const Extent &each) { return each.has_records == has_records; };
    return std::find_if(variables.begin(), variables.end(), is_one) - variables.begin();
  };
  for (size_t v = 0; v < variables.size(); ++v)
    if (!variables[v].has_records) made.record_begin = begins[v] + variables[v].bytes;
  const auto end = std::ssize(variables);
  if (const auto of_records = first(true); of_records < end)
    made.record_begin = begins[static_cast<size_t>(of_records)];
  const auto fixed = first(false);
  made.data_begin = fixed < end ? begins[static_cast<size_t>(fixed)] : made.record_begin;
  made.begins = std::move(begins);
  return made;
}

void Layout::place(const std::vector<Extent> &variables, int64_t header_bytes, const Room &room,
                   const Alignments &align, int64_t farthest) {
  const size_t known = is_placed ? begins.size() : 0;
  const int64_t old_records = is_placed ? record_begin : 0;
  std::vector<int64_t> made(variables.size());
  const auto put = [&](size_t v, int64_t at) {
    refuse_if(at > farthest, NC_EVARSIZE);
    return made[v] = std::max(at, v < known ? begins[v] : 0);
  };
  int64_t at = header_bytes;
  if (!variables.empty()) at = rounded_up(after(header_bytes, room.header_free), align.data);
  if (is_placed) at = std::max(at, data_begin);
  int64_t data = -1;
  for (size_t v = 0; v < variables.size(); ++v) {
    if (variables[v].has_records) continue;
    refuse_if(at > farthest, NC_EVARSIZE);
    const int64_t begin = put(v, rounded_up(at, align.variable));
    if (data < 0) data = begin;
    at = after(begin, variables[v].bytes);
  }
  if (record_begin < at || record_begin % align.variable != 0) record_begin = rounded_up(at, align.variable);
  if (record_begin < after(at, room.fixed_free)) record_begin = rounded_up(at + room.fixed_free, align.variable);
  record_begin = std::max(rounded_up(record_begin, align.record), old_records);
  data_begin = data < 0 ? record_begin : data;
  at = record_begin;
  for (size_t v = 0; v < variables.size(); ++v) {
    if (!variables[v].has_records) continue;
    put(v, at);
    at = after(at, variables[v].bytes);
  }
  begins = std::move(made);
  is_placed = true;
}

}  // namespace sv::pnetcdf
