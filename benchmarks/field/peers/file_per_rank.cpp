// A file per rank, with serial netCDF: fast to write, and somebody has to stitch the files together afterwards.
#include <unistd.h>

#include "field.hpp"
#include "peers/netcdf.hpp"

namespace sv_bench {

namespace {

class FilePerRank : public Method {
 public:
  explicit FilePerRank(const Block &block) : Method(block.team), block_(block) {}
  void run(const std::string &path) override {
    int file = 0;
    check_netcdf(nc_create(own(path).c_str(), NC_CLOBBER | NC_64BIT_DATA, &file), "create");
    const int var = define_field(file, block_.count, block_.field.type.number);
    check_netcdf(nc_enddef(file), "enddef");
    check_netcdf(nc_put_var(file, var, block_.data()), "put_var");
    check_netcdf(nc_close(file), "close");
  }
  Traffic traffic() override { return {{}, {}, 0}; }
  std::optional<bool> check(const std::string &path) override { return team_.all(holds_block(path)); }
  void remove(const std::string &path) override {
    if (unlink(own(path).c_str()) != 0) throw std::runtime_error("cannot remove '" + own(path) + "'");
  }

 private:
  std::string own(const std::string &path) const { return path + "." + std::to_string(team_.rank); }
  bool holds_block(const std::string &path) const {
    std::vector<std::byte> values(static_cast<size_t>(block_.workload().memory_bytes()));
    int file = 0, var = 0;
    check_netcdf(nc_open(own(path).c_str(), NC_NOWRITE, &file), "open");
    check_netcdf(nc_inq_varid(file, "field", &var), "inq_varid");
    check_netcdf(nc_get_var(file, var, values.data()), "get_var");
    check_netcdf(nc_close(file), "close");
    return block_.matches(values);
  }

  const Block &block_;
};

}  // namespace

void add_file_per_rank(std::vector<Peer> &peers, const Block &block) {
  peers.push_back({"file_per_rank", false, "", [&block] { return std::make_unique<FilePerRank>(block); }});
}

}  // namespace sv_bench
