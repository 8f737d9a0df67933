#include <netcdf.h>
// needs the one above
#include <netcdf_par.h>

#include "storage.hpp"
#include "workload/netcdf_status.hpp"

namespace sv_bench {

namespace {

std::vector<size_t> in_sizes(const std::vector<int64_t> &values) { return {values.begin(), values.end()}; }

class StoredNetcdf4 : public SteppedMethod {
 public:
  StoredNetcdf4(const Workload &workload, std::vector<Storage> storage)
      : SteppedMethod(workload, false), storage_(std::move(storage)) {}

  void open(const std::string &path) override {
    const Schema &schema = workload_.schema;
    int before = 0, number = 0;  // the numbers are those of the schema
    check_netcdf(nc_create_par(path.c_str(), NC_CLOBBER | NC_NETCDF4, team_.comm, MPI_INFO_NULL, &file_), "create_par");
    check_netcdf(nc_set_fill(file_, NC_NOFILL, &before), "set_fill");
    for (const Dimension &dim : schema.dims)
      check_netcdf(nc_def_dim(file_, dim.name.c_str(), static_cast<size_t>(dim.length), &number), "def_dim");
    for (size_t v = 0; v < schema.variables.size(); ++v) define(schema.variables[v], storage_[v]);
    put_attributes(NC_GLOBAL, schema.attributes);
    check_netcdf(nc_enddef(file_), "enddef");
    for (size_t v = 0; v < schema.variables.size(); ++v)
      check_netcdf(nc_var_par_access(file_, static_cast<int>(v), NC_COLLECTIVE), "var_par_access");
  }
  void move(size_t step) override {
    const auto [first, end] = workload_.step(step);
    for (size_t a = first; a < end; ++a) {
      const Access &access = workload_.accesses()[a];
      const Region &region = access.regions.front();
      check_netcdf(nc_put_vara(file_, access.variable, in_sizes(region.start).data(), in_sizes(region.count).data(),
                               source() + access.place),
                   "put_vara");
    }
  }
  void close() override { check_netcdf(nc_close(file_), "close"); }

 private:
  void define(const Variable &variable, const Storage &storage) {
    int var = 0;
    check_netcdf(nc_def_var(file_, variable.name.c_str(), variable.type.number, static_cast<int>(variable.dims.size()),
                            variable.dims.data(), &var),
                 "def_var");
    if (!storage.chunks.empty()) {
      check_netcdf(nc_def_var_chunking(file_, var, NC_CHUNKED, in_sizes(storage.chunks).data()), "def_var_chunking");
      if (storage.deflate > 0 || storage.shuffle)
        check_netcdf(
            nc_def_var_deflate(file_, var, storage.shuffle ? 1 : 0, storage.deflate > 0 ? 1 : 0, storage.deflate),
            "def_var_deflate");
    }
    put_attributes(var, variable.attributes);
  }
  void put_attributes(int var, const std::vector<Attribute> &attributes) {
    for (const Attribute &one : attributes)
      check_netcdf(
          nc_put_att(file_, var, one.name.c_str(), one.type, static_cast<size_t>(one.count), one.values.data()),
          "put_att");
  }

  const std::vector<Storage> storage_;  // of each variable
  int file_ = -1;
};

}  // namespace

std::vector<Storage> storage_in_file(const std::string &path, const Schema &schema) {
  std::vector<Storage> all(schema.variables.size());
  int file = 0;
  check_netcdf(nc_open(path.c_str(), NC_NOWRITE, &file), "open");
  for (size_t v = 0; v < all.size(); ++v) {
    const Variable &variable = schema.variables[v];
    int var = 0, storage = 0, shuffle = 0, deflates = 0;
    std::vector<size_t> chunks(variable.dims.size() + 1);
    check_netcdf(nc_inq_varid(file, variable.name.c_str(), &var), "inq_varid");
    check_netcdf(nc_inq_var_chunking(file, var, &storage, chunks.data()), "inq_var_chunking");
    check_netcdf(nc_inq_var_deflate(file, var, &shuffle, &deflates, &all[v].deflate), "inq_var_deflate");
    if (deflates == 0) all[v].deflate = 0;
    all[v].shuffle = shuffle != 0;
    if (storage == NC_CHUNKED) all[v].chunks.assign(chunks.begin(), chunks.end() - 1);
  }
  check_netcdf(nc_close(file), "close");
  return all;
}

Peer stored_netcdf4_peer(const std::string &name, const Workload &workload, const std::vector<Storage> &storage) {
  return {name, false, "", [&workload, storage] { return std::make_unique<StoredNetcdf4>(workload, storage); }};
}

}  // namespace sv_bench
