// The least that writing can cost: a window as large as the field that the ranks share, touched beforehand; each swaps
// its values into file order, and one writes. Waiting ranks sleep, and leave the cores to those who work.
#include <pthread.h>

#include <cstdio>

#include "peer.hpp"
#include "peers/cdf_header.hpp"
#include "peers/plain_file.hpp"
#include "peers/swap.hpp"
#include "shared_block.hpp"

namespace sv_bench {

namespace {

constexpr int64_t barrier_room = 4096;
static_assert(sizeof(pthread_barrier_t) <= barrier_room);

class Floor : public Method {
 public:
  explicit Floor(const Block &block)
      : Method(block), shared_(block.comm, barrier_room + data_offset + block.field.bytes()) {
    if (block.rank == 0) {
      pthread_barrierattr_t attributes;
      if (pthread_barrierattr_init(&attributes) != 0 ||
          pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) != 0 ||
          pthread_barrier_init(barrier(), &attributes, static_cast<unsigned>(block.ranks)) != 0)
        throw std::runtime_error("floor: processes cannot share a barrier here");
      const std::vector<std::byte> header = cdf5_header(block.field);
      std::memcpy(file_image(), header.data(), header.size());
    }
    place();  // touches the pages
    MPI_Barrier(block.comm);
  }

  void run(const std::string &path) override {
    place();
    pthread_barrier_wait(barrier());
    if (block_.rank == 0) {
      const std::string part = path + ".part";
      PlainFile file(part, O_RDWR | O_CREAT | O_TRUNC);
      file.write(file_image(), data_offset + block_.field.bytes(), 0);
      file.close();
      if (std::rename(part.c_str(), path.c_str()) != 0) throw std::runtime_error("floor: cannot rename '" + part + "'");
    }
    pthread_barrier_wait(barrier());
  }

  Traffic traffic() override { return {{}, {}, 0}; }
  std::optional<bool> check(const std::string &path) override { return check_with_netcdf(block_, path); }
  void remove(const std::string &path) override { remove_one(path); }
  int64_t pool_bytes() override { return block_.field.bytes(); }

 private:
  pthread_barrier_t *barrier() const { return reinterpret_cast<pthread_barrier_t *>(shared_.data()); }
  std::byte *file_image() const { return shared_.data() + barrier_room; }
  void place() const {
    const int64_t width = block_.field.type.bytes;
    block_.for_each_row([&](int64_t at, int64_t local, int64_t n) {
      swap_copy(block_.data() + local * width, file_image() + data_offset + at * width, n, width);
    });
  }

  SharedBlock shared_;
};

}  // namespace

void add_floor(std::vector<Peer> &peers) {
  peers.push_back({"floor", false, on_one_node(MPI_COMM_WORLD) ? "" : "all ranks must be on one node",
                   [](const Block &block, const PeerSettings &) { return std::make_unique<Floor>(block); }});
}

}  // namespace sv_bench
