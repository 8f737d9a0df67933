// A model with servers, in trouble: writes records into its files until the end; an error of one file is no reason to
// stop, a lost server is. Every rank of the job that gets so far leaves result.RANK ("STATUS SECONDS MESSAGE" of its
// first error, "0" without one) and exits with that status. The model's rank 0 prints COMMIT and the number of records
// that are known to be committed.
//
//   model write FILE[,FILE] RECORDS [do=RANK:STEP:ACTION] [is=forgetful|hasty|sure|polite|patient|points|waiting,...]
//   [gone=RANK,...]
//         [pause=MILLISECONDS] [option=value ...]
//   model verify FILE RECORDS [+]     without MPI: so many records (+: or more), all values right
//
// ACTION of a rank of the model, at a step (-1: before the first file): exit, stop (sv_request_stop), odd (another call
// than the others make), or a command for the shell; file pid.RANK holds the process of a rank of the job. forgetful:
// does not ask sv_is_model; hasty: does not close its files; sure: waits for every record to be written; polite: stops
// on SIGUSR1; patient: on SIGTERM; points: ranks own every so manieth cell; waiting: puts are requests, which wait for
// the end of the step, or, the last ones, for the file's. gone: these ranks leave no result.
#include <unistd.h>
#include <csignal>

#include <chrono>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <functional>
#include <set>
#include <sstream>
#include <thread>

#include "support/files.hpp"
#include "support/model_ranks.hpp"

namespace {

using namespace svtest;

const Numbers shape{48, 40};

struct Deed {
  int rank = -1;
  int64_t step = 0;
  std::string action;
};

struct Model {
  std::vector<std::string> paths;
  int64_t records = 0;
  std::vector<Deed> deeds;
  std::set<std::string> is, gone;
  int pause_milliseconds = 0;
  std::vector<std::string> options;

  int job_rank = 0, job_ranks = 1;
  int status = SV_OK;
  double seconds = 0;
  std::string message;
};

struct OpenFile {
  std::string path;
  sv_file *handle = nullptr;
  bool failed = false;
};

std::vector<std::string> parts_of(const std::string &text, char between) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, between);) parts.push_back(part);
  return parts;
}

std::vector<Spec> specs_of(const Grid &grid) {
  return {{"depth", SV_FLOAT, SV_DOUBLE, shape, {"y", "x"}, false, How::field, &grid},
          {"temperature", SV_DOUBLE, SV_DOUBLE, {3, shape[0], shape[1]}, {"z", "y", "x"}, true, How::field, &grid, 1},
          {"time", SV_DOUBLE, SV_DOUBLE, {}, {}, true, How::replicated}};
}

void leave(const std::string &name, const std::string &text) {
  {
    std::ofstream out(name + ".new");
    out << text << '\n';
    require(out.flush().good(), "cannot write " + name);
  }
  std::filesystem::rename(name + ".new", name);
}

/// Without MPI. The launcher ends all ranks when one has ended badly.
void await_results(const Model &model) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  for (int rank = 0; rank < model.job_ranks; ++rank)
    while (model.gone.count(std::to_string(rank)) == 0 && !std::filesystem::exists("result." + std::to_string(rank)) &&
           std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

/// Whether nothing is lost but a file.
bool call(Model &model, const std::function<int()> &action) {
  const double begin = MPI_Wtime();
  const int status = action();
  if (status == SV_OK) return true;
  if (model.status == SV_OK) {
    model.status = status;
    model.seconds = MPI_Wtime() - begin;
    model.message = sv_message();
  }
  return false;
}

class Run {
 public:
  Run(Model &model, sv_context *io) : model_(model), io_(io) {
    SV_MUST(sv_model_comm(io, &comm_));
    grid_.shape = shape;
    grid_.halo = {1, 1, 1, 1};
    const int ranks = size_of(comm_), px = ranks > 3 ? 2 : 1;
    grid_.blocks = blocks_2d(shape, px, ranks / px, ranks, {});
    specs_ = specs_of(grid_);
  }

  void run() {
    if (!call(model_, [&] { return declare(); })) return;
    act_at(-1);
    for (const std::string &path : model_.paths) create(path);
    for (int64_t record = 0; record < model_.records && !is_over(); ++record) step(record);
    if (model_.is.count("hasty") > 0) return;
    for (OpenFile &file : files_)
      if (file.handle != nullptr && !is_lost()) call(model_, [&] { return sv_close(file.handle); });
    if (!is_lost()) call(model_, [&] { return sv_flush(io_, SV_WRITTEN); });
  }

 private:
  int declare() {
    const Block &mine = grid_.blocks[static_cast<size_t>(rank_in(comm_))];
    const sv_decomp_options framed{grid_.halo.data(), nullptr, 0};
    if (model_.is.count("points") == 0)
      return sv_def_decomp(io_, 2, grid_.shape.data(), mine.start.data(), mine.count.data(), &framed, &decomp_);
    for (int64_t cell = rank_in(comm_); cell < product(shape); cell += size_of(comm_)) cells_.push_back(cell);
    return sv_def_points(io_, 2, grid_.shape.data(), std::ssize(cells_), cells_.data(), 0, &decomp_);
  }

  /// This rank's part: its block, or its points.
  std::vector<char> values_of(const Spec &spec, int64_t record) const {
    if (cells_.empty()) return block_array(spec, rank_in(comm_), record).bytes;
    std::vector<double> values;
    for (int64_t outer = 0; outer < product(spec.shape); outer += product(shape))
      for (const int64_t cell : cells_) values.push_back(truth(spec, record, outer + cell));
    const auto *const bytes = reinterpret_cast<const char *>(values.data());
    return {bytes, bytes + values.size() * sizeof(double)};
  }

  bool is_lost() const { return model_.status == SV_ETIMEOUT || model_.status == SV_ERANKS; }
  bool is_over() const {
    int stopping = 0;
    SV_MUST(sv_stopping(io_, &stopping));
    return stopping != 0 || is_lost();
  }

  /// The error may be another file's: then the call has not been made.
  bool once_more(OpenFile &file, const std::function<int()> &action) {
    for (int tried = 0; tried < 3 && !file.failed; ++tried) {
      if (call(model_, action)) return true;
      if (is_lost()) return false;
      for (OpenFile &each : files_)
        if (std::string(sv_message()).find("'" + each.path + "'") != std::string::npos) each.failed = true;
    }
    return false;
  }

  void create(const std::string &path) {
    files_.push_back({path});
    OpenFile &file = files_.back();
    if (!once_more(file, [&] { return sv_create(io_, path.c_str(), 0, &file.handle); })) return;
    Output out{io_, rank_in(comm_), file.handle};
    define(out, specs_);
    const std::vector<char> depth = values_of(specs_[0], -1);
    if (once_more(file, [&] { return sv_enddef(file.handle); }))
      once_more(file, [&] { return sv_put(file.handle, 0, decomp_, SV_NO_RECORD, SV_DOUBLE, depth.data(), nullptr); });
  }

  void act_at(int64_t step) {
    for (const Deed &action : model_.deeds)
      if (action.rank == rank_in(comm_) && action.step == step) act(action.action);
  }

  void step(int64_t record) {
    act_at(record);
    std::this_thread::sleep_for(std::chrono::milliseconds(model_.pause_milliseconds));
    const std::vector<char> mine = values_of(specs_[1], record);
    const Array time = whole_array(specs_[2], record);
    for (OpenFile &file : files_) {
      if (model_.is.count("waiting") > 0) {
        call(model_, [&] { return put_waiting(file, record, {mine, time.bytes}); });
        if (is_lost()) return;
        continue;
      }
      once_more(file, [&] { return sv_put(file.handle, 1, decomp_, record, SV_DOUBLE, mine.data(), nullptr); });
      once_more(file, [&] { return sv_put_var(file.handle, 2, record, SV_DOUBLE, time.bytes.data(), nullptr); });
      if (is_lost()) return;
    }
    call(model_, [&] { return sv_end_step(io_); });
    if (is_lost() || model_.is.count("sure") == 0 || !call(model_, [&] { return sv_flush(io_, SV_WRITTEN); })) return;
    if (rank_in(comm_) != 0) return;
    std::printf("COMMIT %lld\n", static_cast<long long>(record + 1));
    std::fflush(stdout);
  }

  /// The wait has done its work, even if it returns another file's error.
  int put_waiting(const OpenFile &file, int64_t record, std::vector<std::vector<char>> values) {
    waiting_.push_back(std::move(values));
    const std::vector<std::vector<char>> &kept = waiting_.back();
    sv_request request = SV_NO_REQUEST;
    if (const int status = sv_iput(file.handle, 1, decomp_, record, {SV_DOUBLE, kept[0].data(), nullptr}, &request))
      return status;
    if (const int status = sv_iput_var(file.handle, 2, record, {SV_DOUBLE, kept[1].data(), nullptr}, &request))
      return status;
    return record + 1 == model_.records ? SV_OK : sv_wait(file.handle, SV_ALL, nullptr, nullptr);
  }

  void act(const std::string &action) {
    if (action == "exit") exit(3);
    if (action == "stop")
      SV_MUST(sv_request_stop(io_));
    else if (action == "odd")
      call(model_, [&] { return sv_flush(io_, SV_ON_DISK); });
    else
      require(std::system(action.c_str()) == 0, action + " does not work");
  }

  Model &model_;
  sv_context *io_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  Grid grid_;
  std::vector<Spec> specs_;
  Numbers cells_;  // of points
  sv_decomp *decomp_ = nullptr;
  std::vector<OpenFile> files_;
  std::deque<std::vector<std::vector<char>>> waiting_;  // values of requests
};

void run(Model &model) {
  sv_context *io = nullptr;
  std::vector<const char *> options;
  for (const std::string &option : model.options) options.push_back(option.c_str());
  if (!call(model,
            [&] { return sv_init(MPI_COMM_WORLD, nullptr, static_cast<int>(options.size()), options.data(), &io); }))
    return;
  const bool computes = model_ranks(io) != MPI_COMM_NULL;
  if (model.is.count("polite") > 0) SV_MUST(sv_stop_on_signal(io, SIGUSR1));
  if (model.is.count("patient") > 0) SV_MUST(sv_stop_on_signal(io, SIGTERM));
  sv_decomp *none = nullptr;
  sv_file *file = nullptr;
  if (computes)
    Run(model, io).run();
  else if (model.is.count("forgetful") > 0)
    call(model, [&] {
      const int status = sv_create(io, model.paths[0].c_str(), 0, &file);
      const int64_t one = 1, zero = 0;
      const int same = sv_def_decomp(io, 1, &one, &zero, &one, nullptr, &none);
      return sv_end_step(io) == status && same == status ? status : SV_EINTERNAL;
    });
  call(model, [&] { return sv_finalize(io); });
}

Model model_of(int argc, char **argv) {
  Model model;
  model.paths = parts_of(argv[2], ',');
  model.records = std::atoll(argv[3]);
  for (int i = 4; i < argc; ++i) {
    const std::string text = argv[i], key = text.substr(0, text.find('=')), value = text.substr(text.find('=') + 1);
    const std::vector<std::string> words = parts_of(value, ',');
    if (key == "do") {
      const size_t first = value.find(':'), second = value.find(':', first + 1);
      model.deeds.push_back({std::stoi(value), std::stoll(value.substr(first + 1)), value.substr(second + 1)});
    } else if (key == "is") {
      model.is = {words.begin(), words.end()};
    } else if (key == "gone") {
      model.gone = {words.begin(), words.end()};
    } else if (key == "pause") {
      model.pause_milliseconds = std::stoi(value);
    } else {
      model.options.push_back(text);
    }
  }
  return model;
}

int write(int argc, char **argv) {
  Model model = model_of(argc, argv);
  MPI_Init(&argc, &argv);
  model.job_rank = rank_in(MPI_COMM_WORLD);
  model.job_ranks = size_of(MPI_COMM_WORLD);
  const std::string rank = std::to_string(model.job_rank);
  leave("pid." + rank, std::to_string(getpid()));
  run(model);
  leave("result." + rank, std::to_string(model.status) + " " + std::to_string(model.seconds) + " " + model.message);
  if (model.status == SV_ETIMEOUT || !model.gone.empty()) {  // MPI_Finalize would wait for those who are gone
    await_results(model);
    _exit(model.status);
  }
  MPI_Finalize();
  return model.status;
}

int verify(const std::string &path, int64_t records, bool or_more) {
  const Grid grid{shape, {}, {}, {}};
  const NetcdfFile file(path);
  require(file.records() == records || (or_more && file.records() > records),
          path + " has " + std::to_string(file.records()) + " records");
  file.check_all(specs_of(grid), file.records());
  return 0;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc >= 4 && std::string(argv[1]) == "write") return write(argc, argv);
  if (argc >= 4 && std::string(argv[1]) == "verify") return verify(argv[2], std::atoll(argv[3]), argc > 4);
  give_up("model write|verify FILE RECORDS [...]");
}
