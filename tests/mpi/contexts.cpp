// Several contexts live in one process: two over all ranks with different settings, and one over each half of the
// ranks, each with a file in the making at the same time. Before that, each rank has many of its own.
// run: ranks=5 limit=60
// run: ranks=5 limit=60 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
// run: ranks=1 limit=60
#include "support/files.hpp"

namespace {

using namespace svtest;

constexpr int64_t records = 3;
const Numbers shape{30, 25};

/// A file under construction in a context of its own.
struct Job {
  std::string path;
  MPI_Comm comm;
  std::vector<std::string> options;
  Grid grid = {};
  std::vector<Spec> specs = {};
  Output out = {};
};

void begin(Job &job, uint64_t salt) {
  const int ranks = size_of(job.comm);
  job.grid = {shape, {}, blocks_2d(shape, 1, ranks, ranks, {}), {0, 1, 1, 0}};
  const std::string salted = "field" + std::to_string(salt);
  job.specs = {{salted, SV_FLOAT, SV_DOUBLE, shape, {"y", "x"}, true, How::field, &job.grid},
               {"fixed", SV_DOUBLE, SV_DOUBLE, shape, {"y", "x"}, false, How::field, &job.grid}};
  job.out.rank = rank_in(job.comm);
  job.out.io = start(job.comm, job.options);
  SV_MUST(sv_create(job.out.io, job.path.c_str(), 0, &job.out.file));
  define(job.out, job.specs);
  SV_MUST(sv_enddef(job.out.file));
  put(job.out, job.specs[1], SV_NO_RECORD);
}

void step(Job &job, int64_t record) {
  put(job.out, job.specs[0], record);
  SV_MUST(sv_end_step(job.out.io));
}

void end(Job &job) {
  SV_MUST(sv_close(job.out.file));
  SV_MUST(sv_finalize(job.out.io));
  if (job.out.rank == 0) NetcdfFile(job.path).check_all(job.specs, records);
}

bool maps_shared_window() {
  std::ifstream maps("/proc/self/maps");
  const std::string all{std::istreambuf_iterator<char>(maps), std::istreambuf_iterator<char>()};
  return all.find("memfd:sverdrup") != std::string::npos;
}

/// Contexts of one rank, which share no memory.
void of_one_rank(int rank) {
  std::vector<Job> jobs;
  for (int i = 0; i < 20; ++i)
    jobs.push_back(
        {"own" + std::to_string(rank) + "_" + std::to_string(i) + ".nc", MPI_COMM_SELF, {"transport.window=64MiB"}});
  for (size_t i = 0; i < jobs.size(); ++i) begin(jobs[i], i);
  for (int64_t record = 0; record < records; ++record)
    for (Job &job : jobs) step(job, record);
  require(!maps_shared_window(), "a context of one rank has a shared window");
  for (Job &job : jobs) end(job);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_in(MPI_COMM_WORLD);
  of_one_rank(rank);
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  std::vector<Job> jobs{
      {"first.nc", MPI_COMM_WORLD, {"transport.window=64KiB", "file_system.stripe=4096", "route=ranges"}},
      {"second.nc", MPI_COMM_WORLD, {"transport.window=8MiB", "route=shared", "kind=growing"}},
      {"half" + std::to_string(rank % 2) + ".nc", half, {"transport=send", "testing.ranks_per_node=0"}}};
  for (size_t i = 0; i < jobs.size(); ++i) begin(jobs[i], i);
  for (int64_t record = 0; record < records; ++record) {
    for (Job &job : jobs) step(job, record);
  }
  // Not in the order in which they began.
  end(jobs[1]);
  end(jobs[0]);
  end(jobs[2]);
  MPI_Comm_free(&half);
  return MPI_Finalize();
}
