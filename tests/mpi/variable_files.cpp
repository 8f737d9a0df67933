// A file for each variable: with every store, combined, with servers and threads, appended to and redefined. Opened as
// one file and copied, they are the file that the serial route writes, byte for byte; each of them alone is a file that
// netCDF-C reads.
// run: ranks=1 limit=120 sanitize=no
// run: ranks=3 limit=120
// run: ranks=5 limit=120 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/copying.hpp"
#include "support/many_kinds.hpp"

namespace {

using namespace svtest;

struct Variant {
  std::string name;
  std::vector<std::string> options;
};

std::vector<Variant> variants_of(int ranks) {
  std::vector<Variant> all{
      {"cdf", {"layout=per_variable"}},
      {"cdf.combined", {"layout=per_variable", "combine=step", "writers=1", "transport.window=64KiB"}},
      {"cdf.growing", {"layout=per_variable", "kind=growing", "durability=ordered"}},
      {"cdf.named", {"layout=per_variable:%v-of-%f", "durability=on_disk"}},
      {"cdf.threads", {"layout=per_variable", "async=threads", "kind=growing"}},
      {"pnetcdf", {"layout=per_variable", "store=pnetcdf"}},
      {"netcdf4", {"layout=per_variable", "store=netcdf4"}},
      {"netcdf4.deflate", {"layout=per_variable", "store=netcdf4", "compression=deflate:1", "kind=growing"}},
      {"netcdf4_library", {"layout=per_variable", "store=netcdf4_library", "kind=growing"}},
      {"zarr", {"layout=per_variable", "store=zarr"}}};
  if (ranks > 1) all.push_back({"cdf.combined.two", {"layout=per_variable", "combine=step", "writers=2"}});
  return all;
}

bool is_compiled(const Variant &variant) {
  sv_context *io = start(MPI_COMM_WORLD, variant.options);
  sv_file *file = nullptr;
  const std::string path = variant.name + ".absent.nc";  // a group of Zarr takes the place of no file
  const bool compiled = sv_create(io, path.c_str(), 0, &file) != SV_ECOMPILED;
  int id = -1;
  if (compiled) {
    SV_MUST(sv_def_var(file, "v", SV_INT, 0, nullptr, &id));
    SV_MUST(sv_enddef(file));
    SV_MUST(sv_close(file));
  }
  SV_MUST(sv_finalize(io));
  return compiled;
}

bool is_there(const std::string &path) {
  struct stat unused {};
  return stat(path.c_str(), &unused) == 0;
}

/// "cdf_%v.nc"
std::string path_of(const Variant &variant, const std::string &variable) {
  return variant.name == "cdf.named" ? variable + "-of-" + variant.name + ".nc" : variant.name + "_" + variable + ".nc";
}

/// As one file of the classic formats.
void check_joined(const Variant &variant, const std::string &reference) {
  const std::string joined = variant.name + ".joined";
  try {
    sv_tools::join(MPI_COMM_WORLD, path_of(variant, "%v"), joined, {"transport.window=1MiB", "store=cdf"});
  } catch (const std::exception &error) {
    give_up(variant.name + ": " + error.what());
  }
  at_root([&] { compare(joined, reference); });
}

void check_files(const Variant &variant, const std::vector<Spec> &specs) {
  const Spec time = *std::find_if(specs.begin(), specs.end(), [](const Spec &each) { return each.name == "time"; });
  for (const Spec &spec : specs) {
    const std::string path = path_of(variant, spec.name);
    require(is_there(path) == (spec.name != "time"), path + (spec.name == "time" ? " is there" : " is missing"));
    if (spec.name == "time" || variant.name == "zarr") continue;  // which is a directory, and not for netCDF-C
    if (spec.records)
      NetcdfFile(path).check_all({time, spec}, records);
    else
      NetcdfFile(path).check(spec, SV_NO_RECORD);  // in netCDF-4, nothing in it has records
  }
}

void run(const Variant &variant, const std::vector<Spec> &specs) {
  const std::string path = variant.name + ".nc";
  sv_context *io = start(MPI_COMM_WORLD, variant.options);
  write_file(io, MPI_COMM_WORLD, path, specs, records);
  SV_MUST(sv_finalize(io));
  require(!is_there(path), path + " is there as one file");
  at_root([&] { check_files(variant, specs); });
  check_joined(variant, "reference.nc");
}

/// Writes `count` records, growing.
void grow(const Variant &variant, const std::vector<Spec> &specs, int64_t count) {
  std::vector<std::string> options = variant.options;
  options.push_back("kind=growing");
  sv_context *io = start(MPI_COMM_WORLD, options);
  write_file(io, MPI_COMM_WORLD, variant.name + ".nc", specs, count);
  SV_MUST(sv_finalize(io));
}

/// What an older set has left: a run that replaces nothing is the first of its name.
void remove_files(const Variant &variant) {
  if (rank_in(MPI_COMM_WORLD) == 0)
    for (const auto &each : std::filesystem::directory_iterator("."))
      if (each.path().filename().string().starts_with(variant.name + "_") && each.path().extension() == ".nc")
        std::filesystem::remove_all(each.path());
  MPI_Barrier(MPI_COMM_WORLD);
}

/// A run that replaces a set is ended between two renames: one file is that of the older run, or of the one before.
void mix_runs(const Variant &variant, const std::vector<Spec> &specs) {
  namespace fs = std::filesystem;
  const std::string path = path_of(variant, "section"), saved = path + ".saved", last = path + ".last";
  for (int run = 0; run < 2; ++run) {
    at_root([&] { fs::copy(path, saved, fs::copy_options::recursive); });
    sv_context *io = start(MPI_COMM_WORLD, variant.options);
    write_file(io, MPI_COMM_WORLD, variant.name + ".nc", specs, records);
    SV_MUST(sv_finalize(io));
    at_root([&] { fs::rename(path, last), fs::rename(saved, path); });
    io = start(MPI_COMM_WORLD, variant.options);
    sv_file *file = nullptr;
    const int status = sv_open(io, (variant.name + ".nc").c_str(), SV_NOWRITE, &file);
    const std::string reported = sv_message();
    require(status == SV_EFORMAT && reported.find("run") != std::string::npos,
            variant.name + ": files of two runs are opened as one set: " + reported);
    SV_MUST(sv_finalize(io));
    at_root([&] { fs::remove_all(path), fs::rename(last, path); });
  }
}

void set_count(const std::string &path, int64_t count) {
  std::FILE *const file = std::fopen(path.c_str(), "r+b");
  const char bytes[4] = {0, 0, static_cast<char>(count >> 8), static_cast<char>(count & 255)};
  require(file != nullptr && std::fseek(file, 4, SEEK_SET) == 0 && std::fwrite(bytes, 1, 4, file) == 4, path);
  std::fclose(file);
}

/// As a kill between two counts would leave it: one file has a record less than the first one.
void set_back(const Variant &variant, const std::vector<Spec> &specs) {
  const std::string path = path_of(variant, "section"), saved = path + ".saved";
  const bool cdf = variant.name.starts_with("cdf");
  if (!cdf) {
    remove_files(variant);
    grow(variant, specs, records - 2);
    at_root([&] { std::filesystem::copy(path, saved, std::filesystem::copy_options::recursive); });
  }
  remove_files(variant);
  grow(variant, specs, records - 1);
  if (rank_in(MPI_COMM_WORLD) == 0 && !cdf) {
    std::filesystem::remove_all(path);
    std::filesystem::rename(saved, path);
  }
  if (rank_in(MPI_COMM_WORLD) == 0 && cdf) set_count(path, records - 2);
  MPI_Barrier(MPI_COMM_WORLD);
}

/// The set is opened to append: all files have the same records again, and get those that are missing.
void append(const Variant &variant, std::vector<Spec> specs) {
  std::erase_if(specs, [](const Spec &spec) { return spec.how == How::subarrays; });
  if (rank_in(MPI_COMM_WORLD) == 0) write_reference("grown.nc", specs, "auto");
  set_back(variant, specs);
  sv_context *io = start(MPI_COMM_WORLD, variant.options);
  Output out{io, rank_in(MPI_COMM_WORLD)};
  out.file = open_file(io, path_of(variant, "%v"), SV_WRITE);
  int64_t there = 0;
  int time = -1;
  SV_MUST(sv_inq_dimid(out.file, "time", &time));
  SV_MUST(sv_inq_dim(out.file, time, nullptr, &there));
  require(there == (variant.name.starts_with("cdf") ? records - 1 : records - 2), "other records are there");
  for (const Spec &spec : specs) SV_MUST(sv_inq_varid(out.file, spec.name.c_str(), &out.ids[spec.name]));
  for (int64_t record = there; record < records; ++record) {
    for (const Spec &spec : specs)
      if (spec.records) put(out, spec, record);
    SV_MUST(sv_end_step(io));
  }
  close_output(out);
  SV_MUST(sv_finalize(io));
  check_joined(variant, "grown.nc");
}

std::string bytes_of(const std::string &path) {
  std::ostringstream all;
  all << std::ifstream(path, std::ios::binary).rdbuf();
  return all.str();
}

/// One file counts records that were never written: none of the others is changed, and a link to itself is harmless.
void count_too_many(const Variant &variant) {
  namespace fs = std::filesystem;
  const std::string path = path_of(variant, "section"), other = path_of(variant, "temperature");
  const bool is_first = rank_in(MPI_COMM_WORLD) == 0;
  if (is_first) set_count(path, 1000), fs::remove("cdf_loop.nc"), fs::create_symlink("cdf_loop.nc", "cdf_loop.nc");
  const std::string before = is_first ? bytes_of(other) : "";
  MPI_Barrier(MPI_COMM_WORLD);
  sv_context *io = start(MPI_COMM_WORLD, variant.options);
  sv_file *file = nullptr;
  const int status = sv_open(io, path_of(variant, "%v").c_str(), SV_WRITE, &file);
  require(status == SV_EFORMAT, std::string("a count of 1000 is believed: ") + sv_strerror(status));
  SV_MUST(sv_finalize(io));
  require(!is_first || (!before.empty() && bytes_of(other) == before), "another file of the set was changed");
  if (is_first) set_count(path, records), fs::remove("cdf_loop.nc");
  MPI_Barrier(MPI_COMM_WORLD);
}

/// Something else gets one of the names, under which nothing is replaced: the written data of all variables stay.
void names_are_not_taken() {
  namespace fs = std::filesystem;
  sv_context *io = start(MPI_COMM_WORLD, {"layout=per_variable", "transport.window=1MiB"});
  const bool is_first = rank_in(MPI_COMM_WORLD) == 0;
  sv_file *file = make_file(io, "taken.nc", SV_NOCLOBBER, {{"x", 2}},
                            {{"a", SV_INT, {"x"}}, {"b", SV_INT, {"x"}}, {"c", SV_INT, {"x"}}});
  if (is_first) std::ofstream("taken_b.nc") << "mine";
  MPI_Barrier(MPI_COMM_WORLD);
  const int values[] = {1, 2};
  for (int v = 0; v < 3; ++v) SV_MUST(sv_put_var(file, v, SV_NO_RECORD, SV_INT, values, nullptr));
  require(sv_close(file) == SV_EEXISTS, "sv_close did not report that a name was taken");
  SV_MUST(sv_finalize(io));
  if (is_first)
    for (const std::string name : {"taken_a.nc", "taken_b.nc", "taken_c.nc"}) {
      require(fs::exists(name + ".part") || (fs::exists(name) && fs::file_size(name) > 4), name + " is lost");
      fs::remove(name), fs::remove(name + ".part");
    }
  MPI_Barrier(MPI_COMM_WORLD);
}

/// Adds an attribute and a variable, which gets a file; the old ones stay. A variable keeps its name.
void redefine(const Variant &variant, const std::vector<Spec> &specs) {
  sv_context *io = start(MPI_COMM_WORLD, variant.options);
  int dims[2], added = -1, ice = -1;
  const int fill = 7, number = 3;
  sv_file *file = open_file(io, variant.name + ".nc", SV_WRITE);
  SV_MUST(sv_redef(file));
  SV_MUST(sv_inq_dimid(file, "time", &dims[0]));
  SV_MUST(sv_inq_dimid(file, "y", &dims[1]));
  SV_MUST(sv_inq_varid(file, "ice", &ice));
  SV_MUST(sv_put_att(file, ice, "number", SV_INT, 1, &number));
  SV_MUST(sv_put_att(file, ice, "coordinates", SV_CHAR, 9, "lat depth"));
  SV_MUST(sv_def_var(file, "added", SV_INT, 2, dims, &added));
  SV_MUST(sv_def_fill(file, added, &fill));
  require(sv_enddef(file) == SV_EDEFINE, "a variable whose file would be left behind became a coordinate");
  require(std::string(sv_message()).find("depth") != std::string::npos, sv_message());
  sv_close(file);
  file = open_file(io, variant.name + ".nc", SV_WRITE);
  SV_MUST(sv_redef(file));
  SV_MUST(sv_put_att(file, ice, "number", SV_INT, 1, &number));
  SV_MUST(sv_def_var(file, "added", SV_INT, 2, dims, &added));
  SV_MUST(sv_def_fill(file, added, &fill));
  SV_MUST(sv_enddef(file));
  SV_MUST(sv_close(file));
  SV_MUST(sv_finalize(io));
  at_root([&] {
    for (const Spec &spec : specs)
      if (spec.records && spec.name != "time" && spec.how == How::field)
        NetcdfFile(path_of(variant, spec.name)).check_all({spec}, records);
    require(NetcdfFile(path_of(variant, "added")).values("added", {shape[0]}, records - 1) ==
                std::vector<double>(static_cast<size_t>(shape[0]), fill),
            "the added variable is not filled");
  });
}

/// A file a year and variable, continued by another run.
void series() {
  for (int run = 0; run < 2; ++run) {
    sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB", "layout=per_variable"});
    int level = -1, flux = -1;
    sv_file *file = make_file(
        io, "series_%Y.nc", SV_SERIES, {{"time", SV_UNLIMITED}},
        {{"time", SV_DOUBLE, {"time"}}, {"level", SV_INT, {"time"}, &level}, {"flux", SV_INT, {"time"}, &flux}});
    for (int day = 2 * run; day < 2 * run + 3; ++day) {  // the last record of the first run again
      const int date[6] = {2001, 1, day + 1, 0, 0, 0};
      int64_t record = -1;
      int fixed = 0;
      SV_MUST(sv_select_record(file, date, day, &record, &fixed));
      require(record == day, "another record");
      const int value = 10 * day;
      SV_MUST(sv_put_var(file, level, record, SV_INT, &value, nullptr));
      SV_MUST(sv_put_var(file, flux, record, SV_INT, &value, nullptr));
      SV_MUST(sv_end_step(io));
    }
    SV_MUST(sv_close(file));
    SV_MUST(sv_finalize(io));
  }
  if (rank_in(MPI_COMM_WORLD) == 0)
    for (const std::string name : {"level", "flux"})
      require(NetcdfFile("series_2001_" + name + ".nc").values(name, {}, 4) == std::vector<double>{40}, "a series");
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char **argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  const Grids grids(size_of(MPI_COMM_WORLD));
  const std::vector<Spec> specs = specs_of(grids, false);
  if (rank_in(MPI_COMM_WORLD) == 0) write_reference("reference.nc", specs, "auto");
  for (const Variant &variant : variants_of(size_of(MPI_COMM_WORLD))) {
    if (argc > 1 && variant.name != argv[1]) continue;
    if (!is_compiled(variant)) continue;
    run(variant, specs);
    mix_runs(variant, specs);
    check_joined(variant, "reference.nc");
    if (variant.name == "cdf" || variant.name == "netcdf4.deflate") {
      redefine(variant, specs);
      append(variant, specs);
      if (variant.name == "cdf") count_too_many(variant);
    }
    if (rank_in(MPI_COMM_WORLD) == 0) std::printf("%s\n", variant.name.c_str()), std::fflush(stdout);
  }
  if (argc == 1) series(), names_are_not_taken();
  return MPI_Finalize();
}
