// Data that are written several pieces at a time and past the page cache, within the calls or behind them, make byte
// for byte the file that one rank writes one piece after the other; the summary names the settings in force, with
// reasons.
// run: ranks=1 limit=60
// run: ranks=2 limit=60
// run: ranks=3 limit=90
// run: ranks=2 limit=60 name=single args=single
// run: ranks=2 limit=60 name=behind behind
// run: ranks=3 limit=90 name=behind behind
// run: ranks=5 limit=90 name=behind_nodes behind env=SV_TESTING_RANKS_PER_NODE=2
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "support/many_kinds.hpp"

namespace {

using namespace svtest;

struct Variant {
  std::string name;
  std::vector<std::string> options;
};

const std::vector<Variant> variants{{"plain", {}},
                                    {"combined", {"combine=step", "transport.window=1MiB"}},
                                    {"on_disk", {"durability=on_disk", "kind=growing"}},
                                    {"rounds", {"transport.window=64KiB", "async.memory=1MiB"}}};

/// Whether files may be written past the page cache here.
bool has_direct() {
  const int file = open("direct.probe", O_CREAT | O_WRONLY | O_DIRECT, 0600);
  if (file >= 0) close(file);
  std::remove("direct.probe");
  return file >= 0;
}

std::string text_of(const std::string &path) {
  const std::vector<char> all = bytes_of_file(path);
  return {all.begin(), all.end()};
}

int64_t number_after(const std::string &text, const std::string &key) {
  const size_t at = text.find("\"" + key + "\": ");
  require(at != std::string::npos, "the summary has no " + key);
  return std::atoll(text.c_str() + at + key.size() + 4);
}

/// Writes the file so; returns the summary, on rank 0.
std::string write(const std::string &path, const std::vector<Spec> &specs, std::vector<std::string> options) {
  options.insert(options.end(), {"file_system.stripe=4096", "summary=" + path + ".json"});
  sv_context *io = start(MPI_COMM_WORLD, options);
  write_file(io, MPI_COMM_WORLD, path, specs, records);
  SV_MUST(sv_finalize(io));
  const std::string reported = rank_in(MPI_COMM_WORLD) == 0 ? text_of(path + ".json") : "";
  MPI_Barrier(MPI_COMM_WORLD);
  return reported;
}

void require_reported(const std::string &summary, const std::string &text) {
  if (rank_in(MPI_COMM_WORLD) == 0)
    require(summary.find(text) != std::string::npos, "'" + text + "' is not in " + summary);
}

void try_variant(const Variant &variant, const std::vector<Spec> &specs, const std::string &depth,
                 const std::string &direct) {
  const std::string path = variant.name + depth + direct + ".nc";
  std::vector<std::string> options = variant.options;
  options.insert(options.end(), {"file_system.write_depth=" + depth, "file_system.direct_io=" + direct});
  const std::string summary = write(path, specs, options);
  require_reported(summary, "write_depth " + depth + ", direct_io " + direct + ": as set");
  if (rank_in(MPI_COMM_WORLD) != 0) return;
  compare(path, "reference.nc");
  require((number_after(summary, "direct") > 0) == (direct == "on" && has_direct()),
          path + ": other bytes than asked went past the page cache");
  std::remove(path.c_str());
}

void write_profile(const std::string &path, const std::string &lines) {
  at_root([&] { std::ofstream(path) << lines; });
}

/// A program that asked MPI for no threads gets none.
void stay_single(const std::vector<Spec> &specs) {
  require_reported(write("single.nc", specs, {"file_system.write_depth=4", "file_system.direct_io=on"}),
                   "write_depth 4 is 1, since MPI was initialised for a single thread");
  if (rank_in(MPI_COMM_WORLD) == 0) compare("single.nc", "reference.nc");
}

/// The keys are left to a profile.
void follow_profiles(const std::vector<Spec> &specs) {
  const std::string best = "write_depth: 2\ndirect_io: 0\nsynced_write_depth: 4\nsynced_direct_io: 1\n";
  write_profile("machine.yaml", best + "directory: .\nmeasured: 2026-01-02\n");
  const auto reported = [&](const std::string &machine, const std::string &durability) {
    return write("probed.nc", specs, {"file_system.profile=" + machine, "durability=" + durability});
  };
  require_reported(reported("machine.yaml", "written"), "write_depth 2, direct_io off: probe of 2026-01-02 in .");
  require_reported(reported("machine.yaml", "on_disk"), "write_depth 4, direct_io on: probe of 2026-01-02 in .");
  if (rank_in(MPI_COMM_WORLD) == 0) compare("probed.nc", "reference.nc");
  write_profile("elsewhere.yaml", best + "directory: /proc\n");
  require_reported(reported("elsewhere.yaml", "on_disk"),
                   "write_depth 1, direct_io off: the file is not on the storage that was probed, /proc");
  write_profile("older.yaml", "cores_per_node: 2\n");
  require_reported(reported("older.yaml", "written"),
                   "write_depth 1, direct_io off: 'older.yaml' does not contain these keys");
  sv_context *io = nullptr;
  write_profile("bad.yaml", "write_depth: many\ndirectory: .\n");
  for (const std::string machine : {"bad.yaml", "absent.yaml"}) {
    const std::string option = "file_system.profile=" + machine;
    const char *const options[] = {option.c_str()};
    const int status = sv_init(MPI_COMM_WORLD, nullptr, 1, options, &io);
    require(status == (machine == "bad.yaml" ? SV_ECONFIG : SV_ENOTFOUND), option);
    require(std::string(sv_message()).find(machine) != std::string::npos, sv_message());
  }
}

}  // namespace

int main(int argc, char **argv) {
  int level = 0;
  const bool single = argc > 1;
  MPI_Init_thread(&argc, &argv, single ? MPI_THREAD_SINGLE : MPI_THREAD_FUNNELED, &level);
  const Grids grids(size_of(MPI_COMM_WORLD));
  const std::vector<Spec> specs = specs_of(grids, false);
  at_root([&] { write_reference("reference.nc", specs, "auto"); });
  if (single) {
    if (level == MPI_THREAD_SINGLE) stay_single(specs);
    return MPI_Finalize();
  }
  for (const Variant &variant : variants) {
    try_variant(variant, specs, "4", "on");
    try_variant(variant, specs, "3", "off");
    try_variant(variant, specs, "1", "on");
  }
  follow_profiles(specs);
  return MPI_Finalize();
}
