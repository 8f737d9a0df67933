// Writes files and asks for receipts: one scene for each argument NAME;KIND;OPTION,OPTION..., in the folder NAME. KIND:
// published, growing, series, appended, redefined (in place) or moved. A file of that kind is written and closed;
// another one is left open; sv_flush(SV_ON_DISK) then promises both. Rank 0 asks the system for NAME/FLUSHED after each
// such promise, and for NAME/DURABLE when sv_durable_step returns all steps: a tracer of its calls sees the promises
// there.
// unsyncable: a published file whose synchronisation the system refuses, once; no receipt is given for it.
#include <mpi.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sstream>
#include <string>
#include <vector>

#include "support/check.hpp"
#include "support/model_ranks.hpp"

namespace {

using svtest::require;

constexpr int64_t ny = 48, nx = 32;

std::vector<std::string> split(const std::string &text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

struct Output {
  sv_file *file = nullptr;
  int field = -1;
  bool series = false;
  int64_t records = 0;
};

class Scene {
 public:
  explicit Scene(const std::vector<std::string> &words);
  void run();

 private:
  void write_all();
  void write_unsyncable();
  Output create(const std::string &name, const std::string &kind);
  void append(Output &out);
  void step(Output &out);
  void change(Output &out, bool moves);
  void receive(const std::string &mark);
  void look();
  int64_t durable() const;

  const std::string folder_, kind_;
  sv_context *io_;
  bool on_disk_ = false;
  sv_decomp *decomp_ = nullptr;
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::vector<float> values_;
  int64_t steps_ = 0;
};

Scene::Scene(const std::vector<std::string> &words)
    : folder_(words[0]), kind_(words[1]), io_(svtest::start(MPI_COMM_WORLD, split(words[2], ','))) {
  on_disk_ = words[2].find("durability=written") == std::string::npos && kind_ != "unsyncable";
}

Output Scene::create(const std::string &name, const std::string &kind) {
  Output out;
  out.series = kind == "series";
  const std::string path = folder_ + "/" + name + (out.series ? ".%m.nc" : ".nc");
  SV_MUST(sv_create(io_, path.c_str(),
                    kind == "published" || kind == "unsyncable" ? 0
                    : out.series                                ? SV_SERIES
                                                                : SV_GROWING,
                    &out.file));
  int dims[3] = {-1, -1, -1}, time = -1;
  SV_MUST(sv_def_dim(out.file, "time", SV_UNLIMITED, &dims[0]));
  SV_MUST(sv_def_dim(out.file, "y", ny, &dims[1]));
  SV_MUST(sv_def_dim(out.file, "x", nx, &dims[2]));
  if (out.series) SV_MUST(sv_def_var(out.file, "time", SV_DOUBLE, 1, dims, &time));
  SV_MUST(sv_def_var(out.file, "field", SV_FLOAT, 3, dims, &out.field));
  SV_MUST(sv_enddef(out.file));
  return out;
}

void Scene::step(Output &out) {
  int64_t record = out.records++;
  const int date[6] = {2001, static_cast<int>(record / 2 + 1), static_cast<int>(record % 2 + 1), 12, 0, 0};
  if (out.series) SV_MUST(sv_select_record(out.file, date, static_cast<double>(out.records), &record, nullptr));
  SV_MUST(sv_put(out.file, out.field, decomp_, record, SV_FLOAT, values_.data(), nullptr));
  SV_MUST(sv_end_step(io_));
  ++steps_;
  look();
}

void Scene::append(Output &out) {
  SV_MUST(sv_close(out.file));
  SV_MUST(sv_open(io_, (folder_ + "/closed.nc").c_str(), SV_WRITE, &out.file));
  SV_MUST(sv_inq_varid(out.file, "field", &out.field));
  step(out);
}

void Scene::change(Output &out, bool moves) {
  SV_MUST(sv_redef(out.file));
  int time = -1, more = -1;
  SV_MUST(sv_inq_dimid(out.file, "time", &time));
  SV_MUST(sv_put_att_text(out.file, out.field, "units", "K"));
  if (moves) SV_MUST(sv_def_var(out.file, "more", SV_INT, 1, &time, &more));
  SV_MUST(sv_enddef(out.file));
}

int64_t Scene::durable() const {
  int64_t steps = -1;
  SV_MUST(sv_durable_step(io_, &steps));
  return steps;
}

void Scene::receive(const std::string &mark) {
  MPI_Barrier(comm_);
  if (svtest::rank_in(comm_) == 0) access((folder_ + "/" + mark).c_str(), F_OK);
}

void Scene::look() {
  if (durable() == steps_) receive("DURABLE");
}

void Scene::run() {
  if (svtest::rank_in(MPI_COMM_WORLD) == 0) mkdir(folder_.c_str(), 0777);
  comm_ = svtest::model_ranks(io_);
  if (comm_ == MPI_COMM_NULL) {
    const bool fails = sv_finalize(io_) != SV_OK;  // a server reports lost data, too
    return require(!fails || kind_ == "unsyncable", sv_message());
  }
  const int64_t shape[2] = {ny, nx};
  int64_t start[2] = {0, 0}, count[2] = {0, nx};
  SV_MUST(sv_block(ny, svtest::size_of(comm_), svtest::rank_in(comm_), &start[0], &count[0]));
  values_.assign(static_cast<size_t>(count[0] * count[1]), static_cast<float>(start[0]));
  SV_MUST(sv_def_decomp(io_, 2, shape, start, count, nullptr, &decomp_));
  MPI_Barrier(comm_);
  kind_ == "unsyncable" ? write_unsyncable() : write_all();
  SV_MUST(sv_free_decomp(decomp_));
  SV_MUST(sv_finalize(io_));
}

/// The system takes for written what it has failed to write: asked again it succeeds, and nothing is on the disk.
void Scene::write_unsyncable() {
  Output closed = create("closed", kind_);
  step(closed);
  SV_MUST(sv_close(closed.file));
  for (int i = 0; i < 2; ++i) {
    require(sv_flush(io_, SV_ON_DISK) == SV_EIO, "a receipt for a file that is not on the disk");
    require(durable() == 0, "a step is durable that is not on the disk");
  }
  Output again = create("closed", kind_);
  step(again);
  SV_MUST(sv_close(again.file));
  SV_MUST(sv_flush(io_, SV_ON_DISK));
  require(durable() == steps_, "written again, it is not durable");
}

void Scene::write_all() {
  Output closed = create("closed", kind_);
  for (int i = 0; i < 3; ++i) step(closed);
  if (kind_ == "appended") append(closed);
  if (kind_ == "redefined" || kind_ == "moved") change(closed, kind_ == "moved");
  SV_MUST(sv_close(closed.file));
  Output open = create("open", kind_);
  for (int i = 0; i < 3; ++i) step(open);
  require(on_disk_ || durable() < steps_, "steps are durable before they were synchronised");
  SV_MUST(sv_flush(io_, SV_ON_DISK));
  require(durable() == steps_, "sv_flush(SV_ON_DISK) has made " + std::to_string(durable()) + " steps durable");
  receive("FLUSHED");
  step(open);
  require(on_disk_ || durable() == steps_ - 1, "a step after the flush changed what is durable");
  SV_MUST(sv_close(open.file));
  SV_MUST(sv_end_step(io_));
  ++steps_;
  require(on_disk_ || durable() == steps_ - 2, "closing makes a file durable that was not synchronised");
  SV_MUST(sv_flush(io_, SV_ON_DISK));
  require(durable() == steps_, "the second flush has made " + std::to_string(durable()) + " steps durable");
  receive("FLUSHED");
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int i = 1; i < argc; ++i) {
    const std::vector<std::string> words = split(argv[i], ';');
    require(words.size() == 3, "NAME;KIND;OPTIONS");
    Scene(words).run();
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
