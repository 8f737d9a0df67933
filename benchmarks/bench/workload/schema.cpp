#include "workload/schema.hpp"

#include <sverdrup/sverdrup.h>

#include <stdexcept>

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
  header.number(0, tag);  // no attributes of the file
  header.count(0);
  header.number(variables, tag);
  header.count(schema.variables.size());
  for (size_t v = 0; v < schema.variables.size(); ++v) {
    const Variable &variable = schema.variables[v];
    header.name(variable.name);
    header.count(variable.dims.size());
    for (const int dim : variable.dims) header.number(dim, 8);
    header.number(0, tag);  // none of the variable
    header.count(0);
    header.number(variable.type.number, tag);
    header.number(schema.slab_bytes(variable), 8);
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
      file.end += schema.slab_bytes(schema.variables[v]);  // all types have 4 or 8 bytes: no padding
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
