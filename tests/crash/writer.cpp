// A model whose files are recorded: writer KIND [key=value ...]. Keys of its own, the rest are options of sv_init:
//
//   steps=8 from=0   the steps it makes; a kind that goes on begins at `from`
//   end=killed       all ranks end by SIGKILL in the last step, before it is committed
//   nz, ny, nx, texts: sizes (truth.hpp)
//
// In the current directory, of these kinds: growing, published, series, set (with route=per_pe or per_domain; growing
// with set_kind=growing), redefine_place, redefine_move, append, combined, points, streams. Its promises are those of
// docs/errors.md on durability, sv_flush and sv_durable_step (mark.hpp).
#include "writer.hpp"

#include <csignal>
#include <cstdlib>
#include <map>
#include <memory>

#include "streams_run.hpp"
#include "support/later.hpp"

namespace svcrash {
namespace {

using svtest::require;

void run_growing(Model &model) {
  Output out(model, "growing.nc", SV_GROWING);
  out.create({});
  for (int64_t step = 0; step < model.steps; ++step) out.put_and_end(step);
  out.close();
}

/// Goes on in the file of run_growing, or of another run of this kind.
void run_append(Model &model) {
  Output out(model, "growing.nc", SV_GROWING);
  out.open(static_cast<int>(model.number("version", 0)), model.from);
  for (int64_t step = model.from; step < model.from + model.steps; ++step) out.put_and_end(step);
  out.close();
}

/// One name, three files, one after the other; two of them open at a time with another one.
void run_published(Model &model) {
  for (int number = 0; number < 3; ++number) {
    Output out(model, "published.nc", SV_PUBLISHED),
        other(model, "other_" + std::to_string(number) + ".nc", SV_PUBLISHED);
    out.create({number, number, -1});
    other.create({0, 5, -1});
    const int64_t steps = model.steps / 3;
    for (int64_t step = 0; step < steps; ++step) {
      out.put(step);
      other.put(step);
      model.end_step();
    }
    out.close();
    other.close();
  }
}

/// Two sets; published, the first is replaced, piece by piece, by a third one with other values.
void run_set(Model &model) {
  const bool growing = model.text("set_kind", "published") == "growing";
  for (int number = 0; number < (growing ? 2 : 3); ++number) {
    Output out(model, "set_" + std::to_string(number % 2) + ".nc", growing ? SV_GROWING : SV_PUBLISHED);
    out.pieces = static_cast<int>(model.number("pieces", model.ranks));
    out.create({number / 2, number / 2, -1});
    for (int64_t step = 0; step < model.steps; ++step) out.put_and_end(step);
    out.close();
  }
}

void run_redefine(Model &model, bool moves) {
  Output out(model, "growing.nc", SV_GROWING);
  out.create({});
  for (int64_t step = 0; step < model.steps; ++step) {
    if (step % 3 == 2) out.redefine(moves && step < 3);
    out.put_and_end(step);
  }
  out.close();
  out.open(out.version.number, model.steps);
  out.redefine(false);
  out.put_and_end(model.steps);
  out.close();
}

/// A file for every three steps.
void run_series(Model &model) {
  Output out(model, "series_%Y%m%d.nc", SV_SERIES);
  out.create_series();
  for (int64_t step = model.from; step < model.from + model.steps; ++step) {
    out.select_record(step, 3);
    out.put_record(step);
    model.end_step();
  }
  out.close();
}

/// Streams, in the files of run_series. A run that continues begins at a step before which the sums were saved.
void run_streams(Model &model) {
  constexpr int64_t save_every = 4, first_save = 3;  // in the middle of periods
  if (model.rank == 0) mark("streams 0");
  std::unique_ptr<Output> out;
  StreamsRun streams(model.io, {model.sizes, model.decomp, model.cells}, model.from);
  SV_MUST(streams.status());
  for (int64_t step = model.from; step < model.from + model.steps; ++step) {
    std::string before;
    if (step % steps_of_period == steps_of_period - 1) {
      const int64_t period = step / steps_of_period;
      if (!out || period % periods_of_file == 0) {
        if (out) {
          model.say("closing", *out);
          before = out->said();
        }
        out = std::make_unique<Output>(model, series_name(period / periods_of_file * periods_of_file), SV_SERIES);
        out->first = period / periods_of_file * periods_of_file;
        out->introduce();
        model.say("opened", *out);
        model.reopened(out->name);
      }
      out->records = period - out->first + 1;
    }
    SV_MUST(streams.send(step));
    if (!before.empty()) model.ended(before, true);
    model.end_step();
    if ((step + 1) % save_every != first_save) continue;
    SV_MUST(streams.save(step + 1));
    model.saved(step + 1);
  }
  if (out) model.say("closing", *out);
  SV_MUST(streams.close());
  if (out) model.ended(out->said(), true);
}

}  // namespace

void run(Model &model) {
  const std::map<std::string, void (*)(Model &)> kinds = {
      {"growing", run_growing},
      {"append", run_append},
      {"combined", run_growing},
      {"points", run_growing},
      {"published", run_published},
      {"set", run_set},
      {"series", run_series},
      {"streams", run_streams},
      {"redefine_place", [](Model &each) { run_redefine(each, false); }},
      {"redefine_move", [](Model &each) { run_redefine(each, true); }}};
  const auto found = kinds.find(model.kind);
  require(found != kinds.end(), "there is no kind '" + model.kind + "'");
  found->second(model);
}

}  // namespace svcrash

int main(int argc, char **argv) {
  svtest::begin_with_threads(argc, argv);
  svtest::require(argc > 1, "writer KIND [key=value ...]");
  {
    svcrash::Model model(argv[1], {argv + 2, argv + argc});
    if (model.computes) {
      svcrash::run(model);
      model.flush(SV_WRITTEN);
      model.flush(SV_ON_DISK);
    }
    SV_MUST(sv_finalize(model.io));
  }
  MPI_Finalize();
  return 0;
}
