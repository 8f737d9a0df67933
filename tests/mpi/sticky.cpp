// One of two files fails (its data are larger than files may be): every rank learns of it in every call on that file
// from then on, nothing of it appears, and the other file gets all its records.
// run: ranks=3 limit=60
// run: ranks=5 limit=60 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
// run: ranks=1 limit=60
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

#include "support/files.hpp"
#include "support/verdict.hpp"

namespace {

using namespace svtest;

constexpr int64_t records = 3, limit_bytes = 400000;
const Numbers large{400, 300}, small{20, 30};

struct Job {
  std::string path;
  Grid grid;
  std::vector<Spec> specs;
  Output out;

  Job(sv_context *io, const std::string &name, const Numbers &shape)
      : path(name + ".nc"),
        grid{shape, {}, blocks_2d(shape, 1, size_of(MPI_COMM_WORLD), size_of(MPI_COMM_WORLD), {}), {}},
        specs{{"field", SV_DOUBLE, SV_DOUBLE, shape, {"y", "x"}, true, How::field, &grid}},
        out(create_output(io, rank_in(MPI_COMM_WORLD), path, specs, SV_GROWING)) {}
};

int put_record(Job &job, int64_t record) {
  const Array array = block_array(job.specs[0], job.out.rank, record);
  return sv_put(job.out.file, job.out.ids["field"], job.out.decomp(&job.grid), record, SV_DOUBLE, array.bytes.data(),
                nullptr);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::signal(SIGXFSZ, SIG_IGN);
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB", "file_system.stripe=4096"});
  const rlimit limit{limit_bytes, limit_bytes};
  require(setrlimit(RLIMIT_FSIZE, &limit) == 0, "setrlimit");
  Job bad(io, "bad", large), good(io, "good", small);
  const Verdict failure{SV_ENOSPACE, {"bad.nc", "'field'", "rank"}};
  for (int64_t record = 0; record < records; ++record) {
    SV_MUST(put_record(good, record));
    expect("a put", failure, [&] { return put_record(bad, record); });
    expect("the end of a step", failure, [&] { return sv_end_step(io); });
    if (good.out.rank == 0) NetcdfFile(good.path).check_all(good.specs, record + 1);
  }
  expect("sv_sync", failure, [&] { return sv_sync(bad.out.file); });
  expect("sv_close", failure, [&] { return sv_close(bad.out.file); });
  require(access("bad.nc", F_OK) != 0 && access("bad.nc.part", F_OK) != 0, "bad.nc is there");
  SV_MUST(sv_close(good.out.file));
  SV_MUST(sv_write_summary(io, "summary.json"));
  SV_MUST(sv_finalize(io));
  const std::vector<char> summary = bytes_of_file("summary.json");
  require(std::string(summary.begin(), summary.end()).find("\"error\": \"file 'bad.nc") != std::string::npos,
          "the summary does not tell the error");
  return MPI_Finalize();
}
