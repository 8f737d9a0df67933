// How often ranks of different nodes meet for a small file: each gate costs the latency of the network. Counted are the
// messages that the last rank sends, which leads a node of its own: one for each gate. A gate that comes back is found
// here, and one that is saved may be written down here.
// run: ranks=3 limit=60 env=SV_TESTING_RANKS_PER_NODE=1
// run: ranks=7 limit=60 env=SV_TESTING_RANKS_PER_NODE=1
#include "support/files.hpp"

namespace {

int sent = 0;

}  // namespace

// NOLINTBEGIN: names and parameters are MPI's
extern "C" int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                         MPI_Request *request) {
  ++sent;
  return PMPI_Isend(buffer, count, type, to, tag, comm, request);
}
// NOLINTEND

namespace {

using namespace svtest;

const Numbers shape{12, 14};

struct Scene {
  int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  Grid grid{shape, {}, blocks_2d(shape, 1, ranks, ranks, {}), {}};
  std::vector<Spec> specs{{"speed", SV_FLOAT, SV_DOUBLE, shape, {"y", "x"}, false, How::field, &grid},
                          {"ice", SV_SHORT, SV_DOUBLE, shape, {"y", "x"}, false, How::field, &grid},
                          {"depth", SV_DOUBLE, SV_DOUBLE, shape, {"y", "x"}, false, How::field, &grid}};
  sv_context *io;

  explicit Scene(const std::string &combine) : io(start(MPI_COMM_WORLD, {"combine=" + combine})) {}

  void require_gates(const std::string &call, int gates) const {
    require(rank != ranks - 1 || sent == gates,
            call + " passes " + std::to_string(sent) + " gates, not " + std::to_string(gates));
    sent = 0;
  }

  /// `put_gates`: of each put; `close_gates`: where all variables but the last `left` are put.
  void write(const std::string &path, int left, int put_gates, int close_gates) const {
    Output out{io, rank};
    out.decomp(&grid);
    sent = 0;
    SV_MUST(sv_create(io, path.c_str(), SV_PUBLISHED, &out.file));
    require_gates("sv_create", 1);
    define(out, specs);
    SV_MUST(sv_enddef(out.file));
    require_gates("sv_enddef", 1);
    for (size_t v = 0; v + static_cast<size_t>(left) < specs.size(); ++v) {
      put(out, specs[v], SV_NO_RECORD);
      require_gates("sv_put", put_gates);
    }
    SV_MUST(sv_close(out.file));
    require_gates("sv_close", close_gates);
    for (const auto &[of, decomp] : out.decomps) SV_MUST(sv_free_decomp(decomp));
    out.file = open_file(io, path);
    require_gates("sv_open", 2);
    SV_MUST(sv_close(out.file));
    require_gates("sv_close of a file that is read", 2);
    at_root([&] {
      std::vector<Spec> found = specs;
      for (size_t v = found.size() - static_cast<size_t>(left); v < found.size(); ++v) found[v].how = How::never;
      NetcdfFile(path).check_all(found, 0);
    });
  }
  /// A step with one small put, which is recorded, passes a gate where it ends, and none before.
  void append(const std::string &path) const {
    Spec spec = specs.front();
    spec.records = true;
    Output out = create_output(io, rank, path, {spec}, SV_PUBLISHED);
    out.decomp(&grid);
    for (int64_t record = 0; record < 4; ++record) {
      sent = 0;
      put(out, spec, record);
      require_gates("sv_put", 0);
      SV_MUST(sv_end_step(io));
      require_gates("sv_end_step", 1);
    }
    close_output(out);
    if (rank == 0)
      for (int64_t record = 0; record < 4; ++record) NetcdfFile(path).check(spec, record);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  /// Range errors of all ranks are reported, also of puts that are written while the file is closed.
  void range_error(const std::string &path) const {
    Output out = create_output(io, rank, path, {specs[1]}, SV_PUBLISHED);
    constexpr double in_range = 1, beyond = 1e9;
    const std::vector<double> values(static_cast<size_t>(product(shape)), rank == ranks - 1 ? beyond : in_range);
    SV_MUST(
        sv_put(out.file, out.ids[specs[1].name], out.decomp(&grid), SV_NO_RECORD, SV_DOUBLE, values.data(), nullptr));
    SV_MUST(sv_close(out.file));
    SV_MUST(sv_write_summary(io, (path + ".json").c_str()));
    at_root([&] {
      const std::vector<char> text = bytes_of_file(path + ".json");
      const std::string all(text.begin(), text.end()), shown = all.substr(std::min(all.size(), all.find(path)));
      require(shown.find("\"ice\"") != std::string::npos, "no rank reports misfits: " + all);
    });
    for (const auto &[of, decomp] : out.decomps) SV_MUST(sv_free_decomp(decomp));
  }
  /// The window of a node gets its first pages.
  void warm() const {
    Output out = create_output(io, rank, "warm.nc", specs, SV_PUBLISHED);
    for (const Spec &spec : specs) put(out, spec, SV_NO_RECORD);
    close_output(out);
  }
};

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  {
    const Scene each("off");
    each.warm();
    each.write("each.nc", 0, 1, 1);
    each.write("filled.nc", 1, 1, 3);  // ranks fill unwritten cells
    SV_MUST(sv_finalize(each.io));
    const Scene together("step");
    together.warm();
    together.write("together.nc", 0, 0, 1);
    together.append("append.nc");
    together.range_error("misfit.nc");
    SV_MUST(sv_finalize(together.io));
  }
  MPI_Finalize();
  return 0;
}
