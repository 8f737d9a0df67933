// The least that points can cost: every rank puts its values, with their bytes swapped, where they belong in one array
// that all share, touched beforehand; as many ranks as write for Sverdrup write it. Waiting ranks sleep.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "peers.hpp"
#include "shared_block.hpp"
#include "workload/plain_file.hpp"
#include "workload/swap.hpp"

namespace sv_bench {

namespace {

constexpr int64_t stripe_bytes = int64_t{1} << 20;
// From this mean length on, stretches are faster than cell by cell.
constexpr int64_t long_run = 8;

struct CellRun {
  int64_t cell, place, length;
};

class PointsFloor : public OneFileMethod {
 public:
  PointsFloor(const Workload &workload, bool, int writers)
      : OneFileMethod(workload, false),
        writers_(writers),
        barrier_(team_.comm),
        image_(team_.comm, workload.file.record_bytes) {
    const std::vector<int64_t> &cells = workload.points->cells();
    cells_.assign(cells.begin(), cells.end());
    for (size_t i = 0; i < cells.size(); ++i) {
      if (!runs_.empty() && runs_.back().cell + runs_.back().length == cells[i]) {
        ++runs_.back().length;
      } else {
        runs_.push_back({cells[i], static_cast<int64_t>(i), 1});
      }
    }
    scatter();  // touches the pages
    MPI_Barrier(team_.comm);
  }

  void run(const std::string &path) override {
    begin();
    const std::string name = path + ".part";
    std::optional<PlainFile> file;
    if (team_.rank == 0) {
      file.emplace(name, O_RDWR | O_CREAT | O_TRUNC);
      file->write(workload_.file.header.data(), static_cast<int64_t>(workload_.file.header.size()), 0);
    }
    if (writers_ > 1) barrier_.wait();
    if (team_.rank > 0 && team_.rank < writers_) file.emplace(name, O_RDWR);
    opened();
    for (size_t step = 0; step < workload_.steps(); ++step) {
      if (step > 0) barrier_.wait();  // the values there are written
      begin_step(step);
      scatter();
      barrier_.wait();
      if (file) write(*file, static_cast<int64_t>(step));
    }
    moved();
    if (file) file->close();
    if (writers_ > 1) barrier_.wait();
    if (team_.rank == 0 && std::rename(name.c_str(), path.c_str()) != 0)
      throw std::runtime_error("floor: cannot rename '" + name + "'");
    barrier_.wait();
    closed();
  }
  Traffic traffic() override { return {{}, {}, 0}; }

 private:
  void scatter() const {
    const int64_t first = workload_.file.begins.front(), cells = workload_.points->all_cells();
    const auto n = static_cast<int64_t>(cells_.size());
    for (size_t v = 0; v < workload_.schema.variables.size(); ++v) {
      const Variable &variable = workload_.schema.variables[v];
      const int64_t width = variable.type.bytes, levels = workload_.schema.slab_elements(variable) / cells;
      const std::byte *from = workload_.points->data(static_cast<int>(v));
      std::byte *to = image_.data() + (workload_.file.begins[v] - first);
      for (int64_t level = 0; level < levels; ++level, from += n * width, to += cells * width) {
        if (n >= long_run * static_cast<int64_t>(runs_.size())) {
          for (const CellRun &run : runs_)
            swap_copy(from + run.place * width, to + run.cell * width, run.length, width);
        } else if (width == 8) {
          scatter_row<uint64_t>(from, to);
        } else {
          scatter_row<uint32_t>(from, to);
        }
      }
    }
  }

  template <typename Word>
  void scatter_row(const std::byte *from, std::byte *to) const {
    const Word *values = reinterpret_cast<const Word *>(from);
    Word *row = reinterpret_cast<Word *>(to);
    for (size_t i = 0; i < cells_.size(); ++i)
      row[cells_[i]] = sizeof(Word) == 8 ? static_cast<Word>(__builtin_bswap64(values[i]))
                                         : static_cast<Word>(__builtin_bswap32(static_cast<uint32_t>(values[i])));
  }

  // This rank's share of whole stripes.
  void write(const PlainFile &file, int64_t record) const {
    const int64_t bytes = workload_.file.record_bytes, begin = workload_.file.begins.front() + record * bytes;
    const int64_t stripes = (bytes + stripe_bytes - 1) / stripe_bytes;
    const int64_t from = std::min(bytes, stripes * team_.rank / writers_ * stripe_bytes),
                  to = std::min(bytes, stripes * (team_.rank + 1) / writers_ * stripe_bytes);
    if (to > from) file.write(image_.data() + from, to - from, begin + from);
  }

  const int writers_;
  const SharedBarrier barrier_;
  const SharedBlock image_;
  std::vector<uint32_t> cells_;
  std::vector<CellRun> runs_;  // contiguous in memory and in the file
};

}  // namespace

Peer points_floor_peer(const Workload &workload, int writers) {
  Peer peer = peer_of<PointsFloor>("floor", workload, false, writers);
  if (!on_one_node(workload.team.comm)) peer.missing = "all ranks must be on one node";
  return peer;
}

}  // namespace sv_bench
