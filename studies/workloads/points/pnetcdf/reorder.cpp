// The usual method: points are sent to their writers, ordered there, and put in one piece.
#include <map>
#include <optional>

#include "points/exchange.hpp"
#include "points/peers.hpp"
#include "points/pnetcdf/record_file.hpp"

namespace sv_bench {

namespace {

/// The exchange and the place in the file of variables of one shape.
struct Journey {
  Exchange exchange;
  Segments segments;
};

class Reorder : public OneFileMethod {
 public:
  Reorder(const Workload &workload, bool, Partition partition, int workers)
      : OneFileMethod(workload, false), works_(team_.rank < workers) {
    MPI_Comm_split(team_.comm, works_ ? 0 : MPI_UNDEFINED, team_.rank, &workers_);
    MPI_Barrier(team_.comm);
    const double start = MPI_Wtime();
    const int64_t cells = workload.points->all_cells();
    for (const Variable &variable : workload.schema.variables) {
      const bool has_levels = workload.schema.shape(variable).size() > 1;
      const Division division{workload.schema.slab_elements(variable) / cells, cells, workers, partition};
      if (journeys_.count(has_levels) > 0) continue;
      const std::vector<Region> regions = works_ ? division.regions(team_.rank, has_levels) : std::vector<Region>{};
      journeys_.emplace(has_levels, Journey{{team_, division, workload.points->cells()}, Segments(regions)});
    }
    setup_ = MPI_Wtime() - start;
    MPI_Allreduce(MPI_IN_PLACE, &setup_, 1, MPI_DOUBLE, MPI_MAX, team_.comm);
  }

  void run(const std::string &path) override {
    begin();
    std::optional<RecordFile> file;
    if (works_) file.emplace(workers_, path, workload_.schema);
    if (file) file->create();
    opened();
    for (size_t step = 0; step < workload_.steps(); ++step) {
      begin_step(step);
      for (size_t v = 0; v < workload_.schema.variables.size(); ++v) put(file, static_cast<int>(v), step);
    }
    moved();
    if (file) file->close();
    MPI_Barrier(team_.comm);
    closed();
  }
  nlohmann::json more() override { return {{"setup_seconds", setup_}}; }
  void finish() override {
    if (workers_ != MPI_COMM_NULL) MPI_Comm_free(&workers_);
  }

 private:
  void put(std::optional<RecordFile> &file, int variable, size_t step) {
    const Variable &what = workload_.schema.variables[static_cast<size_t>(variable)];
    Journey &journey = journeys_.at(workload_.schema.shape(what).size() > 1);
    journey.exchange.run(workload_.points->data(variable), what.type.bytes);
    if (!file) return;
    journey.segments.set_record(static_cast<int64_t>(step));
    if (journey.exchange.division().in_one_piece()) {
      file->put_vara(variable, journey.segments, journey.exchange.part());
    } else {
      file->put_varn(variable, journey.segments, journey.exchange.part());
    }
  }

  const bool works_;
  MPI_Comm workers_ = MPI_COMM_NULL;
  std::map<bool, Journey> journeys_;  // by whether there are levels
  double setup_ = 0;
};

/// Nothing is exchanged but what MPI-IO exchanges.
class Varn : public OneFileMethod {
 public:
  Varn(const Workload &workload, bool) : OneFileMethod(workload, false) {
    const std::vector<int64_t> &cells = workload.points->cells();
    for (const Variable &variable : workload.schema.variables) {
      const bool has_levels = workload.schema.shape(variable).size() > 1;
      const int64_t levels = workload.schema.slab_elements(variable) / workload.points->all_cells();
      std::vector<Region> regions;
      for (int64_t level = 0; level < levels; ++level) {
        for (size_t i = 0; i < cells.size(); ++i) {
          if (i > 0 && cells[i] == cells[i - 1] + 1) {
            ++regions.back().count.back();
          } else {
            regions.push_back(has_levels ? Region{{level, cells[i]}, {1, 1}} : Region{{cells[i]}, {1}});
          }
        }
      }
      segments_.emplace_back(regions);
    }
  }

  void run(const std::string &path) override {
    begin();
    RecordFile file(team_.comm, path, workload_.schema);
    file.create();
    opened();
    for (size_t step = 0; step < workload_.steps(); ++step) {
      begin_step(step);
      for (size_t v = 0; v < segments_.size(); ++v) {
        segments_[v].set_record(static_cast<int64_t>(step));
        file.put_varn(static_cast<int>(v), segments_[v], workload_.points->data(static_cast<int>(v)));
      }
    }
    moved();
    file.close();
    closed();
  }

 private:
  std::vector<Segments> segments_;  // of each variable
};

}  // namespace

Peer pnetcdf_reorder_peer(const std::string &name, const Workload &workload, Partition partition, int workers) {
  return peer_of<Reorder>(name, workload, false, partition, workers);
}

Peer pnetcdf_varn_peer(const std::string &name, const Workload &workload) {
  return peer_of<Varn>(name, workload, false);
}

}  // namespace sv_bench
