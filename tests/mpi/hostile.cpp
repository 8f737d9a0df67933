// run: ranks=2 limit=60
// The whole reader on malformed files: COUNT (3000) mutations of run SEED (1) on the disk, from number FIRST (0) on.
// Each is refused with the same error on every rank, or its values are, or are read; and then it is copied, or nothing
// is left of the copy. If a signal or the watchdog ends this, the file at fault is hostile.nc.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "fuzz/hostile.hpp"
#include "support/copying.hpp"
#include "support/sanitized.hpp"

using namespace svtest;

namespace {

constexpr unsigned most_seconds = 30;
const std::string path = "hostile.nc", copy_path = "copy.nc";

struct Counts {
  int refused = 0, read = 0, copied = 0;
};

/// Two slabs of a variable: whole ones if they are small, otherwise the first and the last element.
void read_variable(sv_file *file, int variable, int record_dim) {
  int type = 0, n = 0;
  std::array<int, SV_MAX_DIMS> dims{};
  SV_MUST(sv_inq_var(file, variable, nullptr, &type, &n, dims.data(), nullptr));
  std::array<int64_t, SV_MAX_DIMS> shape{}, start{}, one{};
  int64_t elements = 1;
  for (int d = 0; d < n; ++d) {
    const auto at = static_cast<size_t>(d);
    SV_MUST(sv_inq_dim(file, dims[at], nullptr, &shape[at]));
    if (shape[at] == 0) return;
    one[at] = 1;
    if (dims[at] != record_dim && elements <= most_elements) elements *= std::min(shape[at], most_elements + 1);
  }
  const bool has_records = n > 0 && dims[0] == record_dim;
  std::vector<double> values(static_cast<size_t>(std::min(elements, most_elements)));
  for (const bool last : {false, true}) {
    for (size_t d = 0; d < static_cast<size_t>(n); ++d) start[d] = last ? shape[d] - 1 : 0;
    const int64_t record = has_records ? start[0] : SV_NO_RECORD;
    const int status = elements <= most_elements
                           ? sv_get_var(file, variable, record, type, values.data(), nullptr)
                           : sv_get_vara(file, variable, start.data(), one.data(), type, values.data(), nullptr);
    read_alike(status, "values");
  }
}

bool is_there(const std::string &name) {
  struct stat found {};
  return stat(name.c_str(), &found) == 0;
}

/// Whether the file could be copied.
bool copies(sv_context *io, sv_file *in) {
  sv_file *out = nullptr;
  SV_MUST(sv_create(io, copy_path.c_str(), SV_CLOBBER, &out));
  bool whole = true;
  try {
    sv_tools::Copying copying(in, out, MPI_COMM_WORLD);
    copying.define();
    copying.copy([](double) {});
  } catch (const std::runtime_error &) {
    whole = false;
  }
  const int closed = agreed(sv_close(out), "sv_close of the copy");
  require((closed == SV_OK) == whole, "a copy that failed was closed as if it had not");
  if (rank_in(MPI_COMM_WORLD) != 0) return whole;
  require(is_there(copy_path) == whole && !is_there(copy_path + ".part"), "something is left of a copy, or nothing");
  if (whole) require(std::remove(copy_path.c_str()) == 0, "the copy cannot be removed");
  return whole;
}

void run(sv_context *io, const svfuzz::Bytes &bytes, Counts &counts) {
  sv_file *const file = opened(io, path, bytes);
  if (file == nullptr) {
    ++counts.refused;
    return;
  }
  int variables = 0, record_dim = -1;
  SV_MUST(sv_inq(file, nullptr, &variables, nullptr, &record_dim));
  for (int v = 0; v < std::min(variables, most_variables); ++v) read_variable(file, v, record_dim);
  counts.copied += copies(io, file) ? 1 : 0;
  SV_MUST(sv_close(file));
  ++counts.read;
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const std::vector<svfuzz::Seed> seeds = svfuzz::read_corpus(SV_CORPUS);
  const uint64_t seed = svfuzz::from_environment("SEED", 1), first = svfuzz::from_environment("FIRST", 0),
                 count = svfuzz::from_environment("COUNT", 3000);
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB", "watchdog=20"});
  Counts counts;
  for (const svfuzz::Seed &whole : seeds) run(io, whole.bytes, counts);
  require(counts.copied == static_cast<int>(seeds.size()), "a seed is not read");
  for (uint64_t n = first; n < first + count; ++n) {
    alarm(most_seconds);
    run(io, svfuzz::Mutation(seeds, seed, n).bytes(), counts);
  }
  alarm(0);
  SV_MUST(sv_finalize(io));
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  require(sv::test::is_sanitized() || usage.ru_maxrss < most_resident_kb,
          "it took " + std::to_string(usage.ru_maxrss) + " kB of memory");
  if (rank_in(MPI_COMM_WORLD) == 0)
    std::printf("SEED=%llu: %d refused, %d read, of which %d copied; %ld MB of memory\n",
                static_cast<unsigned long long>(seed), counts.refused, counts.read, counts.copied,
                usage.ru_maxrss >> 10);
  return MPI_Finalize();
}
