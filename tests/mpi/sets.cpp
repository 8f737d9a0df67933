// Sets of files: the joined pieces of the routes per_pe and per_domain are the file of the serial route, byte
// for byte, on any number of ranks and nodes; and it reads as one file on any other layout.
// run: ranks=1 limit=90
// run: ranks=2 limit=90
// run: ranks=5 limit=90
// run: ranks=8 limit=90
// run: ranks=5 limit=90 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
// run: ranks=8 limit=90 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
// run: ranks=5 limit=90 name=behind behind
#include <sys/stat.h>

#include <filesystem>
#include <functional>

#include "support/copying.hpp"
#include "support/many_kinds.hpp"
#include "support/sets.hpp"

namespace {

using namespace svtest;

struct Variant {
  std::string name;
  std::vector<std::string> options;
};

std::vector<Variant> variants_of(int ranks) {
  const Process process = process_of(ranks);
  const std::string part = std::to_string(std::min(2, process.px)) + ",1";
  return {{"per_pe", {"route=per_pe", "transport.window=2MiB"}},
          {"per_pe.tiny", {"route=per_pe", "transport.window=64KiB"}},
          {"per_pe.growing", {"route=per_pe", "kind=growing", "durability=on_disk", "transport.window=1MiB"}},
          {"per_domain", {"route=per_domain", "transport.window=2MiB"}},
          {"per_domain.part", {"route=per_domain", "io_layout=" + part, "transport.window=2MiB"}},
          {"per_domain.tiny", {"route=per_domain", "io_layout=" + part, "transport.window=64KiB"}},
          {"per_domain.send", {"route=per_domain", "io_layout=1,1", "transport=send", "transport.window=1MiB"}}};
}

/// Reads distributed fields of the set on a decomposition that did not write it.
void read_elsewhere(const std::string &set, const std::vector<Spec> &specs, const std::string &reading) {
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  Grid rows{shape, {}, {}, {}};
  for (int r = 0; r < ranks; ++r) {
    const int64_t first = cut(shape[0], ranks, r);
    rows.blocks.push_back({{first, 0}, {cut(shape[0], ranks, r + 1) - first, shape[1]}});
  }
  sv_context *io = start(MPI_COMM_WORLD, {"reading=" + reading, "transport.window=1MiB"});
  sv_file *in = open_file(io, set);
  sv_decomp *decomp = declare(io, rows, rank);
  for (const Spec &spec : specs) {
    if (spec.shape != shape || spec.type == SV_CHAR) continue;
    const int id = var_id(in, spec.name);
    const int64_t record = spec.records ? records - 1 : SV_NO_RECORD;
    const std::vector<double> right = expected(spec, record);
    const Block &mine = rows.blocks[static_cast<size_t>(rank)];
    std::vector<double> found(static_cast<size_t>(product(mine.count)) + 1);
    SV_MUST(sv_get(in, id, decomp, record, SV_DOUBLE, found.data(), nullptr));
    for (size_t i = 0; i + 1 < found.size(); ++i)
      require(found[i] == right[static_cast<size_t>(mine.start[0] * shape[1]) + i],
              set + ", " + spec.name + ": element " + std::to_string(i) + " of a rank is wrong");
  }
  SV_MUST(sv_free_decomp(decomp));
  SV_MUST(sv_close(in));
  SV_MUST(sv_finalize(io));
}

void run(const Grids &grids) {
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  const std::vector<Spec> specs = specs_of(grids, false);
  if (rank == 0) write_reference("reference.nc", specs, "auto");
  for (const Variant &variant : variants_of(ranks)) {
    const std::string set = variant.name + ".nc", joined = variant.name + ".joined.nc";
    sv_context *io = start(MPI_COMM_WORLD, variant.options);
    write_file(io, MPI_COMM_WORLD, set, specs, records);
    SV_MUST(sv_finalize(io));
    struct stat unused {};
    require(stat(set.c_str(), &unused) != 0, set + " is there as one file");
    sv_tools::join(MPI_COMM_WORLD, set, joined, {"route=auto", "transport.window=1MiB"});
    if (rank == 0) {
      compare(joined, "reference.nc");
      sv_tools::join(MPI_COMM_SELF, set, joined,
                     {"route=serial", "testing.ranks_per_node=0", "reading=self", "transport.window=1MiB"});
      compare(joined, "reference.nc");
    }
    for (const char *reading : {"self", "writers"}) read_elsewhere(set, specs, reading);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) remove_pieces(set);
  }
}

/// A run that replaces a set is ended between two renames: one piece is that of the run before. And older files go only
/// when the whole set is there.
void mix_runs(const Grids &grids) {
  namespace fs = std::filesystem;
  const int rank = rank_in(MPI_COMM_WORLD);
  if (size_of(MPI_COMM_WORLD) == 1) return;  // which writes one piece
  const std::vector<Spec> specs = specs_of(grids, false);
  const auto write = [&](const std::string &path) {
    sv_context *io = start(MPI_COMM_WORLD, {"route=per_pe", "transport.window=1MiB"});
    write_file(io, MPI_COMM_WORLD, path, specs, records);
    SV_MUST(sv_finalize(io));
  };
  write("mixed.nc");
  for (int run = 0; run < 2; ++run) {
    at_root([] { fs::copy("mixed.nc.0001", "saved", fs::copy_options::overwrite_existing); });
    write("mixed.nc");
    at_root([] { fs::rename("mixed.nc.0001", "last"), fs::rename("saved", "mixed.nc.0001"); });
    sv_context *io = start(MPI_COMM_WORLD, {});
    sv_file *file = nullptr;
    const int status = sv_open(io, "mixed.nc", SV_NOWRITE, &file);
    const std::string reported = sv_message();
    require(status == SV_EFORMAT && reported.find("run") != std::string::npos,
            "pieces of two runs are one set: " + reported);
    SV_MUST(sv_finalize(io));
    at_root([] { fs::rename("last", "mixed.nc.0001"); });
  }
  sv_tools::join(MPI_COMM_WORLD, "mixed.nc", "mixed.joined.nc", {"transport.window=1MiB"});
  if (rank == 0) compare("mixed.joined.nc", "reference.nc");
}

/// One file of the same name stays until all pieces have their names.
void keep_older(const Grids &grids) {
  namespace fs = std::filesystem;
  const int rank = rank_in(MPI_COMM_WORLD);
  if (size_of(MPI_COMM_WORLD) == 1) return;
  const std::vector<Spec> specs = specs_of(grids, false);
  at_root([&] {
    fs::remove_all("older.nc.0001");  // of an earlier test in this folder
    fs::copy("reference.nc", "older.nc", fs::copy_options::overwrite_existing);
  });
  sv_context *io = start(MPI_COMM_WORLD, {"route=per_pe", "transport.window=1MiB"});
  Output out{io, rank};
  SV_MUST(sv_create(io, "older.nc", 0, &out.file));
  define(out, specs);
  for (const Spec &spec : specs)
    if (spec.how == How::field) out.decomp(spec.grid);
  SV_MUST(sv_enddef(out.file));
  if (rank == 0) fs::create_directories("older.nc.0001/x");  // so that this piece cannot get its name
  MPI_Barrier(MPI_COMM_WORLD);
  for (const Spec &spec : specs)
    if (!spec.records) put(out, spec, SV_NO_RECORD);
  const bool is_closed = sv_close(out.file) == SV_OK;
  require(!is_closed || sv_flush(io, SV_WRITTEN) != SV_OK, "a piece has taken the name of a directory");
  for (const auto &[grid, decomp] : out.decomps) SV_MUST(sv_free_decomp(decomp));
  SV_MUST(sv_finalize(io));
  if (rank == 0) compare("older.nc", "reference.nc");
}

/// A set is opened again, and gets its last record from ranks that need not own the pieces they wrote.
void append(const Grids &grids) {
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  std::vector<Spec> specs = specs_of(grids, false);
  std::erase_if(specs, [](const Spec &spec) { return spec.how == How::subarrays; });
  if (rank == 0) write_reference("reference.nc", specs, "auto");
  const std::string layout = "io_layout=1," + std::to_string(process_of(ranks).py);
  sv_context *io = start(MPI_COMM_WORLD, {"route=per_domain", layout, "kind=growing", "transport.window=1MiB"});
  write_file(io, MPI_COMM_WORLD, "grown.nc", specs, records - 1);
  SV_MUST(sv_finalize(io));
  io = start(MPI_COMM_WORLD, {"transport.window=1MiB"});
  Output out{io, rank};
  out.file = open_file(io, "grown.nc", SV_WRITE);
  for (const Spec &spec : specs) SV_MUST(sv_inq_varid(out.file, spec.name.c_str(), &out.ids[spec.name]));
  for (const Spec &spec : specs)
    if (spec.records) put(out, spec, records - 1);
  SV_MUST(sv_end_step(io));
  close_output(out);
  SV_MUST(sv_finalize(io));
  sv_tools::join(MPI_COMM_WORLD, "grown.nc", "grown.joined.nc", {"transport.window=1MiB"});
  if (rank == 0) compare("grown.joined.nc", "reference.nc");
}

/// While a set is written, each rank reads committed data from the pieces of the others, step by step.
void read_while_written(const std::string &store, const std::string &kind) {
  constexpr int64_t cells = 10, steps = 3;
  const std::string path = store + "." + kind + ".nc";
  sv_context *io = start(MPI_COMM_WORLD, {"store=" + store, "route=per_pe", "kind=" + kind});
  constexpr int fixed = 0, field = 1;
  TestFile file(io, path, SV_CLOBBER, {{"t", SV_UNLIMITED}, {"x", cells}},
                {{"fixed", SV_INT, {"x"}}, {"field", SV_DOUBLE, {"t", "x"}}});
  const auto value = [](int64_t record) {
    return [record](int64_t cell) { return static_cast<double>(100 * record + cell); };
  };
  std::vector<double> all(cells);
  const auto check = [&](int64_t record) {
    for (int64_t i = 0; i < cells; ++i)
      if (all[static_cast<size_t>(i)] != value(record)(i))
        give_up(path + ": record " + std::to_string(record) + ", cell " + std::to_string(i) + " is " +
                std::to_string(all[static_cast<size_t>(i)]));
  };
  file.put(fixed, SV_NO_RECORD, value(steps));
  for (int64_t step = 0; step < steps; ++step) {
    file.put(field, step, value(step));
    SV_MUST(sv_end_step(io));
    for (int64_t record = 0; record <= step; ++record) {
      SV_MUST(sv_get_var(file, field, record, SV_DOUBLE, all.data(), nullptr));
      check(record);
      const int64_t start[] = {record, 0}, lengths[] = {1, cells};
      std::fill(all.begin(), all.end(), -1);
      SV_MUST(sv_get_vara(file, field, start, lengths, SV_DOUBLE, all.data(), nullptr));
      check(record);
    }
    SV_MUST(sv_get_var(file, fixed, SV_NO_RECORD, SV_DOUBLE, all.data(), nullptr));
    check(steps);
  }
  file.close();
  sv_file *again = open_file(io, path);
  for (int64_t record = 0; record < steps; ++record) {
    SV_MUST(sv_get_var(again, field, record, SV_DOUBLE, all.data(), nullptr));
    check(record);
  }
  SV_MUST(sv_close(again));
  SV_MUST(sv_finalize(io));
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const Grids grids(size_of(MPI_COMM_WORLD));
  run(grids);
  mix_runs(grids);
  keep_older(grids);
  append(grids);
  for (const char *store : {"cdf", "netcdf4", "netcdf4_library", "zarr", "pnetcdf"})
    for (const char *kind : {"published", "growing"})
      if (has_store(store)) read_while_written(store, kind);
  return MPI_Finalize();
}
