#include "workload/schema.hpp"

#include <sverdrup/sverdrup.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "workload/swap.hpp"

namespace sv_bench {

namespace {

constexpr int64_t page = 4096;

class Writer {
 public:
  void number(int64_t value, int bytes) {
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) text_.push_back(static_cast<char>(value >> shift & 0xff));
  }
  void count(size_t value) { number(static_cast<int64_t>(value), 8); }
  void name(const std::string &value) {
    count(value.size());
    text_ += value;
    text_.append((4 - value.size() % 4) % 4, '\0');
  }
  void bytes(const char *value) { text_ += value; }
  void attributes(const std::vector<Attribute> &list) {
    number(list.empty() ? 0 : 12, 4);
    count(list.size());
    for (const Attribute &one : list) {
      name(one.name);
      number(one.type, 4);
      number(one.count, 8);
      std::vector<std::byte> values((one.values.size() + 3) / 4 * 4);
      swap_copy(one.values.data(), values.data(), one.count, element_type(one.type).bytes);
      text_.append(reinterpret_cast<const char *>(values.data()), values.size());
    }
  }
  const std::string &text() const { return text_; }

 private:
  std::string text_;
};

std::string header_text(const Schema &schema, const std::vector<int64_t> &begins) {
  constexpr int tag = 4, dimensions = 10, variables = 11;
  Writer header;
  header.bytes("CDF\5");
  header.number(schema.records, 8);
  header.number(dimensions, tag);
  header.count(schema.dims.size());
  for (const Dimension &dim : schema.dims) {
    header.name(dim.name);
    header.number(dim.length, 8);
  }
  header.attributes(schema.attributes);
  header.number(variables, tag);
  header.count(schema.variables.size());
  for (size_t v = 0; v < schema.variables.size(); ++v) {
    const Variable &variable = schema.variables[v];
    header.name(variable.name);
    header.count(variable.dims.size());
    for (const int dim : variable.dims) header.number(dim, 8);
    header.attributes(variable.attributes);
    header.number(variable.type.number, tag);
    header.number((schema.slab_bytes(variable) + 3) / 4 * 4, 8);
    header.number(begins[v], 8);
  }
  return header.text();
}

}  // namespace

ElementType element_type(const std::string &name) {
  if (name == "double") return {name, SV_DOUBLE, 8, MPI_DOUBLE};
  if (name == "float") return {name, SV_FLOAT, 4, MPI_FLOAT};
  if (name == "int") return {name, SV_INT, 4, MPI_INT};
  throw std::runtime_error("there is no type '" + name + "'; give double, float or int");
}

ElementType element_type(int number) {
  static const std::array<ElementType, 11> types{{{"byte", SV_BYTE, 1, MPI_SIGNED_CHAR},
                                                  {"char", SV_CHAR, 1, MPI_CHAR},
                                                  {"short", SV_SHORT, 2, MPI_SHORT},
                                                  {"int", SV_INT, 4, MPI_INT},
                                                  {"float", SV_FLOAT, 4, MPI_FLOAT},
                                                  {"double", SV_DOUBLE, 8, MPI_DOUBLE},
                                                  {"ubyte", SV_UBYTE, 1, MPI_UNSIGNED_CHAR},
                                                  {"ushort", SV_USHORT, 2, MPI_UNSIGNED_SHORT},
                                                  {"uint", SV_UINT, 4, MPI_UNSIGNED},
                                                  {"int64", SV_INT64, 8, MPI_LONG_LONG},
                                                  {"uint64", SV_UINT64, 8, MPI_UNSIGNED_LONG_LONG}}};
  if (number < SV_BYTE || number > SV_UINT64)
    throw std::invalid_argument("there is no type " + std::to_string(number) + " in CDF-5");
  return types[static_cast<size_t>(number - SV_BYTE)];
}

std::vector<int64_t> Schema::shape(const Variable &variable) const {
  std::vector<int64_t> lengths;
  for (size_t d = is_record(variable) ? 1 : 0; d < variable.dims.size(); ++d)
    lengths.push_back(dims[static_cast<size_t>(variable.dims[d])].length);
  return lengths;
}

int64_t Schema::slab_elements(const Variable &variable) const {
  int64_t product = 1;
  for (const int64_t length : shape(variable)) product *= length;
  return product;
}

int64_t Schema::largest_slab_bytes() const {
  int64_t most = 0;
  for (const Variable &variable : variables) most = std::max(most, slab_bytes(variable));
  return most;
}

int64_t Schema::padded_slab_bytes(const Variable &variable) const {
  const bool alone = is_record(variable) && std::count_if(variables.begin(), variables.end(),
                                                          [this](const Variable &v) { return is_record(v); }) == 1;
  return alone ? slab_bytes(variable) : (slab_bytes(variable) + 3) / 4 * 4;
}

int64_t Schema::bytes() const {
  int64_t sum = 0;
  for (const Variable &variable : variables) sum += slab_bytes(variable) * (is_record(variable) ? records : 1);
  return sum;
}

CdfFile cdf5_file(const Schema &schema) {
  CdfFile file;
  file.begins.assign(schema.variables.size(), 0);
  const auto length = static_cast<int64_t>(header_text(schema, file.begins).size());
  file.end = (length + page - 1) / page * page;
  file.header.resize(static_cast<size_t>(file.end));
  for (const bool records : {false, true}) {
    const int64_t first = file.end;
    for (size_t v = 0; v < schema.variables.size(); ++v) {
      if (schema.is_record(schema.variables[v]) != records) continue;
      file.begins[v] = file.end;
      file.end += schema.padded_slab_bytes(schema.variables[v]);
    }
    if (!records) continue;
    file.record_bytes = file.end - first;
    file.end = first + schema.records * file.record_bytes;
  }
  const std::string text = header_text(schema, file.begins);
  for (size_t i = 0; i < text.size(); ++i) file.header[i] = static_cast<std::byte>(text[i]);
  return file;
}

}  // namespace sv_bench
