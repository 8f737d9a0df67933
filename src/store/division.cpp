#include "store/division.hpp"

#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "store/set_run.hpp"

namespace sv {

namespace {

const char *const files_in_set = "NumFilesInSet", *const decomposition = "domain_decomposition",
                  *const added = "sverdrup_axis";

/// Integers, as an attribute of type int.
Attribute integers(const std::string &name, const std::vector<int64_t> &values) {
  Attribute attribute{name, Type::int32, static_cast<int64_t>(values.size()), {}};
  attribute.values.resize(values.size() * sizeof(int32_t));
  for (size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<int32_t>(values[i]);
    if (value != values[i])
      throw Error(Status::limit, "the attribute '" + name + "' of a set of files counts to 2^31",
                  "Use a route that writes one file");
    std::memcpy(attribute.values.data() + i * sizeof value, &value, sizeof value);
  }
  return attribute;
}

std::vector<int64_t> integers_of(const Attribute &attribute) {
  std::vector<int64_t> values;
  for (int64_t i = 0; attribute.type == Type::int32 && i < attribute.count; ++i) {
    int32_t value = 0;
    std::memcpy(&value, attribute.values.data() + i * static_cast<int64_t>(sizeof value), sizeof value);
    values.push_back(value);
  }
  return values;
}

void erase_attribute(std::vector<Attribute> &attributes, const std::string &name) {
  std::erase_if(attributes, [&](const Attribute &each) { return each.name == name; });
}

/// The axis of a dimension: the variable that has its name, and it alone.
Variable *axis_of(Schema &schema, int dim) {
  const int id = schema.find_variable(schema.dims[static_cast<size_t>(dim)].name);
  if (id < 0) return nullptr;
  Variable &variable = schema.variables[static_cast<size_t>(id)];
  return variable.dims == std::vector<int>{dim} ? &variable : nullptr;
}

}  // namespace

Box Division::box_of(const Schema &whole, const Variable &variable, int piece) const {
  Box box = Box::whole(whole.slab_shape(variable));
  const Box &cut = pieces[static_cast<size_t>(piece)].box;
  for (int d = 0; d < box.dims(); ++d) {
    const auto found = std::find(dims.begin(), dims.end(), variable.slab_dims()[static_cast<size_t>(d)]);
    if (found == dims.end()) continue;
    const auto axis = static_cast<int>(found - dims.begin());
    box.start[d] = cut.start[axis];
    box.count[d] = cut.count[axis];
  }
  return box;
}

PlacedSchema piece_schema(const Schema &whole, const Division &division, int piece, const Placement &placement,
                          int64_t run) {
  PlacedSchema schema{whole, {}};
  for (Variable &each : schema.variables) erase_attribute(each.attributes, added);
  const Box &box = division.pieces[static_cast<size_t>(piece)].box;
  for (size_t axis = 0; axis < division.dims.size(); ++axis) {
    const int dim = division.dims[axis];
    Dimension &cut = schema.dims[static_cast<size_t>(dim)];
    const auto a = static_cast<int>(axis);
    const int64_t first = box.start[a] + 1, length = box.count[a];
    if (axis_of(schema, dim) == nullptr) {
      if (schema.find_variable(cut.name) >= 0)
        throw Error(Status::define, "the variable '" + cut.name + "' is not the axis of the dimension of that name",
                    "A set of files needs that name for the axis: rename one of the two");
      schema.variables.push_back({.name = cut.name, .type = Type::int32, .dims = {dim}, .attributes = {}});
      schema.variables.back().attributes.push_back(integers(added, {1}));
    }
    Variable &marked = *axis_of(schema, dim);
    erase_attribute(marked.attributes, decomposition);
    marked.attributes.push_back(integers(decomposition, {1, cut.length, first, first + length - 1}));
    cut.length = length;
  }
  erase_attribute(schema.attributes, files_in_set);
  schema.attributes.push_back(integers(files_in_set, {static_cast<int64_t>(division.pieces.size())}));
  set_run(schema, run);
  place_variables(schema, placement);
  return schema;
}

std::vector<int> added_axes(const Schema &piece) {
  std::vector<int> ids;
  for (size_t v = 0; v < piece.variables.size(); ++v)
    if (find_attribute(piece.variables[v].attributes, added) != nullptr) ids.push_back(static_cast<int>(v));
  return ids;
}

PieceView view_of_piece(const Schema &piece) {
  const auto refuse = [](const std::string &cause) {
    return Error(Status::format, cause, "Give the pieces that one run has written, all of them");
  };
  PieceView view{piece, {}, {}, 0};
  const Attribute *files = find_attribute(piece.attributes, files_in_set);
  if (files == nullptr || integers_of(*files).size() != 1)
    throw refuse("the file is no piece of a set: it has no attribute NumFilesInSet");
  view.pieces = integers_of(*files)[0];
  erase_attribute(view.whole.attributes, files_in_set);
  view.run = run_of(piece);
  set_run(view.whole, 0);
  for (int dim = 0; dim < static_cast<int>(piece.dims.size()); ++dim) {
    Variable *const axis = axis_of(view.whole, dim);
    const Attribute *const where = axis == nullptr ? nullptr : find_attribute(axis->attributes, decomposition);
    if (where == nullptr) continue;
    const std::vector<int64_t> is = integers_of(*where);
    int64_t &length = view.whole.dims[static_cast<size_t>(dim)].length;
    if (is.size() != 4 || is[2] < is[0] || is[3] > is[1] || is[3] - is[2] + 1 != length)
      throw refuse("the attribute domain_decomposition of '" + axis->name + "' does not go with its length");
    erase_attribute(axis->attributes, decomposition);
    if (view.dims.size() == max_dims) throw refuse("more than " + std::to_string(max_dims) + " dimensions are divided");
    view.dims.push_back(dim);
    view.box.start.push(is[2] - is[0]);
    view.box.count.push(length);
    length = is[1] - is[0] + 1;
  }
  const auto is_added = [](const Variable &each) { return find_attribute(each.attributes, added) != nullptr; };
  std::vector<Variable> &variables = view.whole.variables;
  const auto first = std::ranges::find_if(variables, is_added);
  if (!std::all_of(first, variables.end(), is_added))
    throw refuse("the variable '" + first->name + "' only marks a dimension, and others follow it");
  variables.erase(first, variables.end());
  return view;
}

}  // namespace sv
