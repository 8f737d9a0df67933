// Files that others made: by netCDF-C in the three formats, by CDO, and those of Ferret. Whole variables,
// sub-arrays and distributed fields; halos stay as they are.
// run: ranks=1 limit=60
// run: ranks=3 limit=60
// run: ranks=5 limit=60 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
// run: ranks=4 limit=60 name=send env=SV_TRANSPORT=send;SV_TRANSPORT_WINDOW=256KiB
#include <cstring>
#include <filesystem>

#include "support/files.hpp"
#include "support/readers.hpp"

namespace {

using namespace svtest;

constexpr int64_t records = 3;
const Numbers shape{17, 23};

struct Scene {
  int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  Grid plain{shape, {}, blocks_2d(shape, 1, ranks, ranks, {}), {1, 2, 2, 1}};
  Grid wrapping{shape, {0, 1}, blocks_2d(shape, ranks, 1, ranks, {}, 5), {1, 1, 1, 1}};
  sv_context *io = start(MPI_COMM_WORLD, {});
};

std::vector<Spec> specs_of(const Scene &scene, bool cdf5) {
  const Numbers levels{3, shape[0], shape[1]};
  std::vector<Spec> specs{
      {"depth", SV_SHORT, SV_DOUBLE, shape, {"y", "x"}, false, How::field, &scene.plain},
      {"temperature", SV_FLOAT, SV_DOUBLE, levels, {"z", "y", "x"}, true, How::field, &scene.plain, 1},
      {"salinity", SV_DOUBLE, SV_FLOAT, levels, {"z", "y", "x"}, false, How::field, &scene.wrapping, 1, false, true},
      {"flags", SV_BYTE, SV_INT, shape, {"y", "x"}, true, How::field, &scene.wrapping}};
  if (cdf5) specs.push_back({"count", SV_UINT64, SV_INT64, shape, {"y", "x"}, true, How::field, &scene.plain});
  return specs;
}

/// One record variable alone has records without padding.
std::vector<Spec> lone_spec(const Scene &scene) {
  return {{"flags", SV_BYTE, SV_BYTE, shape, {"y", "x"}, true, How::field, &scene.plain}};
}

/// Local: one rank writes the file with netCDF-C.
void write_netcdf(const std::string &path, int mode, const std::vector<Spec> &specs) {
  int file = -1, time = -1;
  nc(nc_create(path.c_str(), NC_CLOBBER | mode, &file), path);
  nc(nc_def_dim(file, "time", NC_UNLIMITED, &time), path);
  std::map<std::string, int> dims;
  std::vector<int> ids;
  for (const Spec &spec : specs) {
    std::vector<int> of;
    if (spec.records) of.push_back(time);
    for (size_t d = 0; d < spec.shape.size(); ++d) {
      if (dims.count(spec.dims[d]) == 0)
        nc(nc_def_dim(file, spec.dims[d].c_str(), static_cast<size_t>(spec.shape[d]), &dims[spec.dims[d]]), path);
      of.push_back(dims[spec.dims[d]]);
    }
    ids.push_back(-1);
    nc(nc_def_var(file, spec.name.c_str(), spec.type, static_cast<int>(of.size()), of.data(), &ids.back()), path);
    nc(nc_put_att_text(file, ids.back(), "units", 3, "m/s"), path);
  }
  nc(nc_enddef(file), path);
  for (size_t v = 0; v < specs.size(); ++v)
    for (int64_t record = 0; record < (specs[v].records ? records : 1); ++record) {
      const Spec &spec = specs[v];
      std::vector<size_t> start(spec.shape.size() + 1, 0), count(spec.shape.begin(), spec.shape.end());
      if (spec.records) {
        start[0] = static_cast<size_t>(record);
        count.insert(count.begin(), 1);
      }
      const std::vector<double> values = expected(spec, spec.records ? record : -1);
      nc(nc_put_vara_double(file, ids[v], start.data(), count.data(), values.data()), path);
    }
  nc(nc_close(file), path);
}

/// Collective: this rank's part of every variable is what netCDF-C reads.
void compare_with_netcdf(const Scene &scene, const std::string &path) {
  int id = -1, variables = 0;
  nc(nc_open(path.c_str(), NC_NOWRITE, &id), path);
  nc(nc_inq_nvars(id, &variables), path);
  sv_file *file = open_file(scene.io, path);
  for (int v = 0; v < variables; ++v) {
    int dims = 0, dim_ids[NC_MAX_VAR_DIMS];
    nc_type type = NC_NAT;
    nc(nc_inq_var(id, v, nullptr, &type, &dims, dim_ids, nullptr), path);
    if (type == NC_CHAR) continue;
    std::vector<size_t> from(static_cast<size_t>(dims) + 1, 0), length(static_cast<size_t>(dims) + 1, 1);
    for (int d = 0; d < dims; ++d) nc(nc_inq_dimlen(id, dim_ids[d], &length[static_cast<size_t>(d)]), path);
    const auto slowest = static_cast<int64_t>(length[0]);
    from[0] = static_cast<size_t>(cut(slowest, scene.ranks, scene.rank));
    length[0] = static_cast<size_t>(cut(slowest, scene.ranks, scene.rank + 1)) - from[0];
    if (dims == 0) from[0] = 0, length[0] = 1;
    const Numbers start(from.begin(), from.end()), count(length.begin(), length.end());
    std::vector<double> found(static_cast<size_t>(product(count)) + 1, 0), right = found;
    nc(nc_get_vara_double(id, v, from.data(), length.data(), right.data()), path);
    SV_MUST(sv_get_vara(file, v, start.data(), count.data(), SV_DOUBLE, found.data(), nullptr));
    const bool equal = std::memcmp(found.data(), right.data(), found.size() * sizeof(double)) == 0;
    require(equal, path + ", variable " + std::to_string(v) + " differs from what netCDF-C reads");
  }
  SV_MUST(sv_close(file));
  nc(nc_close(id), path);
}

/// Rank 0 runs a command; whether it could.
bool run_on_root(const Scene &scene, const std::string &command) {
  int done = scene.rank == 0 && std::system((command + " >/dev/null 2>&1").c_str()) == 0 ? 1 : 0;
  MPI_Bcast(&done, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return done != 0;
}

void check_formats(const Scene &scene) {
  const std::vector<std::pair<std::string, int>> formats{
      {"cdf1", 0}, {"cdf2", NC_64BIT_OFFSET}, {"cdf5", NC_64BIT_DATA}};
  for (const auto &[name, mode] : formats) {
    const std::vector<Spec> specs = specs_of(scene, name == "cdf5"), lone = lone_spec(scene);
    const std::string path = "netcdf." + name + ".nc", alone = "alone." + name + ".nc";
    at_root([&] {
      write_netcdf(path, mode, specs);
      write_netcdf(alone, mode, lone);
    });
    check_file(scene.io, path, specs, records);
    check_file(scene.io, alone, lone, records);
  }
  if (!run_on_root(scene, "command -v cdo")) return;
  for (const std::string format : {"nc1", "nc2", "nc5"}) {
    const std::string path = "cdo." + format + ".nc";
    require(run_on_root(scene, "cdo -O -f " + format + " addc,1 netcdf.cdf2.nc " + path), "cdo failed");
    compare_with_netcdf(scene, path);
  }
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  {
    const Scene scene;
    check_formats(scene);
    // Debian's package ferret-datasets, where it is installed.
    const std::string ferret = "/usr/share/ferret-vis/data/";
    for (const char *name :
         {"coads_climatology.cdf", "levitus_climatology.cdf", "monthly_navy_winds.cdf", "etopo20.cdf"})
      if (std::filesystem::exists(ferret + name)) compare_with_netcdf(scene, ferret + name);
    SV_MUST(sv_finalize(scene.io));
  }
  return MPI_Finalize();
}
