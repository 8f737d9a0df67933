// A random file of points: random cells of a random grid on random ranks, written by points, or from whole arrays, and
// read back by other ranks. Equal on all ranks for equal seeds.
#pragma once

#include <sstream>

#include "files.hpp"
#include "points.hpp"

namespace svtest {

struct PointField {
  std::string name;
  int type = SV_DOUBLE, memory = SV_DOUBLE;
  bool records = false;
  Numbers outer, inner;  // lengths of the dimensions before and after the grid's
  bool padded = false;   // memory has gaps
};

struct PointCase {
  std::string description;
  std::vector<std::string> options;
  Numbers grid;
  int64_t records = 0;
  std::vector<PointField> fields;
  Owners first, second;  // two decompositions of the grid; the second puts some fields again
  bool holes = false, again = false;
};

inline double point_truth(const PointField &field, int64_t record, int64_t outer, int64_t cell, int64_t inner) {
  const int64_t name = field.name.back() - '0';
  return static_cast<double>((record * 31 + outer * 17 + cell * 7 + inner * 3 + name) % 119);
}

inline PointCase make_point_case(uint64_t seed, int ranks, const std::vector<std::string> &extra) {
  Random random(seed);
  PointCase made;
  const bool flat = random.chance(60);
  made.grid = flat ? Numbers{random.between(7, 400)} : Numbers{random.between(7, 25), random.between(7, 25)};
  made.holes = random.chance(40);
  made.again = random.chance(40);
  made.records = random.between(1, 3);
  made.first = random_owners(random, product(made.grid), ranks, made.holes ? 30 : 0);
  made.second = random_owners(random, product(made.grid), ranks, made.again ? 60 : made.holes ? 50 : 0);
  const std::vector<int> types{SV_DOUBLE, SV_FLOAT, SV_INT, SV_SHORT, SV_BYTE};
  for (int f = 0; f < 4; ++f) {
    PointField field;
    field.name = "v" + std::to_string(f);
    field.type = random.one_of(types);
    field.memory = random.chance(70) ? field.type : SV_DOUBLE;
    field.records = random.chance(50);
    for (int64_t n = random.between(0, 2); n > 0; --n) field.outer.push_back(random.between(1, 6));
    for (int64_t n = random.chance(30) ? 1 : 0; n > 0; --n) field.inner.push_back(random.between(2, 5));
    field.padded = random.chance(30);
    made.fields.push_back(field);
  }
  made.options = random_point_options(random, ranks);
  made.options.insert(made.options.end(), extra.begin(), extra.end());
  std::ostringstream description;
  description << "SEED=" << seed << " on " << ranks << " ranks:";
  for (const std::string &option : made.options) description << ' ' << option;
  made.description = description.str();
  return made;
}

/// The dimensions of a field, without the record.
inline Numbers shape_of(const PointCase &made, const PointField &field) {
  Numbers shape = field.outer;
  shape.insert(shape.end(), made.grid.begin(), made.grid.end());
  shape.insert(shape.end(), field.inner.begin(), field.inner.end());
  return shape;
}

/// A rank's array: (outer, points, inner), maybe with gaps behind the points and the inner elements.
struct PointArray {
  std::vector<char> bytes;
  Numbers lengths, strides;
  int64_t outer = 1, points = 0, inner = 1;

  PointArray(const PointField &field, int64_t n) : points(n) {
    lengths = field.outer;
    lengths.push_back(n);
    lengths.insert(lengths.end(), field.inner.begin(), field.inner.end());
    strides.resize(lengths.size());
    int64_t step = bytes_of(field.memory);
    for (size_t d = lengths.size(); d-- > 0;) {
      strides[d] = step;
      step *= lengths[d] + (field.padded ? 2 : 0);
    }
    bytes.assign(static_cast<size_t>(step) + 8, 77);
    outer = product(field.outer);
    inner = product(field.inner);
  }
  char *at(const PointField &field, int64_t o, int64_t point, int64_t i) {
    int64_t offset = point * strides[field.outer.size()];
    for (size_t d = field.outer.size(); d-- > 0; o /= field.outer[d]) offset += o % field.outer[d] * strides[d];
    for (size_t d = field.inner.size(); d-- > 0; i /= field.inner[d])
      offset += i % field.inner[d] * strides[field.outer.size() + 1 + d];
    return bytes.data() + offset;
  }
};

struct PointFile {
  sv_context *io;
  int rank;
  sv_file *file = nullptr;
  std::vector<int> ids{};
};

inline void define_points(PointFile &out, const PointCase &made) {
  int time = -1;
  SV_MUST(sv_def_dim(out.file, "time", SV_UNLIMITED, &time));
  std::map<std::string, int> dims;
  for (const PointField &field : made.fields) {
    std::vector<int> of;
    if (field.records) of.push_back(time);
    const Numbers shape = shape_of(made, field);
    for (size_t d = 0; d < shape.size(); ++d) {
      const bool grid = d >= field.outer.size() && d < field.outer.size() + made.grid.size();
      const std::string name = grid ? "g" + std::to_string(d - field.outer.size()) : field.name + std::to_string(d);
      if (dims.count(name) == 0) SV_MUST(sv_def_dim(out.file, name.c_str(), shape[d], &dims[name]));
      of.push_back(dims[name]);
    }
    out.ids.push_back(-1);
    SV_MUST(
        sv_def_var(out.file, field.name.c_str(), field.type, static_cast<int>(of.size()), of.data(), &out.ids.back()));
    const int axis = static_cast<int>(field.outer.size()) + (field.records ? 1 : 0);
    SV_MUST(sv_def_var_decomp_dim(out.file, out.ids.back(), axis));
  }
  SV_MUST(sv_enddef(out.file));
}

inline void put_points(PointFile &out, const PointCase &made, size_t f, sv_decomp *decomp, const Numbers &cells,
                       int64_t record) {
  const PointField &field = made.fields[f];
  PointArray array(field, std::ssize(cells));
  for (int64_t o = 0; o < array.outer; ++o)
    for (int64_t p = 0; p < array.points; ++p)
      for (int64_t i = 0; i < array.inner; ++i)
        store(field.memory, array.at(field, o, p, i), point_truth(field, record, o, cells[static_cast<size_t>(p)], i));
  SV_MUST(sv_put(out.file, out.ids[f], decomp, record, field.memory, array.bytes.data(),
                 field.padded ? array.strides.data() : nullptr));
}

inline sv_decomp *declare_points(sv_context *io, const PointCase &made, const Numbers &cells, bool holes) {
  sv_decomp *decomp = nullptr;
  SV_MUST(sv_def_points(io, static_cast<int>(made.grid.size()), made.grid.data(), std::ssize(cells), cells.data(),
                        holes ? SV_MASKED : 0, &decomp));
  return decomp;
}

/// The final values of a field: puts by points, or of whole arrays, with fill values in cells without a put.
inline void write_points(sv_context *io, const PointCase &made, int rank, const std::string &path) {
  PointFile out{io, rank};
  SV_MUST(sv_create(io, path.c_str(), 0, &out.file));
  define_points(out, made);
  const Numbers &mine = made.first[static_cast<size_t>(rank)], &later = made.second[static_cast<size_t>(rank)];
  sv_decomp *const first = declare_points(io, made, mine, made.holes);
  sv_decomp *const second = declare_points(io, made, later, made.again || made.holes);
  for (int64_t record = -1; record < made.records; ++record) {
    for (size_t f = 0; f < made.fields.size(); ++f) {
      if (made.fields[f].records != (record >= 0)) continue;
      put_points(out, made, f, first, mine, record);
      if (made.again) put_points(out, made, f, second, later, record);
    }
    if (record >= 0) SV_MUST(sv_end_step(io));
  }
  SV_MUST(sv_close(out.file));
  SV_MUST(sv_free_decomp(first));
  SV_MUST(sv_free_decomp(second));
}

inline void write_point_grids(sv_context *io, const PointCase &made, int rank, const std::string &path) {
  PointFile out{io, rank};
  SV_MUST(sv_create(io, path.c_str(), 0, &out.file));
  define_points(out, made);
  std::vector<bool> owned(static_cast<size_t>(product(made.grid)), false);
  for (const Owners *owners : {&made.first, &made.second})
    if (owners == &made.first || made.again)
      for (const Numbers &cells : *owners)
        for (const int64_t cell : cells) owned[static_cast<size_t>(cell)] = true;
  for (int64_t record = -1; record < made.records; ++record) {
    for (size_t f = 0; f < made.fields.size(); ++f) {
      PointField field = made.fields[f];
      if (field.records != (record >= 0)) continue;
      field.memory = field.type;
      field.padded = false;
      PointArray array(field, product(made.grid));
      char fill[8];
      int defined = 0;
      SV_MUST(sv_inq_fill(out.file, out.ids[f], &defined, fill));
      for (int64_t o = 0; o < array.outer; ++o)
        for (int64_t p = 0; p < array.points; ++p)
          for (int64_t i = 0; i < array.inner; ++i)
            if (owned[static_cast<size_t>(p)])
              store(field.type, array.at(field, o, p, i), point_truth(field, record, o, p, i));
            else
              std::memcpy(array.at(field, o, p, i), fill, static_cast<size_t>(bytes_of(field.type)));
      SV_MUST(sv_put_var(out.file, out.ids[f], record, field.type, array.bytes.data(), nullptr));
    }
    if (record >= 0) SV_MUST(sv_end_step(io));
  }
  SV_MUST(sv_close(out.file));
}

/// With other ranks for the cells: those that have values.
inline void read_points(sv_context *io, const PointCase &made, int rank, const std::string &path) {
  PointFile in{io, rank};
  SV_MUST(sv_open(io, path.c_str(), 0, &in.file));
  Owners others = made.first;
  std::rotate(others.begin(), others.begin() + 1, others.end());
  Numbers cells = others[static_cast<size_t>(rank)];
  std::reverse(cells.begin(), cells.end());
  sv_decomp *const decomp = declare_points(io, made, cells, made.holes);
  for (const PointField &field : made.fields) {
    int id = -1;
    SV_MUST(sv_inq_varid(in.file, field.name.c_str(), &id));
    const int64_t record = field.records ? made.records - 1 : -1;
    PointArray array(field, std::ssize(cells));
    SV_MUST(sv_get(in.file, id, decomp, record, field.memory, array.bytes.data(),
                   field.padded ? array.strides.data() : nullptr));
    for (int64_t o = 0; o < array.outer; ++o)
      for (int64_t p = 0; p < array.points; ++p)
        for (int64_t i = 0; i < array.inner; ++i) {
          const double right = point_truth(field, record, o, cells[static_cast<size_t>(p)], i);
          const double found = load(field.memory, array.at(field, o, p, i));
          if (found != right)
            give_up(made.description + ": " + field.name + " of cell " + std::to_string(cells[static_cast<size_t>(p)]) +
                    " is read as " + std::to_string(found) + ", not " + std::to_string(right));
        }
  }
  SV_MUST(sv_free_decomp(decomp));
  SV_MUST(sv_close(in.file));
}

}  // namespace svtest
