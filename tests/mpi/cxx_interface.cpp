// The C++ interface (sverdrup.hpp): every kind of array, put and read back; attributes, inquiry and storage as values;
// requests and lists; errors that all ranks throw, and destructors.
// run: ranks=2 limit=60
// run: ranks=3 limit=60 name=behind behind
#include <array>
#include <numeric>

#include "support/check.hpp"
#include "sverdrup/sverdrup.hpp"

namespace {

using namespace svtest;
using namespace sverdrup;

constexpr int64_t ny = 7, nx = 4;

/// As std::mdspan with layout_stride.
template <class T>
struct Mdspan {
  T *first;
  std::array<std::size_t, 2> extents, strides;
  [[nodiscard]] T *data_handle() const { return first; }
  [[nodiscard]] static constexpr std::size_t rank() { return 2; }
  [[nodiscard]] std::size_t extent(std::size_t dim) const { return extents[dim]; }
  [[nodiscard]] std::size_t stride(std::size_t dim) const { return strides[dim]; }
};

/// As Kokkos::View with LayoutLeft.
template <class T>
struct KokkosView {
  static constexpr unsigned rank = 2;
  T *first;
  std::size_t rows, columns;
  [[nodiscard]] T *data() const { return first; }
  [[nodiscard]] std::size_t extent(unsigned dim) const { return dim == 0 ? rows : columns; }
  [[nodiscard]] std::size_t stride(unsigned dim) const { return dim == 0 ? 1 : rows; }
};

static_assert(type_of<signed char>() == SV_BYTE && type_of<char>() == SV_CHAR && type_of<long long>() == SV_INT64);
static_assert(type_of<long>() == SV_INT64 && type_of<std::size_t>() == SV_UINT64 && type_of<float>() == SV_FLOAT);
static_assert(Source<double const *> && Source<std::vector<short>> && Source<std::span<const int>> && Source<float[3]>);
static_assert(Source<Mdspan<const double>> && Source<KokkosView<int>> && Source<double>);
static_assert(!Source<std::vector<bool>> && !Source<void *> && !Source<bool> && !Source<long double *>);
static_assert(Target<std::vector<short> &> && Target<double *> && Target<std::span<int>> && Target<float &>);
static_assert(!Target<const std::vector<short> &> && !Target<double const *> && !Target<std::span<const int>>);
static_assert(!Target<Mdspan<const double>> && !Lasting<std::vector<int>> && Lasting<std::vector<int> &>);
static_assert(std::is_nothrow_move_constructible_v<File> && !std::is_copy_constructible_v<File>);
static_assert(!std::is_copy_constructible_v<Context> && !std::is_copy_constructible_v<Decomposition>);

struct Scene {
  int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  Block rows = block(ny, ranks, rank);

  [[nodiscard]] double value(int64_t record, int64_t j, int64_t i) const {
    return static_cast<double>(100 * record + 10 * (rows.start + j) + i);
  }
  template <class T>
  [[nodiscard]] std::vector<T> own(int64_t record) const {
    std::vector<T> values;
    for (int64_t j = 0; j < rows.count; ++j)
      for (int64_t i = 0; i < nx; ++i) values.push_back(static_cast<T>(value(record, j, i)));
    return values;
  }
};

/// `call` throws this status, on this rank.
template <class Call>
void expect_error(const std::string &name, Status status, const std::string &mention, const Call &call) {
  try {
    call();
  } catch (const Error &error) {
    require(error.status() == status, name + ": " + strerror(error.status()) + ", " + error.what());
    require(std::string(error.what()).find(mention) != std::string::npos, name + ": " + error.what());
    return;
  }
  give_up(name + ": no error");
}

void shapes(Context &io, const Scene &scene) {
  const auto rows = scene.rows;
  const std::size_t nj = static_cast<std::size_t>(rows.count);
  const Decomposition grid = io.def_decomp({ny, nx}, {rows.start, 0}, {rows.count, nx});
  const Decomposition framed = io.def_decomp({ny, nx}, {rows.start, 0}, {rows.count, nx}, {1, 1, 0, 2});
  require(framed.extent() == Index{rows.count + 2, nx + 2}, "the extent with a halo");
  File file = io.create("shapes.nc");
  const Dimension time = file.def_dim("time", SV_UNLIMITED), y = file.def_dim("y", ny), x = file.def_dim("x", nx);
  const Variable temp = file.def_var<float>("temp", {time, y, x}), depth = file.def_var<double>("depth", {});
  file.enddef();

  const std::vector<double> block = scene.own<double>(0);
  Step(io, 0).put(temp, grid, block);
  const std::vector<int> whole_numbers = scene.own<int>(1);
  temp.put(grid, whole_numbers.data(), 1);
  std::vector<float> transposed(block.size());
  for (std::size_t j = 0; j < nj; ++j)
    for (std::size_t i = 0; i < nx; ++i)
      transposed[i * nj + j] = static_cast<float>(scene.value(2, static_cast<int64_t>(j), static_cast<int64_t>(i)));
  temp.put(grid, Mdspan<const float>{transposed.data(), {nj, nx}, {1, nj}}, 2);
  for (float &value : transposed) value += 100;
  temp.put(grid, KokkosView<float>{transposed.data(), nj, nx}, 3);
  for (float &value : transposed) value += 100;
  temp.put_vara({4, rows.start, 0}, {1, rows.count, nx}, Mdspan<float>{transposed.data(), {nj, nx}, {1, nj}});
  std::vector<double> with_halo((nj + 2) * (nx + 2), -9);
  for (std::size_t j = 0; j < nj; ++j)
    for (std::size_t i = 0; i < nx; ++i)
      with_halo[(j + 1) * (nx + 2) + i] = scene.value(5, static_cast<int64_t>(j), static_cast<int64_t>(i));
  temp.put(framed, std::span<const double>(with_halo), 5);
  depth.put_var(5000);
  io.end_step();
  file.close();
  require(!file.is_open(), "a file that was closed");

  File in = io.open("shapes.nc");
  const Variable found = in.variable("temp");
  for (int64_t record = 0; record < 6; ++record) {
    std::vector<double> back(block.size());
    found.get(grid, back, record);
    require(back == scene.own<double>(record), "record " + std::to_string(record));
  }
  std::vector<double> framed_back(with_halo.size(), -9);
  found.get(framed, std::span(framed_back), 5);
  require(framed_back == with_halo, "the halo is as it was");
  float deep = 0;
  in.variable("depth").get_var(deep);
  require(deep == 5000, "a scalar");
  std::vector<short> columns(static_cast<std::size_t>(rows.count) * 2);
  found.get_vars({1, rows.start, 0}, {1, rows.count, 2}, {1, 1, 2}, columns);
  for (std::size_t j = 0; j < nj; ++j)
    require(columns[2 * j + 1] == static_cast<short>(scene.value(1, static_cast<int64_t>(j), 2)), "a strided part");
  in.close();
}

void inquiry(Context &io) {
  File file = io.create("inquiry.zarr", SV_ZARR);
  const Dimension time = file.def_dim("time", SV_UNLIMITED), y = file.def_dim("y", ny);
  const Variable v = file.def_var("v", SV_SHORT, {time, y});
  v.put_att("units", "degC");
  v.put_att("levels", std::vector<int>{1, 2, 3});
  v.def_fill(static_cast<short>(-1));
  v.def_chunking({1, ny});
  v.def_deflate(4);
  file.put_att("title", std::string("a test"));
  file.put_att("version", 2.5);
  expect_error("a fill value of another type", Status::type, "'v'", [&] { v.def_fill(1.0); });
  expect_error("a chunk of one dimension", Status::invalid, "the chunk", [&] { v.def_chunking({1}); });
  file.enddef();
  v.put_var(std::vector<short>(ny, 3), 0);
  io.end_step();
  file.close();

  File in = io.open("inquiry.zarr");
  require(in.format() == 10 && in.kind() == SV_NOWRITE && in.path().ends_with("inquiry.zarr"), "format, kind, path");
  require(in.get_att_text("title") == "a test" && in.get_att<double>("version") == std::vector<double>{2.5}, "title");
  require(in.dimensions().size() == 2 && in.record_dimension()->name == "time", "dimensions");
  require(in.dimension("y").length == ny && in.unlimited_dimensions().size() == 1, "a dimension");
  require(in.variables().size() == 1, "variables");
  const Variable found = in.variable("v");
  require(found.name() == "v" && found.type() == SV_SHORT && found.shape() == Index{1, ny}, "a variable");
  require(found.get_att<int>("levels") == std::vector<int>{1, 2, 3} && found.fill_value<short>() == -1, "attributes");
  const std::vector<std::string> names = found.att_names();
  require(std::find(names.begin(), names.end(), "units") != names.end(), "names of attributes");
  const Storage storage = found.storage();
  require(storage.is_chunked && storage.chunk == Index{1, ny} && storage.deflate == 4, "storage");
  require(io.setting("a.zarr", "transport.window") == "1MiB" && io.is_model() && io.servers() == 0, "settings");
  in.close();
}

void strings(Context &io, const Scene &scene) {
  const std::vector<std::string> names{"Bergen", "", "Tórshavn"};
  File file = io.create("strings.zarr", SV_ZARR);
  const Dimension station = file.def_dim("station", 3), x = file.def_dim("x", scene.ranks);
  const Variable name = file.def_var("name", SV_STRING, {station}), mine = file.def_var("mine", SV_STRING, {x});
  file.enddef();
  name.put_var_strings(names);
  mine.put_vara_strings({scene.rank}, {1}, {"rank " + std::to_string(scene.rank)});
  expect_error("too few strings", Status::invalid, "'name'", [&] { name.put_var_strings({"a"}); });
  require(name.get_var_strings() == names, "strings of a variable");
  require(mine.get_vara_strings({0}, {1}) == std::vector<std::string>{"rank 0"}, "strings of a rank");
  file.close();
}

void requests(Context &io, const Scene &scene) {
  const auto rows = scene.rows;
  const Decomposition grid = io.def_decomp({ny, nx}, {rows.start, 0}, {rows.count, nx});
  File file = io.create("requests.nc");
  const Dimension time = file.def_dim("time", SV_UNLIMITED), y = file.def_dim("y", ny), x = file.def_dim("x", nx);
  const Variable a = file.def_var<double>("a", {time, y, x}), b = file.def_var<int>("b", {time, y, x});
  file.enddef();
  const std::vector<double> first = scene.own<double>(0), second = scene.own<double>(1);
  const std::vector<int> numbers = scene.own<int>(0), more = scene.own<int>(1);
  std::vector<Request> pending{a.iput(grid, first, 0), b.bput(grid, numbers, 0)};
  require(file.pending() == 2 && file.buffer().used_bytes > 0, "pending requests");
  file.wait(pending);
  require(pending[0] == SV_NO_REQUEST && file.pending() == 0, "requests that were carried out");
  const std::vector<PutField> list{{a, grid, second, 1}, {b, grid, more, 1}};
  file.mput(list);
  io.end_step();

  std::vector<double> back(first.size()), row(nx);
  std::vector<int> ints(first.size());
  Request request = a.iget_vara({1, rows.start, 0}, {1, rows.count, nx}, back);
  file.wait(request);
  require(back == second, "a pending get");
  const std::vector<GetPart> parts{{a, {0, rows.start, 0}, {1, rows.count, nx}, back},
                                   {b, {1, rows.start, 0}, {1, rows.count, nx}, ints}};
  file.mget_vara(parts);
  require(back == first && ints == more, "a list of gets");
  b.get_varn({{0, rows.start, 0}}, {{1, rows.count, nx}}, ints);
  require(ints == numbers, "regions");
  Request cancelled = a.iput(grid, first, 0);
  file.cancel(std::span(&cancelled, 1));
  require(file.pending() == 0, "a request that was cancelled");

  const std::vector<double> wrong(first.size() + (scene.rank == 1 ? 1 : 0));
  expect_error("an array that is too long on one rank", Status::invalid, "'a'", [&] { a.put(grid, wrong, 0); });
  expect_error("no record", Status::invalid, "record", [&] { a.put(grid, first); });
  const Index start = scene.rank == 1 ? Index{0, 0} : Index{0, rows.start, 0};
  expect_error("a start that is too short on one rank", Status::invalid, "start", [&] {
    a.put_vara(start, {1, rows.count, nx}, first);
  });
  expect_error("a list", Status::invalid, "start", [&] {
    const std::vector<PutPart> one{{a, start, {1, rows.count, nx}, first}};
    file.mput_vara(one);
  });
  expect_error("a view of another shape", Status::invalid, "'a'", [&] {
    const auto nj = static_cast<std::size_t>(rows.count);
    a.put(grid, Mdspan<const double>{first.data(), {nx, nj}, {nj, 1}}, 0);
  });
  a.put(grid, first, 0);  // an error leaves the file alone
  // An array that has fitted is not checked again; others are.
  const Decomposition framed = io.def_decomp({ny, nx}, {rows.start, 0}, {rows.count, nx}, {1, 1, 0, 2});
  expect_error("another length", Status::invalid, "'a'", [&] { a.put(grid, wrong, 0); });
  expect_error("another decomposition", Status::invalid, "'a'", [&] { a.put(framed, first, 0); });
  a.put(grid, first, 0);
  file.close();
}

void points(Context &io, const Scene &scene) {
  std::vector<int64_t> cells;  // every ranks-th cell
  for (int64_t cell = scene.rank; cell < 11; cell += scene.ranks) cells.push_back(cell);
  const Decomposition own = io.def_points({11}, cells);
  require(own.cost().owned == static_cast<int64_t>(cells.size()) && own.is_points(), "the cost of points");
  File file = io.create("points.nc");
  const Dimension level = file.def_dim("level", 2), cell = file.def_dim("cell", 11);
  const Variable v = file.def_var<double>("v", {level, cell});
  file.enddef();
  const std::size_t n = cells.size(), with_halo = n + 3;
  std::vector<float> values(2 * with_halo, -1), back(2 * n);
  for (std::size_t at = 0; at < n; ++at) {
    values[at] = static_cast<float>(cells[at]);
    values[with_halo + at] = static_cast<float>(100 + cells[at]);
  }
  v.put(own, Mdspan<const float>{values.data(), {2, with_halo}, {with_halo, 1}});
  v.get(own, back);
  require(std::equal(back.begin(), back.begin() + static_cast<std::ptrdiff_t>(n), values.begin()) &&
              std::equal(back.begin() + static_cast<std::ptrdiff_t>(n), back.end(),
                         values.begin() + static_cast<std::ptrdiff_t>(with_halo)),
          "points with a halo");
  file.close();
}

void endings(Context &io) {
  expect_error("no file", Status::not_found, "nowhere.nc", [&] { const File none = io.open("nowhere.nc"); });
  Context moved = std::move(io);
  require(io.handle() == nullptr && moved.handle() != nullptr, "a context that moved");
  expect_error("a start that is too short", Status::invalid, "start", [&] {
    const Decomposition none = moved.def_decomp({ny, nx}, {0}, {ny, nx});
  });
  Decomposition last = moved.def_points({size_of(MPI_COMM_WORLD)}, std::array<int64_t, 1>{rank_in(MPI_COMM_WORLD)});
  try {
    File abandoned = moved.create("abandoned.nc");
    File later = std::move(abandoned);
    throw std::runtime_error("of a model");
  } catch (const std::runtime_error &error) {
    require(std::string(error.what()) == "of a model", error.what());
  }
  expect_error("an abandoned file", Status::order, "abandoned.nc", [&] { moved.finalize(); });
  last.free();  // after its context
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const Scene scene;
  require(std::string(version()) == SV_VERSION && type_info(SV_SHORT).bytes == 2, "versions and types");
  try {
    Context io(MPI_COMM_WORLD, "", {"transport.window=1MiB"});
    shapes(io, scene);
    inquiry(io);
    strings(io, scene);
    requests(io, scene);
    points(io, scene);
    endings(io);
  } catch (const Error &error) {
    give_up(error.what());
  }
  return MPI_Finalize();
}
