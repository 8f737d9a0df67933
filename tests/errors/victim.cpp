// A model in trouble: writes records until the end or the first error. Every rank leaves result.RANK ("STATUS SECONDS
// CALL MESSAGE" of its first error, "0" without one) and exits with that status; rank 0 prints COMMIT and the number of
// committed records.
//
//   victim write FILE RECORDS [silent=RANK:CALL] [option=value ...]
//   victim verify FILE RECORDS      without MPI: at least so many records, all values right
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <thread>

#include "support/files.hpp"

namespace {

using namespace svtest;

const Numbers shape{24, 40};

struct Trouble {
  int status = SV_OK;
  double seconds = 0;
  std::string call, message;
};

struct Model {
  std::string path;
  int64_t records = 0;
  int silent_rank = -1;
  std::string silent_call;
  std::vector<const char *> options;
  int rank = 0, ranks = 1;
  Trouble first;
};

std::vector<Spec> specs_of(const Grid &grid) {
  return {{"depth", SV_FLOAT, SV_DOUBLE, shape, {"y", "x"}, false, How::field, &grid},
          {"temperature", SV_DOUBLE, SV_DOUBLE, {3, shape[0], shape[1]}, {"z", "y", "x"}, true, How::field, &grid, 1},
          {"time", SV_DOUBLE, SV_DOUBLE, {}, {}, true, How::replicated}};
}

void tell(const Model &model) {
  const std::string name = "result." + std::to_string(model.rank);
  {
    std::ofstream out(name + ".new");
    out << model.first.status << ' ' << model.first.seconds << ' ' << model.first.call << ' ' << model.first.message
        << '\n';
    require(out.flush().good(), "cannot write " + name);
  }
  std::filesystem::rename(name + ".new", name);
}

/// Waits, without MPI, until all other ranks have printed their results.
void await_results(const Model &model) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  for (int rank = 0; rank < model.ranks; ++rank)
    while (rank != model.silent_rank && !std::filesystem::exists("result." + std::to_string(rank)) &&
           std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

/// Makes a call, unless this rank has gone silent. False after the first error.
bool call(Model &model, const std::string &name, const std::function<int()> &action) {
  if (model.rank == model.silent_rank && name == model.silent_call) {
    await_results(model);
    _exit(1);
  }
  const double begin = MPI_Wtime();
  const int status = action();
  if (status != SV_OK && model.first.status == SV_OK) model.first = {status, MPI_Wtime() - begin, name, sv_message()};
  return status == SV_OK;
}

bool write_records(Model &model, Output &out, const std::vector<Spec> &specs, sv_decomp *decomp) {
  const Array depth = block_array(specs[0], model.rank, -1);
  if (!call(model, "put",
            [&] { return sv_put(out.file, 0, decomp, SV_NO_RECORD, SV_DOUBLE, depth.bytes.data(), nullptr); }))
    return false;
  for (int64_t record = 0; record < model.records; ++record) {
    const Array block = block_array(specs[1], model.rank, record), time = whole_array(specs[2], record);
    const bool good =
        call(model, "put",
             [&] { return sv_put(out.file, 1, decomp, record, SV_DOUBLE, block.bytes.data(), nullptr); }) &&
        call(model, "put_var",
             [&] { return sv_put_var(out.file, 2, record, SV_DOUBLE, time.bytes.data(), nullptr); }) &&
        call(model, "end_step", [&] { return sv_end_step(out.io); });
    if (!good) return false;
    if (model.rank == 0) {
      std::printf("COMMIT %lld\n", static_cast<long long>(record + 1));
      std::fflush(stdout);
    }
  }
  return true;
}

/// Errors are sticky: nothing more can be put.
void check_stuck(Model &model, const Output &out, const std::vector<Spec> &specs) {
  const Array time = whole_array(specs[2], 0);
  if (sv_put_var(out.file, 2, 0, SV_DOUBLE, time.bytes.data(), nullptr) == SV_OK)
    model.first = {SV_EINTERNAL, 0, "put_var", "a put succeeded after an error"};
}

void run(Model &model) {
  Grid grid{shape, {}, {}, {1, 1, 1, 1}};
  const int px = model.ranks > 3 ? 2 : 1, py = model.ranks / px;
  grid.blocks = blocks_2d(shape, px, py, model.ranks, {});
  const std::vector<Spec> specs = specs_of(grid);
  Output out{nullptr, model.rank};
  if (!call(model, "init", [&] {
        return sv_init(MPI_COMM_WORLD, nullptr, static_cast<int>(model.options.size()), model.options.data(), &out.io);
      }))
    return;
  sv_decomp *decomp = nullptr;
  const Block &mine = grid.blocks[static_cast<size_t>(model.rank)];
  const bool created =
      call(model, "decomp",
           [&] {
             const sv_decomp_options framed{grid.halo.data(), nullptr, 0};
             return sv_def_decomp(out.io, 2, grid.shape.data(), mine.start.data(), mine.count.data(), &framed, &decomp);
           }) &&
      call(model, "create", [&] { return sv_create(out.io, model.path.c_str(), 0, &out.file); });
  if (created) {
    define(out, specs);
    const bool good =
        call(model, "enddef", [&] { return sv_enddef(out.file); }) && write_records(model, out, specs, decomp);
    if (!good && model.first.status != SV_ETIMEOUT) check_stuck(model, out, specs);
    call(model, "close", [&] { return sv_close(out.file); });
  }
  call(model, "finalize", [&] { return sv_finalize(out.io); });
}

int write(int argc, char **argv) {
  Model model;
  model.path = argv[2];
  model.records = std::atoll(argv[3]);
  for (int i = 4; i < argc; ++i) {
    const std::string text = argv[i];
    if (text.rfind("silent=", 0) == 0) {
      model.silent_rank = std::atoi(text.c_str() + 7);
      model.silent_call = text.substr(text.find(':') + 1);
    } else {
      model.options.push_back(argv[i]);
    }
  }
  MPI_Init(&argc, &argv);
  model.rank = rank_in(MPI_COMM_WORLD);
  model.ranks = size_of(MPI_COMM_WORLD);
  run(model);
  tell(model);
  if (model.rank == 0 && model.first.status != SV_OK) std::fprintf(stderr, "%s\n", model.first.message.c_str());
  if (model.silent_rank >= 0) {  // MPI_Finalize would wait for the silent rank
    await_results(model);
    _exit(model.first.status);
  }
  MPI_Finalize();
  return model.first.status;
}

int verify(const std::string &path, int64_t least) {
  const Grid grid{shape, {}, {}, {}};
  const NetcdfFile file(path);
  require(file.records() >= least, path + " has " + std::to_string(file.records()) + " records");
  file.check_all(specs_of(grid), file.records());
  return 0;
}

}  // namespace

int main(int argc, char **argv) {
  if (argc >= 4 && std::string(argv[1]) == "write") return write(argc, argv);
  if (argc == 4 && std::string(argv[1]) == "verify") return verify(argv[2], std::atoll(argv[3]));
  give_up("victim write|verify FILE RECORDS [...]");
}
