// Files that are open while a run changes between writing in its calls and behind them, at random steps, have the same
// bytes as those that the calls write. COUNT sets how many cases, SEED where they begin.
// run: ranks=1 limit=60 behind
// run: ranks=2 limit=90 behind
// run: ranks=5 limit=90 behind
#include <cstdlib>
#include <sstream>

#include "support/files.hpp"
#include "support/random_case.hpp"

namespace {

using namespace svtest;

struct Case {
  std::vector<std::string> options, kinds;  // of both runs; of each file
  std::string turns;
  int64_t records = 0;
  std::vector<Grid> grids;
  std::vector<Spec> specs;
  std::vector<int> between;  // of each step: what is called after it
};

Case make_case(Random &random, int ranks) {
  Case made;
  const bool regular = random.chance(50);
  made.options = random_options(random, ranks, regular);
  if (random.chance(40)) made.options.push_back(random.chance(50) ? "durability=ordered" : "durability=on_disk");
  made.records = random.between(4, 12);
  for (int64_t turn = random.between(1, 5); turn > 0; --turn)
    made.turns += (made.turns.empty() ? "" : ",") + std::to_string(random.between(1, 3));
  for (int g = 0; g < 2; ++g)
    made.grids.push_back(random_grid(random, {random.between(1, 40), random.between(1, 40)}, ranks, regular));
  for (int s = 0; s < 4; ++s)
    made.specs.push_back(random_spec(random, "v" + std::to_string(s), random.one_of(made.grids)));
  for (int64_t record = 0; record < made.records; ++record)
    made.between.push_back(static_cast<int>(random.between(0, 9)));
  return made;
}

/// Two files, one growing and one published, a record of each in every step, with calls in between that wait for some
/// of it.
void write_both(const Case &made, const std::string &name, std::vector<std::string> options) {
  options.insert(options.begin(), made.options.begin(), made.options.end());
  sv_context *io = start(MPI_COMM_WORLD, options);
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  std::vector<Output> files{{io, rank}, {io, rank}};
  for (size_t f = 0; f < files.size(); ++f) {
    Output &out = files[f];
    SV_MUST(sv_create(io, (name + std::to_string(f) + ".nc").c_str(), f == 0 ? SV_GROWING : 0, &out.file));
    define(out, made.specs);
    for (const Spec &spec : made.specs)
      if (spec.how == How::field) out.decomp(spec.grid);
    SV_MUST(sv_enddef(out.file));
    for (const Spec &spec : made.specs) {
      if (!spec.records) put(out, spec, SV_NO_RECORD);
      if (spec.how == How::subarrays) put_subarrays(out, spec, ranks, made.records);
    }
  }
  for (int64_t record = 0; record < made.records; ++record) {
    for (Output &out : files)
      for (const Spec &spec : made.specs)
        if (spec.records) put(out, spec, record);
    SV_MUST(sv_end_step(io));
    const int what = made.between[static_cast<size_t>(record)];
    if (what == 0) SV_MUST(sv_flush(io, SV_WRITTEN));
    if (what == 1) SV_MUST(sv_sync(files[0].file));
    if (what == 2) SV_MUST(sv_end_step(io));  // in which nothing was put
    if (what == 3 && record + 1 < made.records)
      for (const Spec &spec : made.specs)
        if (spec.records) put(files[1], spec, record);  // again, in a later step
  }
  for (Output &out : files) {
    SV_MUST(sv_close(out.file));
    for (const auto &[grid, decomp] : out.decomps) SV_MUST(sv_free_decomp(decomp));
  }
  SV_MUST(sv_finalize(io));
}

void try_case(uint64_t seed) {
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  Random random(seed);
  const Case made = make_case(random, ranks);
  std::ostringstream story;
  story << "SEED=" << seed << " on " << ranks << " ranks, turns " << made.turns << ", " << made.records << " records:";
  for (const std::string &option : made.options) story << ' ' << option;
  if (std::getenv("VERBOSE") != nullptr && rank == 0) std::printf("%s\n", story.str().c_str());
  write_both(made, "calls", {"servers=0"});
  write_both(made, "turns", {"servers=auto", "server_turns=" + made.turns, "server_memory=4MiB"});
  for (int f = 0; f < 2 && rank == 0; ++f) {
    const std::string end = std::to_string(f) + ".nc";
    require(bytes_of_file("turns" + end) == bytes_of_file("calls" + end), story.str() + ": file " + end + " differs");
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const auto number_of = [](const char *name, int64_t otherwise) {
    const char *text = std::getenv(name);
    return text == nullptr ? otherwise : std::atoll(text);
  };
  const int64_t first = number_of("SEED", 1), count = number_of("COUNT", 20);
  for (int64_t i = 0; i < count; ++i) try_case(static_cast<uint64_t>(first + i));
  return MPI_Finalize();
}
