// The contract of the stores: the same program gives files of equal values with every store, route, chunks and
// compression, read by netCDF-C and by all of our ways; they are appended to and read while they are written. A store
// that is not compiled says so. With an argument: that store.
// run: ranks=1 limit=60 sanitize=no
// run: ranks=3 limit=120 sanitize=no
// run: ranks=5 limit=60 name=nodes.cdf env=SV_TESTING_RANKS_PER_NODE=3 sanitize=no args=cdf
// run: ranks=5 limit=120 name=nodes.pnetcdf env=SV_TESTING_RANKS_PER_NODE=3 sanitize=no args=pnetcdf
// run: ranks=5 limit=120 name=nodes.netcdf4 env=SV_TESTING_RANKS_PER_NODE=3 sanitize=no args=netcdf4
// run: ranks=3 limit=120 name=behind.netcdf4 behind sanitize=no args=netcdf4
// run: ranks=3 limit=120 name=behind.zarr behind sanitize=no args=zarr
// run: ranks=5 limit=120 name=nodes.zarr env=SV_TESTING_RANKS_PER_NODE=3 sanitize=no args=zarr
// run: ranks=5 limit=120 name=nodes.netcdf4_library env=SV_TESTING_RANKS_PER_NODE=3 sanitize=no args=netcdf4_library
#include <utility>

#include "support/many_kinds.hpp"
#include "support/readers.hpp"

namespace {

using namespace svtest;

struct Variant {
  std::string name;
  std::vector<std::string> options;

  std::string store() const { return name.substr(0, name.find('.')); }
  /// Of the stores whose names begin so.
  bool is(const std::string &stores, const std::string &what) const {
    return store().starts_with(stores) && name == store() + (what.empty() ? "" : "." + what);
  }
};

const std::vector<Variant> &variants() {
  static const std::vector<Variant> all{
      {"cdf", {"store=cdf"}},
      {"pnetcdf", {"store=pnetcdf", "file_system.stripe_count=2", "file_system.stripe=1MiB", "mpi_io.cb_nodes=2"}},
      {"pnetcdf.shared", {"store=pnetcdf", "route=shared"}},
      {"pnetcdf.domains", {"store=pnetcdf", "route=domains", "format=cdf5", "kind=growing", "durability=on_disk"}},
      {"pnetcdf.set", {"store=pnetcdf", "route=per_pe"}},
      {"netcdf4", {"store=netcdf4"}},
      {"netcdf4.tiny", {"store=netcdf4", "transport.window=64KiB", "writers=2", "file_system.stripe=4096"}},
      {"netcdf4.serial",
       {"store=netcdf4", "route=serial", "compression=deflate:1", "kind=growing", "durability=on_disk"}},
      {"netcdf4.one", {"format=netcdf4", "route=serial"}},
      {"netcdf4.shared", {"store=netcdf4", "route=shared", "chunks=default", "kind=growing"}},
      {"netcdf4.deflate", {"store=netcdf4", "compression=deflate:1", "transport.window=64KiB", "writers=2"}},
      {"netcdf4.all", {"store=netcdf4", "compression=deflate:6", "kind=growing"}},
      {"netcdf4.given", {"store=netcdf4", "compression=deflate:1", "chunks=2,9,16", "testing.deflate_library=zlib"}},
      {"netcdf4.default", {"store=netcdf4", "compression=deflate:1", "chunks=default"}},
      {"netcdf4.layout", {"store=netcdf4", "format=netcdf4_classic", "chunks.layout=3,2", "writers=2"}},
      {"netcdf4.domains",
       {"store=netcdf4", "route=domains", "chunks.layout=2,1", "compression=deflate:1", "compression.shuffle=false"}},
      {"netcdf4.writers", {"store=netcdf4", "chunks=writers", "writers=2", "durability=on_disk"}},
      {"netcdf4.set", {"store=netcdf4", "route=per_pe"}},
      {"zarr", {"store=zarr"}},
      {"zarr.tiny",
       {"format=zarr", "transport.window=64KiB", "writers=2", "compression=deflate:1", "testing.deflate_library=zlib"}},
      {"zarr.serial", {"store=zarr", "route=serial", "compression=deflate:1", "kind=growing", "durability=on_disk"}},
      {"zarr.shards",
       {"store=zarr", "compression=zstd:1", "chunks=2,9,16", "chunks.shards=auto", "compression.checksum=true"}},
      {"zarr.given", {"store=zarr", "compression=blosc_zstd:5", "chunks=9,16", "chunks.shards=18,32", "kind=growing"}},
      {"zarr.set", {"store=zarr", "route=per_pe"}},
      {"netcdf4_library", {"store=netcdf4_library"}},
      {"netcdf4_library.tiny",
       {"store=netcdf4_library", "transport.window=64KiB", "writers=2", "file_system.stripe=4096"}},
      {"netcdf4_library.serial",
       {"store=netcdf4_library", "route=serial", "compression=deflate:1", "kind=growing", "durability=on_disk"}},
      {"netcdf4_library.one", {"store=netcdf4_library", "route=serial"}},
      {"netcdf4_library.shared", {"store=netcdf4_library", "route=shared", "chunks=default", "kind=growing"}},
      {"netcdf4_library.deflate",
       {"store=netcdf4_library", "compression=deflate:1", "transport.window=64KiB", "writers=2"}},
      {"netcdf4_library.sums", {"store=netcdf4_library", "compression.checksum=true", "writers=2"}},
      {"netcdf4_library.layout", {"store=netcdf4_library", "format=netcdf4_classic", "chunks.layout=3,2", "writers=2"}},
      {"netcdf4_library.domains",
       {"store=netcdf4_library", "route=domains", "chunks.layout=2,1", "compression=deflate:1",
        "compression.shuffle=false"}},
      {"netcdf4_library.writers", {"store=netcdf4_library", "chunks=writers", "writers=2", "durability=on_disk"}},
      {"netcdf4_library.set", {"store=netcdf4_library", "route=per_pe"}}};
  return all;
}

/// The variables that have a grid and everywhere a value: those that all ways of reading can be tried with.
std::vector<Spec> readable(const std::vector<Spec> &specs) {
  std::vector<Spec> chosen;
  for (const Spec &spec : specs)
    if (spec.how == How::field && !spec.say_axes) chosen.push_back(spec);
  return chosen;
}

/// Adds a record, and reads it while the file is open for writing.
void append(const Variant &variant, const std::string &path, const std::vector<Spec> &specs) {
  std::vector<std::string> options = variant.options;
  sv_context *io = start(MPI_COMM_WORLD, options);
  Output out{io, rank_in(MPI_COMM_WORLD)};
  out.file = open_file(io, path, SV_WRITE);
  for (const Spec &spec : specs) SV_MUST(sv_inq_varid(out.file, spec.name.c_str(), &out.ids[spec.name]));
  for (const Spec &spec : specs)
    if (spec.how == How::subarrays)
      put_subarrays(out, spec, size_of(MPI_COMM_WORLD), records + 1);
    else if (spec.records)
      put(out, spec, records);
  SV_MUST(sv_end_step(io));
  const Input own{io, out.file, out.rank, path + ", read by its writers"};
  const bool lone =
      variant.is("netcdf4", "set") || variant.is("zarr", "set");  // of its pieces, each rank has its own open
  for (const Spec &spec : lone ? std::vector<Spec>() : readable(specs)) {
    const int64_t record = spec.records ? records : -1;
    check_field(own, spec, out.decomp(spec.grid), record, spec);
    check_whole(own, spec, record, spec);
    Numbers start(spec.shape.size() + (spec.records ? 1 : 0), 0), count(start.size(), 1);
    if (spec.records) start[0] = record;
    start.back() = out.rank % spec.shape.back();
    count.back() = std::min<int64_t>(5, spec.shape.back() - start.back());
    check_subarray(own, spec, start, count, spec);
  }
  SV_MUST(sv_close(out.file));
  SV_MUST(sv_finalize(io));
}

/// Adds an attribute and a variable; the old ones stay.
void redefine(const Variant &variant, const std::string &path, const std::vector<Spec> &specs) {
  sv_context *io = start(MPI_COMM_WORLD, variant.options);
  int dims[2], added = -1, depth = -1;
  const int fill = 7, number = 3;
  sv_file *file = open_file(io, path, SV_WRITE);
  SV_MUST(sv_redef(file));
  SV_MUST(sv_inq_dimid(file, "time", &dims[0]));
  SV_MUST(sv_inq_dimid(file, "y", &dims[1]));
  SV_MUST(sv_inq_varid(file, "depth", &depth));
  SV_MUST(sv_put_att(file, depth, "number", SV_INT, 1, &number));
  SV_MUST(sv_def_var(file, "added", SV_INT, 2, dims, &added));
  SV_MUST(sv_def_fill(file, added, &fill));
  SV_MUST(sv_enddef(file));
  SV_MUST(sv_close(file));
  SV_MUST(sv_finalize(io));
  if (rank_in(MPI_COMM_WORLD) == 0 && variant.store() != "zarr") {
    const NetcdfFile found(path);
    found.check_all(specs, records + 1);
    require(found.values("added", {shape[0]}, records) == std::vector<double>(static_cast<size_t>(shape[0]), fill),
            path + ": the added variable is not filled");
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/// By every store with every way of reading, or by one store in each way. The first reads all records, the others the
/// last one, and sub-arrays of two.
void read_in_ways(bool all, const std::string &path, const std::vector<Spec> &specs, int64_t count) {
  static const bool other = has_store("pnetcdf"), library = has_store("netcdf4_library");
  const std::string readings[] = {"self", "collective", "writers"}, stores[] = {"auto", "pnetcdf", "netcdf4_library"};
  int64_t first = 0;
  const bool is_there[] = {true, other, library};
  for (size_t r = 0; r < std::size(readings); ++r)
    for (size_t s = 0; s < std::size(stores); ++s) {
      if (!is_there[s] || !(all || s == (is_there[r] ? r : 0))) continue;
      sv_context *io = start(MPI_COMM_WORLD, {"reading=" + readings[r], "store=" + stores[s], "transport.window=1MiB"});
      check_file(io, path, readable(specs), count, std::exchange(first, count - 1));
      SV_MUST(sv_finalize(io));
    }
}

void run(const Variant &variant, const Grids &grids) {
  const std::string path = variant.name + ".nc";
  // The types that CDF-5 brought.
  const bool wide = variant.is("netcdf4", "") || variant.is("zarr", "") || variant.is("pnetcdf", "domains");
  const std::vector<Spec> specs = specs_of(grids, wide);
  const bool set = variant.name.find(".set") != std::string::npos;
  Variant used = variant;
  const int ranks = size_of(MPI_COMM_WORLD);
  if (ranks == 1) std::erase(used.options, "writers=2");
  if (std::none_of(used.options.begin(), used.options.end(),
                   [](const std::string &option) { return option.rfind("transport.window=", 0) == 0; }))
    used.options.push_back("transport.window=2MiB");
  sv_context *io = start(MPI_COMM_WORLD, used.options);
  write_file(io, MPI_COMM_WORLD, path, specs, records);
  SV_MUST(sv_finalize(io));
  const bool is_zarr = variant.store() == "zarr";  // which netCDF-C does not read; tests/zarr has other readers
  const bool looks = rank_in(MPI_COMM_WORLD) == 0 && !set && !is_zarr;
  if (looks) NetcdfFile(path).check_all(specs, records);
  MPI_Barrier(MPI_COMM_WORLD);
  // One rank made it, by itself; now all add to it.
  if (variant.is("netcdf4", "one"))
    used.options = {"store=" + variant.store(), ranks > 1 ? "writers=2" : "writers=1", "transport.window=2MiB"};
  append(used, path, specs);
  if (looks) NetcdfFile(path).check_all(specs, records + 1);
  MPI_Barrier(MPI_COMM_WORLD);
  if (variant.is("pnetcdf", "") || variant.is("netcdf4", "") || variant.is("netcdf4", "deflate") ||
      variant.is("zarr", "") || variant.is("zarr", "given"))
    redefine(used, path, specs);
  // Files whose chunks look like those of another variant are read in the same way.
  static const std::vector<std::string> alike{"tiny", "one", "shared", "all", "default", "domains", "writers"};
  const bool is_like_others = std::any_of(alike.begin(), alike.end(), [&](const std::string &what) {
    return variant.is("netcdf4", what) || (what == "shared" && variant.is("pnetcdf", what));
  });
  if (!is_like_others) read_in_ways(variant.name == variant.store(), path, specs, records + 1);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const Grids grids(size_of(MPI_COMM_WORLD));
  for (const Variant &variant : variants()) {
    const std::string store = variant.store();
    if (argc > 1 && store != argv[1]) continue;
    const double begin = MPI_Wtime();
    if (store != "cdf" && !has_store(store)) continue;
    run(variant, grids);
    if (rank_in(MPI_COMM_WORLD) == 0)
      std::printf("%-24s %6.3f s\n", variant.name.c_str(), MPI_Wtime() - begin), std::fflush(stdout);
  }
  return MPI_Finalize();
}
