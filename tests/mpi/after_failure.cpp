// Every call after every failure: after any error of a call, each call that may follow returns, with the same
// status on every rank where it is collective, and neither crashes nor hangs; and so do sv_close and sv_finalize.
// run: ranks=2 limit=90
// run: ranks=3 limit=90 name=behind behind
// run: ranks=3 limit=90 name=served args=async=servers:1
// run: ranks=2 limit=90 name=netcdf4 env=SV_STORE=netcdf4
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <functional>
#include <utility>

#include "support/model_ranks.hpp"
#include "support/test_file.hpp"

namespace {

using namespace svtest;

constexpr int64_t cells = 8;

/// A context, and a file in the making: a(t, x), a2(t, x) and b(x), of which each rank owns a part.
struct Scene {
  sv_context *io = nullptr;
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0, ranks = 1;
  sv_decomp *rows = nullptr;
  sv_file *file = nullptr;
  int t = -1, x = -1, a = -1, b = -1;
  int64_t start = 0, count = 0;
  int values[2 * cells] = {};
  sv_request request = SV_NO_REQUEST;

  explicit Scene(std::vector<std::string> options) : io(svtest::start(MPI_COMM_WORLD, std::move(options))) {
    comm = model_ranks(io);
    if (comm == MPI_COMM_NULL) return;
    rank = rank_in(comm);
    ranks = size_of(comm);
  }
  void define_rows() {
    SV_MUST(sv_block(cells, ranks, rank, &start, &count));
    SV_MUST(sv_def_decomp(io, 1, &cells, &start, &count, nullptr, &rows));
  }
  int create(const std::string &path, int flags) {
    if (const int status = sv_create(io, path.c_str(), flags, &file); status != SV_OK) return status;
    define(file, {{"t", SV_UNLIMITED, &t}, {"x", cells, &x}},
           {{"a", SV_INT, {"t", "x"}, &a}, {"b", SV_INT, {"x"}, &b}});
    return SV_OK;
  }
  int put() { return sv_put_var(file, a, 0, SV_INT, values, nullptr); }
};

struct Call {
  std::string name;
  bool is_collective;
  std::function<int(Scene &)> make;
};

/// Of one record, or of b.
struct Part {
  int64_t start[2], count[2];
};
Part part_of(const Scene &s, int64_t record) { return {{record, s.start}, {1, s.count}}; }

std::vector<Call> values() {
  return {{"sv_put", true, [](Scene &s) { return sv_put(s.file, s.a, s.rows, 1, SV_INT, s.values, nullptr); }},
          {"sv_put_var", true, [](Scene &s) { return sv_put_var(s.file, s.a, 1, SV_INT, s.values, nullptr); }},
          {"sv_put_var of b", true,
           [](Scene &s) { return sv_put_var(s.file, s.b, SV_NO_RECORD, SV_INT, s.values, nullptr); }},
          {"sv_put_vara", true,
           [](Scene &s) {
             const Part p = part_of(s, 1);
             return sv_put_vara(s.file, s.a, p.start, p.count, SV_INT, s.values, nullptr);
           }},
          {"sv_put_vars", true,
           [](Scene &s) {
             const int64_t start[] = {1, s.rank}, count[] = {1, s.rank < 2 ? 2 : 0}, apart[] = {1, 2};
             return sv_put_vars(s.file, s.a, start, count, apart, {SV_INT, s.values, nullptr});
           }},
          {"sv_put_varn", true,
           [](Scene &s) {
             const Part p = part_of(s, 1);
             const int64_t *starts[] = {p.start}, *counts[] = {p.count};
             return sv_put_varn(s.file, s.a, 1, starts, counts, SV_INT, s.values);
           }},
          {"sv_mput", true,
           [](Scene &s) {
             const sv_decomp *decomps[] = {s.rows};
             const int64_t records[] = {1};
             const sv_source values{SV_INT, s.values, nullptr};
             return sv_mput(s.file, 1, &s.a, decomps, records, &values);
           }},
          {"sv_fill_var", true, [](Scene &s) { return sv_fill_var(s.file, s.a, 1); }},
          {"sv_copy_var", true, [](Scene &s) { return sv_copy_var(s.file, s.a, 0, s.file, s.a, 1); }},
          {"sv_mcopy", true,
           [](Scene &s) {
             const int64_t from[] = {0}, to[] = {1};
             return sv_mcopy(s.file, s.file, 1, &s.a, from, &s.a, to);
           }},
          {"sv_get", true, [](Scene &s) { return sv_get(s.file, s.a, s.rows, 0, SV_INT, s.values, nullptr); }},
          {"sv_get_var", true, [](Scene &s) { return sv_get_var(s.file, s.a, 0, SV_INT, s.values, nullptr); }},
          {"sv_get_vara", true,
           [](Scene &s) {
             const Part p = part_of(s, 0);
             return sv_get_vara(s.file, s.a, p.start, p.count, SV_INT, s.values, nullptr);
           }},
          {"sv_get_vars", true, [](Scene &s) {
             const int64_t start[] = {0, 0}, count[] = {1, 4}, apart[] = {1, 2};
             return sv_get_vars(s.file, s.a, start, count, apart, {SV_INT, s.values, nullptr});
           }}};
}

std::vector<Call> requests() {
  const auto wait = [](Scene &s) { return sv_wait(s.file, SV_ALL, nullptr, nullptr); };
  return {{"sv_iput and sv_wait", true,
           [wait](Scene &s) {
             sv_iput(s.file, s.a, s.rows, 1, {SV_INT, s.values, nullptr}, &s.request);
             return wait(s);
           }},
          {"sv_iput_vara and sv_wait", true,
           [wait](Scene &s) {
             const Part p = part_of(s, 1);
             sv_iput_vara(s.file, s.a, p.start, p.count, {SV_INT, s.values, nullptr}, &s.request);
             return wait(s);
           }},
          {"sv_iget_var and sv_wait", true,
           [wait](Scene &s) {
             sv_iget_var(s.file, s.a, 0, {SV_INT, s.values, nullptr}, &s.request);
             return wait(s);
           }},
          {"sv_bput_var and sv_wait", true,
           [wait](Scene &s) {
             sv_attach_buffer(s.file, 4096);
             sv_bput_var(s.file, s.a, 1, {SV_INT, s.values, nullptr}, &s.request);
             const int status = wait(s);
             sv_detach_buffer(s.file);
             return status;
           }},
          {"sv_iput and sv_cancel", false,
           [](Scene &s) {
             sv_iput(s.file, s.a, s.rows, 1, {SV_INT, s.values, nullptr}, &s.request);
             return sv_cancel(s.file, SV_ALL, nullptr, nullptr);
           }},
          {"sv_iput, which waits for the end", false,
           [](Scene &s) {
             return sv_iput(s.file, s.a, s.rows, 1, {SV_INT, s.values, nullptr}, &s.request);
           }},
          {"sv_begin_indep and sv_end_indep", true, [](Scene &s) {
             sv_begin_indep(s.file);
             return sv_end_indep(s.file);
           }}};
}

std::vector<Call> definitions() {
  return {{"sv_def_dim", false,
           [](Scene &s) {
             int dim = -1;
             return sv_def_dim(s.file, "more", 3, &dim);
           }},
          {"sv_def_var", false,
           [](Scene &s) {
             int var = -1;
             return sv_def_var(s.file, "more", SV_INT, 1, &s.x, &var);
           }},
          {"sv_put_att_text", false, [](Scene &s) { return sv_put_att_text(s.file, s.a, "units", "m"); }},
          {"sv_def_fill", false, [](Scene &s) { return sv_def_fill(s.file, s.a, s.values); }},
          {"sv_def_packing", false, [](Scene &s) { return sv_def_packing(s.file, s.a, 0.5, 1); }},
          {"sv_rename_var", false, [](Scene &s) { return sv_rename_var(s.file, s.a, "c"); }},
          {"sv_inq", false, [](Scene &s) { return sv_inq(s.file, nullptr, nullptr, nullptr, nullptr); }},
          {"sv_inq_dim", false,
           [](Scene &s) {
             int64_t length = 0;
             return sv_inq_dim(s.file, s.t, nullptr, &length);
           }},
          {"sv_inq_file_layout", false,
           [](Scene &s) {
             int64_t bytes[3];
             return sv_inq_file_layout(s.file, bytes, bytes + 1, bytes + 2);
           }},
          {"sv_inq_varoffset", false,
           [](Scene &s) {
             int64_t offset = 0;
             return sv_inq_varoffset(s.file, s.a, &offset);
           }},
          {"sv_inq_var_chunking", false,
           [](Scene &s) {
             int storage = 0;
             int64_t lengths[SV_MAX_DIMS];
             return sv_inq_var_chunking(s.file, s.a, &storage, lengths);
           }},
          {"sv_inq_range_errors", false, [](Scene &s) {
             int64_t range_errors = 0;
             return sv_inq_range_errors(s.file, &range_errors);
           }}};
}

std::vector<Call> lives() {
  return {{"sv_enddef", true, [](Scene &s) { return sv_enddef(s.file); }},
          {"sv_redef", true, [](Scene &s) { return sv_redef(s.file); }},
          {"sv_redef and sv_enddef", true,
           [](Scene &s) {
             sv_redef(s.file);
             return sv_enddef(s.file);
           }},
          {"sv_sync", true, [](Scene &s) { return sv_sync(s.file); }},
          {"sv_end_step", true, [](Scene &s) { return sv_end_step(s.io); }},
          {"sv_flush", true, [](Scene &s) { return sv_flush(s.io, SV_ON_DISK); }},
          {"sv_write_summary", true, [](Scene &s) { return sv_write_summary(s.io, "summary.json"); }},
          {"sv_abort", true, [](Scene &s) { return sv_abort(std::exchange(s.file, nullptr)); }},
          {"sv_free_decomp", false, [](Scene &s) { return sv_free_decomp(std::exchange(s.rows, nullptr)); }},
          {"sv_create of the same name", true,
           [](Scene &s) {
             sv_file *again = nullptr;
             const int status = sv_create(s.io, "work/file.nc", 0, &again);
             if (status == SV_OK) sv_close(again);
             return status;
           }},
          {"sv_finalize", true, [](Scene &) { return SV_OK; }}};
}

std::vector<Call> all_calls() {
  std::vector<Call> all = values();
  for (const auto &more : {requests(), definitions(), lives()}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// How a file comes to have failed. Returns what the failing call does, or SV_OK where the store does not mind.
struct Failure {
  std::string name;
  std::vector<std::string> options;
  std::function<int(Scene &)> cause;
};

void limit_files(rlim_t bytes) {
  rlimit limit{};
  require(getrlimit(RLIMIT_FSIZE, &limit) == 0, "getrlimit");
  limit.rlim_cur = std::min(bytes, limit.rlim_max);
  require(setrlimit(RLIMIT_FSIZE, &limit) == 0, "setrlimit");
}

const std::string place = "work/file.nc";

int ended_without_directory(Scene &s, int flags) {
  s.define_rows();
  if (const int status = s.create(place, flags); status != SV_OK) return status;
  MPI_Barrier(s.comm);
  if (s.rank == 0) std::filesystem::remove_all("work");
  MPI_Barrier(s.comm);
  return sv_enddef(s.file);
}

/// A put, then a step, of which one fails.
int written_to_full_disk(Scene &s, int flags) {
  s.define_rows();
  if (const int status = s.create(place, flags); status != SV_OK) return status;
  if (const int status = sv_enddef(s.file); status != SV_OK) return status;
  limit_files(16);
  int status = s.put();
  if (status == SV_OK) status = sv_end_step(s.io);
  if (status == SV_OK) status = sv_flush(s.io, SV_WRITTEN);
  limit_files(RLIM_INFINITY);
  return status;
}

std::vector<Failure> failures() {
  return {{"sv_enddef of a set that no decomposition divides",
           {"route=per_domain", "io_layout=1,2"},
           [](Scene &s) {
             if (const int status = s.create(place, 0); status != SV_OK) return status;
             return sv_enddef(s.file);
           }},
          {"sv_enddef beyond the limits of the format",
           {},
           [](Scene &s) {
             s.define_rows();
             if (const int status = s.create(place, SV_CLASSIC); status != SV_OK) return status;
             int dim = -1, var = -1;
             SV_MUST(sv_def_dim(s.file, "large", int64_t{1} << 30, &dim));
             for (const char *name : {"one", "two", "three"}) {
               const int status = sv_def_var(s.file, name, SV_DOUBLE, 1, &dim, &var);
               if (status != SV_OK) return status;
             }
             return sv_enddef(s.file);
           }},
          {"sv_enddef without a directory", {}, [](Scene &s) { return ended_without_directory(s, SV_GROWING); }},
          {"a published file on a full disk", {}, [](Scene &s) { return written_to_full_disk(s, SV_PUBLISHED); }},
          {"a growing file on a full disk", {}, [](Scene &s) { return written_to_full_disk(s, SV_GROWING); }},
          {"sv_enddef after sv_redef on a full disk",
           {},
           [](Scene &s) {
             s.define_rows();
             if (const int status = s.create(place, 0); status != SV_OK) return status;
             if (const int status = sv_enddef(s.file); status != SV_OK) return status;
             SV_MUST(s.put());
             SV_MUST(sv_end_step(s.io));
             if (const int status = sv_redef(s.file); status != SV_OK) return status;
             SV_MUST(sv_put_att_text(s.file, SV_GLOBAL, "history", std::string(5000, 'a').c_str()));
             limit_files(16);
             const int status = sv_enddef(s.file);
             limit_files(RLIM_INFINITY);
             return status;
           }},
          {"a stop", {}, [](Scene &s) {
             s.define_rows();
             if (const int status = s.create(place, 0); status != SV_OK) return status;
             if (const int status = sv_enddef(s.file); status != SV_OK) return status;
             SV_MUST(s.put());
             SV_MUST(sv_request_stop(s.io));
             return sv_end_step(s.io);
           }}};
}

void require_same(const Scene &s, int status, const std::string &description) {
  char mine[1500] = "", first[1500] = "";
  std::snprintf(mine, sizeof mine, "%d %s", status, status == SV_OK ? "" : sv_message());
  std::memcpy(first, mine, sizeof mine);
  MPI_Bcast(first, sizeof first, MPI_CHAR, 0, s.comm);
  require(std::strcmp(mine, first) == 0, description + ": '" + mine + "', but rank 0 has '" + first + "'");
}

void try_call(const Failure &failure, const Call &call, std::vector<std::string> options) {
  const std::string description = call.name + " after " + failure.name;
  at_root([&] {
    std::filesystem::remove_all("work");
    std::filesystem::create_directory("work");
  });
  options.insert(options.end(), failure.options.begin(), failure.options.end());
  Scene s(options);
  if (s.comm != MPI_COMM_NULL) {
    require_same(s, failure.cause(s), failure.name);
    const int status = call.make(s);
    if (call.is_collective) require_same(s, status, description);
    if (s.file != nullptr && call.name != "sv_finalize") require_same(s, sv_close(s.file), description + ", sv_close");
  }
  sv_finalize(s.io);
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::signal(SIGXFSZ, SIG_IGN);
  std::vector<std::string> options{"transport.window=1MiB", "async.memory=4MiB", "watchdog=20"};
  for (int i = 1; i < argc; ++i) options.emplace_back(argv[i]);
  for (const Failure &failure : failures())
    for (const Call &call : all_calls()) try_call(failure, call, options);
  return MPI_Finalize();
}
