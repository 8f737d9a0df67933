// Files of known variables: written through Sverdrup, read back with netCDF-C.
#pragma once

#include <netcdf.h>

#include <fstream>
#include <iterator>
#include <map>

#include "test_file.hpp"
#include "variables.hpp"

namespace svtest {

inline void nc(int status, const std::string &what) {
  if (status != NC_NOERR) give_up(what + ": netCDF-C says " + nc_strerror(status));
}

inline std::vector<char> bytes_of_file(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  require(in.good(), "cannot open " + path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Local.
class NetcdfFile {
 public:
  explicit NetcdfFile(const std::string &path) : path_(path) { nc(nc_open(path.c_str(), NC_NOWRITE, &id_), path); }
  NetcdfFile(const NetcdfFile &) = delete;
  ~NetcdfFile() { nc_close(id_); }

  int64_t records() const {
    int dim = -1;
    size_t length = 0;
    nc(nc_inq_unlimdim(id_, &dim), path_);
    if (dim >= 0) nc(nc_inq_dimlen(id_, dim, &length), path_);
    return static_cast<int64_t>(length);
  }
  /// A slab of a variable of this shape (without the record; record -1: of one without records).
  std::vector<double> values(const std::string &name, const Numbers &shape, int64_t record) const {
    int variable = -1, dims = -1;
    nc(nc_inq_varid(id_, name.c_str(), &variable), path_ + ", " + name);
    nc(nc_inq_varndims(id_, variable, &dims), path_ + ", " + name);
    require(dims == static_cast<int>(shape.size()) + (record >= 0 ? 1 : 0), name + " has other dimensions");
    std::vector<size_t> start(static_cast<size_t>(dims) + 1, 0), count(static_cast<size_t>(dims) + 1, 1);
    for (size_t d = 0; d < shape.size(); ++d) count[d + (record >= 0 ? 1 : 0)] = static_cast<size_t>(shape[d]);
    if (record >= 0) start[0] = static_cast<size_t>(record);
    std::vector<double> result(static_cast<size_t>(product(shape)));
    nc_type type = NC_NAT;
    nc(nc_inq_vartype(id_, variable, &type), path_ + ", " + name);
    std::vector<char> text(type == NC_CHAR ? result.size() : 0);  // characters convert to nothing else
    nc(type == NC_CHAR ? nc_get_vara_text(id_, variable, start.data(), count.data(), text.data())
                       : nc_get_vara_double(id_, variable, start.data(), count.data(), result.data()),
       path_ + ", " + name);
    std::copy(text.begin(), text.end(), result.begin());
    return result;
  }
  void check(const Spec &spec, int64_t record) const {
    const std::vector<double> found = values(spec.name, spec.shape, record), right = expected(spec, record);
    for (size_t i = 0; i < right.size(); ++i)
      if (found[i] != right[i])
        give_up(path_ + ", " + spec.name + ", record " + std::to_string(record) + ", element " + std::to_string(i) +
                ": found " + std::to_string(found[i]) + ", expected " + std::to_string(right[i]));
  }
  void check_all(const std::vector<Spec> &specs, int64_t records) const {
    require(this->records() == records, path_ + " has " + std::to_string(this->records()) + " records");
    for (const Spec &spec : specs)
      for (int64_t r = spec.records ? 0 : -1; r < (spec.records ? records : 0); ++r) check(spec, r);
  }

 private:
  std::string path_;
  int id_ = -1;
};

/// A file of these variables under construction, and where its decompositions are.
struct Output {
  sv_context *io;
  int rank;
  sv_file *file = nullptr;
  std::map<const Grid *, sv_decomp *> decomps = {};
  std::map<std::string, int> ids = {};

  sv_decomp *decomp(const Grid *grid) {
    auto found = decomps.find(grid);
    if (found == decomps.end()) found = decomps.emplace(grid, declare(io, *grid, rank)).first;
    return found->second;
  }
};

inline void define(Output &out, const std::vector<Spec> &specs) {
  int record_dim = -1;
  SV_MUST(sv_def_dim(out.file, "time", SV_UNLIMITED, &record_dim));
  std::map<std::string, int> dims;
  for (const Spec &spec : specs) {
    std::vector<int> of;
    if (spec.records) of.push_back(record_dim);
    for (size_t d = 0; d < spec.shape.size(); ++d) {
      if (dims.count(spec.dims[d]) == 0)
        SV_MUST(sv_def_dim(out.file, spec.dims[d].c_str(), spec.shape[d], &dims[spec.dims[d]]));
      of.push_back(dims[spec.dims[d]]);
    }
    int &id = out.ids[spec.name];
    SV_MUST(sv_def_var(out.file, spec.name.c_str(), spec.type, static_cast<int>(of.size()), of.data(), &id));
    char fill[8];
    store(spec.type, fill, spec.fill);
    SV_MUST(sv_def_fill(out.file, id, fill));
    SV_MUST(sv_put_att_text(out.file, id, "long_name", ("what the test calls " + spec.name).c_str()));
    if (spec.say_axes)
      SV_MUST(sv_def_var_decomp_dim(out.file, id, static_cast<int>(spec.first_axis) + (spec.records ? 1 : 0)));
  }
  const double version = 1.5;
  SV_MUST(sv_put_att(out.file, SV_GLOBAL, "version", SV_DOUBLE, 1, &version));
}

/// Collective. A new file of these variables, to which values can be put.
inline Output create_output(sv_context *io, int rank, const std::string &path, const std::vector<Spec> &specs,
                            int flags = 0) {
  Output out{io, rank};
  SV_MUST(sv_create(io, path.c_str(), flags, &out.file));
  define(out, specs);
  SV_MUST(sv_enddef(out.file));
  return out;
}

/// Collective. Where threads write behind the calls, the file is complete after sv_flush only.
inline void close_output(Output &out) {
  SV_MUST(sv_close(out.file));
  for (const auto &[grid, decomp] : out.decomps) SV_MUST(sv_free_decomp(decomp));
  out.decomps.clear();
}

/// This rank's sub-array of a variable that is put as sub-arrays: rows of the first dimension, for all `records`.
inline void put_subarrays(Output &out, const Spec &spec, int ranks, int64_t records) {
  const int part = (out.rank + 1) % ranks;
  const int64_t first = cut(spec.shape[0], ranks, part), last = cut(spec.shape[0], ranks, part + 1);
  Numbers start, count;
  if (spec.records) {
    start.push_back(0);
    count.push_back(records);
  }
  for (size_t d = 0; d < spec.shape.size(); ++d) {
    start.push_back(d == 0 ? first : 0);
    count.push_back(d == 0 ? last - first : spec.shape[d]);
  }
  Array array = array_of(spec, count);
  for_each_index(count, [&](const Numbers &at) {
    Numbers cell(at.begin() + (spec.records ? 1 : 0), at.end());
    cell[0] += first;
    store(spec.memory, array.bytes.data() + array.offset(at),
          truth(spec, spec.records ? at[0] : -1, linear(spec.shape, cell)));
  });
  SV_MUST(sv_put_vara(out.file, out.ids[spec.name], start.data(), count.data(), spec.memory, array.bytes.data(),
                      array.strides()));
}

/// Puts one record (-1: a variable without records), unless it is put otherwise.
inline void put(Output &out, const Spec &spec, int64_t record) {
  if (spec.how == How::field) {
    const Array array = block_array(spec, out.rank, record);
    const bool nothing = product(spec.grid->blocks[static_cast<size_t>(out.rank)].count) == 0;
    SV_MUST(sv_put(out.file, out.ids[spec.name], out.decomp(spec.grid), record, spec.memory,
                   nothing ? nullptr : array.bytes.data(), array.strides()));
  }
  if (spec.how == How::replicated) {
    const Array array = whole_array(spec, record);
    SV_MUST(sv_put_var(out.file, out.ids[spec.name], record, spec.memory, array.bytes.data(), array.strides()));
  }
}

/// Collective. Writes a whole file: `records` steps, the variables of each in turn. It is complete when this returns.
inline void write_file(sv_context *io, MPI_Comm comm, const std::string &path, const std::vector<Spec> &specs,
                       int64_t records) {
  Output out{io, rank_in(comm)};
  SV_MUST(sv_create(io, path.c_str(), 0, &out.file));
  define(out, specs);
  for (const Spec &spec : specs)
    if (spec.how == How::field) out.decomp(spec.grid);
  SV_MUST(sv_enddef(out.file));
  for (const Spec &spec : specs) {
    if (!spec.records) put(out, spec, SV_NO_RECORD);
    if (spec.how == How::subarrays) put_subarrays(out, spec, size_of(comm), records);
  }
  for (int64_t record = 0; record < records; ++record) {
    for (const Spec &spec : specs)
      if (spec.records) put(out, spec, record);
    SV_MUST(sv_end_step(io));
  }
  SV_MUST(sv_close(out.file));
  SV_MUST(sv_flush(io, SV_WRITTEN));  // where threads write behind the calls
  for (const auto &[grid, decomp] : out.decomps) SV_MUST(sv_free_decomp(decomp));
}

/// Collective. Whether a store was built; where it was not, the library says so.
inline bool has_store(const std::string &store) {
  sv_context *io = start(MPI_COMM_WORLD, {"store=" + store, "transport.window=1MiB"});
  sv_file *file = nullptr;
  const int status = sv_create(io, ("absent_" + store + ".nc").c_str(), 0, &file);
  require(status == SV_OK || status == SV_ECOMPILED, std::string("no such answer expected: ") + sv_message());
  const bool compiled = status == SV_OK;
  if (compiled) {
    SV_MUST(sv_enddef(file));
    SV_MUST(sv_close(file));
  } else {
    require(std::string(sv_message()).find("the store '" + store + "'") != std::string::npos, sv_message());
  }
  SV_MUST(sv_finalize(io));
  return compiled;
}

}  // namespace svtest
