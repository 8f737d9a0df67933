#include "methods/sverdrup_context.hpp"

#include <unistd.h>

#include <fstream>
#include <stdexcept>

namespace sv_bench {

void check_sverdrup(int status, const char *call) {
  if (status != SV_OK) throw std::runtime_error(std::string(call) + ": " + sv_message());
}

namespace {

sv_decomp *decomposition(sv_context *io, const Grid &grid) {
  sv_decomp *made = nullptr;
  const sv_decomp_options options{grid.halo.empty() ? nullptr : grid.halo.data(), nullptr, 0};
  check_sverdrup(sv_def_decomp(io, static_cast<int>(grid.shape.size()), grid.shape.data(), grid.start.data(),
                               grid.count.data(), &options, &made),
                 "sv_def_decomp");
  return made;
}

}  // namespace

SverdrupContext::SverdrupContext(MPI_Comm comm, const std::vector<std::string> &options, const Workload *workload) {
  std::vector<const char *> texts{"summary.table?=false"};
  for (const std::string &option : options) {
    texts.push_back(option.c_str());
    if (option.starts_with("async=")) writes_behind_ = option != "async=none" && option != "async=servers:0";
  }
  check_sverdrup(sv_init(comm, nullptr, static_cast<int>(texts.size()), texts.data(), &io_), "sv_init");
  int is_model = 0;
  check_sverdrup(sv_is_model(io_, &is_model), "sv_is_model");
  if (is_model == 0) return;
  MPI_Comm model = MPI_COMM_NULL;
  check_sverdrup(sv_model_comm(io_, &model), "sv_model_comm");
  MPI_Comm_rank(model, &rank_);
  if (workload == nullptr) return;
  points_ = workload->points != nullptr;
  if (points_) {
    const int64_t cells = workload->points->all_cells(), n = static_cast<int64_t>(workload->points->cells().size());
    check_sverdrup(sv_def_points(io_, 1, &cells, n, workload->points->cells().data(), 0, &grid_), "sv_def_points");
  } else if (workload->grid) {
    grid_ = decomposition(io_, *workload->grid);
  }
  for (const Grid &grid : workload->grids) grids_.push_back(decomposition(io_, grid));
}

nlohmann::json SverdrupContext::point_costs() const {
  if (!points_) return nullptr;
  MPI_Comm model = MPI_COMM_NULL;
  check_sverdrup(sv_model_comm(io_, &model), "sv_model_comm");
  int64_t cells = 0, owned = 0, bytes = 0;
  double seconds = 0;
  check_sverdrup(sv_inq_points(grid_, &cells, &owned, nullptr, &seconds, &bytes), "sv_inq_points");
  double most = owned > 0 ? static_cast<double>(bytes) / static_cast<double>(owned) : 0;
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, model);
  MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_INT64_T, MPI_SUM, model);
  return {{"setup_seconds", seconds},
          {"bytes_per_cell", static_cast<double>(bytes) / static_cast<double>(cells)},
          {"most_bytes_per_owned_cell", most}};
}

nlohmann::json SverdrupContext::summary(const std::string &beside) const {
  const std::string path = beside + ".summary.json";
  check_sverdrup(sv_write_summary(io_, path.c_str()), "sv_write_summary");
  nlohmann::json summary;
  if (rank_ == 0) {
    std::ifstream(path) >> summary;
    unlink(path.c_str());
  }
  return summary;
}

Traffic SverdrupContext::traffic(const std::string &beside, int64_t runs, bool counts) const {
  const nlohmann::json all = summary(beside);
  Traffic traffic;
  if (rank_ != 0 || runs == 0) return traffic;
  traffic.bytes = all.at("bytes").at("written").get<int64_t>() / runs;
  if (counts) traffic.writes = all.at("writes").get<int64_t>() / runs;
  traffic.messages = all.at("messages").get<int64_t>() / runs;
  return traffic;
}

}  // namespace sv_bench
