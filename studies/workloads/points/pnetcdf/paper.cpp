// The program of Pang, Yu, Zhang, Ye 2023 (their Fig. 5), with PnetCDF: one primary, which is a worker, too.
#include <climits>
#include <cstring>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "points/peers.hpp"
#include "points/pnetcdf/record_file.hpp"
#include "rounds.hpp"

namespace sv_bench {

namespace {

enum Part { opening, collecting, reordering, scattering, putting, parts };
constexpr const char *part_names[parts] = {"open", "collect", "reorder", "scatter", "output"};

/// Contiguous where they were gathered (rank by rank, in the order of their lists) and in the file.
struct Stretch {
  int64_t position, cell, length;
};

class Paper : public OneFileMethod {
 public:
  Paper(const Workload &workload, bool, const PaperRun &wish)
      : OneFileMethod(workload, false), wish_(wish), works_(team_.rank < wish.workers) {
    MPI_Comm_split(team_.comm, works_ ? 0 : MPI_UNDEFINED, team_.rank, &workers_);
    find_stretches();
    const int64_t cells = workload.points->all_cells();
    for (const Variable &variable : workload.schema.variables) {
      const int64_t levels = workload.schema.slab_elements(variable) / cells;
      const Division division{levels, cells, wish.workers, wish.partition};
      divisions_.push_back(division);
      const bool has_levels = workload.schema.shape(variable).size() > 1;
      if (works_)
        segments_.emplace_back(wish.reorder ? division.regions(team_.rank, has_levels)
                                            : unordered_regions(division, has_levels));
      most_bytes_ = std::max(most_bytes_, workload.schema.slab_bytes(variable));
    }
    if (most_bytes_ > INT_MAX) throw std::runtime_error("a variable has more bytes than MPI gathers: ask for fewer");
    const auto room = static_cast<size_t>(most_bytes_);
    part_.resize(works_ ? room : 0);
    for (std::vector<std::byte> *buffer : {&gathered_, &ordered_, &packed_}) buffer->resize(primary() ? room : 0);
  }

  void run(const std::string &path) override {
    seconds_.fill(0);
    begin();
    std::optional<RecordFile> file;
    if (works_) file.emplace(workers_, path, workload_.schema);
    timed_part(opening, [&] {
      if (file) file->create();
      if (file && wish_.combined && wish_.each) file->begin_independent();
      if (file && !wish_.combined) file->close();
    });
    opened();
    for (size_t step = 0; step < workload_.steps(); ++step) {
      begin_step(step);
      for (size_t v = 0; v < divisions_.size(); ++v) output(file, static_cast<int>(v), step);
    }
    moved();
    timed_part(opening, [&] {
      if (file && wish_.combined && wish_.each) file->end_independent();
      if (file && wish_.combined) file->close();
    });
    MPI_Barrier(team_.comm);
    closed();
    for (int part = 0; part < parts; ++part) all_seconds_[part].push_back(seconds_[part]);
  }

  nlohmann::json more() override {
    nlohmann::json found;
    for (int part = 0; part < parts; ++part) found[part_names[part]] = median_of(all_seconds_[part]);
    return {{"parts", found}};
  }
  void finish() override {
    if (workers_ != MPI_COMM_NULL) MPI_Comm_free(&workers_);
  }

 private:
  bool primary() const { return team_.rank == 0; }

  template <typename Work>
  void timed_part(Part part, Work work) {
    const double begin = MPI_Wtime();
    work();
    seconds_[part] += MPI_Wtime() - begin;
  }

  void output(std::optional<RecordFile> &file, int variable, size_t step) {
    const auto v = static_cast<size_t>(variable);
    const int64_t width = workload_.schema.variables[v].type.bytes;
    timed_part(opening, [&] {
      if (file && !wish_.combined) file->open();
      if (file && !wish_.combined && wish_.each) file->begin_independent();
    });
    timed_part(collecting, [&] { collect(variable, width); });
    timed_part(reordering, [&] {
      if (primary() && wish_.reorder) reorder(divisions_[v].levels, width);
    });
    timed_part(scattering, [&] {
      if (file) scatter(divisions_[v], width);
    });
    timed_part(putting, [&] {
      if (!file) return;
      segments_[v].set_record(static_cast<int64_t>(step));
      if (wish_.each) {
        file->put_each(variable, segments_[v], part_.data());
      } else if (wish_.reorder && divisions_[v].in_one_piece()) {
        file->put_vara(variable, segments_[v], part_.data());
      } else {
        file->put_varn(variable, segments_[v], part_.data());
      }
    });
    timed_part(opening, [&] {
      if (file && !wish_.combined && wish_.each) file->end_independent();
      if (file && !wish_.combined) file->close();
    });
  }

  // The primary's and the workers' list of all cells, as they are gathered.
  void find_stretches() {
    const std::vector<int64_t> &mine = workload_.points->cells();
    const int own = static_cast<int>(mine.size());
    std::vector<int> counts(static_cast<size_t>(team_.ranks)), places(counts.size());
    MPI_Allgather(&own, 1, MPI_INT, counts.data(), 1, MPI_INT, team_.comm);
    std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
    std::vector<int64_t> cells(static_cast<size_t>(workload_.points->all_cells()));
    MPI_Allgatherv(mine.data(), own, MPI_INT64_T, cells.data(), counts.data(), places.data(), MPI_INT64_T, team_.comm);
    for (size_t r = 0; r < counts.size(); ++r) {
      for (int64_t p = places[r]; p < places[r] + counts[r]; ++p) {
        const int64_t cell = cells[static_cast<size_t>(p)];
        if (p > places[r] && stretches_.back().cell + stretches_.back().length == cell) {
          ++stretches_.back().length;
        } else {
          stretches_.push_back({p, cell, 1});
        }
      }
    }
    counts_.assign(counts.begin(), counts.end());
    places_.assign(places.begin(), places.end());
  }

  std::vector<Region> unordered_regions(const Division &division, bool has_levels) const {
    std::vector<Region> regions;
    for (int64_t level = 0; level < division.levels; ++level) {
      const Interval here = division.of(team_.rank, level);
      for (const Stretch &stretch : stretches_) {
        const int64_t from = std::max(stretch.position, here.begin),
                      to = std::min(stretch.position + stretch.length, here.end);
        if (from >= to) continue;
        const int64_t cell = stretch.cell + from - stretch.position;
        regions.push_back(has_levels ? Region{{level, cell}, {1, to - from}} : Region{{cell}, {to - from}});
      }
    }
    return regions;
  }

  void collect(int variable, int64_t width) {
    const auto v = static_cast<size_t>(variable);
    std::vector<int> bytes, places;
    for (size_t r = 0; r < counts_.size(); ++r) {
      bytes.push_back(static_cast<int>(counts_[r] * divisions_[v].levels * width));
      places.push_back(static_cast<int>(places_[r] * divisions_[v].levels * width));
    }
    MPI_Request request = MPI_REQUEST_NULL;
    if (MPI_Igatherv(workload_.points->data(variable), bytes[static_cast<size_t>(team_.rank)], MPI_BYTE,
                     gathered_.data(), bytes.data(), places.data(), MPI_BYTE, 0, team_.comm, &request) != MPI_SUCCESS ||
        MPI_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS)
      throw std::runtime_error("MPI cannot gather a variable");
  }

  // The begin of the values of a level of a rank in the gathered values, in values.
  int64_t gathered_row(size_t rank, int64_t level, int64_t levels) const {
    return places_[rank] * levels + level * counts_[rank];
  }

  void reorder(int64_t levels, int64_t width) {
    const int64_t cells = workload_.points->all_cells();
    for (int64_t level = 0; level < levels; ++level) {
      size_t rank = 0;
      for (const Stretch &stretch : stretches_) {
        while (stretch.position >= places_[rank] + counts_[rank]) ++rank;
        const int64_t from = gathered_row(rank, level, levels) + stretch.position - places_[rank];
        std::memcpy(ordered_.data() + (level * cells + stretch.cell) * width, gathered_.data() + from * width,
                    static_cast<size_t>(stretch.length * width));
      }
    }
  }

  // The worker's positions of every level, one after the other.
  std::byte *pack(const Division &division, int worker, int64_t width, std::byte *to) const {
    const auto copy = [&](const std::byte *from, int64_t values) {
      std::memcpy(to, from, static_cast<size_t>(values * width));
      to += values * width;
    };
    for (int64_t level = 0; level < division.levels; ++level) {
      const Interval here = division.of(worker, level);
      if (here.empty()) continue;
      if (wish_.reorder) {
        copy(ordered_.data() + (level * division.cells + here.begin) * width, here.end - here.begin);
        continue;
      }
      for (size_t r = 0; r < counts_.size(); ++r) {
        const int64_t from = std::max(places_[r], here.begin), end = std::min(places_[r] + counts_[r], here.end);
        if (from >= end) continue;
        copy(gathered_.data() + (gathered_row(r, level, division.levels) + from - places_[r]) * width, end - from);
      }
    }
    return to;
  }

  void scatter(const Division &division, int64_t width) {
    // Parts of ordered values follow one another already, unless they are cut out of every level.
    const bool in_place = division.levels == 1 || (wish_.reorder && division.partition != Partition::cells);
    std::vector<int> bytes, places;
    int64_t place = 0;
    std::byte *next = packed_.data();
    for (int worker = 0; worker < division.workers; ++worker) {
      bytes.push_back(static_cast<int>(division.values(worker) * width));
      places.push_back(static_cast<int>(place));
      place += bytes.back();
      if (primary() && !in_place) next = pack(division, worker, width, next);
    }
    const std::byte *from = !in_place ? packed_.data() : wish_.reorder ? ordered_.data() : gathered_.data();
    if (MPI_Scatterv(from, bytes.data(), places.data(), MPI_BYTE, part_.data(), bytes[static_cast<size_t>(team_.rank)],
                     MPI_BYTE, 0, workers_) != MPI_SUCCESS)
      throw std::runtime_error("MPI cannot scatter a variable");
  }

  const PaperRun wish_;
  const bool works_;
  MPI_Comm workers_ = MPI_COMM_NULL;
  std::vector<Division> divisions_;       // of each variable
  std::vector<Segments> segments_;        // of each variable, of this worker
  std::vector<Stretch> stretches_;        // by position
  std::vector<int64_t> counts_, places_;  // of each rank's cells
  int64_t most_bytes_ = 0;
  std::vector<std::byte> gathered_, ordered_, packed_, part_;
  std::array<double, parts> seconds_{};  // of this run
  std::array<std::vector<double>, parts> all_seconds_;
};

}  // namespace

Peer pnetcdf_paper_peer(const std::string &name, const Workload &workload, const PaperRun &wish) {
  return peer_of<Paper>(name, workload, false, wish);
}

}  // namespace sv_bench
