// Schemas for the tests of the stores, in few words.
#pragma once

#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include "store/cdf_places.hpp"

namespace sv::testing {

/// Dimension, variable and attribute ids are positions, in the order of the calls.
class SchemaBuilder {
 public:
  explicit SchemaBuilder(Format format) { schema_.format = format; }

  SchemaBuilder &dim(const std::string &name, int64_t length) {
    schema_.dims.push_back({name, length, false});
    return *this;
  }
  SchemaBuilder &record_dim(const std::string &name) {
    schema_.dims.push_back({name, 0, true});
    return *this;
  }
  SchemaBuilder &variable(const std::string &name, Type type, std::initializer_list<int> dims) {
    Variable variable;
    variable.name = name;
    variable.type = type;
    variable.dims = dims;
    schema_.variables.push_back(variable);
    return *this;
  }
  /// Of the last variable; of the file before there is one.
  SchemaBuilder &text(const std::string &name, const std::string &value) { return add(text_attribute(name, value)); }
  template <typename T>
  SchemaBuilder &numbers(const std::string &name, Type type, const std::vector<T> &values) {
    return add({name, type, std::ssize(values), SmallBytes(std::as_bytes(std::span(values)))});
  }
  const Schema &schema() const { return schema_; }
  PlacedSchema placed(const Placement &placement = {}) const {
    PlacedSchema schema{schema_, {}};
    place_variables(schema, placement);
    return schema;
  }

 private:
  SchemaBuilder &add(Attribute attribute) {
    auto &list = schema_.variables.empty() ? schema_.attributes : schema_.variables.back().attributes;
    list.push_back(std::move(attribute));
    return *this;
  }
  Schema schema_;
};

/// Two fixed and three record variables, some of which need padding.
inline SchemaBuilder mixed(Format format) {
  return SchemaBuilder(format)
      .record_dim("time")
      .dim("lat", 3)
      .dim("lon", 5)
      .text("title", "a test")
      .numbers<double>("version", Type::float64, {1.5, -2})
      .variable("depth", Type::float64, {1, 2})
      .text("units", "m")
      .variable("mask", Type::int8, {1, 2})
      .variable("sst", Type::float32, {0, 1, 2})
      .numbers<float>("_FillValue", Type::float32, {-1e20F})
      .variable("flag", Type::int16, {0, 2})
      .variable("when", Type::float64, {0});
}

}  // namespace sv::testing
