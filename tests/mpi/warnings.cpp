// Warnings: clamped values, and variables of the environment that begin with SV_ but are unknown. Each is printed
// once, on one rank. Rank 1 of three owns nothing.
// run: ranks=3 limit=60 env=SV_HOME=/x;SV_ROUT=serial;SV_TEST_MORE=1;SV_DEVICE_DIR=/x
// run: ranks=3 limit=60 name=served env=SV_HOME=/x;SV_ROUT=serial;SV_ASYNC=servers:1
// run: ranks=1 limit=60 env=SV_HOME=/x;SV_ROUT=serial
#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "support/files.hpp"
#include "support/model_ranks.hpp"

namespace {

using namespace svtest;

constexpr int64_t cells = 12;

/// The output of this rank while this object lives.
class Said {
 public:
  explicit Said(const std::string &what)
      : path_("said." + what + "." + std::to_string(rank_in(MPI_COMM_WORLD))), before_(dup(STDERR_FILENO)) {
    const int file = open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    require(file >= 0 && dup2(file, STDERR_FILENO) >= 0, "cannot write " + path_);
    close(file);
  }
  Said(const Said &) = delete;
  ~Said() { end(); }
  std::vector<std::string> lines() {
    end();
    std::ifstream in(path_);
    std::vector<std::string> all;
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
  }

 private:
  void end() {
    if (before_ < 0) return;
    dup2(before_, STDERR_FILENO);
    close(before_);
    before_ = -1;
  }
  std::string path_;
  int before_;
};

/// Every one of `expected` is all that stands in one line of rank 0; nothing else is said anywhere.
void check(const std::vector<std::string> &lines, std::vector<std::vector<std::string>> expected, int rank) {
  std::string description = "rank " + std::to_string(rank) + " said:";
  for (const std::string &line : lines) description += "\n" + line;
  if (rank != 0) expected.clear();
  require(lines.size() == expected.size(),
          description + "\nwhere " + std::to_string(expected.size()) + " lines are right");
  for (size_t i = 0; i < expected.size(); ++i)
    for (const std::string &part : expected[i])
      require(lines[i].find(part) != std::string::npos,
              description + "\nlacks in line " + std::to_string(i) + ": " + part);
}

struct Scene {
  sv_context *io = nullptr;
  sv_decomp *decomp = nullptr;
  sv_file *file = nullptr;
  int a = -1, b = -1;
  int64_t first = 0, count = 0;

  void begin(MPI_Comm models) {
    const int rank = rank_in(models), parts = std::max(1, size_of(models) - 1);
    first = rank == 1 ? 0 : cut(cells, parts, rank == 0 ? 0 : rank - 1);
    count = rank == 1 ? 0 : cut(cells, parts, rank == 0 ? 1 : rank) - first;
    SV_MUST(sv_def_decomp(io, 1, &cells, &first, &count, nullptr, &decomp));
  }
  void create(const char *path) {
    file = make_file(io, path, 0, {{"time", SV_UNLIMITED}, {"x", cells}},
                     {{"a", SV_SHORT, {"time", "x"}, &a}, {"b", SV_BYTE, {"x"}, &b}});
  }
  void put(double odd, double last) {
    std::vector<double> values(cells, 1);
    values[2] = odd;
    values[11] = last;
    for (int64_t record = 0; record < 3; ++record) {
      SV_MUST(sv_put(file, a, decomp, record, SV_DOUBLE, values.data() + first, nullptr));
      SV_MUST(sv_end_step(io));
    }
    values[11] = 1;
    SV_MUST(sv_put_var(file, b, SV_NO_RECORD, SV_DOUBLE, values.data(), nullptr));
  }
};

/// A file that is written, and read into a narrow type: a line for each variable of which values were clamped.
void clamped(Scene &s, int rank, const std::vector<std::string> &description) {
  Said written("written");
  s.create("clamped.nc");
  s.put(1e6, -40000);
  SV_MUST(sv_close(s.file));
  auto lines = written.lines();
  check(lines,
        {{"sverdrup: warning: file 'clamped.nc', variable 'a': 6 values ", description[0], "'out_of_range'"},
         {"variable 'b': 1 value ", "1e+06"}},
        rank);

  Said read("read");
  s.file = open_file(s.io, "clamped.nc");
  std::vector<signed char> bytes(cells);
  SV_MUST(sv_get(s.file, s.a, s.decomp, 0, SV_BYTE, bytes.data(), nullptr));
  SV_MUST(sv_get(s.file, s.a, s.decomp, 1, SV_BYTE, bytes.data(), nullptr));
  SV_MUST(sv_close(s.file));
  lines = read.lines();
  check(lines, {{"file 'clamped.nc', variable 'a': 4 values ", "32767"}}, rank);

  Said nothing("nothing");
  s.create("whole.nc");
  s.put(3, 4);
  SV_MUST(sv_close(s.file));
  check(nothing.lines(), {}, rank);
}

void combined(Scene &s, int rank) {
  Said said("combined");
  s.create("combined.nc");
  std::vector<double> values(cells, 300);
  const int64_t start = 0, count = rank == 0 ? cells : 0;
  SV_MUST(sv_iput_vara(s.file, s.b, &start, &count, {SV_DOUBLE, values.data(), nullptr}, nullptr));
  SV_MUST(sv_wait(s.file, SV_ALL, nullptr, nullptr));
  SV_MUST(sv_close(s.file));
  check(said.lines(), {{"file 'combined.nc', variable 'b': 12 values ", "300"}}, rank);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int world_rank = rank_in(MPI_COMM_WORLD);
  Scene s;
  Said beginning("beginning");
  s.io = start(MPI_COMM_WORLD, {"transport.window=1MiB", "summary=summary.json"});
  const MPI_Comm models = model_ranks(s.io);
  check(beginning.lines(), {{"sverdrup: warning: ", "'SV_HOME'"}, {"'SV_ROUT'", "'SV_ROUTE'"}}, world_rank);
  if (models != MPI_COMM_NULL) {
    s.begin(models);
    const bool parted = size_of(models) > 2;
    clamped(s, rank_in(models), {parted ? "1e+06, on rank 0, is the first" : "1e+06"});
    combined(s, rank_in(models));
    SV_MUST(sv_free_decomp(s.decomp));
  }
  SV_MUST(sv_finalize(s.io));
  if (world_rank == 0) {
    const std::vector<char> text = bytes_of_file("summary.json");
    const std::string all(text.begin(), text.end());
    for (const char *part : {"\"variable\": \"a\"", "\"values\": 6", "SV_HOME"})
      require(all.find(part) != std::string::npos, std::string("the summary lacks ") + part + ": " + all);
  }
  return MPI_Finalize();
}
