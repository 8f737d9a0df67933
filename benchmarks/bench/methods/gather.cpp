// The method of a careful program without parallel I/O: rank 0 gathers a piece (a record of all variables), brings it
// into the order of the file and of its bytes, and writes it at once.
#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstring>

#include "methods/methods.hpp"
#include "workload/plain_file.hpp"
#include "workload/swap.hpp"

namespace sv_bench {

namespace {

int64_t bytes_of(const std::vector<Box> &boxes, const Piece &piece) {
  int64_t sum = 0;
  for (size_t b = piece.first_box; b < piece.end_box; ++b) sum += boxes[b].bytes();
  return sum;
}

int narrow(int64_t count) {
  if (count > INT_MAX) throw std::runtime_error("floor: a piece is too large to be gathered");
  return static_cast<int>(count);
}

// The part of a piece that one rank sends.
struct Share {
  int64_t boxes, bytes;
};

class GatherOfWorkload : public OneFileMethod {
 public:
  explicit GatherOfWorkload(const Workload &workload) : OneFileMethod(workload, false), pieces_(pieces_of(workload)) {
    std::vector<Share> mine;
    int64_t most_bytes = 0, all_bytes = 0, image_bytes = 0;
    for (const Piece &piece : pieces_) {
      mine.push_back({static_cast<int64_t>(piece.end_box - piece.first_box), bytes_of(workload.boxes(), piece)});
      most_bytes = std::max(most_bytes, mine.back().bytes);
      image_bytes = std::max(image_bytes, piece.end - piece.begin);
    }
    packed_.resize(static_cast<size_t>(most_bytes));
    const size_t ranks = team_.rank == 0 ? static_cast<size_t>(team_.ranks) : 0;
    shares_.resize(ranks * pieces_.size());
    const int share_bytes = narrow(static_cast<int64_t>(mine.size() * sizeof(Share)));
    MPI_Gather(mine.data(), share_bytes, MPI_BYTE, shares_.data(), share_bytes, MPI_BYTE, 0, team_.comm);
    gather_boxes();
    if (team_.rank != 0) return;
    for (size_t p = 0; p < pieces_.size(); ++p) {
      all_bytes = 0;
      for (size_t r = 0; r < ranks; ++r) all_bytes += share(r, p).bytes;
      most_bytes = std::max(most_bytes, all_bytes);
    }
    gathered_.resize(static_cast<size_t>(most_bytes));
    image_.resize(static_cast<size_t>(image_bytes));
    counts_.resize(ranks);
    places_.resize(ranks);
  }

  void run(const std::string &path) override {
    begin();
    const std::string name = path + ".part";
    std::optional<PlainFile> file;
    if (team_.rank == 0) file.emplace(name, O_RDWR | O_CREAT | O_TRUNC);
    std::vector<size_t> next(counts_.size());  // the first box of each rank that is not yet written
    opened();
    size_t step = 0;
    for (size_t p = 0; p < pieces_.size(); ++p) {
      advance(pieces_[p], step);
      gather(p);
      if (!file) continue;
      const std::vector<std::byte> &header = workload_.file.header;
      if (p == 0) std::memcpy(image_.data(), header.data(), header.size());
      for (size_t r = 0; r < next.size(); ++r) order(p, r, next[r]);
      file->write(image_.data(), pieces_[p].end - pieces_[p].begin, pieces_[p].begin);
    }
    moved();
    if (file) file->close();
    if (file && std::rename(name.c_str(), path.c_str()) != 0)
      throw std::runtime_error("floor: cannot rename '" + name + "'");
    MPI_Barrier(team_.comm);
    closed();
  }

  Traffic traffic() override { return {{}, {}, static_cast<int64_t>(pieces_.size()) * (team_.ranks - 1)}; }

 private:
  const Share &share(size_t rank, size_t piece) const { return shares_[rank * pieces_.size() + piece]; }

  // The boxes of all ranks, once: they are the same in every run.
  void gather_boxes() {
    const std::vector<Box> &mine = workload_.boxes();
    std::vector<int> counts, places;
    int64_t place = 0;
    for (size_t r = 0; r < shares_.size() / pieces_.size(); ++r) {
      int64_t count = 0;
      for (size_t p = 0; p < pieces_.size(); ++p) count += share(r, p).boxes;
      counts.push_back(narrow(count * static_cast<int64_t>(sizeof(Box))));
      places.push_back(narrow(place * static_cast<int64_t>(sizeof(Box))));
      boxes_.emplace_back(static_cast<size_t>(count));
      place += count;
    }
    std::vector<Box> all(static_cast<size_t>(place));
    MPI_Gatherv(mine.data(), narrow(static_cast<int64_t>(mine.size() * sizeof(Box))), MPI_BYTE, all.data(),
                counts.data(), places.data(), MPI_BYTE, 0, team_.comm);
    auto from = all.begin();
    for (std::vector<Box> &boxes : boxes_) {
      std::copy_n(from, boxes.size(), boxes.begin());
      from += static_cast<std::ptrdiff_t>(boxes.size());
    }
  }

  // Where steps share their memory a piece is of one step: the workload's piece_bytes then allow one slab.
  void advance(const Piece &piece, size_t &step) const {
    if (piece.first_box == piece.end_box) return;
    const size_t next = workload_.boxes()[piece.first_box].step;
    if (next != step || piece.first_box == 0) workload_.advance(next);
    step = next;
  }

  void gather(size_t p) {
    const Piece &piece = pieces_[p];
    int64_t place = 0;
    for (size_t r = 0; r < counts_.size(); ++r) {
      counts_[r] = narrow(share(r, p).bytes);
      places_[r] = narrow(place);
      place += counts_[r];
    }
    const std::byte *values = in_memory(piece);
    if (values == nullptr) values = pack(piece);
    MPI_Gatherv(values, narrow(bytes_of(workload_.boxes(), piece)), MPI_BYTE, gathered_.data(), counts_.data(),
                places_.data(), MPI_BYTE, 0, team_.comm);
  }

  // The piece's values, if they follow one another in memory as they are.
  const std::byte *in_memory(const Piece &piece) const {
    if (piece.first_box == piece.end_box) return source();
    const int64_t first = workload_.boxes()[piece.first_box].place;
    int64_t next = first;
    bool contiguous = true;
    for (size_t b = piece.first_box; b < piece.end_box; ++b) {
      workload_.boxes()[b].for_each_row([&](int64_t, int64_t place) {
        contiguous = contiguous && place == next;
        next += workload_.boxes()[b].elements * workload_.boxes()[b].width;
      });
    }
    return contiguous ? source() + first : nullptr;
  }

  const std::byte *pack(const Piece &piece) {
    std::byte *to = packed_.data();
    for (size_t b = piece.first_box; b < piece.end_box; ++b) {
      const Box &box = workload_.boxes()[b];
      box.for_each_row([&](int64_t, int64_t place) {
        std::memcpy(to, source() + place, static_cast<size_t>(box.elements * box.width));
        to += box.elements * box.width;
      });
    }
    return packed_.data();
  }

  // From one rank after the other to the order of the file.
  void order(size_t p, size_t r, size_t &next) {
    const std::byte *from = gathered_.data() + places_[r];
    for (const size_t end = next + static_cast<size_t>(share(r, p).boxes); next < end; ++next) {
      const Box &box = boxes_[r][next];
      box.for_each_row([&](int64_t offset, int64_t) {
        swap_copy(from, image_.data() + (offset - pieces_[p].begin), box.elements, box.width);
        from += box.elements * box.width;
      });
    }
  }

  const std::vector<Piece> pieces_;
  std::vector<std::byte> packed_;            // this rank's piece
  std::vector<Share> shares_;                // on rank 0, as all below: of each rank, its pieces
  std::vector<std::vector<Box>> boxes_;      // of each rank
  std::vector<std::byte> gathered_, image_;  // a piece, by ranks and as it is in the file
  std::vector<int> counts_, places_;
};

}  // namespace

Peer gather_peer(const std::string &name, const Workload &workload) {
  return {name, false, "", [&workload] { return std::make_unique<GatherOfWorkload>(workload); }};
}

}  // namespace sv_bench
