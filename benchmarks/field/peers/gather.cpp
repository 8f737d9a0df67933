// The method of models without parallel I/O: rank 0 gathers, level by level, and writes with serial netCDF; CDF-5, or
// compressed netCDF-4.
#include <climits>
#include <cstring>

#include "field.hpp"
#include "peers/netcdf.hpp"

namespace sv_bench {

namespace {

class Gather : public Method {
 public:
  Gather(const Block &block, const Compression &compression)
      : Method(block.team),
        block_(block),
        compression_(compression),
        counts_(static_cast<size_t>(block.team.ranks)),
        places_(counts_) {
    int64_t place = 0;
    for (size_t r = 0; r < counts_.size(); ++r) {
      std::array<int64_t, 3> start{}, count{};
      block.bounds_of(static_cast<int>(r), start, count);
      if (block.field.shape[1] * block.field.shape[2] > INT_MAX)
        throw std::runtime_error("gather: a level is too large");
      counts_[r] = static_cast<int>(count[1] * count[2]);
      places_[r] = static_cast<int>(place);
      place += counts_[r];
    }
    if (block.team.rank != 0) return;
    blocks_.resize(static_cast<size_t>(place * block.field.type.bytes));
    level_.resize(blocks_.size());
  }

  void run(const std::string &path) override {
    int file = 0, var = 0;
    if (team_.rank == 0) {
      const int format = compression_.level > 0 ? NC_NETCDF4 : NC_64BIT_DATA;
      check_netcdf(nc_create(path.c_str(), NC_CLOBBER | format, &file), "create");
      var = define_field(file, block_.field.shape, block_.field.type.number);
      if (compression_.level > 0) compress(file, var);
      check_netcdf(nc_enddef(file), "enddef");
    }
    const int64_t level_elements = block_.count[1] * block_.count[2];
    for (int64_t level = 0; level < block_.field.shape[0]; ++level) {
      MPI_Gatherv(block_.data() + level * level_elements * block_.field.type.bytes, static_cast<int>(level_elements),
                  block_.field.type.mpi, blocks_.data(), counts_.data(), places_.data(), block_.field.type.mpi, 0,
                  team_.comm);
      if (team_.rank != 0) continue;
      order_level();
      const size_t start[] = {static_cast<size_t>(level), 0, 0};
      const size_t count[] = {1, sizes(block_.field.shape)[1], sizes(block_.field.shape)[2]};
      check_netcdf(nc_put_vara(file, var, start, count, level_.data()), "put_vara");
    }
    if (team_.rank == 0) check_netcdf(nc_close(file), "close");
    MPI_Barrier(team_.comm);
  }

  Traffic traffic() override { return {{}, {}, block_.field.shape[0] * (team_.ranks - 1)}; }
  std::optional<bool> check(const std::string &path) override { return check_with_netcdf(block_.workload(), path); }
  void remove(const std::string &path) override { remove_one(path); }

 private:
  void compress(int file, int var) {
    const std::vector<size_t> chunk(compression_.chunk.begin(), compression_.chunk.end());
    if (!chunk.empty()) check_netcdf(nc_def_var_chunking(file, var, NC_CHUNKED, chunk.data()), "def_var_chunking");
    check_netcdf(nc_def_var_deflate(file, var, 1, 1, compression_.level), "def_var_deflate");
  }
  // From one block after the other to rows of the whole level.
  void order_level() {
    const int64_t width = block_.field.type.bytes;
    for (size_t r = 0; r < counts_.size(); ++r) {
      std::array<int64_t, 3> start{}, count{};
      block_.bounds_of(static_cast<int>(r), start, count);
      const std::byte *from = blocks_.data() + places_[r] * width;
      for (int64_t y = 0; y < count[1]; ++y) {
        std::memcpy(level_.data() + ((start[1] + y) * block_.field.shape[2] + start[2]) * width,
                    from + y * count[2] * width, static_cast<size_t>(count[2] * width));
      }
    }
  }

  const Block &block_;
  const Compression compression_;
  std::vector<int> counts_, places_;  // of a level, in elements
  std::vector<std::byte> blocks_, level_;
};

}  // namespace

void add_serial_netcdf(std::vector<Peer> &peers, const Block &block, const Compression &compression) {
  peers.push_back({"gather", false, "", [&block] { return std::make_unique<Gather>(block, Compression{0, {}}); }});
  peers.push_back({"gather.deflate", false, "",
                   [&block, compression] { return std::make_unique<Gather>(block, compression); }, "netcdf4"});
}

}  // namespace sv_bench
