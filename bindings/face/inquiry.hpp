// Inquiry, which PnetCDF and netCDF answer alike: local, and never waits. The generated functions call these. A Dataset
// provides the following, which throw its library's code
// where there is none:
//
//   dim_count(), variable_count(), attribute_count(variable), record_dim(), format_number(), path
//   dim_named(name), dim_name(dim), dim_length(dim)
//   variable_named(name), variable(number).type, .dims, variable_name(number)
//   attribute(variable, name).type, .count, attribute_place(variable, name)
#pragma once

#include <cstring>
#include <string>

#include "codes.hpp"

namespace sv::face {

constexpr int of_file = -1;  // NC_GLOBAL

inline int assign_name(char *to, const std::string &name) {
  if (to != nullptr) std::memcpy(to, name.c_str(), name.size() + 1);
  return 0;
}

template <class Own>
int inq(Own &own, int *ndims, int *nvars, int *natts, int *record_dim) {
  assign(ndims, own.dim_count());
  assign(nvars, own.variable_count());
  assign(natts, own.attribute_count(of_file));
  return assign(record_dim, own.record_dim());
}
template <class Own>
int inq_ndims(Own &own, int *count) {
  return assign(count, own.dim_count());
}
template <class Own>
int inq_nvars(Own &own, int *count) {
  return assign(count, own.variable_count());
}
template <class Own>
int inq_natts(Own &own, int *count) {
  return assign(count, own.attribute_count(of_file));
}
template <class Own>
int inq_unlimdim(Own &own, int *dim) {
  return assign(dim, own.record_dim());
}
template <class Own>
int inq_format(Own &own, int *format) {
  return assign(format, own.format_number());
}
template <class Own, class Length>
int inq_path(Own &own, Length *length, char *path) {
  assign_name(path, own.path);
  return assign(length, own.path.size());
}

template <class Own>
int inq_dimid(Own &own, const char *name, int *dim) {
  return assign(dim, own.dim_named(name));
}
template <class Own, class Length>
int inq_dim(Own &own, int dim, char *name, Length length) {
  if (name != nullptr) assign_name(name, own.dim_name(dim));
  return assign(length, own.dim_length(dim));
}
template <class Own>
int inq_dimname(Own &own, int dim, char *name) {
  return inq_dim(own, dim, name, nullptr);
}
template <class Own, class Length>
int inq_dimlen(Own &own, int dim, Length *length) {
  return inq_dim(own, dim, nullptr, length);
}

template <class Own>
int inq_varid(Own &own, const char *name, int *variable) {
  return assign(variable, own.variable_named(name));
}
template <class Own>
int inq_varname(Own &own, int variable, char *name) {
  own.variable(variable);
  return assign_name(name, own.variable_name(variable));
}
template <class Own>
int inq_vartype(Own &own, int variable, int *type) {
  return assign(type, own.variable(variable).type);
}
template <class Own>
int inq_varndims(Own &own, int variable, int *ndims) {
  return assign(ndims, own.variable(variable).dims.size());
}
template <class Own>
int inq_vardimid(Own &own, int variable, int *dims) {
  const auto &found = own.variable(variable);
  for (size_t d = 0; dims != nullptr && d < found.dims.size(); ++d) dims[d] = found.dims[d];
  return 0;
}
template <class Own>
int inq_varnatts(Own &own, int variable, int *natts) {
  if (variable != of_file) own.variable(variable);
  return assign(natts, own.attribute_count(variable));
}
template <class Own>
int inq_var(Own &own, int variable, char *name, int *type, int *ndims, int *dims, int *natts) {
  inq_vartype(own, variable, type);
  if (name != nullptr) assign_name(name, own.variable_name(variable));
  inq_varndims(own, variable, ndims);
  inq_vardimid(own, variable, dims);
  return assign(natts, own.attribute_count(variable));
}

template <class Own, class Length>
int inq_att(Own &own, int variable, const char *name, int *type, Length length) {
  const auto &found = own.attribute(variable, name);
  assign(type, found.type);
  return assign(length, found.count);
}
template <class Own>
int inq_attid(Own &own, int variable, const char *name, int *number) {
  return assign(number, own.attribute_place(variable, name));
}
template <class Own>
int inq_atttype(Own &own, int variable, const char *name, int *type) {
  return inq_att(own, variable, name, type, nullptr);
}
template <class Own, class Length>
int inq_attlen(Own &own, int variable, const char *name, Length *length) {
  return inq_att(own, variable, name, nullptr, length);
}

}  // namespace sv::face
