// Sets of files: what the routes per_pe and per_domain write, joined, is the file that the serial route writes, byte
// for byte, on any number of ranks and nodes; and it reads as one file on any other layout.
// run: ranks=1 limit=90
// run: ranks=2 limit=90
// run: ranks=5 limit=90
// run: ranks=8 limit=90
// run: ranks=5 limit=90 name=nodes env=SV_RANKS_PER_NODE=2
// run: ranks=8 limit=90 name=nodes env=SV_RANKS_PER_NODE=2
// run: ranks=5 limit=90 name=behind behind
#include <sys/stat.h>

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
  return {{"per_pe", {"route=per_pe", "window=2MiB"}},
          {"per_pe.tiny", {"route=per_pe", "window=64KiB"}},
          {"per_pe.growing", {"route=per_pe", "kind=growing", "durability=on_disk", "window=1MiB"}},
          {"per_domain", {"route=per_domain", "window=2MiB"}},
          {"per_domain.part", {"route=per_domain", "io_layout=" + part, "window=2MiB"}},
          {"per_domain.tiny", {"route=per_domain", "io_layout=" + part, "window=64KiB"}},
          {"per_domain.send", {"route=per_domain", "io_layout=1,1", "transport=send", "window=1MiB"}}};
}

/// Reads distributed fields of the set on a decomposition that did not write it.
void read_elsewhere(const std::string &set, const std::vector<Spec> &specs, const std::string &reading) {
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  Grid rows{shape, {}, {}, {}};
  for (int r = 0; r < ranks; ++r) {
    const int64_t first = cut(shape[0], ranks, r);
    rows.blocks.push_back({{first, 0}, {cut(shape[0], ranks, r + 1) - first, shape[1]}});
  }
  sv_context *io = start(MPI_COMM_WORLD, {"reading=" + reading, "window=1MiB"});
  sv_file *in = nullptr;
  SV_MUST(sv_open(io, set.c_str(), SV_NOWRITE, &in));
  sv_decomp *decomp = declare(io, rows, rank);
  for (const Spec &spec : specs) {
    if (spec.shape != shape || spec.type == SV_CHAR) continue;
    int id = -1;
    SV_MUST(sv_inq_varid(in, spec.name.c_str(), &id));
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
    sv_tools::join(MPI_COMM_WORLD, set, joined, {"route=auto", "window=1MiB"});
    if (rank == 0) {
      compare(joined, "reference.nc");
      sv_tools::join(MPI_COMM_SELF, set, joined, {"route=serial", "ranks_per_node=0", "reading=self", "window=1MiB"});
      compare(joined, "reference.nc");
    }
    for (const char *reading : {"self", "writers"}) read_elsewhere(set, specs, reading);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) remove_pieces(set);
  }
}

/// A set is opened again, and gets its last record from ranks that need not own the pieces they wrote.
void append(const Grids &grids) {
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  std::vector<Spec> specs = specs_of(grids, false);
  std::erase_if(specs, [](const Spec &spec) { return spec.how == How::subarrays; });
  if (rank == 0) write_reference("reference.nc", specs, "auto");
  const std::string layout = "io_layout=1," + std::to_string(process_of(ranks).py);
  sv_context *io = start(MPI_COMM_WORLD, {"route=per_domain", layout, "kind=growing", "window=1MiB"});
  write_file(io, MPI_COMM_WORLD, "grown.nc", specs, records - 1);
  SV_MUST(sv_finalize(io));
  io = start(MPI_COMM_WORLD, {"window=1MiB"});
  Output out{io, rank};
  SV_MUST(sv_open(io, "grown.nc", SV_WRITE, &out.file));
  for (const Spec &spec : specs) SV_MUST(sv_inq_varid(out.file, spec.name.c_str(), &out.ids[spec.name]));
  for (const Spec &spec : specs)
    if (spec.records) put(out, spec, records - 1);
  SV_MUST(sv_end_step(io));
  SV_MUST(sv_close(out.file));
  for (const auto &[grid, decomp] : out.decomps) SV_MUST(sv_free_decomp(decomp));
  SV_MUST(sv_finalize(io));
  sv_tools::join(MPI_COMM_WORLD, "grown.nc", "grown.joined.nc", {"window=1MiB"});
  if (rank == 0) compare("grown.joined.nc", "reference.nc");
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const Grids grids(size_of(MPI_COMM_WORLD));
  run(grids);
  append(grids);
  return MPI_Finalize();
}
