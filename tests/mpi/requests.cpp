// Requests that wait, and lists of puts and gets, through the C interface: every call once, read back; some ranks with
// other requests than others, or none; a refused request leaves the others alone.
// run: ranks=1 limit=60
// run: ranks=3 limit=60
// run: ranks=5 limit=60 env=SV_TESTING_RANKS_PER_NODE=3
// run: ranks=5 limit=60 name=behind behind
// run: ranks=5 limit=60 name=behind_netcdf4 behind env=SV_STORE=netcdf4;SV_COMPRESSION=deflate:1
#include <algorithm>

#include "support/blocks.hpp"
#include "support/test_file.hpp"
#include "support/verdict.hpp"

namespace {

using namespace svtest;

constexpr int64_t ny = 11, nx = 6;
constexpr int64_t shape[] = {ny, nx}, halo[] = {1, 1, 0, 2};

/// float sst(time, y, x), short ice(time, y, x), int mask(y, x). A value shows its position.
enum { sst, ice, mask };
int value_of(int var, int64_t record, int64_t y, int64_t x) {
  return static_cast<int>(((var * 20 + record) * 12 + y) * 10 + x);
}

struct Scene {
  int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB"});
  sv_decomp *rows = nullptr;
  sv_file *file = nullptr;
  int64_t js = 0, nj = 0;

  Scene() {
    // The second rank owns nothing.
    if (rank != 1) SV_MUST(sv_block(ny, std::max(1, ranks - 1), std::max(0, rank - 1), &js, &nj));
    const int64_t start[] = {js, 0}, count[] = {nj, nx};
    const sv_decomp_options framed{halo, nullptr, 0};
    SV_MUST(sv_def_decomp(io, 2, shape, start, count, &framed, &rows));
  }
  void create(const char *path) {
    int var = -1;
    file = make_file(io, path, SV_CLOBBER, {{"time", SV_UNLIMITED}, {"y", ny}, {"x", nx}},
                     {{"sst", SV_FLOAT, {"time", "y", "x"}, &var},
                      {"ice", SV_SHORT, {"time", "y", "x"}, &var},
                      {"mask", SV_INT, {"y", "x"}, &var}});
  }
  int pending() const {
    int n = -1;
    SV_MUST(sv_inq_pending(file, &n));
    return n;
  }
  /// Of a record, rows from `first`, `apart` from each other, as doubles.
  std::vector<double> lines(int var, int64_t record, int64_t first, int64_t n, int64_t apart = 1) const {
    std::vector<double> values;
    for (int64_t i = 0; i < n; ++i)
      for (int64_t x = 0; x < nx; ++x) values.push_back(value_of(var, record, first + i * apart, x));
    return values;
  }
  std::vector<double> own(int var, int64_t record) const { return lines(var, record, js, nj); }
  /// This rank's block with its halo, which is rubbish.
  std::vector<float> block(int var, int64_t record) const {
    std::vector<float> values(static_cast<size_t>((nj + 2) * (nx + 2)), -1);
    for (int64_t j = 0; j < nj; ++j)
      for (int64_t x = 0; x < nx; ++x)
        values[static_cast<size_t>((j + 1) * (nx + 2) + x)] = static_cast<float>(value_of(var, record, js + j, x));
    return values;
  }
};

/// Collective: whether a record (or a variable without) has the right values everywhere.
void check(const Scene &s, int var, int64_t record) {
  std::vector<double> found(ny * nx, -1);
  SV_MUST(sv_sync(s.file));
  SV_MUST(sv_get_var(s.file, var, var == mask ? SV_NO_RECORD : record, SV_DOUBLE, found.data(), nullptr));
  require(found == s.lines(var, record, 0, ny),
          "variable " + std::to_string(var) + ", record " + std::to_string(record));
}

/// One region for each row of this rank, from the last.
struct Rows {
  std::vector<Numbers> starts, counts;
  std::vector<const int64_t *> start, count;
  std::vector<double> values;
  Rows(const Scene &s, int var, int64_t record) {
    for (int64_t y = s.js + s.nj - 1; y >= s.js; --y) {
      starts.push_back({record, y, 0});
      counts.push_back({1, 1, nx});
      const std::vector<double> line = s.lines(var, record, y, 1);
      values.insert(values.end(), line.begin(), line.end());
    }
    for (const Numbers &each : starts) start.push_back(each.data());
    for (const Numbers &each : counts) count.push_back(each.data());
  }
  int n() const { return static_cast<int>(starts.size()); }
};

/// Rows rank, rank + ranks, ... of a record.
struct Comb {
  int64_t start[3], count[3], apart[3];
  Comb(const Scene &s, int64_t record)
      : start{record, s.rank, 0}, count{1, (ny - s.rank - 1) / s.ranks + 1, nx}, apart{1, s.ranks, 1} {}
};

void spoil(std::vector<double> &values) { std::fill(values.begin(), values.end(), -5); }

/// A record for each kind of put; the arrays of the buffered ones are used again at once.
void implicit_puts(Scene &s) {
  const int64_t none[] = {0, 0, 0};
  std::vector<sv_request> made(9, SV_NO_REQUEST);
  std::vector<float> block = s.block(sst, 0), again = s.block(sst, 4);
  SV_MUST(sv_iput(s.file, sst, s.rows, 0, {SV_FLOAT, block.data(), nullptr}, &made[0]));
  SV_MUST(sv_bput(s.file, sst, s.rows, 4, {SV_FLOAT, again.data(), nullptr}, &made[1]));
  std::fill(again.begin(), again.end(), -5.f);
  const int64_t start[] = {1, s.js, 0}, count[] = {1, s.nj, nx}, later[] = {5, s.js, 0};
  std::vector<double> own = s.own(sst, 1), buffered = s.own(sst, 5);
  SV_MUST(sv_iput_vara(s.file, sst, start, count, {SV_DOUBLE, own.data(), nullptr}, &made[2]));
  SV_MUST(sv_bput_vara(s.file, sst, later, count, {SV_DOUBLE, buffered.data(), nullptr}, &made[3]));
  spoil(buffered);
  const Comb comb(s, 2), more(s, 6);
  std::vector<double> turn = s.lines(sst, 2, s.rank, comb.count[1], s.ranks);
  std::vector<double> turn_again = s.lines(sst, 6, s.rank, comb.count[1], s.ranks);
  SV_MUST(sv_iput_vars(s.file, sst, comb.start, comb.count, comb.apart, {SV_DOUBLE, turn.data(), nullptr}, &made[4]));
  SV_MUST(
      sv_bput_vars(s.file, sst, more.start, more.count, more.apart, {SV_DOUBLE, turn_again.data(), nullptr}, &made[5]));
  spoil(turn_again);
  Rows rows(s, sst, 3), others(s, sst, 7);
  SV_MUST(sv_iput_varn(s.file, sst, rows.n(), rows.start.data(), rows.count.data(),
                       {SV_DOUBLE, rows.values.data(), nullptr}, &made[6]));
  SV_MUST(sv_bput_varn(s.file, sst, others.n(), others.start.data(), others.count.data(),
                       {SV_DOUBLE, others.values.data(), nullptr}, nullptr));
  spoil(others.values);
  std::vector<double> whole = s.lines(sst, 8, 0, ny), copied = s.lines(sst, 9, 0, ny);
  SV_MUST(sv_iput_var(s.file, sst, 8, {SV_DOUBLE, whole.data(), nullptr}, &made[7]));
  SV_MUST(sv_bput_var(s.file, sst, 9, {SV_DOUBLE, copied.data(), nullptr}, &made[8]));
  spoil(copied);
  // Rank 0 puts the whole mask, in two requests; the others put nothing.
  std::vector<double> land = s.lines(mask, 0, 0, ny);
  const int64_t half[] = {5, nx}, rest[] = {ny - 5, nx}, from[] = {5, 0};
  if (s.rank == 0) {
    SV_MUST(sv_iput_vara(s.file, mask, none, half, {SV_DOUBLE, land.data(), nullptr}, nullptr));
    SV_MUST(sv_iput_vara(s.file, mask, from, rest, {SV_DOUBLE, land.data() + 5 * nx, nullptr}, nullptr));
  }
  const int all = s.pending();
  require(all == 10 + (s.rank == 0 ? 2 : 0), "requests are not counted: " + std::to_string(all));
  sv_request some[] = {made[3], SV_NO_REQUEST, made[0]};
  int statuses[] = {-1, -1, -1};
  SV_MUST(sv_wait(s.file, 3, some, statuses));
  for (int i = 0; i < 3; ++i) require(some[i] == SV_NO_REQUEST && statuses[i] == SV_OK, "a handle that was waited for");
  require(s.pending() == all - 2, "those that were waited for are pending");
  check(s, sst, 0);
  check(s, sst, 5);
  std::vector<int> codes(static_cast<size_t>(all - 2), -1);
  SV_MUST(sv_wait(s.file, SV_ALL, nullptr, codes.data()));
  require(codes == std::vector<int>(codes.size(), SV_OK) && s.pending() == 0, "waiting for all");
  for (int64_t record = 0; record < 10; ++record) check(s, sst, record);
  check(s, mask, 0);
}

/// The counterparts, in one wait with a put of the values that they get.
void implicit_gets(Scene &s) {
  std::vector<float> block = s.block(sst, 0), put = s.block(ice, 2), right = block;
  for (float &value : block)
    if (value >= 0) value = -3;
  std::vector<double> part(static_cast<size_t>(s.nj * nx)), turn(ny * nx, -1), rows(part.size()), whole(ny * nx);
  const int64_t start[] = {1, s.js, 0}, count[] = {1, s.nj, nx};
  const Comb comb(s, 2);
  Rows regions(s, sst, 3);
  std::vector<sv_request> made(5, SV_NO_REQUEST);
  SV_MUST(sv_iget(s.file, sst, s.rows, 0, {SV_FLOAT, block.data(), nullptr}, &made[0]));
  SV_MUST(sv_iget_vara(s.file, sst, start, count, {SV_DOUBLE, part.data(), nullptr}, &made[1]));
  SV_MUST(sv_iget_vars(s.file, sst, comb.start, comb.count, comb.apart, {SV_DOUBLE, turn.data(), nullptr}, &made[2]));
  SV_MUST(sv_iget_varn(s.file, sst, regions.n(), regions.start.data(), regions.count.data(),
                       {SV_DOUBLE, rows.data(), nullptr}, &made[3]));
  SV_MUST(sv_iget_var(s.file, sst, 9, {SV_DOUBLE, whole.data(), nullptr}, &made[4]));
  SV_MUST(sv_wait(s.file, 5, made.data(), nullptr));
  require(block == right, "sv_iget, or its halo");
  require(part == s.own(sst, 1), "sv_iget_vara");
  std::vector<double> lines = s.lines(sst, 2, s.rank, comb.count[1], s.ranks);
  require(std::equal(lines.begin(), lines.end(), turn.begin()), "sv_iget_vars");
  require(rows == regions.values, "sv_iget_varn");
  require(whole == s.lines(sst, 9, 0, ny), "sv_iget_var");
}

/// In one wait, puts come before gets.
void puts_before_gets(Scene &s) {
  std::vector<double> other = s.lines(mask, 1, 0, ny), found(ny * nx), right = s.lines(mask, 0, 0, ny);
  SV_MUST(sv_iget_var(s.file, mask, SV_NO_RECORD, {SV_DOUBLE, found.data(), nullptr}, nullptr));
  SV_MUST(sv_iput_var(s.file, mask, SV_NO_RECORD, {SV_DOUBLE, other.data(), nullptr}, nullptr));
  SV_MUST(sv_wait(s.file, SV_ALL, nullptr, nullptr));
  require(found == other, "a get of the same wait got what was there before");
  SV_MUST(sv_put_var(s.file, mask, SV_NO_RECORD, SV_DOUBLE, right.data(), nullptr));
}

/// Lists: of fields, and of sub-arrays that only some ranks have; strides; regions.
void lists(Scene &s) {
  const std::vector<float> warm = s.block(sst, 10), cold = s.block(ice, 10);
  const int vars[] = {ice, sst};
  const sv_decomp *const on[] = {s.rows, s.rows};
  const int64_t records[] = {10, 10};
  const sv_source blocks[] = {{SV_FLOAT, cold.data(), nullptr}, {SV_FLOAT, warm.data(), nullptr}};
  SV_MUST(sv_mput(s.file, 2, vars, on, records, blocks));
  check(s, sst, 10);
  check(s, ice, 10);
  std::vector<float> found[] = {s.block(ice, 0), s.block(sst, 0)};
  const sv_target to[] = {{SV_FLOAT, found[0].data(), nullptr}, {SV_FLOAT, found[1].data(), nullptr}};
  SV_MUST(sv_mget(s.file, 2, vars, on, records, to));
  require(found[0] == cold && found[1] == warm, "sv_mget");

  // Columns of ice[x][y], the other way round in memory, on all ranks; rows of the mask on rank 0.
  std::vector<short> turned(static_cast<size_t>(s.nj * nx));
  for (int64_t x = 0; x < nx; ++x)
    for (int64_t j = 0; j < s.nj; ++j)
      turned[static_cast<size_t>(x * s.nj + j)] = static_cast<short>(value_of(ice, 11, s.js + j, x));
  const std::vector<double> land = s.lines(mask, 0, 0, ny);
  const int64_t start[] = {11, s.js, 0}, count[] = {1, s.nj, nx}, none[] = {0, 0}, map[] = {0, 2, 2 * s.nj};
  const int64_t *const starts[] = {start, none}, *const counts[] = {count, shape};
  const int which[] = {ice, mask};
  const sv_source data[] = {{SV_SHORT, turned.data(), map}, {SV_DOUBLE, land.data(), nullptr}};
  const int n = s.rank == 0 ? 2 : s.nj > 0 ? 1 : 0;
  SV_MUST(sv_mput_vara(s.file, n, which, starts, counts, data));
  check(s, ice, 11);
  check(s, mask, 0);
  std::vector<short> back(turned.size(), -1);
  std::vector<double> back_land(land.size(), -1);
  const sv_target into[] = {{SV_SHORT, back.data(), map}, {SV_DOUBLE, back_land.data(), nullptr}};
  SV_MUST(sv_mget_vara(s.file, n, which, starts, counts, into));
  require(back == turned && (n < 2 || back_land == land), "sv_mget_vara");

  Rows rows(s, sst, 12);
  SV_MUST(sv_put_varn(s.file, sst, rows.n(), rows.start.data(), rows.count.data(), SV_DOUBLE, rows.values.data()));
  check(s, sst, 12);
  std::vector<double> lines(rows.values.size(), -1);
  SV_MUST(sv_get_varn(s.file, sst, rows.n(), rows.start.data(), rows.count.data(), SV_DOUBLE, lines.data()));
  require(lines == rows.values, "sv_get_varn");
}

/// Memory with holes, at absolute addresses, and in a row.
void datatypes(Scene &s) {
  const std::vector<float> block = s.block(sst, 13);
  const std::vector<double> frozen = s.own(ice, 13);
  MPI_Datatype holes = MPI_DATATYPE_NULL, anywhere = MPI_DATATYPE_NULL;
  MPI_Aint place = 0;
  const int cells = static_cast<int>(s.nj * nx);
  MPI_Get_address(frozen.data(), &place);
  require(MPI_Type_vector(static_cast<int>(s.nj), nx, nx + 2, MPI_FLOAT, &holes) == MPI_SUCCESS &&
              MPI_Type_create_hindexed(1, &cells, &place, MPI_DOUBLE, &anywhere) == MPI_SUCCESS &&
              MPI_Type_commit(&holes) == MPI_SUCCESS && MPI_Type_commit(&anywhere) == MPI_SUCCESS,
          "datatypes");
  const int vars[] = {sst, ice};
  const int64_t start[] = {13, s.js, 0}, count[] = {1, s.nj, nx};
  const int64_t *const starts[] = {start, start}, *const counts[] = {count, count};
  const float *const first = block.data() + nx + 2;
  const sv_mpi_source data[] = {{first, 1, holes}, {MPI_BOTTOM, 1, anywhere}};
  SV_MUST(sv_mput_vara_mpi(s.file, 2, vars, starts, counts, data));
  check(s, sst, 13);
  check(s, ice, 13);
  std::vector<float> back(block.size(), -1);
  std::vector<double> row(frozen.size(), -1);
  const sv_mpi_target to[] = {{back.data() + nx + 2, 1, holes}, {row.data(), cells, MPI_DOUBLE}};
  SV_MUST(sv_mget_vara_mpi(s.file, 2, vars, starts, counts, to));
  require(back == block && row == frozen, "sv_mget_vara_mpi, or its holes");

  const sv_mpi_source bytes[] = {{first, 1, MPI_BYTE}, {MPI_BOTTOM, 1, MPI_BYTE}};
  expect("MPI_BYTE", {SV_ETYPE, {"MPI_BYTE", "'sst'"}},
         [&] { return sv_mput_vara_mpi(s.file, 2, vars, starts, counts, s.rank == 0 ? bytes : data); });
  expect("too many items", {SV_EINVAL, {"items", "'ice'", "request 2 of 2"}}, [&] {
    const sv_mpi_source more[] = {data[0], {MPI_BOTTOM, s.rank == 0 ? 2 : 1, anywhere}};
    return sv_mput_vara_mpi(s.file, 2, vars, starts, counts, more);
  });
  require(MPI_Type_free(&holes) == MPI_SUCCESS && MPI_Type_free(&anywhere) == MPI_SUCCESS, "MPI_Type_free");
}

/// Arguments that MPI itself could refuse in the middle of a call, on one rank alone, are refused before, on all.
/// Memory that runs backward is put and got as any other.
void odd_datatypes(Scene &s) {
  const int cells = static_cast<int>(s.nj * nx);
  MPI_Datatype row = MPI_DATATYPE_NULL, holes = MPI_DATATYPE_NULL, backward = MPI_DATATYPE_NULL;
  require(MPI_Type_contiguous(cells, MPI_DOUBLE, &row) == MPI_SUCCESS &&
              MPI_Type_vector(cells, 1, 2, MPI_DOUBLE, &holes) == MPI_SUCCESS &&
              MPI_Type_create_resized(MPI_DOUBLE, 0, -8, &backward) == MPI_SUCCESS &&
              MPI_Type_commit(&backward) == MPI_SUCCESS,
          "datatypes");
  const std::vector<double> right = s.own(ice, 13);
  std::vector<double> turned(right.rbegin(), right.rend()), back(static_cast<size_t>(2 * cells) + 1, -1);
  const int vars[] = {ice};
  const int64_t start[] = {13, s.js, 0}, count[] = {1, s.nj, nx};
  const int64_t *const starts[] = {start}, *const counts[] = {count};
  for (const MPI_Datatype bad : {MPI_Datatype{MPI_DATATYPE_NULL}, row, holes}) {
    const std::string mention = bad == MPI_DATATYPE_NULL ? "MPI_DATATYPE_NULL" : "not committed";
    const sv_mpi_target to =
        s.rank == 0 ? sv_mpi_target{back.data(), 1, bad} : sv_mpi_target{back.data(), cells, MPI_DOUBLE};
    const sv_mpi_source data{to.data, to.count, to.datatype};
    expect("putting " + mention, {SV_EINVAL, {mention, "'ice'", "rank 0"}},
           [&] { return sv_mput_vara_mpi(s.file, 1, vars, starts, counts, &data); });
    expect("getting " + mention, {SV_EINVAL, {mention, "'ice'", "rank 0"}},
           [&] { return sv_mget_vara_mpi(s.file, 1, vars, starts, counts, &to); });
  }
  const sv_mpi_source from_end{turned.data() + std::max(cells, 1) - 1, cells, backward};
  const sv_mpi_target to_end{back.data() + std::max(cells, 1) - 1, cells, backward};
  SV_MUST(sv_mput_vara_mpi(s.file, 1, vars, starts, counts, &from_end));
  check(s, ice, 13);
  SV_MUST(sv_mget_vara_mpi(s.file, 1, vars, starts, counts, &to_end));
  back.resize(turned.size());
  require(back == turned, "memory that runs backward");
  require(MPI_Type_free(&row) == MPI_SUCCESS && MPI_Type_free(&holes) == MPI_SUCCESS &&
              MPI_Type_free(&backward) == MPI_SUCCESS,
          "MPI_Type_free");
}

void refused(const std::string &name, const Verdict &verdict, int status) {
  const std::string text = sv_message();
  require(status == verdict.status, name + ": " + sv_strerror(status) + ", " + text);
  for (const std::string &mention : verdict.mentions)
    require(text.find(mention) != std::string::npos, name + ": '" + text + "' does not mention '" + mention + "'");
}

/// Cancelled requests put nothing; a handle is good once, and in its file.
void handles(Scene &s) {
  std::vector<double> right = s.own(ice, 1), wrong = s.own(ice, 5);
  const int64_t start[] = {1, s.js, 0}, count[] = {1, s.nj, nx};
  sv_request good = SV_NO_REQUEST, bad = SV_NO_REQUEST;
  SV_MUST(sv_iput_vara(s.file, ice, start, count, {SV_DOUBLE, wrong.data(), nullptr}, &bad));
  SV_MUST(sv_iput_vara(s.file, ice, start, count, {SV_DOUBLE, right.data(), nullptr}, &good));
  const sv_request stale = bad;
  sv_request pair[] = {bad, SV_NO_REQUEST};
  int statuses[] = {-1, -1};
  SV_MUST(sv_cancel(s.file, 2, pair, statuses));
  require(pair[0] == SV_NO_REQUEST && statuses[0] == SV_OK && statuses[1] == SV_OK, "sv_cancel");
  pair[0] = stale;
  refused("cancelling twice", {SV_EINVAL, {"not pending", "requests.nc"}}, sv_cancel(s.file, 1, pair, statuses));
  require(pair[0] == SV_NO_REQUEST && statuses[0] == SV_EINVAL, "a stale handle in sv_cancel");
  // The last rank waits for one that is gone, too; the good ones are carried out everywhere.
  sv_request list[] = {stale, good};
  const bool errs = s.rank == s.ranks - 1;
  expect("a handle that is gone", {SV_EINVAL, {"not pending", "requests.nc"}},
         [&] { return sv_wait(s.file, errs ? 2 : 1, errs ? list : list + 1, statuses); });
  require(statuses[errs ? 1 : 0] == SV_OK && (!errs || statuses[0] == SV_EINVAL), "the statuses of a wait");
  require(list[1] == SV_NO_REQUEST, "a handle after a wait that failed");
  check(s, ice, 1);
  sv_request mine = SV_NO_REQUEST;
  SV_MUST(sv_iput_vara(s.file, ice, start, count, {SV_DOUBLE, wrong.data(), nullptr}, &mine));
  SV_MUST(sv_iput_vara(s.file, ice, start, count, {SV_DOUBLE, wrong.data(), nullptr}, nullptr));
  SV_MUST(sv_cancel(s.file, SV_ALL, nullptr, nullptr));
  require(s.pending() == 0, "sv_cancel of all");
  SV_MUST(sv_wait(s.file, 0, nullptr, nullptr));
  SV_MUST(sv_wait(s.file, SV_ALL, nullptr, nullptr));
  check(s, ice, 1);
}

/// A handle is good in its file only, where it stays good.
void other_file(Scene &s) {
  sv_file *const first = s.file;
  std::vector<double> land = s.lines(mask, 0, 0, ny);
  sv_request own = SV_NO_REQUEST;
  s.create("other.nc");
  SV_MUST(sv_iput_var(s.file, mask, SV_NO_RECORD, {SV_DOUBLE, land.data(), nullptr}, &own));
  sv_request copy = own;
  expect("a handle of another file", {SV_EINVAL, {"another file", "requests.nc"}},
         [&] { return sv_wait(first, 1, &copy, nullptr); });
  require(s.pending() == 1, "a request that another file was asked for");
  SV_MUST(sv_wait(s.file, 1, &own, nullptr));
  check(s, mask, 0);
  SV_MUST(sv_close(s.file));
  s.file = first;
}

void buffers(Scene &s) {
  const int64_t start[] = {2, s.js, 0}, count[] = {1, s.nj, nx}, bytes = 8 * s.nj * nx;
  std::vector<double> own = s.own(ice, 2);
  int64_t size = 0, used = -1;
  SV_MUST(sv_inq_buffer(s.file, &size, &used));
  require(size > 0 && used == 0, "the automatic buffer");
  refused("detaching nothing", {SV_EORDER, {"requests.nc"}}, sv_detach_buffer(s.file));
  refused("a buffer of 0", {SV_EINVAL, {"0 bytes"}}, sv_attach_buffer(s.file, 0));
  SV_MUST(sv_attach_buffer(s.file, bytes + 7));
  refused("a second buffer", {SV_EORDER, {"attached"}}, sv_attach_buffer(s.file, 1 << 20));
  sv_request first = SV_NO_REQUEST, second = 7;
  SV_MUST(sv_bput_vara(s.file, ice, start, count, {SV_DOUBLE, own.data(), nullptr}, &first));
  const std::vector<double> all = s.lines(ice, 2, 0, ny);
  const int64_t first_row[] = {2, 0, 0}, whole[] = {1, ny, nx};
  refused("a full buffer", {SV_ENOMEM, {"'ice'", "requests.nc"}},
          sv_bput_vara(s.file, ice, first_row, whole, {SV_DOUBLE, all.data(), nullptr}, &second));
  require(second == SV_NO_REQUEST && s.pending() == 1, "a put that was refused");
  SV_MUST(sv_inq_buffer(s.file, &size, &used));
  require(size == bytes + 7 && used == bytes, "what a buffer holds");
  if (bytes > 0) refused("detaching what is in use", {SV_EORDER, {"requests.nc"}}, sv_detach_buffer(s.file));
  spoil(own);
  SV_MUST(sv_wait(s.file, 1, &first, nullptr));
  SV_MUST(sv_detach_buffer(s.file));
  check(s, ice, 2);
}

/// Local calls refuse alone, and record nothing; lists are refused everywhere, and write nothing.
void misuse(Scene &s) {
  const int64_t far[] = {0, ny, 0}, start[] = {1, s.js, 0}, one[] = {1, 1, 1}, count[] = {1, s.nj, nx};
  std::vector<double> data(ny * nx, -9);
  sv_request made = 3;
  if (s.rank == s.ranks - 1) {
    refused("beyond the end", {SV_EINVAL, {"'ice'", "'y'", "requests.nc"}},
            sv_iput_vara(s.file, ice, far, one, {SV_DOUBLE, data.data(), nullptr}, &made));
    require(made == SV_NO_REQUEST, "the handle of a put that was refused");
    refused("no start", {SV_EINVAL, {"start", "'ice'"}},
            sv_iput_vara(s.file, ice, nullptr, one, {SV_DOUBLE, data.data(), nullptr}, &made));
    refused("no data", {SV_EINVAL, {"no data", "'ice'"}},
            sv_iput(s.file, ice, s.rows, 0, {SV_INT, nullptr, nullptr}, &made));
    refused("no such type", {SV_ETYPE, {"99", "'ice'"}},
            sv_iget_var(s.file, ice, 1, {99, data.data(), nullptr}, &made));
    refused("text for numbers", {SV_ETYPE, {"'ice'"}},
            sv_bput_var(s.file, ice, 1, {SV_CHAR, data.data(), nullptr}, &made));
    refused("no such variable", {SV_ENOTFOUND, {"requests.nc"}},
            sv_iput_var(s.file, 17, 1, {SV_INT, data.data(), nullptr}, &made));
    refused("-2 regions", {SV_EINVAL, {"-2"}},
            sv_iput_varn(s.file, ice, -2, nullptr, nullptr, {SV_INT, data.data(), nullptr}, &made));
    refused("memory strides of regions", {SV_EINVAL, {"memory strides", "'ice'"}},
            sv_iput_varn(s.file, ice, 0, nullptr, nullptr, {SV_INT, data.data(), start}, &made));
    refused("nowhere to tell", {SV_EINVAL, {"pending"}}, sv_inq_pending(s.file, nullptr));
    refused("-3 requests", {SV_EINVAL, {"-3"}}, sv_cancel(s.file, -3, nullptr, nullptr));
  }
  require(s.pending() == 0, "a put that was refused waits");
  const bool errs = s.rank == s.ranks - 1;
  expect("-3 requests", {SV_EINVAL, {"-3"}}, [&] { return sv_wait(s.file, errs ? -3 : 0, nullptr, nullptr); });
  expect("no requests", {SV_EINVAL, {"requests"}}, [&] { return sv_wait(s.file, errs ? 2 : 0, nullptr, nullptr); });
  const int vars[] = {sst, ice};
  const int64_t *const starts[] = {start, errs ? far : start}, *const counts[] = {count, errs ? one : count};
  const sv_source good{SV_DOUBLE, data.data(), nullptr}, values[] = {good, good};
  const sv_source strange[] = {good, {99, data.data(), nullptr}};
  expect("one bad of two", {SV_EINVAL, {"'ice'", "'y'", "request 2 of 2", "requests.nc"}},
         [&] { return sv_mput_vara(s.file, 2, vars, starts, counts, values); });
  expect("a type there is not", {SV_ETYPE, {"'ice'", "99", "request 2 of 2"}},
         [&] { return sv_mput_vara(s.file, 2, vars, starts, counts, errs ? strange : values); });
  expect("no list", {SV_EINVAL, {"starts"}},
         [&] { return sv_mput_vara(s.file, 2, vars, errs ? nullptr : starts, counts, values); });
  check(s, sst, 1);
  check(s, ice, 1);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  {
    Scene s;
    s.create("requests.nc");
    implicit_puts(s);
    implicit_gets(s);
    puts_before_gets(s);
    lists(s);
    datatypes(s);
    odd_datatypes(s);
    handles(s);
    other_file(s);
    buffers(s);
    misuse(s);
    // sv_close carries out pending requests.
    std::vector<float> block = s.block(ice, 3);
    sv_request left = SV_NO_REQUEST;
    SV_MUST(sv_iput(s.file, ice, s.rows, 3, {SV_FLOAT, block.data(), nullptr}, &left));
    SV_MUST(sv_close(s.file));
    s.file = open_file(s.io, "requests.nc");
    std::vector<float> found = s.block(ice, 0);
    SV_MUST(sv_get(s.file, ice, s.rows, 3, SV_FLOAT, found.data(), nullptr));
    require(found == block, "what waited for sv_close");
    if (s.rank == 0)
      refused("a put into a file for reading", {SV_EACCESS, {"requests.nc"}},
              sv_iput(s.file, ice, s.rows, 3, {SV_FLOAT, block.data(), nullptr}, &left));
    SV_MUST(sv_close(s.file));
    SV_MUST(sv_free_decomp(s.rows));
    SV_MUST(sv_finalize(s.io));
  }
  return MPI_Finalize();
}
