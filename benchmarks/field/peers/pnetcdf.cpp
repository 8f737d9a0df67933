// PnetCDF: collective writes and reads of one variable, over whichever MPI-IO is in force.
#include <pnetcdf.h>

#include <stdexcept>

#include "peer.hpp"

namespace sv_bench {

namespace {

void check_status(int status, const char *call) {
  if (status != NC_NOERR) throw std::runtime_error(std::string("PnetCDF, ") + call + ": " + ncmpi_strerror(status));
}

// Starts and counts in PnetCDF's type.
struct Where {
  MPI_Offset start[3], count[3];
  explicit Where(const Block &block) {
    for (size_t d = 0; d < 3; ++d) {
      start[d] = block.start[d];
      count[d] = block.count[d];
    }
  }
};

class Writing : public Method {
 public:
  explicit Writing(const Block &block) : Method(block) {}
  void run(const std::string &path) override {
    const Where where(block_);
    const Field &field = block_.field;
    int file = 0, dims[3], var = 0;
    check_status(ncmpi_create(block_.comm, path.c_str(), NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file), "create");
    check_status(ncmpi_def_dim(file, "lev", field.shape[0], &dims[0]), "def_dim");
    check_status(ncmpi_def_dim(file, "lat", field.shape[1], &dims[1]), "def_dim");
    check_status(ncmpi_def_dim(file, "lon", field.shape[2], &dims[2]), "def_dim");
    check_status(ncmpi_def_var(file, "field", field.type.number, 3, dims, &var), "def_var");
    check_status(ncmpi_enddef(file), "enddef");
    check_status(
        ncmpi_put_vara_all(file, var, where.start, where.count, block_.data(), block_.elements(), field.type.mpi),
        "put_vara_all");
    check_status(ncmpi_close(file), "close");
  }
  std::optional<bool> check(const std::string &path) override { return check_with_netcdf(block_, path); }
  void remove(const std::string &path) override { remove_one(path); }
};

class Reading : public Method {
 public:
  explicit Reading(const Block &block) : Method(block), values_(static_cast<size_t>(block.bytes())) {}
  void run(const std::string &path) override {
    const Where where(block_);
    int file = 0, var = 0;
    check_status(ncmpi_open(block_.comm, path.c_str(), NC_NOWRITE, MPI_INFO_NULL, &file), "open");
    check_status(ncmpi_inq_varid(file, "field", &var), "inq_varid");
    check_status(ncmpi_get_vara_all(file, var, where.start, where.count, values_.data(), block_.elements(),
                                    block_.field.type.mpi),
                 "get_vara_all");
    check_status(ncmpi_close(file), "close");
  }
  std::optional<bool> check(const std::string &) override { return all_ranks(block_, block_.matches(values_)); }
  void remove(const std::string &) override {}

 private:
  std::vector<std::byte> values_;
};

}  // namespace

void add_pnetcdf(std::vector<Peer> &peers) {
  peers.push_back({"pnetcdf", false, "",
                   [](const Block &block, const PeerSettings &) { return std::make_unique<Writing>(block); }});
}

void add_pnetcdf_reading(std::vector<Peer> &peers) {
  peers.push_back({"read.pnetcdf", true, "",
                   [](const Block &block, const PeerSettings &) { return std::make_unique<Reading>(block); }});
}

std::string pnetcdf_version() { return ncmpi_inq_libvers(); }

}  // namespace sv_bench
