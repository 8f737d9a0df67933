// Writes a small file by one route after the other, each with a context and a folder of traces of its own, and reads it
// back; check.py compares the records with the actions. On the public interface alone.
//
//   steps_model                        all cases: traces in ./CASE, the file in CASE.nc
//   steps_model die STEP OPTION...     one run, of which rank 0 ends by SIGKILL within step STEP; traces in ./killed
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "support/blocks.hpp"
#include "support/model_ranks.hpp"
#include "support/test_file.hpp"

namespace {

using namespace svtest;

constexpr int64_t nz = 3, ny = 24, nx = 40, steps = 3;

struct Case {
  std::string name;
  std::vector<std::string> options;
  bool points = false;
  bool large = false;  // one field that the servers have no room for, instead of all others
};

const std::vector<Case> cases{
    {"ranges", {"route=ranges", "writers=2"}},
    {"serial", {"route=serial"}},
    {"shared", {"route=shared"}},
    {"domains", {"route=domains", "io_layout=1,2", "writers=2", "testing.ranks_per_node=2"}},
    {"send", {"route=ranges", "writers=2", "transport=send"}},
    {"combine", {"combine=step", "writers=2"}},
    {"points", {"route=ranges", "writers=2"}, true},
    {"primaries", {"route=ranges", "writers=2", "points.primaries=1"}, true},
    {"servers", {"async=servers:2", "reading=servers"}},
    {"servers_apart", {"async=servers:2", "testing.ranks_per_node=3", "async.forwarding=asynchronous"}},
    {"pieces", {"route=per_domain", "io_layout=1,2"}},
    {"servers_tight", {"async=servers:1", "async.memory=1MiB"}, false, true},
    {"served_points", {"async=servers:2", "points.primaries=1"}, true},
};

/// Blocks of rows, uneven; or every n-th cell.
sv_decomp *decompose(sv_context *io, MPI_Comm model, bool points, int64_t &cells) {
  const int64_t shape[] = {ny, nx};
  const int rank = rank_in(model), ranks = size_of(model);
  sv_decomp *decomp = nullptr;
  if (points) {
    Numbers own;
    for (int64_t cell = rank; cell < ny * nx; cell += ranks) own.push_back(cell);
    cells = static_cast<int64_t>(own.size());
    SV_MUST(sv_def_points(io, 2, shape, cells, own.data(), 0, &decomp));
    return decomp;
  }
  const int64_t start[] = {cut(ny, ranks, rank), 0};
  const int64_t count[] = {cut(ny, ranks, rank + 1) - start[0], nx};
  cells = count[0] * nx;
  SV_MUST(sv_def_decomp(io, 2, shape, start, count, nullptr, &decomp));
  return decomp;
}

struct Output {
  sv_file *file = nullptr;
  int depth = -1, lat = -1, temp = -1, sst = -1, salt = -1;
};

Output create(sv_context *io, const std::string &path) {
  Output out;
  SV_MUST(sv_create(io, path.c_str(), 0, &out.file));
  int time = -1, z = -1, y = -1, x = -1;
  SV_MUST(sv_def_dim(out.file, "time", SV_UNLIMITED, &time));
  SV_MUST(sv_def_dim(out.file, "z", nz, &z));
  SV_MUST(sv_def_dim(out.file, "y", ny, &y));
  SV_MUST(sv_def_dim(out.file, "x", nx, &x));
  const int flat[] = {time, y, x}, volume[] = {time, z, y, x};
  SV_MUST(sv_def_var(out.file, "depth", SV_FLOAT, 2, flat + 1, &out.depth));
  SV_MUST(sv_def_var(out.file, "lat", SV_DOUBLE, 1, &y, &out.lat));
  SV_MUST(sv_def_var(out.file, "temp", SV_DOUBLE, 4, volume, &out.temp));
  SV_MUST(sv_def_var(out.file, "sst", SV_FLOAT, 3, flat, &out.sst));
  SV_MUST(sv_def_var(out.file, "salt", SV_FLOAT, 3, flat, &out.salt));
  SV_MUST(sv_enddef(out.file));
  return out;
}

void write(sv_context *io, MPI_Comm model, const Case &what, int64_t dies_in) {
  int64_t cells = 0;
  sv_decomp *const decomp = decompose(io, model, what.points, cells);
  const Output out = create(io, what.name + ".nc");
  const std::vector<double> values(static_cast<size_t>(nz * cells), 1.5), lat(ny, 45.0);
  SV_MUST(sv_put(out.file, out.depth, decomp, SV_NO_RECORD, SV_DOUBLE, values.data(), nullptr));
  const int64_t first[] = {0}, all[] = {rank_in(model) == 0 ? ny : 0}, length = ny;
  sv_decomp *whole = nullptr;  // of another grid, in which there are no columns and rows of blocks
  SV_MUST(sv_def_decomp(io, 1, &length, first, all, nullptr, &whole));
  if (what.name == "pieces")
    SV_MUST(sv_put(out.file, out.lat, whole, SV_NO_RECORD, SV_DOUBLE, lat.data(), nullptr));
  else
    SV_MUST(sv_put_var(out.file, out.lat, SV_NO_RECORD, SV_DOUBLE, lat.data(), nullptr));
  SV_MUST(sv_free_decomp(whole));
  for (int64_t step = 0; step < steps; ++step) {
    SV_MUST(sv_put(out.file, out.temp, decomp, step, SV_DOUBLE, values.data(), nullptr));
    if (step == dies_in && rank_in(model) == 0) std::raise(SIGKILL);
    SV_MUST(sv_put(out.file, out.sst, decomp, step, SV_DOUBLE, values.data(), nullptr));
    sv_request request = SV_NO_REQUEST;
    SV_MUST(sv_iput(out.file, out.salt, decomp, step, {SV_DOUBLE, values.data(), nullptr}, &request));
    SV_MUST(sv_wait(out.file, 1, &request, nullptr));
    SV_MUST(sv_end_step(io));
  }
  SV_MUST(sv_close(out.file));
  std::vector<double> back(values.size(), 0);
  sv_file *in = open_file(io, what.name + ".nc");
  SV_MUST(sv_get(in, out.temp, decomp, 1, SV_DOUBLE, back.data(), nullptr));
  require(back == values, what.name + ": what was read");
  SV_MUST(sv_close(in));
  SV_MUST(sv_free_decomp(decomp));
}

void write_large(sv_context *io, MPI_Comm model, const Case &what) {
  constexpr int64_t length = 1 << 20;
  const int ranks = size_of(model);
  const int64_t start = cut(length, ranks, rank_in(model)), count = cut(length, ranks, rank_in(model) + 1) - start;
  sv_decomp *decomp = nullptr;
  SV_MUST(sv_def_decomp(io, 1, &length, &start, &count, nullptr, &decomp));
  int var = -1;
  sv_file *file = make_file(io, what.name + ".nc", 0, {{"x", length}}, {{"large", SV_DOUBLE, {"x"}, &var}});
  const std::vector<double> values(static_cast<size_t>(count), 1.5);
  SV_MUST(sv_put(file, var, decomp, SV_NO_RECORD, SV_DOUBLE, values.data(), nullptr));
  SV_MUST(sv_close(file));
  SV_MUST(sv_free_decomp(decomp));
}

void run(const Case &what, const std::string &folder, int64_t dies_in) {
  std::vector<std::string> options = what.options;
  options.insert(options.end(),
                 {"trace=" + folder, "trace.memory=1MiB", "file_system.stripe=4096", "transport.window=256KiB"});
  sv_context *const io = start(MPI_COMM_WORLD, options);
  const MPI_Comm model = model_ranks(io);
  if (model != MPI_COMM_NULL && what.large) write_large(io, model, what);
  if (model != MPI_COMM_NULL && !what.large) write(io, model, what, dies_in);
  SV_MUST(sv_finalize(io));
}

/// A folder that cannot be made: the same error everywhere, which names it and the key.
void refused() {
  const char *const option = "trace=/dev/null/traces";
  sv_context *io = nullptr;
  const int status = sv_init(MPI_COMM_WORLD, nullptr, 1, &option, &io);
  const std::string message = sv_message();
  require(status != SV_OK && io == nullptr && message.find("'trace'") != std::string::npos &&
              message.find("/dev/null/traces") != std::string::npos,
          "a folder that cannot be made: " + message);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (argc > 2 && std::strcmp(argv[1], "die") == 0) {
    run({"killed", {argv + 3, argv + argc}}, "killed", std::atoll(argv[2]));
  } else {
    for (const Case &each : cases) run(each, each.name, -1);
    refused();
  }
  return MPI_Finalize();
}
