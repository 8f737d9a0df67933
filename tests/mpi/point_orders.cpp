// Points in an order: random permutations and the curve, with random owners and holes. The file holds the permuted
// values, and gives them back to other ranks; wrong orders are the same error everywhere. COUNT sets how many cases,
// SEED where they begin, OPTION adds a setting, SERVERS ranks serve.
// run: ranks=1 limit=60
// run: ranks=4 limit=120
// run: ranks=3 limit=120 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
// run: ranks=5 limit=120 name=servers env=SERVERS=2;SV_TESTING_RANKS_PER_NODE=3
#include <sstream>

#include "support/files.hpp"
#include "support/model_ranks.hpp"
#include "support/points.hpp"

namespace {

using namespace svtest;

constexpr int64_t levels = 3, records = 3;

struct Case {
  std::string description;
  std::vector<std::string> options;
  int64_t cells = 0;
  bool holes = false, curve = false, ordered_itself = false, waiting = false;
  Owners first, second, third;  // the same cells, on other ranks
  Numbers place;                // of each cell; those without an owner have none
};

Owners dealt_again(Random &random, const Owners &owners) {
  Owners again(owners.size());
  for (const Numbers &cells : owners)
    for (const int64_t cell : cells)
      again[static_cast<size_t>(random.between(0, std::ssize(owners) - 1))].push_back(cell);
  for (Numbers &cells : again) random.shuffle(cells);
  return again;
}

/// `ranks`: of the model.
Case make_case(uint64_t seed, int ranks, int servers) {
  Random random(seed);
  Case made;
  made.cells = random.between(5, 300);
  made.holes = random.chance(50);
  made.curve = random.chance(30);
  made.ordered_itself = random.chance(30);
  made.waiting = random.chance(40);
  made.first = random_owners(random, made.cells, ranks, made.holes ? 30 : 0);
  made.second = dealt_again(random, made.first);
  made.third = dealt_again(random, made.first);
  Numbers places(static_cast<size_t>(made.cells));
  std::iota(places.begin(), places.end(), 0);
  random.shuffle(places);
  made.place = places;
  made.options = random_point_options(random, ranks);
  if (random.chance(30)) made.options.push_back("combine=step");
  if (random.chance(20)) made.options.push_back("fill=false");
  const char *const extra = std::getenv("OPTION");
  if (servers > 0) made.options.push_back("async=servers:" + std::to_string(servers));
  if (extra != nullptr) made.options.emplace_back(extra);
  std::ostringstream description;
  description << "SEED=" << seed << " on " << ranks << " ranks, " << made.cells << " cells:";
  for (const std::string &option : made.options) description << ' ' << option;
  made.description = description.str() + (made.curve ? ", curve" : "") + (made.holes ? ", holes" : "") +
                     (made.waiting ? ", waiting" : "") + (made.ordered_itself ? ", ordered itself" : "");
  return made;
}

double truth(int64_t record, int64_t level, int64_t cell) {
  return static_cast<double>(cell * 10 + level + 1 + 5000 * (record + 1));
}

/// Some cells stand at the same place.
double longitude(int64_t cell) { return static_cast<double>(cell / 2 * 137 % 720) - 360; }
double latitude(int64_t cell) { return static_cast<double>(cell / 2 * 61 % 181) - 90; }

sv_decomp *declare_points(sv_context *io, const Case &made, const Numbers &cells) {
  sv_decomp *points = nullptr;
  SV_MUST(sv_def_points(io, 1, &made.cells, std::ssize(cells), cells.data(), made.holes ? SV_MASKED : 0, &points));
  return points;
}

sv_decomp *order(const Case &made, const sv_decomp *points, const Numbers &cells) {
  sv_decomp *ordered = nullptr;
  Numbers places;
  std::vector<double> east, north;
  for (const int64_t cell : cells) {
    places.push_back(made.place[static_cast<size_t>(cell)]);
    east.push_back(longitude(cell));
    north.push_back(latitude(cell));
  }
  if (made.curve)
    SV_MUST(sv_order_points_along_curve(points, east.data(), north.data(), &ordered));
  else
    SV_MUST(sv_order_points(points, places.data(), &ordered));
  return ordered;
}

struct Ids {
  int depth = -1, temp = -1, tracer = -1;
};

Ids define(sv_file *file, const Case &made, const sv_decomp *ordered) {
  Ids ids;
  int time = -1, cell = -1, level = -1, order_id = -1;
  SV_MUST(sv_def_dim(file, "time", SV_UNLIMITED, &time));
  SV_MUST(sv_def_dim(file, "column", made.cells, &cell));
  SV_MUST(sv_def_dim(file, "level", levels, &level));
  SV_MUST(sv_def_order(file, cell, "order", ordered, &order_id));
  SV_MUST(sv_rename_dim(file, cell, "cell"));
  SV_MUST(sv_def_var(file, "depth", SV_DOUBLE, 1, &cell, &ids.depth));
  const int of_temp[] = {time, level, cell}, of_tracer[] = {cell, level};
  SV_MUST(sv_def_var(file, "temp", SV_FLOAT, 3, of_temp, &ids.temp));
  SV_MUST(sv_def_var(file, "tracer", SV_INT, 2, of_tracer, &ids.tracer));
  for (const int var : {ids.depth, ids.temp, ids.tracer})
    SV_MUST(sv_def_var_decomp_dim(file, var, var == ids.temp ? 2 : 0));
  SV_MUST(sv_enddef(file));
  return ids;
}

Ids ids_in(sv_file *file) {
  Ids ids;
  SV_MUST(sv_inq_varid(file, "depth", &ids.depth));
  SV_MUST(sv_inq_varid(file, "temp", &ids.temp));
  SV_MUST(sv_inq_varid(file, "tracer", &ids.tracer));
  for (const int var : {ids.depth, ids.temp, ids.tracer})
    SV_MUST(sv_def_var_decomp_dim(file, var, var == ids.temp ? 2 : 0));
  return ids;
}

std::vector<double> level_values(const Numbers &cells, int64_t record) {
  std::vector<double> values;
  for (int64_t level = 0; level < levels; ++level)
    for (const int64_t cell : cells) values.push_back(truth(record, level, cell));
  return values;
}

std::vector<double> tracer_values(const Numbers &cells) {
  std::vector<double> values;
  for (const int64_t cell : cells)
    for (int64_t level = 0; level < levels; ++level) values.push_back(truth(-1, level, cell));
  return values;
}

void put_temp(sv_context *io, sv_file *file, const Case &made, int var, const sv_decomp *points, const Numbers &cells,
              int64_t record) {
  const std::vector<double> values = level_values(cells, record);
  if (made.waiting) {
    SV_MUST(sv_bput(file, var, points, record, {SV_DOUBLE, values.data(), nullptr}, nullptr));
    SV_MUST(sv_wait(file, SV_ALL, nullptr, nullptr));
  } else {
    SV_MUST(sv_put(file, var, points, record, SV_DOUBLE, values.data(), nullptr));
  }
  SV_MUST(sv_end_step(io));
}

void write_file(sv_context *io, const Case &made, int rank) {
  const Numbers &mine = made.first[static_cast<size_t>(rank)], &later = made.second[static_cast<size_t>(rank)];
  sv_decomp *const points = declare_points(io, made, mine), *const others = declare_points(io, made, later);
  sv_decomp *const ordered = order(made, points, mine);
  sv_file *file = nullptr;
  SV_MUST(sv_create(io, "orders.nc", 0, &file));
  const Ids ids = define(file, made, ordered);
  const std::vector<double> depth = level_values(mine, -1), tracer = tracer_values(later);
  SV_MUST(
      sv_put(file, ids.depth, made.ordered_itself ? ordered : points, SV_NO_RECORD, SV_DOUBLE, depth.data(), nullptr));
  SV_MUST(sv_put(file, ids.tracer, others, SV_NO_RECORD, SV_DOUBLE, tracer.data(), nullptr));
  put_temp(io, file, made, ids.temp, points, mine, 0);
  put_temp(io, file, made, ids.temp, others, later, 1);
  SV_MUST(sv_free_decomp(ordered));
  SV_MUST(sv_free_decomp(points));
  SV_MUST(sv_close(file));
}

void append(sv_context *io, const Case &made, int rank) {
  const Numbers &mine = made.third[static_cast<size_t>(rank)];
  sv_decomp *const points = declare_points(io, made, mine);
  sv_file *file = open_file(io, "orders.nc", SV_WRITE);
  put_temp(io, file, made, ids_in(file).temp, points, mine, 2);
  SV_MUST(sv_close(file));
}

/// On fewer ranks than wrote it.
void read_back(MPI_Comm comm, const Case &made) {
  sv_context *const io = start(comm, {"reading=" + std::string(made.waiting ? "self" : "auto")});
  Random random(99);
  Owners some(static_cast<size_t>(size_of(comm)));
  for (const Numbers &cells : made.first) some[0].insert(some[0].end(), cells.begin(), cells.end());
  const Numbers mine = dealt_again(random, some)[static_cast<size_t>(rank_in(comm))];
  sv_decomp *const points = declare_points(io, made, mine);
  sv_file *file = open_file(io, "orders.nc");
  const Ids ids = ids_in(file);
  std::vector<double> temp(mine.size() * levels + 1, -1), tracer(temp), depth(temp);
  if (made.waiting) SV_MUST(sv_iget(file, ids.temp, points, 2, {SV_DOUBLE, temp.data(), nullptr}, nullptr));
  if (made.waiting) SV_MUST(sv_wait(file, SV_ALL, nullptr, nullptr));
  if (!made.waiting) SV_MUST(sv_get(file, ids.temp, points, 2, SV_DOUBLE, temp.data(), nullptr));
  SV_MUST(sv_get(file, ids.tracer, points, SV_NO_RECORD, SV_DOUBLE, tracer.data(), nullptr));
  const sv_target into{SV_DOUBLE, depth.data(), nullptr};
  const int64_t record = SV_NO_RECORD;
  const sv_decomp *const on = points;
  SV_MUST(sv_mget(file, 1, &ids.depth, &on, &record, &into));
  for (std::vector<double> *values : {&temp, &tracer}) values->resize(mine.size() * levels);
  depth.resize(mine.size());
  std::vector<double> right = level_values(mine, -1);
  right.resize(mine.size());
  require(temp == level_values(mine, 2), made.description + ": temp is read otherwise");
  require(tracer == tracer_values(mine), made.description + ": tracer is read otherwise");
  require(depth == right, made.description + ": depth is read otherwise");
  SV_MUST(sv_close(file));
  SV_MUST(sv_finalize(io));
}

/// The places along the curve as one rank alone finds them.
Numbers curve_alone(const Case &made) {
  sv_context *const io = start(MPI_COMM_SELF, {});
  Numbers all;
  for (const Numbers &cells : made.first) all.insert(all.end(), cells.begin(), cells.end());
  sv_decomp *const ordered = order(made, declare_points(io, made, all), all);
  sv_file *file = nullptr;
  SV_MUST(sv_create(io, "alone.nc", 0, &file));
  define(file, made, ordered);
  SV_MUST(sv_close(file));
  SV_MUST(sv_finalize(io));
  Numbers place(static_cast<size_t>(made.cells), -1);
  const std::vector<double> held = NetcdfFile("alone.nc").values("order", {made.cells}, -1);
  for (size_t p = 0; p < held.size(); ++p)
    if (held[p] >= 0) place[static_cast<size_t>(held[p])] = static_cast<int64_t>(p);
  return place;
}

void check_file(const Case &made) {
  const Numbers place = made.curve ? curve_alone(made) : made.place;
  const NetcdfFile file("orders.nc");
  const std::vector<double> held = file.values("order", {made.cells}, -1);
  const std::vector<double> depth = file.values("depth", {made.cells}, -1);
  const std::vector<double> tracer = file.values("tracer", {made.cells, levels}, -1);
  std::vector<double> right(static_cast<size_t>(made.cells), static_cast<double>(NC_FILL_INT));
  for (const Numbers &cells : made.first)
    for (const int64_t cell : cells) right[static_cast<size_t>(place[static_cast<size_t>(cell)])] = double(cell);
  require(held == right, made.description + ": the order is reported otherwise");
  for (int64_t p = 0; p < made.cells; ++p) {
    const auto at = static_cast<size_t>(p);
    if (held[at] < 0) continue;
    const auto cell = static_cast<int64_t>(held[at]);
    require(depth[at] == truth(-1, 0, cell), made.description + ": depth at place " + std::to_string(p));
    for (int64_t level = 0; level < levels; ++level)
      require(tracer[at * levels + static_cast<size_t>(level)] == truth(-1, level, cell),
              made.description + ": tracer at place " + std::to_string(p));
    for (int64_t record = 0; record < records; ++record)
      for (int64_t level = 0; level < levels; ++level)
        require(file.values("temp", {levels, made.cells}, record)[static_cast<size_t>(level * made.cells + p)] ==
                    truth(record, level, cell),
                made.description + ": temp at place " + std::to_string(p));
  }
}

void try_case(uint64_t seed) {
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  const auto servers = static_cast<int>(number_of("SERVERS", 0));
  const Case made = make_case(seed, ranks - servers, servers);
  if (std::getenv("VERBOSE") != nullptr && rank == 0)
    std::printf("%s\n", made.description.c_str()), std::fflush(stdout);
  sv_context *const io = start(MPI_COMM_WORLD, made.options);
  const MPI_Comm model = model_ranks(io);
  if (model != MPI_COMM_NULL) {
    write_file(io, made, rank_in(model));
    append(io, made, rank_in(model));
  }
  SV_MUST(sv_finalize(io));
  MPI_Comm some;
  MPI_Comm_split(MPI_COMM_WORLD, rank < (ranks + 1) / 2 ? 0 : MPI_UNDEFINED, rank, &some);
  if (some != MPI_COMM_NULL) {
    read_back(some, made);
    MPI_Comm_free(&some);
  }
  at_root([&] { check_file(made); });
}

/// The error of every rank of a call that must fail.
void refused(int status, int expected, const std::string &what) {
  require(status == expected, what + " returned " + sv_strerror(status) + ": " + sv_message());
  const std::string text = status == SV_OK ? "" : sv_message();
  std::vector<char> first(2048, 0);
  text.copy(first.data(), first.size() - 1);
  MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  require(text.substr(0, first.size() - 1) == first.data(), what + ": " + text + ", but on rank 0: " + first.data());
}

/// This rank's block of 12 cells.
struct Blocks {
  int64_t cells = 12;
  Numbers mine;
  sv_decomp *points = nullptr, *ordered = nullptr;

  explicit Blocks(sv_context *io) {
    int64_t start = 0, count = 0;
    SV_MUST(sv_block(cells, size_of(MPI_COMM_WORLD), rank_in(MPI_COMM_WORLD), &start, &count));
    for (int64_t i = 0; i < count; ++i) mine.push_back(start + i);
    SV_MUST(sv_def_points(io, 1, &cells, count, mine.data(), 0, &points));
    SV_MUST(sv_order_points(points, mine.data(), &ordered));
  }
};

void refuse_orders(sv_context *io) {
  const Blocks blocks(io);
  sv_decomp *made = nullptr;
  Numbers twice = blocks.mine, outside = blocks.mine;
  if (rank_in(MPI_COMM_WORLD) == 0) twice[0] = 11;
  if (rank_in(MPI_COMM_WORLD) == 0) outside[0] = 12;
  refused(sv_order_points(blocks.points, twice.data(), &made), SV_ELAYOUT, "a position that comes twice");
  refused(sv_order_points(blocks.points, outside.data(), &made), SV_ELAYOUT, "a position out of range");
  refused(sv_order_points(blocks.ordered, blocks.mine.data(), &made), SV_EINVAL, "an order of an order");
  sv_decomp *grid = nullptr;
  const int64_t count = std::ssize(blocks.mine), start = count == 0 ? 0 : blocks.mine.front();
  SV_MUST(sv_def_decomp(io, 1, &blocks.cells, &start, &count, nullptr, &grid));
  refused(sv_order_points(grid, blocks.mine.data(), &made), SV_EINVAL, "an order of blocks");
  std::vector<double> east(blocks.mine.size(), 0), north(blocks.mine.size(), 0);
  north[0] = 91;
  refused(sv_order_points_along_curve(blocks.points, east.data(), north.data(), &made), SV_EINVAL, "a latitude of 91");
  int cell = -1, other = -1, order_id = -1;
  sv_file *file =
      begin_file(io, "refused.nc", 0, {{"cell", blocks.cells, &cell}, {"other", blocks.cells + 1, &other}}, {});
  refused(sv_def_order(file, other, "order", blocks.ordered, &order_id), SV_ELAYOUT, "another dimension");
  refused(sv_def_order(file, cell, "order", blocks.points, &order_id), SV_EINVAL, "points without an order");
  SV_MUST(sv_def_order(file, cell, "order", blocks.ordered, &order_id));
  refused(sv_def_order(file, cell, "again", blocks.ordered, nullptr), SV_EEXISTS, "a second order");
  SV_MUST(sv_enddef(file));
  // A redefinition keeps it, and gives one to a new dimension only.
  int fresh = -1, late = -1;
  const std::vector<double> values(blocks.mine.begin(), blocks.mine.end());
  SV_MUST(sv_redef(file));
  refused(sv_def_order(file, other, "late", blocks.ordered, nullptr), SV_ELAYOUT, "another dimension, late");
  SV_MUST(sv_def_dim(file, "fresh", blocks.cells, &fresh));
  SV_MUST(sv_def_order(file, fresh, "fresh_order", blocks.ordered, nullptr));
  SV_MUST(sv_def_var(file, "late", SV_DOUBLE, 1, &cell, &late));
  SV_MUST(sv_enddef(file));
  SV_MUST(sv_put(file, late, blocks.points, SV_NO_RECORD, SV_DOUBLE, values.data(), nullptr));
  SV_MUST(sv_close(file));
  if (rank_in(MPI_COMM_WORLD) == 0)
    for (const char *name : {"order", "fresh_order", "late"})
      require(NetcdfFile("refused.nc").values(name, {blocks.cells}, -1)[7] == 7, std::string(name) + " is wrong");
}

/// What refuse_orders has written; only the first rank reads, and the others have forgotten the decomposition.
void read_alone(sv_context *io) {
  const Blocks blocks(io);
  const bool reads = rank_in(MPI_COMM_WORLD) == 0;
  int late = -1;
  sv_file *file = open_file(io, "refused.nc");
  SV_MUST(sv_inq_varid(file, "late", &late));
  std::vector<double> values(blocks.mine.size(), -1);
  if (reads) SV_MUST(sv_iget(file, late, blocks.points, SV_NO_RECORD, {SV_DOUBLE, values.data(), nullptr}, nullptr));
  if (!reads) SV_MUST(sv_free_decomp(blocks.points));
  SV_MUST(sv_wait(file, SV_ALL, nullptr, nullptr));
  for (size_t i = 0; reads && i < values.size(); ++i)
    require(values[i] == double(blocks.mine[i]), "what one rank reads alone");
  SV_MUST(sv_close(file));
}

/// Every file of a series contains the order, in which cells stand backwards.
void write_series(sv_context *io) {
  const Blocks blocks(io);
  Numbers back;
  for (const int64_t cell : blocks.mine) back.push_back(blocks.cells - 1 - cell);
  sv_decomp *backwards = nullptr;
  SV_MUST(sv_order_points(blocks.points, back.data(), &backwards));
  int cell = -1, time = -1, time_id = -1, depth = -1, wants_fixed = 0;
  sv_file *file =
      begin_file(io, "series_%Y.nc", SV_SERIES, {{"time", SV_UNLIMITED, &time}, {"cell", blocks.cells, &cell}},
                 {{"time", SV_DOUBLE, {"time"}, &time_id}});
  SV_MUST(sv_put_att_text(file, time_id, "units", "days since 2001-01-01"));
  const int dims[] = {time, cell};
  SV_MUST(sv_def_var(file, "depth", SV_DOUBLE, 2, dims, &depth));
  SV_MUST(sv_def_order(file, cell, "order", backwards, nullptr));
  SV_MUST(sv_enddef(file));
  const std::vector<double> values(blocks.mine.begin(), blocks.mine.end());
  for (int year = 0; year < 2; ++year) {
    const int date[] = {2001 + year, 1, 1, 0, 0, 0};
    int64_t record = -1;
    SV_MUST(sv_select_record(file, date, 365.0 * year, &record, &wants_fixed));
    SV_MUST(sv_put(file, depth, blocks.points, record, SV_DOUBLE, values.data(), nullptr));
    SV_MUST(sv_end_step(io));
  }
  SV_MUST(sv_close(file));
  if (rank_in(MPI_COMM_WORLD) != 0) return;
  for (const char *name : {"series_2001.nc", "series_2002.nc"}) {
    require(NetcdfFile(name).values("order", {blocks.cells}, -1)[0] == 11,
            std::string(name) + " reports another order");
    require(NetcdfFile(name).values("depth", {blocks.cells}, 0)[0] == 11, std::string(name) + " is in another order");
  }
}

/// A file of another program, in which place 3 holds `index`.
void refuse_file(sv_context *io, int index, const std::string &what) {
  const Blocks blocks(io);
  at_root([&] {
    int id = -1, dim = -1, var = -1;
    std::vector<int> held(static_cast<size_t>(blocks.cells));
    std::iota(held.begin(), held.end(), 0);
    held[3] = index;
    nc(nc_create("flawed.nc", NC_CLOBBER, &id), what);
    nc(nc_def_dim(id, "cell", held.size(), &dim), what);
    nc(nc_def_var(id, "order", NC_INT, 1, &dim, &var), what);
    nc(nc_put_att_text(id, var, "sverdrup_order", 4, "cell"), what);
    nc(nc_enddef(id), what);
    nc(nc_put_var_int(id, var, held.data()), what);
    nc(nc_close(id), what);
  });
  sv_file *file = open_file(io, "flawed.nc");
  std::vector<double> values(blocks.mine.size());
  refused(sv_get(file, 0, blocks.points, SV_NO_RECORD, SV_DOUBLE, values.data(), nullptr), SV_EFORMAT, what);
  require(std::string(sv_message()).find("'order'") != std::string::npos, what + " is reported as " + sv_message());
  SV_MUST(sv_close(file));
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int64_t first = number_of("SEED", 1), count = number_of("COUNT", 3);
  for (int64_t i = 0; i < count; ++i) try_case(static_cast<uint64_t>(first + i));
  sv_context *const io = start(MPI_COMM_WORLD, {});
  refuse_orders(io);
  read_alone(io);
  write_series(io);
  refuse_file(io, 5, "an index that comes twice");
  refuse_file(io, 12, "an index out of range");
  SV_MUST(sv_finalize(io));
  return MPI_Finalize();
}
