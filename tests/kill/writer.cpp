// A model to be killed: writes records until it has made STEPS, or for ever, on the public interface alone.
//
//   writer STEPS [from=STEP] [log=FILE] [pace=MS] [flush=N] [option=value ...]
//
// pace: it computes (sleeps) for so many milliseconds before it ends a step, and rank 0 prints "ENDED step BEGIN END
// DURABLE": when sv_end_step was called and returned, in seconds of the monotonic clock, and the result of
// sv_durable_step then.
//
// In the current directory, at every step (they count from 0):
//   growing.nc            a growing file: record STEP
//   published_NNN.nc      a published file for five steps; not with pace, since closing it waits for the disk
//   series_YYYYMMDD.nc    a series: twenty steps make a day
// With from=STEP it goes on as a model does that restarts from an older state.
//
// Rank 0 prints "RANKS pid@host pid@host ..." once, "STEP n" as it begins one, and "COMMIT file record" as each commit
// has returned (of a published file: as it has been closed, its last record; where servers or threads write: as
// sv_flush has returned, too, which then comes in every step, or with flush=N in every Nth one, 0: in none); with
// log=FILE, into that file too, which outlives the launcher.
//
// Values of a file: time(r) = the step; of cell i, counted in a slab, at step s: temp 7 i + 1013 s + 131, flag s,
// depth 7 i + 13, all modulo 32749.
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/later.hpp"
#include "support/model_ranks.hpp"

namespace {

using svtest::require;

constexpr int64_t nz = 3, ny = 24, nx = 40, halo = 1;
constexpr int published_steps = 5, day_steps = 20;

struct Model {
  int rank = 0, ranks = 1;
  int64_t steps = 0, from = 0, pace_ms = 0, flush_steps = 1;
  std::vector<const char *> options;
  std::ofstream log;
  sv_context *io = nullptr;
  sv_decomp *decomp = nullptr;
  int64_t first_row = 0, rows = 0;
  bool served = false;
  std::vector<std::string> unreported;  // commits that sv_flush has still to make sure of

  void tell(const std::string &line) {
    if (rank != 0) return;
    if (log.is_open()) log << line << '\n' << std::flush;
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
  }
};

/// Collective. Written files are printed in the same step, or after the next sv_flush.
void report_commit(Model &model, int64_t step, const std::string &line) {
  model.unreported.push_back(line);
  if (model.served) {
    if (model.flush_steps == 0 || (step + 1) % model.flush_steps != 0) return;
    SV_MUST(sv_flush(model.io, SV_WRITTEN));
  }
  for (const std::string &each : std::exchange(model.unreported, {})) model.tell(each);
}

struct Output {
  sv_file *file = nullptr;
  int depth = -1, temp = -1, flag = -1, time = -1;
};

double value_of(int64_t cell, int64_t step, int64_t shift) {
  return static_cast<double>((7 * cell + 1013 * step + shift) % 32749);
}

std::string digits(int64_t number, size_t width) {
  const std::string text = std::to_string(number);
  return std::string(text.size() < width ? width - text.size() : 0, '0') + text;
}

/// This rank's block of `levels` levels, with its halo.
std::vector<double> block(const Model &model, int64_t levels, int64_t step, int64_t shift) {
  std::vector<double> values(static_cast<size_t>(levels * (model.rows + 2 * halo) * nx), -1);
  for (int64_t z = 0; z < levels; ++z)
    for (int64_t y = 0; y < model.rows; ++y)
      for (int64_t x = 0; x < nx; ++x)
        values[static_cast<size_t>((z * (model.rows + 2 * halo) + y + halo) * nx + x)] =
            value_of((z * ny + model.first_row + y) * nx + x, step, shift);
  return values;
}

void define(Output &out) {
  int time = -1, z = -1, y = -1, x = -1;
  SV_MUST(sv_def_dim(out.file, "time", SV_UNLIMITED, &time));
  SV_MUST(sv_def_dim(out.file, "z", nz, &z));
  SV_MUST(sv_def_dim(out.file, "y", ny, &y));
  SV_MUST(sv_def_dim(out.file, "x", nx, &x));
  const int flat[] = {y, x}, volume[] = {time, z, y, x};
  SV_MUST(sv_def_var(out.file, "time", SV_DOUBLE, 1, &time, &out.time));
  SV_MUST(sv_def_var(out.file, "depth", SV_FLOAT, 2, flat, &out.depth));
  SV_MUST(sv_def_var(out.file, "temp", SV_DOUBLE, 4, volume, &out.temp));
  SV_MUST(sv_def_var(out.file, "flag", SV_INT, 1, &time, &out.flag));
  SV_MUST(sv_enddef(out.file));
}

void put_fixed(const Model &model, const Output &out) {
  SV_MUST(sv_put(out.file, out.depth, model.decomp, SV_NO_RECORD, SV_DOUBLE, block(model, 1, 0, 13).data(), nullptr));
}

void put_record(const Model &model, const Output &out, int64_t record, int64_t step) {
  SV_MUST(sv_put(out.file, out.temp, model.decomp, record, SV_DOUBLE, block(model, nz, step, 131).data(), nullptr));
  const double flag = value_of(0, step, 0);
  SV_MUST(sv_put_var(out.file, out.flag, record, SV_DOUBLE, &flag, nullptr));
}

void put_time(const Output &out, int64_t record, int64_t step) {
  const auto time = static_cast<double>(step);
  SV_MUST(sv_put_var(out.file, out.time, record, SV_DOUBLE, &time, nullptr));
}

void open_growing(const Model &model, Output &out) {
  if (model.from > 0) {
    SV_MUST(sv_open(model.io, "growing.nc", SV_WRITE, &out.file));
    SV_MUST(sv_inq_varid(out.file, "time", &out.time));
    SV_MUST(sv_inq_varid(out.file, "temp", &out.temp));
    SV_MUST(sv_inq_varid(out.file, "flag", &out.flag));
    return;
  }
  SV_MUST(sv_create(model.io, "growing.nc", SV_GROWING, &out.file));
  define(out);
  put_fixed(model, out);
}

/// A published file of its own for every five steps.
void step_published(Model &model, Output &out, int64_t step) {
  const std::string name = "published_" + digits(step / published_steps, 3) + ".nc";
  const int64_t record = step % published_steps;
  if (record == 0) {
    SV_MUST(sv_create(model.io, name.c_str(), SV_PUBLISHED, &out.file));
    define(out);
    put_fixed(model, out);
  }
  if (out.file == nullptr) return;
  put_time(out, record, step);
  put_record(model, out, record, step);
  if (record + 1 < published_steps) return;
  SV_MUST(sv_close(out.file));
  out.file = nullptr;
  report_commit(model, step, "COMMIT " + name + " " + std::to_string(record));
}

/// Prints the commit of this record, once it has returned.
std::string step_series(const Model &model, const Output &out, int64_t step) {
  const int day = static_cast<int>(step / day_steps), minute = static_cast<int>(step % day_steps);
  const int date[6] = {1 + day / 336, 1 + day / 28 % 12, 1 + day % 28, 12, minute, 0};
  int64_t record = -1;
  int wants_fixed = 0;
  SV_MUST(sv_select_record(out.file, date, static_cast<double>(step), &record, &wants_fixed));
  if (wants_fixed != 0) put_fixed(model, out);
  put_record(model, out, record, step);
  return "COMMIT series_" + digits(date[0], 4) + digits(date[1], 2) + digits(date[2], 2) + ".nc " +
         std::to_string(record);
}

double monotonic_seconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void end_step(Model &model, int64_t step) {
  if (model.pace_ms == 0) return SV_MUST(sv_end_step(model.io));
  std::this_thread::sleep_for(std::chrono::milliseconds(model.pace_ms));
  const double begin = monotonic_seconds();
  SV_MUST(sv_end_step(model.io));
  int64_t durable = 0;
  SV_MUST(sv_durable_step(model.io, &durable));
  model.tell("ENDED " + std::to_string(step) + " " + std::to_string(begin) + " " + std::to_string(monotonic_seconds()) +
             " " + std::to_string(durable));
}

void run(Model &model) {
  SV_MUST(sv_init(MPI_COMM_WORLD, nullptr, static_cast<int>(model.options.size()), model.options.data(), &model.io));
  const MPI_Comm mine = svtest::model_ranks(model.io);
  if (mine == MPI_COMM_NULL) return svtest::ok(sv_finalize(model.io), "sv_finalize");
  model.rank = svtest::rank_in(mine);
  model.ranks = svtest::size_of(mine);
  model.served = svtest::writes_later(model.io, {model.options.begin(), model.options.end()});
  SV_MUST(sv_block(ny, model.ranks, model.rank, &model.first_row, &model.rows));
  const int64_t shape[] = {ny, nx}, start[] = {model.first_row, 0}, count[] = {model.rows, nx},
                frame[] = {halo, halo, 0, 0};
  const sv_decomp_options framed{frame, nullptr, 0};
  SV_MUST(sv_def_decomp(model.io, 2, shape, start, count, &framed, &model.decomp));
  Output growing, published, series;
  open_growing(model, growing);
  SV_MUST(sv_create(model.io, "series_%Y%m%d.nc", SV_SERIES, &series.file));
  define(series);
  for (int64_t step = model.from; step < model.steps || model.steps == 0; ++step) {
    model.tell("STEP " + std::to_string(step));
    put_time(growing, step, step);
    put_record(model, growing, step, step);
    const std::string line = step_series(model, series, step);
    if (model.pace_ms == 0) step_published(model, published, step);
    end_step(model, step);
    report_commit(model, step, "COMMIT growing.nc " + std::to_string(step));
    report_commit(model, step, line);
  }
  for (sv_file *file : {growing.file, published.file, series.file})
    if (file != nullptr) SV_MUST(sv_close(file));
  SV_MUST(sv_finalize(model.io));
}

void report_ranks(Model &model) {
  constexpr int longest = 300;
  std::array<char, longest> mine{};
  require(gethostname(mine.data(), longest - 20) == 0, "this host has no name");
  const std::string reported = std::to_string(getpid()) + "@" + mine.data();
  std::copy_n(reported.c_str(), reported.size() + 1, mine.begin());
  std::vector<std::array<char, longest>> all(static_cast<size_t>(model.ranks));
  MPI_Gather(mine.data(), longest, MPI_CHAR, all.data(), longest, MPI_CHAR, 0, MPI_COMM_WORLD);
  std::string line = "RANKS";
  for (const auto &process : all) line.append(" ").append(process.data());
  model.tell(line);
}

}  // namespace

int main(int argc, char **argv) {
  svtest::begin_with_threads(argc, argv);
  Model model;
  model.rank = svtest::rank_in(MPI_COMM_WORLD);
  model.ranks = svtest::size_of(MPI_COMM_WORLD);
  require(argc > 1, "writer STEPS [from=STEP] [log=FILE] [pace=MS] [flush=N] [option=value ...]");
  model.steps = std::atoll(argv[1]);
  for (int i = 2; i < argc; ++i) {
    const std::string text = argv[i];
    if (text.rfind("from=", 0) == 0)
      model.from = std::atoll(text.c_str() + 5);
    else if (text.rfind("pace=", 0) == 0)
      model.pace_ms = std::atoll(text.c_str() + 5);
    else if (text.rfind("flush=", 0) == 0)
      model.flush_steps = std::atoll(text.c_str() + 6);
    else if (text.rfind("log=", 0) == 0 && model.rank == 0)
      model.log.open(text.substr(4), std::ios::app);
    else if (text.rfind("log=", 0) != 0)
      model.options.push_back(argv[i]);
  }
  report_ranks(model);
  run(model);
  MPI_Finalize();
  return 0;
}
