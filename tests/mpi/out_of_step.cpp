// Where one rank's call is wrong, all ranks stay in step in the next calls: with recorded puts (combine: step), which
// ranks make without waiting for each other. And the end of each step returns the error of a file that could not be
// made.
// run: ranks=3 limit=60
// run: ranks=4 limit=60 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
#include <filesystem>
#include <functional>

#include "support/files.hpp"
#include "support/verdict.hpp"

namespace {

using namespace svtest;

constexpr int64_t cells = 30;

/// A file with int a(time, x) and int fixed(x).
struct Scene {
  int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  bool wrong = rank == ranks - 1;
  sv_context *io = nullptr;
  sv_decomp *rows = nullptr;
  sv_file *file = nullptr;
  int a = -1, fixed = -1;
  int64_t first = 0, count = 0;
  std::vector<int> values;

  explicit Scene(std::vector<std::string> options) : values(cells, 7) {
    options.insert(options.end(), {"transport.window=1MiB", "watchdog=20"});
    io = start(MPI_COMM_WORLD, options);
    SV_MUST(sv_block(cells, ranks, rank, &first, &count));
    SV_MUST(sv_def_decomp(io, 1, &cells, &first, &count, nullptr, &rows));
  }
  void create(const char *path) {
    file = begin_file(io, path, 0, {{"time", SV_UNLIMITED}, {"x", cells}},
                      {{"a", SV_INT, {"time", "x"}, &a}, {"fixed", SV_INT, {"x"}, &fixed}});
  }
  int put(int var, int64_t record) { return sv_put(file, var, rows, record, SV_INT, values.data(), nullptr); }
  int put_part(int64_t record) {
    const int64_t start[] = {record, first}, counts[] = {1, count};
    return sv_put_vara(file, a, start, counts, SV_INT, values.data(), nullptr);
  }
  int get(int64_t record) {
    std::vector<int> back(cells);
    return sv_get(file, a, rows, record, SV_INT, back.data(), nullptr);
  }
};

struct Fault {
  std::string name;
  int status;
  std::string mention;
  std::function<int(Scene &)> call;
};

std::vector<Fault> faults() {
  return {
      {"a wrong id", SV_ENOTFOUND, "id 17", [](Scene &s) { return s.put(s.wrong ? 17 : s.a, 1); }},
      {"a negative record", SV_EINVAL, "record", [](Scene &s) { return s.put(s.a, s.wrong ? -5 : 1); }},
      {"a record too many", SV_EINVAL, "record", [](Scene &s) { return s.put(s.fixed, s.wrong ? 3 : SV_NO_RECORD); }},
      {"no data", SV_EINVAL, "null",
       [](Scene &s) { return sv_put(s.file, s.a, s.rows, 1, SV_INT, s.wrong ? nullptr : s.values.data(), nullptr); }}};
}

/// The calls after the wrong put that depend on the puts. All of them must have the same status on all ranks.
struct Sequel {
  std::string name;
  std::function<int(Scene &)> call;
  bool reports;  // the error
};

std::vector<Sequel> sequels() {
  const auto again = [](Scene &s) { return s.put(s.a, 1); };
  const auto part = [](Scene &s) { return s.put_part(1); };
  const auto many = [](Scene &s) {
    int status = SV_OK;
    for (int64_t r = 1; r < 12 && status == SV_OK; ++r) status = s.put(s.a, r);
    return status;
  };
  return {{"nothing", [](Scene &) { return SV_OK; }, false},
          {"the same put", again, false},
          {"a sub-array", part, false},
          {"many puts", many, false},
          {"a get", [](Scene &s) { return s.get(0); }, true},
          {"sv_sync", [](Scene &s) { return sv_sync(s.file); }, true}};
}

void same_everywhere(int status, const std::string &description) {
  int all[2] = {status, -status};
  MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  require(all[0] == -all[1], description + ": ranks got different things");
}

void stays_in_step(const Fault &fault, const Sequel &sequel, const std::vector<std::string> &options) {
  const std::string description = fault.name + ", then " + sequel.name + " (" + options.back() + ")";
  Scene s(options);
  s.create("step.nc");
  SV_MUST(sv_enddef(s.file));
  SV_MUST(s.put(s.fixed, SV_NO_RECORD));
  SV_MUST(s.put(s.a, 0));
  SV_MUST(sv_end_step(s.io));
  const Verdict verdict{fault.status, {fault.mention, "rank " + std::to_string(s.ranks - 1)}};
  // Returned on this rank alone, or, if ranks compared their puts, on all.
  const int at_once = fault.call(s);
  require(!s.wrong || at_once == fault.status, description + ": " + sv_strerror(at_once));
  int reported = at_once == SV_OK ? 0 : 1;
  MPI_Allreduce(MPI_IN_PLACE, &reported, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  bool mark_failed_everywhere = reported != 0;
  if (sequel.reports && !mark_failed_everywhere) {
    expect(description, verdict, [&] { return sequel.call(s); });
    mark_failed_everywhere = true;
  } else {
    const int status = sequel.call(s);
    same_everywhere(status, description);
    require(status == SV_OK || (status == fault.status && !mark_failed_everywhere),
            description + ": " + sv_strerror(status));
    mark_failed_everywhere = mark_failed_everywhere || status == fault.status;
  }
  if (!mark_failed_everywhere)
    expect(description + ", sv_end_step", verdict, [&] { return sv_end_step(s.io); });
  else
    SV_MUST(sv_end_step(s.io));
  // The file goes on.
  std::fill(s.values.begin(), s.values.end(), 9);
  SV_MUST(s.put(s.a, 1));
  SV_MUST(sv_end_step(s.io));
  SV_MUST(sv_close(s.file));
  SV_MUST(sv_free_decomp(s.rows));
  SV_MUST(sv_finalize(s.io));
  at_root([&] {
    const NetcdfFile file("step.nc");
    require(file.values("a", {cells}, 0) == std::vector<double>(cells, 7), description + ": record 0");
    require(file.values("a", {cells}, 1) == std::vector<double>(cells, 9), description + ": record 1");
    require(file.values("fixed", {cells}, -1) == std::vector<double>(cells, 7), description + ": 'fixed'");
  });
}

/// The name under which a file would be made is a directory's.
void not_made() {
  Scene s({"summary="});
  at_root([&] { std::filesystem::create_directories("unmade.nc.part/x"); });
  s.create("good.nc");
  SV_MUST(sv_enddef(s.file));
  sv_file *const good = s.file;
  s.create("unmade.nc");
  int status = SV_OK;
  expect("sv_enddef", {status = sv_enddef(s.file), {"unmade.nc"}},
         [&] { return sv_put_var(s.file, s.a, 0, SV_INT, s.values.data(), nullptr); });
  require(status != SV_OK, "a file was made in the place of a directory");
  for (int64_t record = 0; record < 2; ++record) {
    SV_MUST(sv_put_var(good, s.a, record, SV_INT, s.values.data(), nullptr));
    expect("sv_end_step", {status, {"unmade.nc"}}, [&] { return sv_end_step(s.io); });
  }
  expect("sv_close", {status, {"unmade.nc"}}, [&] { return sv_close(s.file); });
  SV_MUST(sv_put_var(good, s.a, 2, SV_INT, s.values.data(), nullptr));
  SV_MUST(sv_end_step(s.io));
  SV_MUST(sv_close(good));
  SV_MUST(sv_finalize(s.io));
  if (s.rank == 0) require(NetcdfFile("good.nc").records() == 3, "the other file lost records");
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (const char *buffer :
       {"combine.memory=256MiB", "combine.memory=2000B", "combine.memory=1KiB", "combine.memory=0"})
    for (const Fault &fault : faults())
      for (const Sequel &sequel : sequels()) stays_in_step(fault, sequel, {"combine=step", buffer});
  not_made();
  return MPI_Finalize();
}
