// netCDF-4 over parallel HDF5, collective access: in chunks of the library's choice, and contiguous.
#include <netcdf.h>
// needs the one above
#include <netcdf_par.h>

#include "field.hpp"
#include "peers/netcdf.hpp"

namespace sv_bench {

namespace {

class Netcdf4 : public Method {
 public:
  Netcdf4(const Block &block, int storage, const Compression &compression = {0, {}})
      : Method(block.team), block_(block), storage_(storage), compression_(compression) {}
  void run(const std::string &path) override {
    int file = 0;
    check_netcdf(nc_create_par(path.c_str(), NC_CLOBBER | NC_NETCDF4, team_.comm, MPI_INFO_NULL, &file), "create_par");
    const int var = define_field(file, block_.field.shape, block_.field.type.number);
    const std::vector<size_t> chunk(compression_.chunk.begin(), compression_.chunk.end());
    check_netcdf(nc_def_var_chunking(file, var, storage_, chunk.empty() ? nullptr : chunk.data()), "def_var_chunking");
    if (compression_.level > 0)
      check_netcdf(nc_def_var_deflate(file, var, 1, 1, compression_.level), "def_var_deflate");
    check_netcdf(nc_enddef(file), "enddef");
    check_netcdf(nc_var_par_access(file, var, NC_COLLECTIVE), "var_par_access");
    check_netcdf(nc_put_vara(file, var, sizes(block_.start).data(), sizes(block_.count).data(), block_.data()),
                 "put_vara");
    check_netcdf(nc_close(file), "close");
  }
  std::optional<bool> check(const std::string &path) override { return check_with_netcdf(block_.workload(), path); }
  void remove(const std::string &path) override { remove_one(path); }

 private:
  const Block &block_;
  int storage_;
  const Compression compression_;
};

class Netcdf4Read : public OneFileMethod {
 public:
  explicit Netcdf4Read(const Block &block) : OneFileMethod(block.workload(), true), block_(block) {}
  void run(const std::string &path) override {
    begin();
    int file = 0, var = 0;
    check_netcdf(nc_open_par(path.c_str(), NC_NOWRITE, team_.comm, MPI_INFO_NULL, &file), "open_par");
    check_netcdf(nc_inq_varid(file, "field", &var), "inq_varid");
    check_netcdf(nc_var_par_access(file, var, NC_COLLECTIVE), "var_par_access");
    opened();
    check_netcdf(nc_get_vara(file, var, sizes(block_.start).data(), sizes(block_.count).data(), target()), "get_vara");
    moved();
    check_netcdf(nc_close(file), "close");
    closed();
  }

 private:
  const Block &block_;
};

}  // namespace

void add_netcdf4_reader(std::vector<Peer> &peers, const Block &block) {
  peers.push_back({"read.netcdf4.deflate", true, "", [&block] { return std::make_unique<Netcdf4Read>(block); }});
}

void add_netcdf4(std::vector<Peer> &peers, const Block &block, const Compression &compression) {
  peers.push_back({"netcdf4", false, "", [&block] { return std::make_unique<Netcdf4>(block, NC_CHUNKED); }});
  peers.push_back(
      {"netcdf4.contiguous", false, "", [&block] { return std::make_unique<Netcdf4>(block, NC_CONTIGUOUS); }});
  peers.push_back({"netcdf4.deflate", false, "",
                   [&block, compression] { return std::make_unique<Netcdf4>(block, NC_CHUNKED, compression); },
                   "netcdf4"});
}

}  // namespace sv_bench
