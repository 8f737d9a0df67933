// Files for each period: a run that is restarted, from earlier too, or left without closing gives the same bytes as an
// undisturbed one; a series that cannot continue is refused.
// run: ranks=3 limit=60
// run: ranks=3 limit=60 name=combined env=SV_COMBINE=step
// run: ranks=3 limit=60 name=behind behind
// run: ranks=3 limit=60 name=behind_nodes behind env=SV_TESTING_RANKS_PER_NODE=1
// run: ranks=2 limit=60 name=behind_netcdf4 behind env=SV_STORE=netcdf4;SV_COMPRESSION=deflate:1
#include <filesystem>

#include "support/files.hpp"
#include "support/verdict.hpp"

namespace {

using namespace svtest;

const Numbers shape{7, 12};
constexpr int first_day = 24, last_day = 66, step = 2;  // of a year of 365 days, from 0: January to March

struct Scene {
  int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  Grid grid{shape, {}, blocks_2d(shape, ranks, 1, ranks, {}), {1, 0, 0, 1}};
  std::vector<Spec> specs{{"depth", SV_FLOAT, SV_DOUBLE, shape, {"y", "x"}, false, How::field, &grid},
                          {"temp", SV_FLOAT, SV_DOUBLE, shape, {"y", "x"}, true, How::field, &grid}};
};

/// A run of the model, with a context of its own.
struct Run {
  const Scene &scene;
  Output out;
  int time = -1;

  Run(const Scene &of, const std::string &name, const std::string &unit = "degC", bool more = false)
      : scene(of), out{start(MPI_COMM_WORLD, {"transport.window=1MiB"}), of.rank} {
    SV_MUST(sv_create(out.io, name.c_str(), SV_SERIES, &out.file));
    define(out, scene.specs);
    int dim = -1;
    SV_MUST(sv_inq_dimid(out.file, "time", &dim));
    SV_MUST(sv_def_var(out.file, "time", SV_DOUBLE, 1, &dim, &time));
    SV_MUST(sv_put_att_text(out.file, time, "calendar", "noleap"));
    SV_MUST(sv_put_att_text(out.file, out.ids["temp"], "units", unit.c_str()));
    if (more) SV_MUST(sv_def_var(out.file, "more", SV_INT, 1, &dim, &dim));
    SV_MUST(sv_enddef(out.file));
  }
  int begin(int day, int64_t &record, int &wants_fixed, double shift = 0) const {
    const int date[6] = {
        2001, day < 31 ? 1 : day < 59 ? 2 : 3, 1 + (day < 31 ? day : day < 59 ? day - 31 : day - 59), 12, 0, 0};
    return sv_select_record(out.file, date, 700000 + 0.1 * day + shift, &record, &wants_fixed);
  }
  void days(int from, int to) {
    for (int day = from; day < to; day += step) {
      int64_t record = -1;
      int wants_fixed = -1;
      SV_MUST(begin(day, record, wants_fixed));
      if (wants_fixed != 0) put(out, scene.specs[0], SV_NO_RECORD);
      const Array block = block_array(scene.specs[1], scene.rank, day);
      SV_MUST(
          sv_put(out.file, out.ids["temp"], out.decomp(&scene.grid), record, SV_DOUBLE, block.bytes.data(), nullptr));
      SV_MUST(sv_end_step(out.io));
    }
  }
  void close() {
    SV_MUST(sv_close(out.file));
    SV_MUST(sv_finalize(out.io));
  }
  /// As if the job had ended here: of a killed one, bytes beyond the last record are left, too.
  void leave(const std::string &current) {
    require(sv_finalize(out.io) == SV_EORDER, "a file that was left open went unnoticed");
    at_root([&] { std::ofstream(current, std::ios::app | std::ios::binary) << std::string(3000, 'x'); });
  }
};

/// Every file of the reference, by value.
void check_values(const Scene &scene) {
  const int begins[] = {first_day, 32, 60, last_day};
  for (int month = 1; month <= 3; ++month) {
    const NetcdfFile file("reference_2001-0" + std::to_string(month) + ".nc");
    const int begin = begins[month - 1], days = (begins[month] - begin) / step;
    require(file.records() == days,
            "month " + std::to_string(month) + " has " + std::to_string(file.records()) + " records");
    file.check(scene.specs[0], -1);
    for (int64_t n = 0; n < days; ++n) {
      const int64_t day = begin + n * step;
      require(file.values("temp", shape, n) == expected(scene.specs[1], day),
              "day " + std::to_string(day) + " is wrong");
      require(file.values("time", {}, n)[0] == 700000 + 0.1 * static_cast<double>(day), "a wrong time");
    }
  }
}

void compare(const Scene &scene, const std::string &name) {
  for (int month = 1; scene.rank == 0 && month <= 3; ++month) {
    const std::string end = "_2001-0" + std::to_string(month) + ".nc";
    require(bytes_of_file(name + end) == bytes_of_file("reference" + end), name + end + " differs");
    require(std::filesystem::exists(name + end + ".complete"), name + end + " is not complete");
    require(!std::filesystem::exists(name + end + ".part"), name + end + ".part is left");
  }
}

/// A run from each of `from`; all but the last end in February, by themselves or not.
void disturbed(const Scene &scene, const std::string &name, bool closes, const std::vector<int> &from) {
  for (size_t n = 0; n < from.size(); ++n) {
    Run run(scene, name + "_%Y-%m.nc");
    const bool last = n + 1 == from.size();
    run.days(from[n], last ? last_day : 50 + 4 * static_cast<int>(n));
    if (closes || last)
      run.close();
    else
      run.leave(name + "_2001-02.nc");
  }
  compare(scene, name);
}

void refuses_definitions(const Scene &scene) {
  int64_t record = -1;
  int wants_fixed = -1;
  Run other(scene, "reference_%Y-%m.nc", "K");
  expect("other units", {SV_EDEFINE, {"'reference_2001-02.nc'", "attribute 'units' of 'temp'", "'K'", "'degC'"}},
         [&] { return other.begin(40, record, wants_fixed); });
  other.close();
  Run more(scene, "reference_%Y-%m.nc", "degC", true);
  expect("one variable more", {SV_EDEFINE, {"variable 'more'", "nothing more"}},
         [&] { return more.begin(40, record, wants_fixed); });
  more.close();
  compare(scene, "reference");
}

/// Calls that are refused, and do no harm.
void refuses_times(const Scene &scene) {
  int64_t record = -1;
  int wants_fixed = -1;
  Run run(scene, "reference_%Y-%m.nc");
  const double time = 1;
  expect("no record yet", {SV_EORDER, {"before the first record", "sv_select_record"}},
         [&] { return sv_put_var(run.out.file, run.time, 0, SV_DOUBLE, &time, nullptr); });
  expect("between two", {SV_EINVAL, {"lies between record 3", "record 4", "'reference_2001-02.nc'", "'time'"}},
         [&] { return run.begin(38, record, wants_fixed, 0.05); });
  expect("before the first", {SV_EINVAL, {"comes before record 0"}},
         [&] { return run.begin(32, record, wants_fixed, -1); });
  const int nonsense[6] = {2001, 2, 29, 0, 0, 0};
  expect("no such date", {SV_EINVAL, {"2001-02-29"}},
         [&] { return sv_select_record(run.out.file, nonsense, 1, &record, &wants_fixed); });
  expect("different dates", {SV_ERANKS, {"2001-02-08", "2001-02-10"}},
         [&] { return run.begin(scene.rank == 1 ? 40 : 38, record, wants_fixed); });
  expect("not a number", {SV_EINVAL, {"not a number"}}, [&] { return run.begin(38, record, wants_fixed, 0.0 / 0.0); });
  expect("still no record", {SV_EORDER, {"before the first record"}},
         [&] { return sv_put_var(run.out.file, run.time, 0, SV_DOUBLE, &time, nullptr); });
  SV_MUST(run.begin(38, record, wants_fixed, 1e-8));
  require(record == 3 && wants_fixed == 0, "the record of day 38 is " + std::to_string(record));
  SV_MUST(run.begin(38, record, wants_fixed));
  require(record == 3, "a record that is begun twice is another one");
  run.close();
  compare(scene, "reference");
}

/// What cannot be a series.
void refuses_files(const Scene &scene) {
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB"});
  sv_file *file = nullptr;
  const auto create = [&](const char *name, int flags) {
    return [&, name, flags] { return sv_create(io, name, flags, &file); };
  };
  expect("no date field", {SV_EINVAL, {"no date field", "'plain%%.nc'"}}, create("plain%%.nc", SV_SERIES));
  expect("another field", {SV_EINVAL, {"'%q' is no date field"}}, create("a_%Y%q.nc", SV_SERIES));
  expect("published", {SV_EINVAL, {"contradict"}}, create("a_%Y.nc", SV_SERIES | SV_PUBLISHED));
  int64_t record = -1;
  const int date[6] = {2001, 1, 1, 0, 0, 0};
  SV_MUST(sv_create(io, "absent/a_%Y.nc", SV_SERIES, &file));
  expect("no record dimension", {SV_EDEFINE, {"no record dimension"}}, [&] { return sv_enddef(file); });
  int dim = -1, var = -1;
  SV_MUST(sv_def_dim(file, "time", SV_UNLIMITED, &dim));
  SV_MUST(sv_def_var(file, "time", SV_INT, 1, &dim, &var));
  expect("whole times", {SV_EDEFINE, {"'time' is not the time coordinate"}}, [&] { return sv_enddef(file); });
  expect("still defined", {SV_EORDER, {"before sv_enddef"}},
         [&] { return sv_select_record(file, date, 0, &record, nullptr); });
  expect("closed too early", {SV_EORDER, {"define mode"}}, [&] { return sv_close(file); });
  file = make_file(io, "absent/a_%Y.nc", SV_SERIES, {{"time", SV_UNLIMITED}}, {{"time", SV_FLOAT, {"time"}}});
  expect("no directory", {SV_ENOTFOUND, {"absent"}}, [&] { return sv_select_record(file, date, 0, &record, nullptr); });
  expect("it stays so", {SV_ENOTFOUND, {"absent"}}, [&] { return sv_select_record(file, date, 1, &record, nullptr); });
  expect("to the end", {SV_ENOTFOUND, {"absent"}}, [&] { return sv_close(file); });
  SV_MUST(sv_create(io, "plain.nc", 0, &file));
  expect("a plain file", {SV_ENOTSUP, {"no series"}},
         [&] { return sv_select_record(file, date, 0, &record, nullptr); });
  SV_MUST(sv_enddef(file));
  SV_MUST(sv_close(file));
  SV_MUST(sv_finalize(io));
  io = start(MPI_COMM_WORLD, {"transport.window=1MiB", "route=per_pe"});
  expect("a set", {SV_EINVAL, {"'per_pe'"}}, create("a_%Y.nc", SV_SERIES));
  SV_MUST(sv_finalize(io));
  (void)scene;
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  {
    const Scene scene;
    for (const char *name : {"reference", "stopped", "crashed", "late"})
      for (int month = 1; scene.rank == 0 && month <= 3; ++month)
        for (const char *end : {"", ".complete", ".part"})
          std::filesystem::remove(name + ("_2001-0" + std::to_string(month)) + ".nc" + end);
    MPI_Barrier(MPI_COMM_WORLD);
    Run reference(scene, "reference_%Y-%m.nc");
    reference.days(first_day, last_day);
    reference.close();
    if (scene.rank == 0) check_values(scene);
    disturbed(scene, "stopped", true, {first_day, 50});
    disturbed(scene, "late", true, {first_day, 46, 28});
    disturbed(scene, "crashed", false, {first_day, 28, first_day});
    refuses_definitions(scene);
    refuses_times(scene);
    refuses_files(scene);
  }
  return MPI_Finalize();
}
