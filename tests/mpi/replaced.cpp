// A file that is open for reading is the one that was opened, even if another file gets the name or the program changes
// its directory: gets return its values, or an error on every rank. With every store, one file, a file for each
// variable and a set; and names stay those of the directory in which they were given, also for files that are made, and
// with servers.
// run: ranks=1 limit=120
// run: ranks=2 limit=120
// run: ranks=3 limit=120
// run: ranks=3 limit=120 name=nodes env=SV_TESTING_RANKS_PER_NODE=1
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "support/files.hpp"
#include "support/later.hpp"
#include "support/model_ranks.hpp"

namespace {

using namespace svtest;
namespace fs = std::filesystem;

constexpr int64_t cells = 600;

struct Variant {
  std::string name;
  std::vector<std::string> options;
  bool keeps_old = false;  // one rank reads what it has opened
};

const std::vector<Variant> &variants() {
  static const std::vector<Variant> all{{"cdf", {"store=cdf"}, true},
                                        {"cdf.writers", {"store=cdf", "reading=writers"}, true},
                                        {"pnetcdf", {"store=pnetcdf"}},
                                        {"pnetcdf.together", {"store=pnetcdf", "reading=collective"}},
                                        {"netcdf4", {"store=netcdf4"}},
                                        {"netcdf4.untrusted", {"store=netcdf4", "reading.untrusted=true"}},
                                        {"netcdf4_library", {"store=netcdf4_library"}},
                                        {"zarr", {"store=zarr"}},
                                        {"per_variable", {"layout=per_variable"}},
                                        {"per_variable.netcdf4", {"layout=per_variable", "store=netcdf4"}},
                                        {"per_pe", {"route=per_pe"}}};
  return all;
}

bool is_compiled(const Variant &variant) {
  return std::all_of(variant.options.begin(), variant.options.end(), [](const std::string &option) {
    return !option.starts_with("store=") || has_store(option.substr(std::string("store=").size()));
  });
}

/// Each variable has its number, from `first` on, in all cells.
void make(sv_context *io, const std::string &path, const std::vector<std::string> &names, int first) {
  std::vector<Var> variables;
  for (const std::string &name : names) variables.push_back({name, SV_INT, {"x"}});
  TestFile file(io, path, 0, {{"x", cells}}, variables);
  for (int v = 0; v < std::ssize(names); ++v) file.put(v, SV_NO_RECORD, [&](int64_t) { return first + v; });
  file.close();
}

/// The value of a variable in this rank's cells; or the error, which all ranks must have.
struct Got {
  int status, value;
  std::string reported;
};

Got get(sv_file *file, const char *name) {
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  const int64_t start[1] = {cells * rank / ranks}, count[1] = {cells * (rank + 1) / ranks - start[0]};
  std::vector<int> values(static_cast<size_t>(count[0]), -1);
  const int id = var_id(file, name);
  Got got{sv_get_vara(file, id, start, count, SV_INT, values.data(), nullptr), values.front(), {}};
  if (got.status != SV_OK) got.reported = sv_message();
  std::array<int, 2> mine{got.status, -got.status}, most{};
  MPI_Allreduce(mine.data(), most.data(), 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  require(most[0] == -most[1], std::string(name) + ": only some ranks have an error: " + got.reported);
  if (got.status == SV_OK)
    for (const int each : values) require(each == got.value, std::string(name) + ": values of two files");
  return got;
}

void check_old(const Variant &variant, sv_file *file, const char *name, int right, bool must_have) {
  const Got got = get(file, name);
  if (got.status == SV_OK)
    return require(got.value == right,
                   variant.name + ", " + name + ": a value of another file, " + std::to_string(got.value));
  require(!must_have, variant.name + ", " + name + ": cannot be read: " + got.reported);
  require(got.reported.find("replaced after it was opened") != std::string::npos, variant.name + ": " + got.reported);
}

/// Another run publishes the name between sv_open and the first get.
void replace(const Variant &variant) {
  sv_context *io = start(MPI_COMM_WORLD, variant.options);
  const std::string path = variant.name + ".r.nc";
  make(io, path, {"temp", "salt"}, 10);
  sv_file *file = open_file(io, path);
  make(io, path, {"extra", "temp", "salt"}, 20);
  const bool must_have = variant.keeps_old && size_of(MPI_COMM_WORLD) == 1;
  check_old(variant, file, "temp", 10, must_have);
  check_old(variant, file, "salt", 11, must_have);
  SV_MUST(sv_close(file));
  file = open_file(io, path);
  require(get(file, "temp").value == 21 && get(file, "salt").value == 22, variant.name + ": opened again");
  SV_MUST(sv_close(file));
  SV_MUST(sv_finalize(io));
}

/// The same definitions, another file.
void replace_by_equal(const Variant &variant) {
  sv_context *io = start(MPI_COMM_WORLD, variant.options);
  const std::string path = variant.name + ".e.nc";
  make(io, path, {"temp"}, 10);
  sv_file *file = open_file(io, path);
  make(io, path, {"temp"}, 20);
  make(io, path, {"temp"}, 30);
  check_old(variant, file, "temp", 10, variant.keeps_old && size_of(MPI_COMM_WORLD) == 1);
  SV_MUST(sv_close(file));
  SV_MUST(sv_finalize(io));
}

void go(const std::string &directory) { require(chdir(directory.c_str()) == 0, "chdir " + directory); }

/// The program changes its directory while files are open.
void change_directory(const Variant &variant) {
  const std::string here = fs::current_path().string(), path = variant.name + ".r.nc";
  sv_context *io = start(MPI_COMM_WORLD, variant.options);
  make(io, "A/" + path, {"temp"}, 10);
  make(io, "B/" + path, {"temp"}, 77);
  go("A");
  sv_file *file = open_file(io, path);
  go("../B");
  const Got got = get(file, "temp");
  require(got.status == SV_OK && got.value == 10, variant.name + ": another directory's file is read, " + got.reported);
  SV_MUST(sv_close(file));
  go("..");
  SV_MUST(sv_finalize(io));
  go(here);
}

/// And while they are made, and written.
void write_elsewhere(const Variant &variant, const std::vector<std::string> &more) {
  const std::string here = fs::current_path().string(), path = variant.name + ".new.nc";
  std::vector<std::string> options = variant.options;
  options.insert(options.end(), more.begin(), more.end());
  sv_context *io = start(MPI_COMM_WORLD, options);
  const MPI_Comm comm = model_ranks(io);
  if (comm != MPI_COMM_NULL) {
    go("A");
    TestFile file(io, begin_file(io, path, 0, {{"x", size_of(comm)}}, {{"v", SV_INT, {"x"}}}));
    go("../B");
    SV_MUST(sv_enddef(file));
    go(here);
    file.put(0, SV_NO_RECORD, [](int64_t cell) { return static_cast<int>(cell); });
    go("B");
    file.close();
    SV_MUST(sv_flush(io, SV_ON_DISK));
    const std::string name = variant.name.starts_with("per_variable") ? variant.name + ".new_v.nc" : path;
    require(!fs::exists(name) && !fs::exists("../" + name), variant.name + ": the file is in another directory");
    require(fs::exists("../A/" + name), variant.name + ": the file is not where it was created");
    go(here);
  }
  SV_MUST(sv_finalize(io));
}

/// Messages name files as the program gave them.
void check_message() {
  sv_context *io = start(MPI_COMM_WORLD, {});
  sv_file *file = nullptr;
  require(sv_open(io, "A/absent.nc", SV_NOWRITE, &file) == SV_ENOTFOUND, "an absent file");
  require(std::string(sv_message()).find("'A/absent.nc'") != std::string::npos, sv_message());
  SV_MUST(sv_finalize(io));
}

}  // namespace

int main(int argc, char **argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  at_root([] {
    for (const char *each : {"A", "B"}) fs::create_directories(each);
  });
  for (const Variant &variant : variants()) {
    if ((argc > 1 && variant.name != argv[1]) || !is_compiled(variant)) continue;
    replace(variant);
    replace_by_equal(variant);
    change_directory(variant);
    if (variant.name != "per_pe") write_elsewhere(variant, {});
    if (rank_in(MPI_COMM_WORLD) == 0) std::printf("%s\n", variant.name.c_str()), std::fflush(stdout);
  }
  write_elsewhere({"threads", {"async=threads"}}, {});
  if (size_of(MPI_COMM_WORLD) > 1) write_elsewhere({"served", {"async=servers:1"}}, {});
  check_message();
  return MPI_Finalize();
}
