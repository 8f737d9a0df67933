// Writes files whose write calls are counted: one for each argument NAME;WHAT;HOW;OPTION,OPTION..., into NAME.nc.
// WHAT: records (of variables (time, y, x)) or fixed (variables (levels, y, x), as large). HOW: put (a call for each
// variable and step), wait (one wait for all requests) or step (the same puts as `put`: options decide the rest).
#include <mpi.h>

#include <string>
#include <vector>

#include "support/check.hpp"

namespace {

using svtest::require;

constexpr int64_t ny = 32, nx = 32, steps = 20;
constexpr int variables = 24;

std::vector<std::string> split(const std::string &text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

class Model {
 public:
  explicit Model(const std::vector<std::string> &words);
  void run();

 private:
  void define();
  void record();

  const std::string path_;
  const bool records_, waits_;
  std::vector<float> values_;
  sv_context *io_;
  sv_decomp *decomp_ = nullptr;
  sv_file *file_ = nullptr;
  std::vector<int> ids_;
};

Model::Model(const std::vector<std::string> &words)
    : path_(words[0] + ".nc"),
      records_(words[1] == "records"),
      waits_(words[2] == "wait"),
      values_(static_cast<size_t>(steps * ny * nx), static_cast<float>(svtest::rank_in(MPI_COMM_WORLD))),
      io_(svtest::start(MPI_COMM_WORLD, split(words[3], ','))) {}

void Model::define() {
  int64_t start[2] = {0, 0}, count[2] = {0, nx};
  const int64_t shape[2] = {ny, nx};
  SV_MUST(sv_block(ny, svtest::size_of(MPI_COMM_WORLD), svtest::rank_in(MPI_COMM_WORLD), &start[0], &count[0]));
  SV_MUST(sv_def_decomp(io_, 2, shape, start, count, nullptr, &decomp_));
  SV_MUST(sv_create(io_, path_.c_str(), 0, &file_));
  int dims[3] = {-1, -1, -1};
  SV_MUST(sv_def_dim(file_, records_ ? "time" : "level", records_ ? SV_UNLIMITED : steps, &dims[0]));
  SV_MUST(sv_def_dim(file_, "y", ny, &dims[1]));
  SV_MUST(sv_def_dim(file_, "x", nx, &dims[2]));
  for (int v = 0; v < variables; ++v) {
    ids_.push_back(-1);
    SV_MUST(sv_def_var(file_, ("v" + std::to_string(v)).c_str(), SV_FLOAT, 3, dims, &ids_.back()));
  }
  SV_MUST(sv_enddef(file_));
}

/// As a model does: step by step, variable by variable.
void Model::record() {
  const float *const data = values_.data();
  for (int64_t step = 0; step < (records_ ? steps : 1); ++step) {
    const int64_t record = records_ ? step : SV_NO_RECORD;
    for (const int id : ids_)
      if (waits_)
        SV_MUST(sv_iput(file_, id, decomp_, record, {SV_FLOAT, data, nullptr}, nullptr));
      else
        SV_MUST(sv_put(file_, id, decomp_, record, SV_FLOAT, data, nullptr));
    if (!waits_) SV_MUST(sv_end_step(io_));
  }
  if (waits_) SV_MUST(sv_wait(file_, SV_ALL, nullptr, nullptr));
}

void Model::run() {
  define();
  record();
  SV_MUST(sv_close(file_));
  SV_MUST(sv_free_decomp(decomp_));
  SV_MUST(sv_finalize(io_));
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int i = 1; i < argc; ++i) {
    const std::vector<std::string> words = split(argv[i], ';');
    require(words.size() == 4, "NAME;WHAT;HOW;OPTIONS");
    Model(words).run();
  }
  MPI_Finalize();
  return 0;
}
