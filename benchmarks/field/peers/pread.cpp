// The plain way to read: every rank its own rows, one pread each, straight from where they are known to lie.
#include "peers/pread.hpp"

#include "peer.hpp"
#include "peers/cdf_header.hpp"
#include "peers/plain_file.hpp"
#include "peers/swap.hpp"

namespace sv_bench {

namespace {

class Pread : public Method {
 public:
  explicit Pread(const Block &block)
      : Method(block),
        row_(static_cast<size_t>(block.count[2] * block.field.type.bytes)),
        values_(static_cast<size_t>(block.bytes())) {}

  void run(const std::string &path) override {
    const int64_t width = block_.field.type.bytes;
    PlainFile file(path, O_RDONLY);
    block_.for_each_row([&](int64_t at, int64_t local, int64_t n) {
      file.read(row_.data(), n * width, data_offset + at * width);
      swap_copy(row_.data(), values_.data() + local * width, n, width);
    });
    file.close();
  }

  Traffic traffic() override { return {{}, {}, 0}; }
  std::optional<bool> check(const std::string &) override { return all_ranks(block_, block_.matches(values_)); }
  void remove(const std::string &) override {}

 private:
  std::vector<std::byte> row_, values_;
};

}  // namespace

void make_input(const Block &block, const std::string &path) {
  if (block.rank == 0) {
    const std::vector<std::byte> header = cdf5_header(block.field);
    PlainFile file(path, O_WRONLY | O_CREAT | O_TRUNC);
    file.write(header.data(), data_offset, 0);
    file.close();
  }
  MPI_Barrier(block.comm);
  const int64_t width = block.field.type.bytes;
  std::vector<std::byte> row(static_cast<size_t>(block.count[2] * width));
  PlainFile file(path, O_WRONLY);
  block.for_each_row([&](int64_t at, int64_t local, int64_t n) {
    swap_copy(block.data() + local * width, row.data(), n, width);
    file.write(row.data(), n * width, data_offset + at * width);
  });
  file.close();
  MPI_Barrier(block.comm);
}

void remove_input(const Block &block, const std::string &path) {
  MPI_Barrier(block.comm);
  if (block.rank == 0 && unlink(path.c_str()) != 0) throw std::runtime_error("cannot remove '" + path + "'");
}

void add_pread(std::vector<Peer> &peers) {
  peers.push_back({"read.pread", true, "",
                   [](const Block &block, const PeerSettings &) { return std::make_unique<Pread>(block); }});
}

}  // namespace sv_bench
