// Records of one to three bytes follow one another without padding where a file has only one record variable. Puts of a
// step go to some of them, in any order: those between, of earlier steps, keep their values with any writer.
// run: ranks=1 limit=60
// run: ranks=3 limit=60
// run: ranks=3 limit=60 name=servers args=async=servers:1
// run: ranks=5 limit=60 name=two_servers args=async=servers:2 testing.ranks_per_node=3 file_system.stripe=4096
// run: ranks=3 limit=60 name=steps args=combine=step
// run: ranks=2 limit=60 name=writers args=writers=2 combine=step
// run: ranks=3 limit=60 name=behind behind
// run: ranks=3 limit=60 name=behind_nodes behind env=SV_TESTING_RANKS_PER_NODE=1
#include <algorithm>
#include <memory>

#include "support/files.hpp"
#include "support/model_ranks.hpp"
#include "support/random_case.hpp"

namespace {

using namespace svtest;

constexpr int64_t most_records = 40;
constexpr signed char fill = -7;
enum class Way { blocks, points, whole, strided, list, requests, filled };

struct Put {
  Way way;
  int64_t first, count, apart;  // of records
  int place;                    // of the rank that has them, where one has them all
};

class File {
 public:
  File(sv_context *io, MPI_Comm comm, int64_t cells)
      : io_(io), rank_(rank_in(comm)), ranks_(size_of(comm)), cells_(cells), expected_(most_records * cells, fill) {
    const int64_t first = cut(cells, ranks_, rank_), count = cut(cells, ranks_, rank_ + 1) - first;
    SV_MUST(sv_def_decomp(io, 1, &cells, &first, &count, nullptr, &blocks_));
    for (int64_t cell = (rank_ + 1) % ranks_; cell < cells; cell += ranks_) own_points_.push_back(cell);
    for (int64_t cell = first; cell < first + count; ++cell) own_block_.push_back(cell);
    SV_MUST(sv_def_points(io, 1, &cells, std::ssize(own_points_), own_points_.data(), 0, &points_));
    file_ = make_file(io, "short.nc", SV_CLASSIC, {{"time", SV_UNLIMITED}, {"x", cells}},
                      {{"a", SV_BYTE, {"time", "x"}, &var_, &fill}});
    int servers = 0;
    SV_MUST(sv_inq_servers(io, &servers));
    may_fill_ = servers == 0;
  }

  void put(const Put &put) {
    if (put.way == Way::filled && !may_fill_) return;
    ++puts_;
    records_ = std::max(records_, put.first + (put.count - 1) * put.apart + 1);
    for (int64_t i = 0; i < put.count; ++i)
      for (int64_t x = 0; x < cells_; ++x)
        at(put.first + i * put.apart, x) = put.way == Way::filled ? fill : value(i, x);
    switch (put.way) {
      case Way::blocks:
      case Way::points:
        return put_distributed(put);
      case Way::whole:
        return put_whole(put);
      case Way::strided:
        return put_strided(put);
      case Way::list:
      case Way::requests:
        return put_several(put);
      case Way::filled:
        for (int64_t i = 0; i < put.count; ++i) SV_MUST(sv_fill_var(file_, var_, put.first + i * put.apart));
    }
  }
  void end_step() { SV_MUST(sv_end_step(io_)); }
  void close() {
    SV_MUST(sv_close(file_));
    SV_MUST(sv_free_decomp(blocks_));
    SV_MUST(sv_free_decomp(points_));
  }
  void check(const std::string &description) const {
    const NetcdfFile file("short.nc");
    require(file.records() == records_, description + ": " + std::to_string(file.records()) + " records");
    for (int64_t r = 0; r < records_; ++r) {
      const std::vector<double> found = file.values("a", {cells_}, r);
      for (int64_t x = 0; x < cells_; ++x)
        require(found[static_cast<size_t>(x)] == expected_[static_cast<size_t>(r * cells_ + x)],
                description + ": record " + std::to_string(r) + ", cell " + std::to_string(x) + " is " +
                    std::to_string(found[static_cast<size_t>(x)]));
    }
  }

 private:
  signed char &at(int64_t record, int64_t x) { return expected_[static_cast<size_t>(record * cells_ + x)]; }
  signed char value(int64_t i, int64_t x) const { return static_cast<signed char>((37 * puts_ + 5 * i + x) % 120 + 1); }

  void put_distributed(const Put &put) {
    const bool points = put.way == Way::points;
    for (int64_t i = 0; i < put.count; ++i) {
      std::vector<signed char> mine;
      for (const int64_t x : points ? own_points_ : own_block_) mine.push_back(value(i, x));
      SV_MUST(
          sv_put(file_, var_, points ? points_ : blocks_, put.first + i * put.apart, SV_BYTE, mine.data(), nullptr));
    }
  }

  void put_whole(const Put &put) {
    for (int64_t i = 0; i < put.count; ++i) {
      std::vector<signed char> all;
      for (int64_t x = 0; x < cells_; ++x) all.push_back(value(i, x));
      SV_MUST(sv_put_var(file_, var_, put.first + i * put.apart, SV_BYTE, all.data(), nullptr));
    }
  }

  std::vector<signed char> values_of(const Put &put) const {
    std::vector<signed char> values;
    for (int64_t i = 0; i < put.count; ++i)
      for (int64_t x = 0; x < cells_; ++x) values.push_back(value(i, x));
    return values;
  }

  void put_strided(const Put &put) {
    const bool mine = rank_ == put.place % ranks_;
    const int64_t start[] = {put.first, 0}, count[] = {mine ? put.count : 0, cells_}, apart[] = {put.apart, 1};
    const std::vector<signed char> values = values_of(put);
    SV_MUST(sv_put_vars(file_, var_, start, count, apart, {SV_BYTE, values.data(), nullptr}));
  }

  void put_several(const Put &put) {
    const std::vector<signed char> values = values_of(put);
    const auto n = static_cast<size_t>(rank_ == put.place % ranks_ ? put.count : 0);
    std::vector<Numbers> starts(n), counts(n, Numbers{1, cells_});
    std::vector<const int64_t *> start, count;
    std::vector<sv_source> data;
    for (size_t i = 0; i < n; ++i) {
      starts[i] = {put.first + static_cast<int64_t>(i) * put.apart, 0};
      start.push_back(starts[i].data());
      count.push_back(counts[i].data());
      data.push_back({SV_BYTE, values.data() + i * static_cast<size_t>(cells_), nullptr});
    }
    const std::vector<int> vars(n, var_);
    if (put.way == Way::list)
      return SV_MUST(sv_mput_vara(file_, static_cast<int>(n), vars.data(), start.data(), count.data(), data.data()));
    for (size_t i = 0; i < n; ++i) {
      sv_request request = SV_NO_REQUEST;
      SV_MUST(sv_iput_vara(file_, var_, start[i], count[i], data[i], &request));
    }
    SV_MUST(sv_wait(file_, SV_ALL, nullptr, nullptr));
  }

  sv_context *io_;
  const int rank_, ranks_;
  const int64_t cells_;
  std::vector<signed char> expected_;
  int64_t records_ = 0, puts_ = 0;
  Numbers own_block_, own_points_;
  sv_decomp *blocks_ = nullptr, *points_ = nullptr;
  sv_file *file_ = nullptr;
  int var_ = -1;
  bool may_fill_ = false;  // servers do not
};

Put random_put(Random &random) {
  const int64_t first = random.between(0, most_records / 2), apart = random.between(1, 3);
  return {static_cast<Way>(random.between(0, 6)), first, random.between(1, 4), apart,
          static_cast<int>(random.between(0, 9))};
}

void try_case(uint64_t seed, const std::vector<std::string> &options) {
  Random random(seed);
  sv_context *io = start(MPI_COMM_WORLD, options);
  const MPI_Comm comm = model_ranks(io);
  std::unique_ptr<File> file;
  if (comm != MPI_COMM_NULL) {
    file = std::make_unique<File>(io, comm, random.between(1, 3));
    const int64_t steps = random.between(2, 5);
    for (int64_t step = 0; step < steps; ++step) {
      for (int64_t puts = random.between(1, 6); puts > 0; --puts) file->put(random_put(random));
      file->end_step();
    }
    file->close();
  }
  SV_MUST(sv_finalize(io));
  if (file != nullptr) file->check("seed " + std::to_string(seed));
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::vector<std::string> options{"transport.window=1MiB", "async.memory=4MiB"};
  for (int i = 1; i < argc; ++i) options.emplace_back(argv[i]);
  for (uint64_t seed = 0; seed < 60; ++seed) try_case(seed, options);
  return MPI_Finalize();
}
