#include "ocean.hpp"

namespace sv_bench {

namespace {

struct OceanFile {
  const char *name;
  std::vector<const char *> volumes, surfaces;  // fields with and without levels
};

// The paper states 75 GB of restart files at 0.1 degrees, and not their contents. These are files that MOM5 writes,
// with 19 fields of levels and 8 without: 74.5 GB.
const OceanFile restart_files[] = {
    {"ocean_temp_salt.res", {"temp", "salt"}, {}},
    {"ocean_age.res", {"age_global"}, {}},
    {"ocean_velocity.res", {"u", "v"}, {}},
    {"ocean_velocity_advection.res", {"advu_fm1", "advu_f0", "advu_fp1", "advv_fm1", "advv_f0", "advv_fp1"}, {}},
    {"ocean_thickness.res", {"rho_dzt", "rho_dzu", "dzt", "dzu", "dzwt", "dst"}, {}},
    {"ocean_density.res", {"rho", "pressure_at_depth"}, {}},
    {"ocean_barotropic.res", {}, {"eta_t", "eta_u", "pbot_t", "pbot_u", "udrho", "vdrho", "deta_dt", "patm"}}};

Schema schema_of(const OceanFile &file, const OceanGrid &grid, const char *type, int64_t records) {
  Schema schema;
  schema.dims = {{"time", 0}, {"st_ocean", ocean_levels}, {"yt_ocean", grid.rows}, {"xt_ocean", grid.columns}};
  schema.records = records;
  for (const char *name : file.volumes) schema.variables.push_back({name, element_type(type), {0, 1, 2, 3}});
  for (const char *name : file.surfaces) schema.variables.push_back({name, element_type(type), {0, 2, 3}});
  return schema;
}

std::unique_ptr<Workload> workload_of(MPI_Comm comm, const Schema &schema, const Grid &grid) {
  auto workload = std::make_unique<Workload>(comm, schema);
  workload->grid = grid;
  if (schema.records > 1) workload->reuse_memory();
  for (int64_t record = 0; record < schema.records; ++record) {
    for (size_t v = 0; v < schema.variables.size(); ++v)
      workload->add(block_access(schema, static_cast<int>(v), grid, record));
    workload->end_step();
  }
  return workload;
}

}  // namespace

OceanGrid ocean_grid(const std::string &resolution, double scale) {
  const OceanGrid whole = resolution == "0.1" ? OceanGrid{3600, 2700, 288} : OceanGrid{1440, 1080, 48};
  return {scaled_length(whole.columns, scale), scaled_length(whole.rows, scale), whole.steps};
}

OceanLayout paper_layout(const std::string &resolution, int ranks) {
  const bool fine = resolution == "0.1";
  if (!fine && ranks == 240) return {{16, 15}, {8, 15}};
  if (!fine && ranks == 960) return {{32, 30}, {4, 30}};
  if (fine && ranks == 720) return {{48, 15}, {3, 15}};
  if (fine && ranks == 1440) return {{48, 30}, {3, 30}};
  return {{0, 0}, {0, 0}};
}

Ocean::Ocean(MPI_Comm comm, const OceanGrid &grid, const Ranks &ranks) {
  const Team team(comm);
  const Grid framed = block_grid(grid.rows, grid.columns, ranks, team.rank, 1);
  const Grid plain = block_grid(grid.rows, grid.columns, ranks, team.rank, 0);
  const auto add = [&](const OceanFile &file, const char *type, int64_t records, const Grid &block) {
    names_.emplace_back(file.name);
    workloads_.push_back(workload_of(comm, schema_of(file, grid, type, records), block));
  };
  add({"ocean_temp_salt", {"temp", "salt"}, {}}, "double", 1, plain);
  add({"ocean_diag", {"temp", "salt", "u", "v", "age_global"}, {}}, "float", grid.steps, framed);
  for (const OceanFile &file : restart_files) add(file, "double", 1, framed);
}

void Ocean::fill() { sv_bench::fill(workloads_); }

int64_t Ocean::written_bytes() const {
  int64_t bytes = -initial().schema.bytes();
  for (const auto &workload : workloads_) bytes += workload->schema.bytes();
  return bytes;
}

int64_t Ocean::needed_bytes() const { return sv_bench::needed_bytes(workloads_); }

Schedule Ocean::schedule(const Team &team, const std::string &input, const ComputeWish &compute,
                         const Ranks &ranks) const {
  Schedule schedule{team, {}, {}};
  for (size_t f = 0; f < names_.size(); ++f) schedule.files.push_back({workloads_[f].get(), names_[f]});
  schedule.files.front().input = input;
  schedule.moments = one_after_the_other(schedule.files, names_[1]);
  schedule.model = std::make_shared<TimedModel>(diagnostics(), compute, ranks.x, ranks.y);
  return schedule;
}

}  // namespace sv_bench
