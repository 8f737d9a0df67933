// Many small runs in one MPI job, each with a fault of its own (benchmarks/shim):
//
//   faults_victim CASES FIRST     in the folder that SV_INJECT_DIR names; the shim is preloaded
//
// CASES is a file with a line for each case: NUMBER KIND FAULTS [option=value ...], where KIND is one of `scenarios`,
// and FAULTS are those of SV_INJECT, or "count". The case writes into the folder NUMBER. Rank 0 prints "BEGIN number"
// and
//
//   END number status=S same=0|1 call=CALL committed=N operations=N,N,... seconds=T message=...
//
// with the first error of any rank (0: none), whether all ranks had the same ones in the same calls, how many records
// have been committed for certain, and how often each fault's operation was made. Files are checked by faults_judge.
#include <dlfcn.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "shim.h"
#include "support/blocks.hpp"
#include "support/later.hpp"
#include "support/model_ranks.hpp"
#include "truth.hpp"

/// MPI and Sverdrup call this while they wait. A process that yields a busy core gives up the rest of its slice, and
/// with it its turn (Linux 6.18), hundreds of times in a case; a sleeping one is woken at once.
extern "C" __attribute__((visibility("default"))) int sched_yield() noexcept {
  const timespec moment{0, 20000};
  return nanosleep(&moment, nullptr);
}

namespace {

using namespace svtest;
using namespace svtest::faults;

struct Case {
  std::string number, kind, fault;
  std::vector<std::string> options;
};

/// One rank's part of a case.
struct Run {
  Case made;
  int rank = 0, ranks = 1;
  bool served = false;
  sv_context *io = nullptr;
  sv_file *file = nullptr;
  sv_decomp *decomp = nullptr;
  Block mine;
  int depth = -1, temp = -1, time = -1, added = -1, x = -1, y = -1;
  int status = SV_OK;
  int64_t committed = 0;
  std::string call, message, history;

  std::string path() const { return made.number + "/f.nc"; }
  bool is(const char *kind) const { return made.kind == kind; }

  /// Makes a call, unless there was an error. False after one.
  bool go(const std::string &name, const std::function<int()> &action) {
    return status == SV_OK && always(name, action);
  }
  bool always(const std::string &name, const std::function<int()> &action) {
    const int came = action();
    history += name + "=" + std::to_string(came) + " ";
    if (came != SV_OK && status == SV_OK) {
      status = came;
      call = name;
      message = sv_message();
    }
    return came == SV_OK;
  }
};

std::vector<double> block_of(const Run &run, int64_t levels, int64_t record, int64_t shift) {
  std::vector<double> values;
  for (int64_t z = 0; z < levels; ++z)
    for (int64_t y = 0; y < run.mine.count[0]; ++y)
      for (int64_t x = 0; x < run.mine.count[1]; ++x)
        values.push_back(value_of((z * ny + run.mine.start[0] + y) * nx + run.mine.start[1] + x, record, shift));
  return values;
}

/// Blocks, or (kind points) every ranks-th cell.
bool declare_grid(Run &run) {
  const Numbers shape{ny, nx};
  const int px = run.ranks > 3 ? 2 : 1;
  run.mine = blocks_2d(shape, px, run.ranks / px, run.ranks, {})[static_cast<size_t>(run.rank)];
  Numbers cells;
  for (int64_t cell = run.rank; cell < ny * nx; cell += run.ranks) cells.push_back(cell);
  return run.go("def_decomp", [&] {
    if (run.is("points"))
      return sv_def_points(run.io, 2, shape.data(), static_cast<int64_t>(cells.size()), cells.data(), 0, &run.decomp);
    return sv_def_decomp(run.io, 2, shape.data(), run.mine.start.data(), run.mine.count.data(), nullptr, &run.decomp);
  });
}

std::vector<double> values_of(const Run &run, int64_t levels, int64_t record, int64_t shift) {
  if (!run.is("points")) return block_of(run, levels, record, shift);
  std::vector<double> values;
  for (int64_t z = 0; z < levels; ++z)
    for (int64_t cell = run.rank; cell < ny * nx; cell += run.ranks)
      values.push_back(value_of(z * ny * nx + cell, record, shift));
  return values;
}

void define(Run &run) {
  int dims[4] = {-1, -1, -1, -1};
  SV_MUST(sv_def_dim(run.file, "time", SV_UNLIMITED, &dims[0]));
  SV_MUST(sv_def_dim(run.file, "z", nz, &dims[1]));
  SV_MUST(sv_def_dim(run.file, "y", ny, &dims[2]));
  SV_MUST(sv_def_dim(run.file, "x", nx, &dims[3]));
  SV_MUST(sv_def_var(run.file, "time", SV_DOUBLE, 1, dims, &run.time));
  SV_MUST(sv_def_var(run.file, "depth", SV_FLOAT, 2, dims + 2, &run.depth));
  SV_MUST(sv_def_var(run.file, "temp", SV_DOUBLE, 4, dims, &run.temp));
  if (!run.is("set")) return;
  SV_MUST(sv_def_var(run.file, "y", SV_DOUBLE, 1, dims + 2, &run.y));
  SV_MUST(sv_def_var(run.file, "x", SV_DOUBLE, 1, dims + 3, &run.x));
}

/// Of a set: by them the judge knows which piece it sees.
bool put_coordinates(Run &run) {
  std::vector<double> numbers;
  for (int i = 0; i < std::max(nx, ny); ++i) numbers.push_back(i);
  return run.go("put y", [&] {
    return sv_put_var(run.file, run.y, SV_NO_RECORD, SV_DOUBLE, numbers.data(), nullptr);
  }) && run.go("put x", [&] { return sv_put_var(run.file, run.x, SV_NO_RECORD, SV_DOUBLE, numbers.data(), nullptr); });
}

bool put_depth(Run &run) {
  const auto values = values_of(run, 1, 0, depth_shift);
  return run.go("put depth", [&] {
    return sv_put(run.file, run.depth, run.decomp, SV_NO_RECORD, SV_DOUBLE, values.data(), nullptr);
  });
}

/// A record, by single calls or (kind requests) by requests that wait and a list.
bool put_record(Run &run, int64_t record, int64_t step) {
  const auto values = values_of(run, nz, step, temp_shift);
  const auto time = static_cast<double>(step);
  if (run.is("requests")) {
    const Numbers start{record, 0, run.mine.start[0], run.mine.start[1]},
        count{1, nz, run.mine.count[0], run.mine.count[1]};
    const bool asked = run.go("iput", [&] {
      return sv_iput_vara(run.file, run.temp, start.data(), count.data(), {SV_DOUBLE, values.data(), nullptr}, nullptr);
    }) && run.go("iput_var", [&] {
      return sv_iput_var(run.file, run.time, record, {SV_DOUBLE, &time, nullptr}, nullptr);
    });
    return asked && run.go("wait", [&] { return sv_wait(run.file, SV_ALL, nullptr, nullptr); });
  }
  const auto added = block_of(run, 1, step, added_shift);
  return run.go("put temp",
                [&] { return sv_put(run.file, run.temp, run.decomp, record, SV_DOUBLE, values.data(), nullptr); }) &&
         (run.added < 0 ||
          run.go("put added",
                 [&] { return sv_put(run.file, run.added, run.decomp, record, SV_DOUBLE, added.data(), nullptr); })) &&
         (run.is("series") ||
          run.go("put time", [&] { return sv_put_var(run.file, run.time, record, SV_DOUBLE, &time, nullptr); }));
}

/// Servers and threads write later: certain commits are known after sv_flush.
bool end_step(Run &run, int64_t committed) {
  const bool known = run.go("end_step", [&] { return sv_end_step(run.io); }) &&
                     (!run.served || run.go("flush", [&] { return sv_flush(run.io, SV_WRITTEN); }));
  if (known) run.committed = committed;
  if (known && run.rank == 0)
    std::printf("COMMIT %s %lld\n", run.made.number.c_str(), static_cast<long long>(committed));
  if (known && run.rank == 0) std::fflush(stdout);
  return known;
}

void close(Run &run) {
  if (run.file != nullptr) run.always("close", [&] { return sv_close(run.file); });
  run.file = nullptr;
}

void write_new(Run &run) {
  const bool growing = !run.is("published") && !run.is("replaced") && !run.is("set");
  if (!run.go("create",
              [&] { return sv_create(run.io, run.path().c_str(), growing ? SV_GROWING : SV_PUBLISHED, &run.file); }))
    return;
  define(run);
  if (run.go("enddef", [&] { return sv_enddef(run.file); }) && put_depth(run) &&
      (!run.is("set") || put_coordinates(run)))
    for (int64_t step = 0; step < steps && run.status == SV_OK; ++step)
      if (put_record(run, step, step)) end_step(run, step + 1);
  close(run);
}

void write_series(Run &run) {
  if (!run.go("create",
              [&] { return sv_create(run.io, (run.made.number + "/f_%d.nc").c_str(), SV_SERIES, &run.file); }))
    return;
  define(run);
  run.go("enddef", [&] { return sv_enddef(run.file); });
  for (int64_t step = 0; step < steps + 1 && run.status == SV_OK; ++step) {
    const int date[6] = {2001, 1, static_cast<int>(1 + step / day_steps), static_cast<int>(step % day_steps), 0, 0};
    int64_t record = -1;
    int wants_fixed = 0;
    const bool begun = run.go("select_record", [&] {
      return sv_select_record(run.file, date, static_cast<double>(step), &record, &wants_fixed);
    });
    if (!begun || (wants_fixed != 0 && !put_depth(run)) || !put_record(run, record, step)) break;
    end_step(run, step + 1);
  }
  close(run);
}

/// Definitions are local calls, but any call on the file returns earlier errors of servers.
bool redefine(Run &run) {
  const std::string history(run.is("moved") ? 9000 : 40, 'h');
  const int dims[] = {0, 2, 3};
  const float missing = fill;
  const bool noted =
      run.go("put_att", [&] { return sv_put_att_text(run.file, SV_GLOBAL, "history", history.c_str()); });
  if (!noted || !run.is("moved")) return noted;
  return run.go("def_var", [&] { return sv_def_var(run.file, "added", SV_FLOAT, 3, dims, &run.added); }) &&
         run.go("def_fill", [&] { return sv_def_fill(run.file, run.added, &missing); });
}

/// The file is there, with old_records: see `prepare`.
void go_on(Run &run) {
  if (!run.go("open", [&] { return sv_open(run.io, run.path().c_str(), SV_WRITE, &run.file); })) return;
  SV_MUST(sv_inq_varid(run.file, "time", &run.time));
  SV_MUST(sv_inq_varid(run.file, "temp", &run.temp));
  run.committed = old_records;
  if (!run.is("appended") && run.go("redef", [&] { return sv_redef(run.file); }) && redefine(run))
    run.go("enddef", [&] { return sv_enddef(run.file); });
  for (int64_t step = old_records; step < old_records + steps && run.status == SV_OK; ++step)
    if (put_record(run, step, step)) end_step(run, step + 1);
  close(run);
}

void carry_out(Run &run) {
  std::vector<const char *> options;
  for (const std::string &option : run.made.options) options.push_back(option.c_str());
  if (!run.go("init", [&] {
        return sv_init(MPI_COMM_WORLD, nullptr, static_cast<int>(options.size()), options.data(), &run.io);
      }))
    return;
  const MPI_Comm comm = model_ranks(run.io);
  run.served = writes_later(run.io, run.made.options);
  if (comm != MPI_COMM_NULL) {
    run.rank = rank_in(comm);
    run.ranks = size_of(comm);
    if (declare_grid(run)) {
      if (run.is("series"))
        write_series(run);
      else if (run.is("appended") || run.is("moved") || run.is("stayed"))
        go_on(run);
      else
        write_new(run);
    }
  } else {
    run.history = "server";
  }
  run.always("finalize", [&] { return sv_finalize(run.io); });
}

/// Whose files go on, or are replaced: of cdf, those of all stores but these.
const std::vector<std::string> own_templates{"netcdf4", "zarr"};

std::string template_of(const Case &made) {
  for (const std::string &store : own_templates)
    if (std::count(made.options.begin(), made.options.end(), "store=" + store) > 0) return store;
  return "cdf";
}

/// Before the fault: an older file of that name, or the one that goes on, which is made once for each store and format.
void prepare(const Case &made, const std::map<std::string, std::string> &templates) {
  std::filesystem::remove_all(made.number);
  std::filesystem::create_directory(made.number);
  if (made.kind == "appended" || made.kind == "moved" || made.kind == "stayed" || made.kind == "replaced")
    std::filesystem::copy(templates.at(template_of(made)), made.number + "/f.nc",
                          std::filesystem::copy_options::recursive);
  else if (made.kind == "published")
    std::ofstream(made.number + "/f.nc") << "an older file\n";
}

/// Collective.
std::string make_template(const std::string &store) {
  Run run;
  run.made = {"template_" + store, "growing", "", {"store=" + store, "route=serial"}};
  if (rank_in(MPI_COMM_WORLD) == 0) std::filesystem::create_directory(run.made.number);
  MPI_Barrier(MPI_COMM_WORLD);
  run.rank = rank_in(MPI_COMM_WORLD);
  run.ranks = size_of(MPI_COMM_WORLD);
  run.io = start(MPI_COMM_WORLD, run.made.options);
  declare_grid(run);
  SV_MUST(sv_create(run.io, run.path().c_str(), SV_GROWING, &run.file));
  define(run);
  SV_MUST(sv_enddef(run.file));
  put_depth(run);
  for (int64_t step = 0; step < old_records; ++step) put_record(run, step, step);
  require(run.status == SV_OK, "the template: " + run.message);
  SV_MUST(sv_close(run.file));
  SV_MUST(sv_finalize(run.io));
  return run.path();
}

template <class Function>
Function *of_shim(const char *name) {
  auto *found = reinterpret_cast<Function *>(dlsym(RTLD_DEFAULT, name));
  require(found != nullptr, "the shim is not preloaded");
  return found;
}

/// Faults of the case; "count": each kind, at no operation.
std::string faults_of(const Case &made) {
  if (made.fault != "count") return made.fault;
  std::string all;
  for (const char *kind :
       {"eio", "read", "fsync", "close", "rename", "open", "truncate", "allocate", "unlink", "delay"})
    all += std::string(all.empty() ? "" : ",") + kind + "@1000000000";
  return all;
}

/// What rank 0 hears of the others: whether all that compute have had the same.
bool all_alike(const Run &run) {
  const auto hash = static_cast<int64_t>(std::hash<std::string>{}(run.history + run.message) >> 1);
  const bool computes = run.history.rfind("server", 0) != 0;
  int64_t mine[2] = {computes ? hash : INT64_MIN, computes ? -hash : INT64_MIN}, most[2];
  MPI_Allreduce(mine, most, 2, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
  return most[0] == -most[1];
}

void tell(const Run &run, bool alike, double seconds) {
  struct {
    int committed, rank;
  } mine{static_cast<int>(run.committed), rank_in(MPI_COMM_WORLD)}, most{};
  MPI_Allreduce(&mine, &most, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
  struct {
    int status, rank;
  } own{run.status, rank_in(MPI_COMM_WORLD)}, worst{};
  MPI_Allreduce(&own, &worst, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
  char text[1024] = "";
  std::snprintf(text, sizeof text, "call=%s message=%s", run.call.c_str(), run.message.c_str());
  MPI_Bcast(text, sizeof text, MPI_CHAR, worst.rank, MPI_COMM_WORLD);
  std::replace(text, text + sizeof text, '\n', ' ');
  if (rank_in(MPI_COMM_WORLD) != 0) return;
  static const auto operations = of_shim<int64_t(int)>("sv_shim_fault_operations");
  std::string counts;
  for (int f = 0; f < 10; ++f) counts += (f > 0 ? "," : "") + std::to_string(operations(f));
  std::printf("END %s status=%d same=%d committed=%d operations=%s seconds=%.3f %s\n", run.made.number.c_str(),
              worst.status, alike ? 1 : 0, most.committed, counts.c_str(), seconds, text);
  std::fflush(stdout);
}

void try_case(const Case &made, const std::map<std::string, std::string> &templates) {
  static const auto change = of_shim<int(const char *)>("sv_shim_change_faults");
  if (rank_in(MPI_COMM_WORLD) == 0) {
    std::printf("BEGIN %s\n", made.number.c_str());
    std::fflush(stdout);
    prepare(made, templates);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  require(change(faults_of(made).c_str()) == 1, "these are no faults: " + made.fault);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  Run run;
  run.made = made;
  carry_out(run);
  const double seconds = MPI_Wtime() - begin;
  const bool alike = all_alike(run);
  tell(run, alike, seconds);
  MPI_Barrier(MPI_COMM_WORLD);
  change("");
}

std::vector<Case> read_cases(const char *path) {
  std::ifstream in(path);
  std::vector<Case> cases;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    Case made;
    words >> made.number >> made.kind >> made.fault;
    for (std::string option; words >> option;) made.options.push_back(option);
    cases.push_back(made);
  }
  return cases;
}

}  // namespace

int main(int argc, char **argv) {
  begin_with_threads(argc, argv);
  require(argc == 3, "faults_victim CASES FIRST");
  const std::vector<Case> cases = read_cases(argv[1]);
  std::map<std::string, std::string> templates;
  for (const Case &made : cases)
    if (const std::string store = template_of(made); templates.count(store) == 0)
      templates[store] = make_template(store);
  for (size_t i = static_cast<size_t>(std::atoll(argv[2])); i < cases.size(); ++i) try_case(cases[i], templates);
  if (rank_in(MPI_COMM_WORLD) == 0) std::printf("DONE\n");
  MPI_Finalize();
  return 0;
}
