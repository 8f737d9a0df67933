#include "theirs.hpp"

#include <cstddef>

#include "support/files.hpp"
#include "values.hpp"

namespace svtest {

namespace {

constexpr size_t page = 4096, record_alignment = 8;  // where our store places variables

int put_box(int id, int var, const Put &put, const std::vector<char> &bytes) {
  std::vector<size_t> start(put.start.begin(), put.start.end()), count(put.count.begin(), put.count.end());
  std::vector<ptrdiff_t> apart(put.apart.begin(), put.apart.end());
  start.push_back(0);
  count.push_back(0);
  apart.push_back(1);
  return with_type(put.memory, [&](auto zero) {
    using T = decltype(zero);
    const auto *data = reinterpret_cast<const T *>(bytes.data());
    const auto call = [&](auto function, auto native) {
      return function(id, var, start.data(), count.data(), apart.data(), reinterpret_cast<decltype(native)>(data));
    };
    if constexpr (std::is_same_v<T, char>) return call(nc_put_vars_text, static_cast<const char *>(nullptr));
    if constexpr (std::is_same_v<T, int8_t>) return call(nc_put_vars_schar, static_cast<const signed char *>(nullptr));
    if constexpr (std::is_same_v<T, int16_t>) return call(nc_put_vars_short, static_cast<const short *>(nullptr));
    if constexpr (std::is_same_v<T, int32_t>) return call(nc_put_vars_int, static_cast<const int *>(nullptr));
    if constexpr (std::is_same_v<T, float>) return call(nc_put_vars_float, static_cast<const float *>(nullptr));
    if constexpr (std::is_same_v<T, double>) return call(nc_put_vars_double, static_cast<const double *>(nullptr));
    if constexpr (std::is_same_v<T, uint8_t>)
      return call(nc_put_vars_uchar, static_cast<const unsigned char *>(nullptr));
    if constexpr (std::is_same_v<T, uint16_t>)
      return call(nc_put_vars_ushort, static_cast<const unsigned short *>(nullptr));
    if constexpr (std::is_same_v<T, uint32_t>) return call(nc_put_vars_uint, static_cast<const unsigned *>(nullptr));
    if constexpr (std::is_same_v<T, int64_t>)
      return call(nc_put_vars_longlong, static_cast<const long long *>(nullptr));
    if constexpr (std::is_same_v<T, uint64_t>)
      return call(nc_put_vars_ulonglong, static_cast<const unsigned long long *>(nullptr));
    return NC_EBADTYPE;
  });
}

int number_of(const World &world, const std::string &id) { return id.empty() ? NC_GLOBAL : world.var(id); }

}  // namespace

Theirs::Theirs(const std::string &path, const Case &made) : path_(path) {
  const std::map<int, int> modes{
      {1, 0}, {2, NC_64BIT_OFFSET}, {5, NC_64BIT_DATA}, {3, NC_64BIT_OFFSET}, {4, NC_64BIT_DATA}};
  nc(nc_create(path.c_str(), NC_CLOBBER | modes.at(made.version), &id_), path);
}

void Theirs::define(const World &world, const Operation &op) {
  const int var = number_of(world, op.id);
  int ignored = -1;
  if (op.step == Step::dim)
    nc(nc_def_dim(id_, op.name.c_str(), static_cast<size_t>(op.length), &ignored), "nc_def_dim");
  if (op.step == Step::var) {
    std::vector<int> dims;
    for (const std::string &id : op.dims) dims.push_back(world.dim(id));
    nc(nc_def_var(id_, op.name.c_str(), op.type, static_cast<int>(dims.size()), dims.data(), &ignored), "nc_def_var");
    const std::vector<char> fill = fill_of(op);
    if (op.fill) nc(nc_put_att(id_, ignored, "_FillValue", op.type, 1, fill.data()), "nc_put_att");
  }
  if (op.step == Step::put_att)
    nc(nc_put_att(id_, var, op.name.c_str(), op.type, static_cast<size_t>(op.length), attribute_of(op).data()),
       "nc_put_att");
  if (op.step == Step::del_att) nc(nc_del_att(id_, var, op.name.c_str()), "nc_del_att");
  if (op.step == Step::rename_att) nc(nc_rename_att(id_, var, op.name.c_str(), op.to.c_str()), "nc_rename_att");
  if (op.step == Step::copy_att) nc(nc_copy_att(id_, var, op.name.c_str(), id_, world.var(op.to)), "nc_copy_att");
  if (op.step == Step::rename_dim) nc(nc_rename_dim(id_, world.dim(op.id), op.to.c_str()), "nc_rename_dim");
  if (op.step == Step::rename_var) nc(nc_rename_var(id_, var, op.to.c_str()), "nc_rename_var");
}

void Theirs::carry_out(const World &world, const Operation &op) {
  define(world, op);
  if (op.step == Step::enddef) {
    nc(placed_ ? nc_enddef(id_) : nc__enddef(id_, 0, page, 0, record_alignment), "nc_enddef");
    placed_ = true;
  }
  if (op.step == Step::redef) nc(nc_redef(id_), "nc_redef");
  for (const Put &each : op.puts) put(world, each);
  if (op.step == Step::reopen) {
    close();
    nc(nc_open(path_.c_str(), NC_WRITE, &id_), path_);
  }
}

void Theirs::put(const World &world, const Put &put) {
  const int var = world.var(put.var);
  const VarCase &of = world.vars[static_cast<size_t>(var)];
  const Numbers shape = world.shape(of);
  std::vector<char> bytes(static_cast<size_t>(product(put.count) * bytes_of(put.memory)));
  char *to = bytes.data();
  for_each_index(put.count, [&](const Numbers &at) {
    Numbers cell = at;
    for (size_t d = 0; d < cell.size(); ++d) cell[d] = put.start[d] + at[d] * put.apart[d];
    store(put.memory, to, value_at(put, of.type, linear(shape, cell)));
    to += bytes_of(put.memory);
  });
  nc(put_box(id_, var, put, bytes), "nc_put_vars of " + of.name);
}

void Theirs::close() {
  nc(nc_close(id_), "nc_close");
  id_ = -1;
}

int64_t Theirs::records() const {
  int dim = -1;
  size_t length = 0;
  nc(nc_inq_unlimdim(id_, &dim), path_);
  if (dim >= 0) nc(nc_inq_dimlen(id_, dim, &length), path_);
  return static_cast<int64_t>(length);
}

std::vector<char> Theirs::values(const World &world, int var) const {
  const VarCase &of = world.vars[static_cast<size_t>(var)];
  Numbers shape = world.shape(of);
  if (of.records) shape[0] = records();
  std::vector<char> bytes(static_cast<size_t>(product(shape) * bytes_of(of.type)));
  if (!bytes.empty()) nc(nc_get_var(id_, var, bytes.data()), "nc_get_var of " + of.name);
  return bytes;
}

}  // namespace svtest
