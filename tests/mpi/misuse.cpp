// Wrong calls of one rank or of all: every rank gets the same code and the same text within seconds,
// and nothing appears under the final name of the file.
// run: ranks=5 limit=60
// run: ranks=5 limit=60 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
// run: ranks=1 limit=60
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "support/blocks.hpp"
#include "support/test_file.hpp"
#include "support/verdict.hpp"
#include "sverdrup/binding.h"

namespace {

using namespace svtest;

constexpr int64_t ny = 20, nx = 6;

/// One context with a file in the making: float fixed(y, x), float series(time, y, x), char text(y).
struct Scene {
  int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  bool wrong = false;  // whether this rank is the one that errs
  sv_context *io = nullptr;
  sv_file *file = nullptr;
  sv_decomp *rows = nullptr;
  int y = -1, x = -1, time = -1, fixed = -1, series = -1, text = -1;
  Numbers start{0, 0}, count{0, nx};
  std::vector<float> data;

  explicit Scene(int wrong_rank) : wrong(rank == wrong_rank) {
    io = svtest::start(MPI_COMM_WORLD, {"watchdog=20", "transport.window=1MiB"});
    SV_MUST(sv_block(ny, ranks, rank, &start[0], &count[0]));
    data.assign(static_cast<size_t>(ny * nx), 1.5f);
  }
  void create(const char *path = "misuse.nc") { SV_MUST(sv_create(io, path, 0, &file)); }
  void define() {
    svtest::define(file, {{"y", ny, &y}, {"x", nx, &x}, {"time", SV_UNLIMITED, &time}},
                   {{"fixed", SV_FLOAT, {"y", "x"}, &fixed},
                    {"series", SV_FLOAT, {"time", "y", "x"}, &series},
                    {"text", SV_CHAR, {"y"}, &text}});
  }
  void ready() {
    SV_MUST(sv_def_decomp(io, 2, shape, start.data(), count.data(), nullptr, &rows));
    create();
    define();
    SV_MUST(sv_enddef(file));
  }
  int define_rows() { return sv_def_decomp(io, 2, shape, start.data(), count.data(), nullptr, &rows); }
  int put(int var, int64_t record, int type = SV_FLOAT) {
    return sv_put(file, var, rows, record, type, data.data(), nullptr);
  }
  static constexpr int64_t shape[] = {ny, nx};
};

struct Case {
  std::string name;
  Verdict verdict;
  std::function<void(Scene &)> before;
  std::function<int(Scene &)> call;
};

void nothing(Scene &) {}
void ready(Scene &scene) { scene.ready(); }

std::vector<Case> decompositions() {
  const auto rows = [](Scene &scene) { return scene.define_rows(); };
  return {{"a count too small", {SV_ELAYOUT, {"no rank", "SV_MASKED"}}, [](Scene &s) { s.count[0] -= s.wrong; }, rows},
          {"a block that leaves the grid",
           {SV_ELAYOUT, {"leaves the grid"}},
           [](Scene &s) { s.count[1] += s.wrong; },
           rows},
          {"a negative count",
           {SV_ELAYOUT, {"negative"}},
           [](Scene &s) {
             if (s.wrong) s.count[1] = -1;
           },
           rows},
          {"no shape",
           {SV_EINVAL, {"'shape'", "null"}},
           nothing,
           [](Scene &s) {
             return sv_def_decomp(s.io, 2, s.wrong ? nullptr : Scene::shape, s.start.data(), s.count.data(), nullptr,
                                  &s.rows);
           }},
          {"no dimensions",
           {SV_EINVAL, {"0 dimensions"}},
           nothing,
           [](Scene &s) {
             return sv_def_decomp(s.io, s.wrong ? 0 : 2, Scene::shape, s.start.data(), s.count.data(), nullptr,
                                  &s.rows);
           }},
          {"a negative halo", {SV_EINVAL, {"halo"}}, nothing, [](Scene &s) {
             const int64_t halo[] = {0, s.wrong ? -1 : 0, 0, 0};
             const sv_decomp_options framed{halo, nullptr, 0};
             return sv_def_decomp(s.io, 2, Scene::shape, s.start.data(), s.count.data(), &framed, &s.rows);
           }}};
}

std::vector<Case> decompositions_of_many() {
  const auto rows = [](Scene &scene) { return scene.define_rows(); };
  return {{"an overlap",
           {SV_ELAYOUT, {"rank"}},
           [](Scene &s) {
             if (s.wrong) s.start[0] += s.start[0] > 0 ? -1 : 1;
           },
           rows},
          {"different grids", {SV_ERANKS, {"different calls", "20 x 6", "20 x 7"}}, nothing, [](Scene &s) {
             const int64_t shape[] = {ny, s.wrong ? 7 : nx};
             return sv_def_decomp(s.io, 2, shape, s.start.data(), s.count.data(), nullptr, &s.rows);
           }}};
}

std::vector<Case> definitions_of_many() {
  const auto enddef = [](Scene &scene) { return sv_enddef(scene.file); };
  const auto defined = [](const std::function<void(Scene &)> &more) {
    return [more](Scene &s) {
      s.create();
      s.define();
      if (s.wrong) more(s);
    };
  };
  const Verdict different{SV_EDEFINE, {"misuse.nc", "rank"}};
  return {
      {"one variable more", different, defined([](Scene &s) {
         int extra = -1;
         SV_MUST(sv_def_var(s.file, "extra", SV_INT, 1, &s.y, &extra));
       }),
       enddef},
      {"one dimension more", different, defined([](Scene &s) {
         int extra = -1;
         SV_MUST(sv_def_dim(s.file, "extra", 3, &extra));
       }),
       enddef},
      {"another attribute",
       {SV_EDEFINE, {"misuse.nc", "rank", "attribute 'units' of 'fixed', char: 'm'"}},
       defined([](Scene &s) { SV_MUST(sv_put_att_text(s.file, s.fixed, "units", "m")); }),
       enddef},
      {"another fill value",
       {SV_EDEFINE, {"misuse.nc", "rank", "attribute '_FillValue' of 'fixed', float: -1"}},
       defined([](Scene &s) {
         const float fill = -1;
         SV_MUST(sv_def_fill(s.file, s.fixed, &fill));
       }),
       enddef},
      {"other axes", different, defined([](Scene &s) { SV_MUST(sv_def_var_decomp_dim(s.file, s.fixed, 0)); }), enddef},
      {"other flags",
       {SV_ERANKS, {"different calls", "sv_create"}},
       nothing,
       [](Scene &s) { return sv_create(s.io, "misuse.nc", s.wrong ? SV_64BIT_DATA : 0, &s.file); }},
      {"other kinds",
       {SV_ERANKS, {"different calls", "sv_create"}},
       nothing,
       [](Scene &s) { return sv_create(s.io, "misuse.nc", s.wrong ? SV_GROWING : 0, &s.file); }},
      {"other paths", {SV_ERANKS, {"different calls", "misuse.nc", "other.nc"}}, nothing, [](Scene &s) {
         return sv_create(s.io, s.wrong ? "other.nc" : "misuse.nc", 0, &s.file);
       }}};
}

std::vector<Case> creations() {
  return {{"no path",
           {SV_EINVAL, {"'path'"}},
           nothing,
           [](Scene &s) { return sv_create(s.io, s.wrong ? nullptr : "misuse.nc", 0, &s.file); }},
          {"contradicting flags",
           {SV_EINVAL, {"flags"}},
           nothing,
           [](Scene &s) { return sv_create(s.io, "misuse.nc", s.wrong ? SV_GROWING | SV_PUBLISHED : 0, &s.file); }},
          {"no such directory",
           {SV_ENOTFOUND, {"absent/misuse.nc", "rank 0"}},
           nothing,
           [](Scene &s) { return sv_create(s.io, "absent/misuse.nc", 0, &s.file); }},
          {"a directory of that name",
           {SV_EACCESS, {"'.'"}},
           nothing,
           [](Scene &s) { return sv_create(s.io, ".", 0, &s.file); }},
          {"a file of that name",
           {SV_EEXISTS, {"garbage.nc"}},
           nothing,
           [](Scene &s) { return sv_create(s.io, "garbage.nc", SV_NOCLOBBER, &s.file); }},
          {"no file to open",
           {SV_ENOTFOUND, {"absent.nc"}},
           nothing,
           [](Scene &s) { return sv_open(s.io, "absent.nc", 0, &s.file); }},
          {"no path to open",
           {SV_EINVAL, {"'path'"}},
           nothing,
           [](Scene &s) { return sv_open(s.io, s.wrong ? nullptr : "nothing.nc", 0, &s.file); }},
          {"garbage",
           {SV_EFORMAT, {"garbage.nc"}},
           nothing,
           [](Scene &s) { return sv_open(s.io, "garbage.nc", 0, &s.file); }},
          {"an empty file",
           {SV_EFORMAT, {"empty.nc"}},
           nothing,
           [](Scene &s) { return sv_open(s.io, "empty.nc", 0, &s.file); }},
          {"no path for the summary",
           {SV_EINVAL, {"'path'"}},
           nothing,
           [](Scene &s) { return sv_write_summary(s.io, s.wrong ? nullptr : "summary.json"); }},
          {"an impossible path for the summary", {SV_ENOTFOUND, {"absent/summary.json"}}, nothing, [](Scene &s) {
             return sv_write_summary(s.io, "absent/summary.json");
           }}};
}

std::vector<Case> orders() {
  return {{"a put before enddef",
           {SV_EORDER, {"sv_enddef", "misuse.nc"}},
           [](Scene &s) {
             SV_MUST(s.define_rows());
             s.create();
             s.define();
           },
           [](Scene &s) { return s.put(s.fixed, SV_NO_RECORD); }},
          {"enddef twice", {SV_EORDER, {"sv_enddef"}}, ready, [](Scene &s) { return sv_enddef(s.file); }},
          {"close before enddef",
           {SV_EORDER, {"sv_enddef"}},
           [](Scene &s) { s.create(); },
           [](Scene &s) {
             const int status = sv_close(s.file);
             s.file = nullptr;
             return status;
           }},
          {"finalize with an open file", {SV_EORDER, {"misuse.nc", "sv_close"}}, ready, [](Scene &s) {
             const int status = sv_finalize(s.io);
             s.io = nullptr;
             s.file = nullptr;
             return status;
           }}};
}

std::vector<Case> orders_of_many() {
  const Verdict different{SV_ERANKS, {"different calls"}};
  return {{"different functions",
           {SV_ERANKS, {"sv_put(", "sv_end_step"}},
           ready,
           [](Scene &s) { return s.wrong ? sv_end_step(s.io) : s.put(s.fixed, SV_NO_RECORD); }},
          {"a put that others do not make",
           {SV_ERANKS, {"sv_put(", "sv_close"}},
           ready,
           [](Scene &s) {
             if (s.wrong) return s.put(s.fixed, SV_NO_RECORD);
             sv_file *file = s.file;
             s.file = nullptr;
             return sv_close(file);
           }},
          {"different variables",
           {SV_ERANKS, {"'fixed'", "'text'"}},
           ready,
           [](Scene &s) {
             return sv_put_var(s.file, s.wrong ? s.text : s.fixed, SV_NO_RECORD, s.wrong ? SV_CHAR : SV_FLOAT,
                               s.data.data(), nullptr);
           }},
          {"different records",
           {SV_ERANKS, {"record 1", "record 2"}},
           ready,
           [](Scene &s) { return s.put(s.series, s.wrong ? 2 : 1); }},
          {"different decompositions", different,
           [](Scene &s) {
             s.ready();
             sv_decomp *first = s.rows;
             SV_MUST(s.define_rows());
             if (s.wrong) s.rows = first;
           },
           [](Scene &s) { return s.put(s.fixed, SV_NO_RECORD); }}};
}

std::vector<Case> puts() {
  return {{"no data",
           {SV_EINVAL, {"null", "'fixed'", "misuse.nc", "rank"}},
           ready,
           [](Scene &s) {
             return sv_put(s.file, s.fixed, s.rows, SV_NO_RECORD, SV_FLOAT, s.wrong ? nullptr : s.data.data(), nullptr);
           }},
          {"no decomposition",
           {SV_EINVAL, {"decomposition"}},
           ready,
           [](Scene &s) {
             return sv_put(s.file, s.fixed, s.wrong ? nullptr : s.rows, SV_NO_RECORD, SV_FLOAT, s.data.data(), nullptr);
           }},
          {"no such type",
           {SV_ETYPE, {"no type 99"}},
           ready,
           [](Scene &s) { return s.put(s.fixed, SV_NO_RECORD, s.wrong ? 99 : SV_FLOAT); }},
          {"text into numbers",
           {SV_ETYPE, {"text"}},
           ready,
           [](Scene &s) { return s.put(s.fixed, SV_NO_RECORD, s.wrong ? SV_CHAR : SV_FLOAT); }},
          {"no such variable",
           {SV_ENOTFOUND, {"99", "misuse.nc"}},
           ready,
           [](Scene &s) { return s.put(s.wrong ? 99 : s.fixed, SV_NO_RECORD); }},
          {"a record of a fixed variable",
           {SV_EINVAL, {"'fixed'", "SV_NO_RECORD"}},
           ready,
           [](Scene &s) { return s.put(s.fixed, s.wrong ? 0 : SV_NO_RECORD); }},
          {"no record",
           {SV_EINVAL, {"'series'", "record"}},
           ready,
           [](Scene &s) { return s.put(s.series, s.wrong ? SV_NO_RECORD : 0); }},
          {"a decomposition of another shape", {SV_ELAYOUT, {"'text'"}}, ready, [](Scene &s) {
             return s.put(s.text, SV_NO_RECORD, SV_CHAR);
           }}};
}

std::vector<Case> puts_without_decomposition() {
  const auto vara = [](Scene &s, const int64_t *start, const int64_t *count) {
    return sv_put_vara(s.file, s.fixed, start, count, SV_FLOAT, s.data.data(), nullptr);
  };
  return {{"no values",
           {SV_EINVAL, {"null", "'fixed'"}},
           ready,
           [](Scene &s) {
             return sv_put_var(s.file, s.fixed, SV_NO_RECORD, SV_FLOAT, s.wrong ? nullptr : s.data.data(), nullptr);
           }},
          {"no such type of values",
           {SV_ETYPE, {"no type 0"}},
           ready,
           [](Scene &s) {
             return sv_put_var(s.file, s.fixed, SV_NO_RECORD, s.wrong ? 0 : SV_FLOAT, s.data.data(), nullptr);
           }},
          {"no start",
           {SV_EINVAL, {"'start'"}},
           ready,
           [vara](Scene &s) { return vara(s, s.wrong ? nullptr : s.start.data(), s.count.data()); }},
          {"no start of a strided put that a binding has refused: the call is named as the program called it",
           {SV_EINVAL, {"sv_put_vars: too few values"}},
           ready,
           [](Scene &s) {
             if (s.wrong) sv_refuse(s.io, SV_EINVAL, "too few values", "Pass more");
             return sv_put_vars(s.file, s.fixed, s.wrong ? nullptr : s.start.data(), s.count.data(), nullptr,
                                {SV_FLOAT, s.data.data(), nullptr});
           }},
          {"a sub-array that leaves the variable",
           {SV_EINVAL, {"'x'", "'fixed'", "misuse.nc", "rank"}},
           [](Scene &s) {
             s.ready();
             s.start[1] += s.wrong;
           },
           [vara](Scene &s) { return vara(s, s.start.data(), s.count.data()); }},
          {"a negative start",
           {SV_EINVAL, {"-1", "'fixed'"}},
           [](Scene &s) {
             s.ready();
             s.start[1] -= s.wrong;
           },
           [vara](Scene &s) { return vara(s, s.start.data(), s.count.data()); }}};
}

std::vector<Case> puts_of_many() {
  return {{"sub-arrays that overlap",
           {SV_ELAYOUT, {"'fixed'", "misuse.nc"}},
           [](Scene &s) {
             s.ready();
             if (s.wrong) s.start[0] += s.start[0] > 0 ? -1 : 1;
           },
           [](Scene &s) {
             return sv_put_vara(s.file, s.fixed, s.start.data(), s.count.data(), SV_FLOAT, s.data.data(), nullptr);
           }}};
}

/// A file with one record, open for reading.
void readable(Scene &s) {
  s.ready();
  SV_MUST(s.put(s.series, 0));
  SV_MUST(sv_close(s.file));
  at_root([&] { require(std::rename("misuse.nc", "readable.nc") == 0, "cannot rename"); });
  SV_MUST(sv_open(s.io, "readable.nc", 0, &s.file));
}

std::vector<Case> gets() {
  const auto get = [](Scene &s, int64_t record, int type, bool no_data) {
    return sv_get(s.file, s.series, s.rows, record, type, no_data ? nullptr : s.data.data(), nullptr);
  };
  return {
      {"writing to a file open for reading",
       {SV_EACCESS, {"reading"}},
       readable,
       [](Scene &s) { return s.put(s.series, 1); }},
      {"a record beyond the last",
       {SV_ENOTFOUND, {"record 1", "'series'"}},
       readable,
       [get](Scene &s) { return get(s, s.wrong ? 1 : 0, SV_FLOAT, false); }},
      {"no room",
       {SV_EINVAL, {"null", "'series'"}},
       readable,
       [get](Scene &s) { return get(s, 0, SV_FLOAT, s.wrong); }},
      {"no such type to read",
       {SV_ETYPE, {"99"}},
       readable,
       [get](Scene &s) { return get(s, 0, s.wrong ? 99 : SV_FLOAT, false); }},
      {"no room for all",
       {SV_EINVAL, {"null"}},
       readable,
       [](Scene &s) { return sv_get_var(s.file, s.series, 0, SV_FLOAT, s.wrong ? nullptr : s.data.data(), nullptr); }},
      {"a sub-array beyond the last record", {SV_EINVAL, {"'time'"}}, readable, [](Scene &s) {
         const int64_t start[] = {s.wrong ? 1 : 0, 0, 0}, count[] = {1, 1, 1};
         return sv_get_vara(s.file, s.series, start, count, SV_FLOAT, s.data.data(), nullptr);
       }}};
}

void run(const std::vector<Case> &cases, int wrong_rank) {
  for (const Case &each : cases) {
    Scene scene(wrong_rank);
    each.before(scene);
    expect(each.name + ", rank " + std::to_string(wrong_rank), each.verdict, [&] { return each.call(scene); });
    // Later calls must not hang, with any result.
    if (scene.io != nullptr) sv_finalize(scene.io);
    require(access("misuse.nc", F_OK) != 0, each.name + ": misuse.nc is there");
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/// What sv_init refuses.
void settings(int wrong_rank) {
  const bool wrong = rank_in(MPI_COMM_WORLD) == wrong_rank;
  const auto init = [](const char *config, const std::vector<const char *> &options) {
    return [config, options] {
      sv_context *io = nullptr;
      return sv_init(MPI_COMM_WORLD, config, static_cast<int>(options.size()), options.data(), &io);
    };
  };
  expect("an unknown key", {SV_ECONFIG, {"rout", "'route'"}}, init(nullptr, {wrong ? "rout=serial" : "route=serial"}));
  expect("a bad value", {SV_ECONFIG, {"route", "seriel", "serial"}},
         init(nullptr, {wrong ? "route=seriel" : "route=serial"}));
  expect("a line of a file", {SV_ECONFIG, {"wrong.yaml:3", "windw", "window"}}, init("wrong.yaml", {}));
  expect("no such file of settings", {SV_ENOTFOUND, {"absent.yaml"}}, init("absent.yaml", {}));
  expect("no option", {SV_ECONFIG, {"argument"}}, init(nullptr, {wrong ? nullptr : "route=serial"}));
  if (size_of(MPI_COMM_WORLD) > 1)
    expect("different settings", {SV_ERANKS, {"different"}},
           init(nullptr, {wrong ? "transport.window=1MiB" : "transport.window=2MiB"}));
}

/// Handles that are missing on every rank, and calls before MPI is ready.
void handles() {
  sv_context *io = nullptr;
  int number = 0;
  int64_t length = 0;
  const std::vector<std::function<int()>> calls{
      [] { return sv_init(MPI_COMM_SELF, nullptr, 0, nullptr, nullptr); },
      [&] { return sv_init(MPI_COMM_NULL, nullptr, 0, nullptr, &io); },
      [&] { return sv_init(MPI_COMM_SELF, nullptr, 1, nullptr, &io) == SV_ECONFIG ? SV_EINVAL : SV_OK; },
      [] { return sv_finalize(nullptr); },
      [] { return sv_end_step(nullptr); },
      [] { return sv_write_summary(nullptr, "summary.json"); },
      [] { return sv_free_decomp(nullptr); },
      [] { return sv_enddef(nullptr); },
      [] { return sv_sync(nullptr); },
      [] { return sv_close(nullptr); },
      [&] { return sv_def_dim(nullptr, "x", 1, &number); },
      [&] { return sv_def_var(nullptr, "x", SV_INT, 0, nullptr, &number); },
      [] { return sv_put_att_text(nullptr, 0, "units", "m"); },
      [] { return sv_inq(nullptr, nullptr, nullptr, nullptr, nullptr); },
      [] { return sv_put(nullptr, 0, nullptr, 0, SV_INT, nullptr, nullptr); },
      [] { return sv_put_var(nullptr, 0, 0, SV_INT, nullptr, nullptr); },
      [] { return sv_put_vara(nullptr, 0, nullptr, nullptr, SV_INT, nullptr, nullptr); },
      [] { return sv_get(nullptr, 0, nullptr, 0, SV_INT, nullptr, nullptr); },
      [] { return sv_get_vara(nullptr, 0, nullptr, nullptr, SV_INT, nullptr, nullptr); },
      [&] { return sv_block(5, 0, 0, &length, &length); },
      [&] { return sv_block(5, 2, 2, &length, &length); }};
  for (size_t i = 0; i < calls.size(); ++i) expect("handle " + std::to_string(i), {SV_EINVAL, {}}, calls[i]);
  expect("no file", {SV_EINVAL, {"'file'", "has failed", "closed"}}, [] { return sv_sync(nullptr); });
  expect("no context", {SV_EINVAL, {"'io'", "has failed"}}, [] { return sv_end_step(nullptr); });
}

/// Handles that were freed: the calls with them are errors.
void freed() {
  sv_context *io = nullptr;
  expect("a negative number of options", {SV_EINVAL, {"n_options", "-1"}},
         [&] { return sv_init(MPI_COMM_WORLD, nullptr, rank_in(MPI_COMM_WORLD) == 0 ? -1 : 0, nullptr, &io); });
  Scene scene(-1);
  scene.ready();
  SV_MUST(scene.put(scene.fixed, SV_NO_RECORD));
  SV_MUST(sv_free_decomp(scene.rows));
  expect("a decomposition that was freed", {SV_EINVAL, {"'decomp'", "freed before"}},
         [&] { return sv_free_decomp(scene.rows); });
  expect("a put on it", {SV_EINVAL, {"decomposition"}}, [&] { return scene.put(scene.fixed, SV_NO_RECORD); });
  SV_MUST(sv_close(scene.file));
  expect("a file that was closed", {SV_EINVAL, {"'file'", "closed"}}, [&] { return sv_close(scene.file); });
  expect("a put into it", {SV_EINVAL, {"'file'", "closed"}}, [&] { return scene.put(scene.fixed, SV_NO_RECORD); });
  scene.create("given_up.nc");
  SV_MUST(sv_abort(scene.file));
  int64_t header = 0;
  expect("the header of one that was given up", {SV_EINVAL, {"'file'", "closed"}},
         [&] { return sv_inq_file_layout(scene.file, &header, nullptr, nullptr); });
  SV_MUST(scene.define_rows());
  SV_MUST(sv_finalize(scene.io));
  expect("a context that was finalized", {SV_EINVAL, {"'io'", "finalized"}}, [&] { return sv_finalize(scene.io); });
  expect("a step of it", {SV_EINVAL, {"'io'"}}, [&] { return sv_end_step(scene.io); });
  expect("a decomposition that went with it", {SV_EINVAL, {"'decomp'"}}, [&] { return sv_free_decomp(scene.rows); });
  at_root([&] { require(std::remove("misuse.nc") == 0, "misuse.nc is missing"); });
}

/// What definitions refuse, on every rank by itself.
void definitions() {
  Scene scene(-1);
  scene.create();
  scene.define();
  int made = -1;
  const int two_records[] = {scene.y, scene.time}, no_such[] = {99};
  const double large = 1e10;
  SV_MUST(sv_put_att(scene.file, scene.fixed, "large", SV_DOUBLE, 1, &large));
  int8_t small = 0;
  const std::vector<std::pair<int, std::function<int()>>> calls{
      {SV_ERANGE, [&] { return sv_get_att(scene.file, scene.fixed, "large", SV_BYTE, &small); }},
      {SV_ENOTFOUND, [&] { return sv_get_att(scene.file, scene.fixed, "absent", SV_BYTE, &small); }},
      {SV_EEXISTS, [&] { return sv_def_dim(scene.file, "x", 3, &made); }},
      {SV_EINVAL, [&] { return sv_def_dim(scene.file, "negative", -3, &made); }},
      {SV_EDEFINE, [&] { return sv_def_dim(scene.file, "time2", SV_UNLIMITED, &made); }},
      {SV_EDEFINE, [&] { return sv_def_dim(scene.file, "a/b", 3, &made); }},
      {SV_EEXISTS, [&] { return sv_def_var(scene.file, "fixed", SV_INT, 0, nullptr, &made); }},
      {SV_ETYPE, [&] { return sv_def_var(scene.file, "odd", 12, 0, nullptr, &made); }},
      {SV_EDEFINE, [&] { return sv_def_var(scene.file, "late", SV_INT, 2, two_records, &made); }},
      {SV_ENOTFOUND, [&] { return sv_def_var(scene.file, "lost", SV_INT, 1, no_such, &made); }},
      {SV_EINVAL, [&] { return sv_def_var(scene.file, "none", SV_INT, -1, nullptr, &made); }},
      {SV_ENOTFOUND, [&] { return sv_put_att_text(scene.file, 99, "units", "m"); }},
      {SV_ENOTFOUND, [&] { return sv_inq_varid(scene.file, "lost", &made); }},
      {SV_EINVAL, [&] { return sv_def_var_decomp_dim(scene.file, scene.fixed, 2); }},
      {SV_EORDER, [&] { return sv_def_dim(scene.file, "late", 3, &made); }}};
  for (size_t i = 0; i < calls.size(); ++i) {
    if (calls[i].first == SV_EORDER) SV_MUST(sv_enddef(scene.file));
    expect("definition " + std::to_string(i), {calls[i].first, {"."}}, calls[i].second);
  }
  SV_MUST(sv_close(scene.file));
  SV_MUST(sv_finalize(scene.io));
  MPI_Barrier(MPI_COMM_WORLD);
  if (scene.rank == 0) require(std::remove("misuse.nc") == 0, "misuse.nc is missing");
}

}  // namespace

int main(int argc, char **argv) {
  sv_context *early = nullptr;
  if (sv_init(MPI_COMM_WORLD, nullptr, 0, nullptr, &early) != SV_EORDER) return 1;
  MPI_Init(&argc, &argv);
  const int last = size_of(MPI_COMM_WORLD) - 1;
  at_root([&] {
    std::ofstream("garbage.nc") << "this is no netCDF file";
    std::ofstream("empty.nc") << "";
    std::ofstream("nothing.nc", std::ios::binary) << std::string("CDF\1", 4) + std::string(28, '\0');
    std::ofstream("wrong.yaml") << "route: serial\n# a comment\nwindw: 4MiB\n";
  });
  handles();
  freed();
  definitions();
  for (const int wrong_rank : last > 0 ? std::vector<int>{last, 0} : std::vector<int>{0}) {
    for (const auto &cases : {decompositions(), creations(), orders(), puts(), puts_without_decomposition(), gets()})
      run(cases, wrong_rank);
    if (last > 0)
      for (const auto &cases : {decompositions_of_many(), definitions_of_many(), orders_of_many(), puts_of_many()})
        run(cases, wrong_rank);
    settings(wrong_rank);
  }
  return MPI_Finalize();
}
