// Puts and gets of memory on a device, against the same ones of memory on the host: blocks with a halo, with strides,
// masked and converted; points; sub-arrays, strided ones and regions; requests that wait, lists, whole variables. The
// stand-in runtime ends the test at a touch by the processor. And errors of the runtime.
// run: ranks=3 limit=60
// run: ranks=1 limit=60 name=step env=SV_COMBINE=step
// run: ranks=3 limit=60 name=threads behind
// run: ranks=4 limit=60 name=servers env=SV_ASYNC=servers:1
// run: ranks=3 limit=60 name=netcdf4 env=SV_FORMAT=netcdf4
#include <cstring>
#include <functional>

#include "stand_in.h"
#include "support/test_file.hpp"
#include "support/verdict.hpp"

namespace {

using namespace svtest;
using Numbers = std::vector<int64_t>;

constexpr int64_t depth = 8, rows = 150, width = 300;  // rows: of each rank
constexpr int64_t halo[] = {1, 2, 2, 1};
constexpr int64_t array_rows = 1 + rows + 2, array_width = 2 + width + 1;

class OnDevice {
 public:
  explicit OnDevice(const std::vector<std::byte> &values) : bytes_(values.size()), memory_(stand_in_malloc(bytes_)) {
    std::memcpy(stand_in_window(memory_), values.data(), bytes_);
  }
  OnDevice(const OnDevice &) = delete;
  ~OnDevice() { stand_in_free(memory_); }
  void *get() const { return memory_; }
  std::vector<std::byte> values() const {
    const auto *const window = static_cast<std::byte *>(stand_in_window(memory_));
    return {window, window + bytes_};
  }

 private:
  size_t bytes_;
  void *memory_;
};

struct Scene {
  explicit Scene(const std::vector<std::string> &options = {}) : io(start(MPI_COMM_WORLD, options)) {
    int models = 0;
    SV_MUST(sv_is_model(io, &models));
    is_model = models != 0;
    if (!is_model) return;
    SV_MUST(sv_model_comm(io, &comm));
    rank = rank_in(comm), ranks = size_of(comm);
    const int64_t shape[] = {rows * ranks, width}, start_[] = {rows * rank, 0}, count[] = {rows, width};
    const sv_decomp_options framed{halo, nullptr, 0};
    SV_MUST(sv_def_decomp(io, 2, shape, start_, count, &framed, &block));
    const int64_t some[] = {rows - 7, width - 9};
    const sv_decomp_options holes{nullptr, nullptr, SV_MASKED};
    SV_MUST(sv_def_decomp(io, 2, shape, start_, some, &holes, &masked));
    Numbers cells;  // in turn among the ranks, from the last on
    for (int64_t cell = rank; cell < shape[0]; cell += ranks) cells.insert(cells.begin(), cell);
    points_of_rank = std::ssize(cells);
    SV_MUST(sv_def_points(io, 1, shape, points_of_rank, cells.data(), 0, &points));
  }
  sv_context *io;
  MPI_Comm comm = MPI_COMM_NULL;
  bool is_model = false;
  int rank = 0, ranks = 1;
  int64_t points_of_rank = 0;
  sv_decomp *block = nullptr, *masked = nullptr, *points = nullptr;
  sv_file *file = nullptr;
};

/// A put and the get of the same cells, of an array of `bytes` bytes.
struct Case {
  std::string name;
  std::vector<std::string> dims;
  int type;  // in the file
  int64_t bytes;
  std::function<int(int var, const void *data)> put;
  std::function<int(int var, void *data)> get;
  int of_host = -1, of_device = -1;
};

std::vector<Case> blocks(const Scene &s) {
  static const int64_t reversed[] = {8, 8 * depth, 8 * depth * array_rows};  // every second float, levels fastest
  const auto put = [&s](const sv_decomp *decomp, int type, const int64_t *strides) {
    return [&s, decomp, type, strides](int var, const void *data) {
      return sv_put(s.file, var, decomp, SV_NO_RECORD, type, data, strides);
    };
  };
  const auto get = [&s](const sv_decomp *decomp, int type, const int64_t *strides) {
    return [&s, decomp, type, strides](int var, void *data) {
      return sv_get(s.file, var, decomp, SV_NO_RECORD, type, data, strides);
    };
  };
  const int64_t cells = depth * array_rows * array_width;
  return {{"block",
           {"z", "y", "x"},
           SV_FLOAT,
           8 * cells,
           put(s.block, SV_DOUBLE, nullptr),
           get(s.block, SV_DOUBLE, nullptr)},
          {"reversed",
           {"z", "y", "x"},
           SV_DOUBLE,
           8 * cells,
           put(s.block, SV_FLOAT, reversed),
           get(s.block, SV_FLOAT, reversed)},
          {"masked",
           {"z", "y", "x"},
           SV_INT,
           4 * depth * (rows - 7) * (width - 9),
           put(s.masked, SV_INT, nullptr),
           get(s.masked, SV_INT, nullptr)},
          {"points",
           {"z", "y", "pair"},
           SV_FLOAT,
           4 * depth * s.points_of_rank * 2,
           put(s.points, SV_FLOAT, nullptr),
           get(s.points, SV_FLOAT, nullptr)},
          {"some points",
           {"y"},
           SV_SHORT,
           4 * s.points_of_rank,
           put(s.points, SV_INT, nullptr),
           get(s.points, SV_INT, nullptr)}};
}

std::vector<Case> parts(const Scene &s) {
  static int64_t begin[] = {0, 0, 1}, extent[] = {depth, rows, width - 2}, many[] = {depth / 2, rows, width / 3};
  static const int64_t apart[] = {2, 1, 3};
  static int64_t first[] = {0, 0, 0}, line[] = {1, rows, 2}, second[] = {3, 0, 5}, bar[] = {2, 3, 4};
  static const int64_t *const starts[] = {first, second}, *const counts[] = {line, bar};
  begin[1] = first[1] = second[1] = rows * s.rank;
  const auto var_put = [&s](int var, const void *data) {
    return sv_put_var(s.file, var, SV_NO_RECORD, SV_SHORT, data, nullptr);
  };
  return {{"whole",
           {"z", "x"},
           SV_DOUBLE,
           2 * depth * width,
           var_put,
           [&s](int var, void *data) { return sv_get_var(s.file, var, SV_NO_RECORD, SV_SHORT, data, nullptr); }},
          {"part",
           {"z", "y", "x"},
           SV_FLOAT,
           4 * depth * rows * (width - 2),
           [&s](int var, const void *data) { return sv_put_vara(s.file, var, begin, extent, SV_FLOAT, data, nullptr); },
           [&s](int var, void *data) { return sv_get_vara(s.file, var, begin, extent, SV_FLOAT, data, nullptr); }},
          {"strided",
           {"z", "y", "x"},
           SV_INT,
           4 * depth / 2 * rows * (width / 3),
           [&s](int var, const void *data) {
             return sv_put_vars(s.file, var, begin, many, apart, {SV_INT, data, nullptr});
           },
           [&s](int var, void *data) {
             return sv_get_vars(s.file, var, begin, many, apart, {SV_INT, data, nullptr});
           }},
          {"regions",
           {"z", "y", "x"},
           SV_INT,
           4 * (2 * rows + 24),
           [&s](int var, const void *data) { return sv_put_varn(s.file, var, 2, starts, counts, SV_INT, data); },
           [&s](int var, void *data) { return sv_get_varn(s.file, var, 2, starts, counts, SV_INT, data); }}};
}

std::vector<Case> requests(const Scene &s) {
  static int64_t begin[] = {0, 0, 0};
  static const int64_t extent[] = {depth, rows, width};
  begin[1] = rows * s.rank;
  const auto wait = [&s](int status) {
    const int waited = sv_wait(s.file, SV_ALL, nullptr, nullptr);
    return status != SV_OK ? status : waited;
  };
  return {{"waiting",
           {"z", "y", "x"},
           SV_FLOAT,
           8 * depth * array_rows * array_width,
           [=, &s](int var, const void *data) {
             return wait(sv_iput(s.file, var, s.block, SV_NO_RECORD, {SV_DOUBLE, data, nullptr}, nullptr));
           },
           [=, &s](int var, void *data) {
             return wait(sv_iget(s.file, var, s.block, SV_NO_RECORD, {SV_DOUBLE, data, nullptr}, nullptr));
           }},
          {"waiting points",
           {"z", "y", "pair"},
           SV_FLOAT,
           4 * depth * s.points_of_rank * 2,
           [=, &s](int var, const void *data) {
             return wait(sv_iput(s.file, var, s.points, SV_NO_RECORD, {SV_FLOAT, data, nullptr}, nullptr));
           },
           [=, &s](int var, void *data) {
             return wait(sv_iget(s.file, var, s.points, SV_NO_RECORD, {SV_FLOAT, data, nullptr}, nullptr));
           }},
          {"buffered",
           {"z", "y", "x"},
           SV_DOUBLE,
           8 * depth * rows * width,
           [=, &s](int var, const void *data) {
             return wait(sv_bput_vara(s.file, var, begin, extent, {SV_DOUBLE, data, nullptr}, nullptr));
           },
           [=, &s](int var, void *data) {
             return wait(sv_iget_vara(s.file, var, begin, extent, {SV_DOUBLE, data, nullptr}, nullptr));
           }},
          {"list",
           {"z", "y", "x"},
           SV_DOUBLE,
           8 * depth * array_rows * array_width,
           [=, &s](int var, const void *data) {
             const int64_t record = SV_NO_RECORD;
             const sv_decomp *const on = s.block;
             const sv_source values{SV_DOUBLE, data, nullptr};
             return sv_mput(s.file, 1, &var, &on, &record, &values);
           },
           [=, &s](int var, void *data) {
             const int64_t record = SV_NO_RECORD;
             const sv_decomp *const on = s.block;
             const sv_target values{SV_DOUBLE, data, nullptr};
             return sv_mget(s.file, 1, &var, &on, &record, &values);
           }}};
}

void define(Scene &s, const std::string &path, std::vector<Case> &cases) {
  std::vector<Var> vars;
  for (Case &each : cases) {
    vars.push_back({each.name + " of host", each.type, each.dims, &each.of_host});
    vars.push_back({each.name + " of device", each.type, each.dims, &each.of_device});
  }
  s.file = make_file(s.io, path, 0, {{"z", depth}, {"y", rows * s.ranks}, {"x", width}, {"pair", 2}}, vars);
}

/// Small numbers, in the type that the case has in memory.
std::vector<std::byte> values_of(const Scene &s, const Case &of) {
  std::vector<std::byte> bytes(static_cast<size_t>(of.bytes));
  const bool of_doubles = of.name == "block" || of.name == "waiting" || of.name == "buffered" || of.name == "list";
  const bool of_floats = of.name == "reversed" || of.name == "part" || of.name.ends_with("points");
  const auto fill = [&](auto value) {
    for (size_t i = 0; (i + 1) * sizeof value <= bytes.size(); ++i) {
      value = static_cast<decltype(value)>((i * 7 + static_cast<size_t>(s.rank) * 13) % 30000);
      std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
    }
  };
  if (of.name == "whole") {
    for (size_t i = 0; i < bytes.size(); i += 2) bytes[i] = static_cast<std::byte>(i / 2 % 100);
  } else if (of.name == "some points") {
    fill(int32_t{});
  } else if (of_doubles) {
    fill(double{});
  } else if (of_floats) {
    fill(float{});
  } else {
    fill(int32_t{});
  }
  return bytes;
}

void put_all(const Scene &s, const std::vector<Case> &cases) {
  for (const Case &each : cases) {
    const std::vector<std::byte> values = values_of(s, each);
    const OnDevice device(values);
    ok(each.put(each.of_host, values.data()), each.name.c_str());
    ok(each.put(each.of_device, device.get()), (each.name + " of a device").c_str());
  }
}

/// The device gets the values that the host gets, of either variable. Cells outside the block stay as they are.
void get_all(const std::vector<Case> &cases) {
  for (const Case &each : cases) {
    std::vector<std::byte> right(static_cast<size_t>(each.bytes), std::byte{0x11}), found = right;
    const OnDevice device(right);
    ok(each.get(each.of_host, right.data()), each.name.c_str());
    ok(each.get(each.of_device, found.data()), each.name.c_str());
    require(found == right, each.name + ": the device's values are in the file otherwise than those of the host");
    ok(each.get(each.of_host, device.get()), (each.name + " to a device").c_str());
    require(device.values() == right, each.name + ": the device gets other values");
    require(right != std::vector<std::byte>(right.size(), std::byte{0x11}), each.name + ": nothing was read");
  }
}

/// No more than the cells of the block travel, by way of two buffers.
void check_bytes(const Scene &s, const Case &block) {
  const struct stand_in_counters before = stand_in_counts();
  const OnDevice device(values_of(s, block));
  ok(block.put(block.of_device, device.get()), "sv_put");
  const struct stand_in_counters after = stand_in_counts();
  require(after.to_host_bytes - before.to_host_bytes == static_cast<size_t>(8 * depth * rows * width),
          "a put copies " + std::to_string(after.to_host_bytes - before.to_host_bytes) + " bytes");
  require(after.copies - before.copies >= depth && after.waits - before.waits >= 2, "a put copies in one piece");
  require(after.most_pinned_bytes == size_t{4} << 20, "there are other buffers than two of 2 MiB");
}

/// Without pinned memory a put fails on every rank, and a later one does not. A copy that fails ends the context's
/// work.
void check_errors(Scene &s, std::vector<Case> &cases) {
  const bool is_last = s.rank == s.ranks - 1;
  Case &block = cases.front();
  define(s, "errors.nc", cases);
  const std::vector<std::byte> values = values_of(s, block);
  const OnDevice device(values);
  const auto put = [&] { return block.put(block.of_device, device.get()); };
  stand_in_refuse_pinned(is_last ? 1 : 0);
  expect("no pinned memory", {SV_EDEVICE, {"'block of device'", "rank " + std::to_string(s.ranks - 1), "pinned"}}, put);
  stand_in_refuse_pinned(0);
  ok(put(), "sv_put after a failure");
  stand_in_fail(is_last ? 1 : -1);
  const std::string rank = "rank " + std::to_string(s.ranks - 1);
  expect("a failed copy", {SV_EDEVICE, {"'block of device'", rank, stand_in_copy_error()}}, put);
  stand_in_fail(-1);
  sv_close(s.file);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  {
    Scene s;
    if (s.is_model) {
      std::vector<Case> cases = blocks(s);
      for (const auto &more : {parts(s), requests(s)}) cases.insert(cases.end(), more.begin(), more.end());
      define(s, "transfers.nc", cases);
      put_all(s, cases);
      check_bytes(s, cases.front());
      SV_MUST(sv_close(s.file));
      s.file = open_file(s.io, "transfers.nc");
      get_all(cases);
      SV_MUST(sv_close(s.file));
    }
    SV_MUST(sv_finalize(s.io));
    require(stand_in_counts().pinned_bytes == 0, "pinned memory is left");
  }
  if (std::getenv("SV_ASYNC") == nullptr && std::getenv("SV_COMBINE") == nullptr) {
    Scene s;
    std::vector<Case> cases = blocks(s);
    check_errors(s, cases);
    sv_finalize(s.io);
  }
  return MPI_Finalize();
}
