// Every route writes the same bytes, on any number of ranks and nodes: those that one rank writes by the serial route,
// whose values netCDF-C finds right.
// run: ranks=1 limit=90
// run: ranks=2 limit=90
// run: ranks=5 limit=90
// run: ranks=8 limit=90
// run: ranks=1 limit=90 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
// run: ranks=2 limit=90 name=nodes env=SV_TESTING_RANKS_PER_NODE=1
// run: ranks=5 limit=90 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
// run: ranks=8 limit=90 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
#include <sys/stat.h>

#include "support/many_kinds.hpp"

namespace {

using namespace svtest;

struct Variant {
  std::string name;
  std::vector<std::string> options;
};

std::vector<Variant> variants_of(int ranks) {
  const Process process = process_of(ranks);
  const std::string full = std::to_string(process.px) + "," + std::to_string(process.py);
  const std::string part = std::to_string(std::min(2, process.px)) + ",1";
  const std::string writers = std::to_string(std::min(3, ranks));
  const std::vector<std::string> tiny{"transport.window=64KiB", "file_system.stripe=4096"};
  std::vector<Variant> all{{"auto", {}},
                           {"serial", {"route=serial"}},
                           {"shared", {"route=shared"}},
                           {"domains", {"route=domains"}},
                           {"domains.part", {"route=domains", "io_layout=" + part}},
                           {"domains.writers", {"route=domains", "io_layout=" + part, "writers=" + writers}},
                           {"domains.per_node", {"route=domains", "io_layout=1,1", "writers=1 per node"}},
                           {"row", {"route=row"}},
                           {"row.writers", {"route=row", "writers=1"}},
                           {"column", {"route=column"}},
                           {"column.writers", {"route=column", "writers=" + writers}},
                           {"ranges", {"route=ranges"}},
                           {"ranges.writers", {"route=ranges", "writers=" + writers}},
                           {"self", {"writers=self"}},
                           {"growing", {"kind=growing", "durability=on_disk"}}};
  for (Variant each : std::vector<Variant>(all.begin(), all.end() - 2)) {
    each.name += ".tiny";
    each.options.insert(each.options.end(), tiny.begin(), tiny.end());
    all.push_back(each);
  }
  // Large windows cost more than these files: one variant has them.
  for (Variant &each : all)
    if (each.name != "auto" && each.options.back() != "file_system.stripe=4096")
      each.options.push_back("transport.window=2MiB");
  for (const char *route : {"auto", "shared", "row"})
    all.push_back(
        {std::string(route) + ".send", {"transport=send", std::string("route=") + route, "transport.window=1MiB"}});
  all.push_back({"domains.full.tiny", {"route=domains", "io_layout=" + full, "transport.window=64KiB", "writers=1"}});
  all.push_back({"ranges.send.tiny",
                 {"transport=send", "writers=" + writers, "transport.window=64KiB", "file_system.stripe=4096"}});
  return all;
}

/// 1-D grids have one row of I/O domains; the variants whose io_layout has more leave them out of the file.
std::vector<Spec> allowed(std::vector<Spec> specs, const Variant &variant) {
  for (const std::string &option : variant.options)
    if (option.rfind("io_layout=", 0) == 0 && option.substr(option.find(',')) != ",1")
      for (Spec &spec : specs)
        if (spec.grid != nullptr && spec.grid->shape.size() == 1) spec.how = How::replicated;
  return specs;
}

void run(const Grids &grids, const std::string &format) {
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  const std::vector<Spec> specs = specs_of(grids, format == "cdf5");
  const std::string reference = "reference." + format + ".nc";
  if (rank == 0) {
    write_reference(reference, specs, format);
    NetcdfFile(reference).check_all(specs, records);
  }
  for (const Variant &variant : variants_of(ranks)) {
    // The types that only CDF-5 has take the same ways.
    if (format == "cdf5" && variant.name != "auto" && variant.name != "shared" && variant.name != "ranges.tiny")
      continue;
    const std::string path = variant.name + "." + format + ".nc";
    std::vector<std::string> options = variant.options;
    options.push_back("format=" + format);
    const double begin = MPI_Wtime();
    sv_context *io = start(MPI_COMM_WORLD, options);
    write_file(io, MPI_COMM_WORLD, path, allowed(specs, variant), records);
    SV_MUST(sv_finalize(io));
    if (rank != 0) continue;
    std::printf("%-24s %6.3f s\n", path.c_str(), MPI_Wtime() - begin);
    compare(path, reference);
    require(std::remove(path.c_str()) == 0, "cannot remove " + path);
    struct stat unused {};
    require(stat((path + ".part").c_str(), &unused) != 0, path + ".part was left over");
    std::remove((path + ".complete").c_str());
  }
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const Grids grids(size_of(MPI_COMM_WORLD));
  run(grids, "auto");
  run(grids, "cdf5");
  return MPI_Finalize();
}
