// The least that it can cost: a window that the ranks share, touched beforehand. Each swaps its values into file order,
// and one writes; or one reads, and each takes its own. There are two halves, so that one is written (or read) while
// the other is filled (or emptied). Waiting ranks sleep, and leave the cores to those who work.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "methods/methods.hpp"
#include "shared_block.hpp"
#include "workload/plain_file.hpp"
#include "workload/swap.hpp"

namespace sv_bench {

namespace {

int64_t half_bytes(const std::vector<Piece> &pieces) {
  int64_t most = 0;
  for (const Piece &piece : pieces) most = std::max(most, piece.end - piece.begin);
  return most;
}

class Window : public OneFileMethod {
 public:
  Window(const Workload &workload, bool reads)
      : OneFileMethod(workload, reads),
        pieces_(pieces_of(workload)),
        half_(half_bytes(pieces_)),
        barrier_(team_.comm),
        shared_(team_.comm, half_ * (pieces_.size() > 1 ? 2 : 1)) {
    for (size_t p = 0; p < pieces_.size(); ++p) reads_ ? take(p) : place(p);  // touches the pages
    MPI_Barrier(team_.comm);
  }

  void run(const std::string &path) override {
    begin();
    const std::string name = reads_ ? path : path + ".part";
    std::optional<PlainFile> file;
    if (team_.rank == 0) file.emplace(name, reads_ ? O_RDONLY : O_RDWR | O_CREAT | O_TRUNC);
    opened();
    reads_ ? read_pieces(file) : write_pieces(file);
    moved();
    if (file) file->close();
    if (file && !reads_ && std::rename(name.c_str(), path.c_str()) != 0)
      throw std::runtime_error("floor: cannot rename '" + name + "'");
    barrier_.wait();
    closed();
  }

  Traffic traffic() override { return {{}, {}, 0}; }
  int64_t pool_bytes() override { return half_ * (pieces_.size() > 1 ? 2 : 1); }

 private:
  void write_pieces(const std::optional<PlainFile> &file) {
    for (size_t p = 0; p < pieces_.size(); ++p) {
      place(p);
      barrier_.wait();  // also says that the piece before is written
      if (file) file->write(image(p), pieces_[p].end - pieces_[p].begin, pieces_[p].begin);
    }
  }
  void read_pieces(const std::optional<PlainFile> &file) {
    for (size_t p = 0; p < pieces_.size(); ++p) {
      if (file) file->read(image(p), pieces_[p].end - pieces_[p].begin, pieces_[p].begin);
      barrier_.wait();  // also says that the piece before is taken
      take(p);
    }
  }

  std::byte *image(size_t piece) const { return shared_.data() + half_ * static_cast<int64_t>(piece % 2); }
  void place(size_t piece) const {
    const Piece &here = pieces_[piece];
    const std::vector<std::byte> &header = workload_.file.header;
    if (piece == 0 && team_.rank == 0) std::memcpy(image(0), header.data(), header.size());
    for (size_t b = here.first_box; b < here.end_box; ++b) {
      const Box &box = workload_.boxes()[b];
      box.for_each_row([&](int64_t offset, int64_t from) {
        swap_copy(source() + from, image(piece) + (offset - here.begin), box.elements, box.width);
      });
    }
  }
  void take(size_t piece) {
    const Piece &here = pieces_[piece];
    for (size_t b = here.first_box; b < here.end_box; ++b) {
      const Box &box = workload_.boxes()[b];
      box.for_each_row([&](int64_t offset, int64_t to) {
        swap_copy(image(piece) + (offset - here.begin), target() + to, box.elements, box.width);
      });
    }
  }

  const std::vector<Piece> pieces_;
  const int64_t half_;
  const SharedBarrier barrier_;
  SharedBlock shared_;
};

}  // namespace

Peer window_peer(const std::string &name, const Workload &workload, bool reads) {
  Peer peer = peer_of<Window>(name, workload, reads);
  if (!on_one_node(workload.team.comm)) peer.missing = "all ranks must be on one node";
  return peer;
}

}  // namespace sv_bench
