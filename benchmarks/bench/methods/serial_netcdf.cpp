#include "methods/serial_netcdf.hpp"

#include "methods/collected.hpp"
#include "workload/netcdf_status.hpp"

namespace sv_bench {

namespace {

class GatherNetcdf : public Collected {
 public:
  GatherNetcdf(const Workload &workload, const Ranks &ranks) : Collected(workload, {ranks, {1, 1}}) {}
  void sync() const { check_netcdf(nc_sync(file_), "sync"); }

 protected:
  void create(const std::string &path) override {
    const Schema &schema = workload_.schema;
    int before = 0, number = 0;  // the numbers are those of the schema
    check_netcdf(nc_create(path.c_str(), NC_CLOBBER | NC_64BIT_DATA, &file_), "create");
    check_netcdf(nc_set_fill(file_, NC_NOFILL, &before), "set_fill");
    for (const Dimension &dim : schema.dims)
      check_netcdf(nc_def_dim(file_, dim.name.c_str(), static_cast<size_t>(dim.length), &number), "def_dim");
    for (const Variable &variable : schema.variables)
      check_netcdf(nc_def_var(file_, variable.name.c_str(), variable.type.number,
                              static_cast<int>(variable.dims.size()), variable.dims.data(), &number),
                   "def_var");
    put_attributes(NC_GLOBAL, schema.attributes);
    for (size_t v = 0; v < schema.variables.size(); ++v)
      put_attributes(static_cast<int>(v), schema.variables[v].attributes);
    check_netcdf(nc_enddef(file_), "enddef");
  }
  void put(int variable, const Region &region, const std::byte *values) override {
    const std::vector<size_t> start(region.start.begin(), region.start.end()),
        count(region.count.begin(), region.count.end());
    check_netcdf(nc_put_vara(file_, variable, start.data(), count.data(), values), "put_vara");
  }
  void close_file() override { check_netcdf(nc_close(file_), "close"); }

 private:
  void put_attributes(int variable, const std::vector<Attribute> &attributes) const {
    for (const Attribute &one : attributes)
      check_netcdf(
          nc_put_att(file_, variable, one.name.c_str(), one.type, static_cast<size_t>(one.count), one.values.data()),
          "put_att");
  }

  int file_ = -1;
};

/// The same, and does what a collective call of Sverdrup or PnetCDF does: every rank learns of each put whether it was
/// written. When a step ends, its records count.
class GatherAndTell final : public GatherNetcdf {
 public:
  using GatherNetcdf::GatherNetcdf;
  void move(size_t step) override {
    GatherNetcdf::move(step);
    if (writers() != MPI_COMM_NULL && workload_.schema.records > 0) sync();
    if (workload_.schema.records > 0) tell();
  }

 protected:
  void collect(const Access &access) override {
    GatherNetcdf::collect(access);
    tell();
  }

 private:
  void tell() const {
    int32_t status = 0;  // a failure has thrown
    MPI_Bcast(&status, 1, MPI_INT32_T, 0, team_.comm);
  }
};

class NetcdfRead : public SteppedMethod {
 public:
  explicit NetcdfRead(const Workload &workload) : SteppedMethod(workload, true) {}
  void open(const std::string &path) override { reader_.open(workload_, path); }
  void move(size_t step) override { reader_.read(workload_, step, target()); }
  void close() override { reader_.close(); }

 private:
  NetcdfReader reader_;
};

}  // namespace

void NetcdfReader::open(const Workload &workload, const std::string &path) {
  check_netcdf(nc_open(path.c_str(), NC_NOWRITE, &file_), "open");
  variables_.assign(workload.schema.variables.size(), 0);
  for (size_t v = 0; v < variables_.size(); ++v)
    check_netcdf(nc_inq_varid(file_, workload.schema.variables[v].name.c_str(), &variables_[v]), "inq_varid");
}

void NetcdfReader::read(const Workload &workload, size_t step, std::byte *to) const {
  const auto [first, end] = workload.step(step);
  for (size_t a = first; a < end; ++a) {
    const Access &access = workload.accesses()[a];
    const Region &region = access.regions.front();
    const std::vector<size_t> start(region.start.begin(), region.start.end()),
        count(region.count.begin(), region.count.end());
    const std::vector<ptrdiff_t> apart(region.apart.begin(), region.apart.end());
    check_netcdf(nc_get_vars(file_, variables_[static_cast<size_t>(access.variable)], start.data(), count.data(),
                             apart.empty() ? nullptr : apart.data(), to + access.place),
                 "get_vars");
  }
}

void NetcdfReader::close() { check_netcdf(nc_close(file_), "close"); }

Peer gather_netcdf_peer(const std::string &name, const Workload &workload, const Ranks &ranks) {
  return {name, false, "", [&workload, ranks] { return std::make_unique<GatherNetcdf>(workload, ranks); }};
}

Peer gather_and_send_to_peer(const std::string &name, const Workload &workload, const Ranks &ranks) {
  return {name, false, "", [&workload, ranks] { return std::make_unique<GatherAndTell>(workload, ranks); }};
}

Peer netcdf_read_peer(const Workload &workload) {
  return {"read.netcdf", true, "", [&workload] { return std::make_unique<NetcdfRead>(workload); }};
}

}  // namespace sv_bench
