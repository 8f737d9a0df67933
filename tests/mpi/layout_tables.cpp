// The ranks of a node have the table of a large decomposition in common: one piece of memory, which goes with the
// decomposition. Of a small one, each rank has its own. Where there is no room for it, every rank has the error.
// run: ranks=1 limit=60
// run: ranks=4 limit=60
// run: ranks=5 limit=60 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
// run: ranks=5 limit=60 name=servers args=async=servers:1
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fstream>
#include <set>

#include "support/model_ranks.hpp"
#include "support/test_file.hpp"

namespace {

using namespace svtest;

constexpr const char *path = "tables.nc";
// A block goes around the end of all dimensions but the first, so that it has 2^7 patches: few ranks have many.
constexpr int dims = 8;
constexpr int64_t length = 3, rows_of_rank = 2;

struct Scene {
  sv_context *io;
  MPI_Comm ranks, node;
  int64_t rank() const { return rank_in(ranks); }
};

/// Those that share memory, as the library counts them.
MPI_Comm node_of(MPI_Comm ranks) {
  MPI_Comm host = MPI_COMM_NULL, node = MPI_COMM_NULL;
  MPI_Comm_split_type(ranks, MPI_COMM_TYPE_SHARED, rank_in(ranks), MPI_INFO_NULL, &host);
  const char *const pretended = std::getenv("SV_TESTING_RANKS_PER_NODE");
  MPI_Comm_split(host, pretended == nullptr ? 0 : rank_in(host) / std::atoi(pretended), 0, &node);
  MPI_Comm_free(&host);
  return node;
}

/// The numbers of the library's pieces of shared memory in this process.
std::set<long> mapped() {
  std::set<long> found;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    long inode = 0;
    if (line.find("/memfd:sverdrup") == std::string::npos) continue;
    require(std::sscanf(line.c_str(), "%*s %*s %*s %*s %ld", &inode) == 1, line);
    found.insert(inode);
  }
  return found;
}

std::set<long> news(const std::set<long> &before) {
  std::set<long> more;
  const std::set<long> now = mapped();
  std::set_difference(now.begin(), now.end(), before.begin(), before.end(), std::inserter(more, more.end()));
  return more;
}

std::vector<int64_t> shape_of(const Scene &scene) {
  std::vector<int64_t> shape(dims, length);
  shape[0] = rows_of_rank * size_of(scene.ranks);
  return shape;
}

int define(const Scene &scene, bool wraps, sv_decomp **decomp) {
  const std::vector<int64_t> shape = shape_of(scene);
  std::vector<int64_t> start(dims, wraps ? length - 1 : 0), count(dims, length);
  start[0] = rows_of_rank * scene.rank();
  count[0] = rows_of_rank;
  std::vector<int> periodic(dims, 1);
  periodic[0] = 0;
  const sv_decomp_options around{nullptr, periodic.data(), 0};
  return sv_def_decomp(scene.io, dims, shape.data(), start.data(), count.data(), &around, decomp);
}

/// Of the cells of this rank's block, in its order: each has its number in the grid.
std::vector<int32_t> own_values(const Scene &scene) {
  int64_t of_row = 1;
  for (int d = 1; d < dims; ++d) of_row *= length;
  std::vector<int32_t> values;
  for (int64_t i = 0; i < rows_of_rank * of_row; ++i) {
    int64_t number = 0;
    for (int64_t left = i % of_row, power = 1; power < of_row; left /= length, power *= length)
      number += (left + length - 1) % length * power;
    values.push_back(static_cast<int32_t>((rows_of_rank * scene.rank() + i / of_row) * of_row + number));
  }
  return values;
}

void write(const Scene &scene, const sv_decomp *decomp) {
  std::vector<Dim> all;
  Var v{"v", SV_INT, {}};
  for (const int64_t each : shape_of(scene)) {
    all.push_back({"d" + std::to_string(all.size()), each});
    v.dims.push_back(all.back().name);
  }
  sv_file *file = make_file(scene.io, path, 0, all, {v});
  SV_MUST(sv_put(file, 0, decomp, SV_NO_RECORD, SV_INT, own_values(scene).data(), nullptr));
  SV_MUST(sv_close(file));
}

void check_file(const Scene &scene, const sv_decomp *decomp) {
  sv_file *file = open_file(scene.io, path);
  int64_t cells = 1;
  for (const int64_t each : shape_of(scene)) cells *= each;
  std::vector<int32_t> all(static_cast<size_t>(cells)), own = own_values(scene), found(own.size());
  SV_MUST(sv_get_var(file, 0, SV_NO_RECORD, SV_INT, all.data(), nullptr));
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i] != static_cast<int32_t>(i)) give_up("cell " + std::to_string(i) + " has " + std::to_string(all[i]));
  SV_MUST(sv_get(file, 0, decomp, SV_NO_RECORD, SV_INT, found.data(), nullptr));
  require(found == own, "the block was read otherwise");
  SV_MUST(sv_close(file));
}

/// On all ranks of the host, with shared memory counted once; −1 if the kernel does not report it.
long kibibytes_in_use(const Scene &scene) {
  std::ifstream sums("/proc/self/smaps_rollup");
  long mine = -1, all = 0;
  for (std::string key; sums >> key;)
    if (key == "Pss:") sums >> mine;
  MPI_Barrier(scene.ranks);
  MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, scene.ranks);
  return all;
}

void shares_large_tables(const Scene &scene) {
  const std::set<long> before = mapped();
  sv_decomp *small = nullptr, *large = nullptr;
  SV_MUST(define(scene, false, &small));
  require(news(before).empty(), "a small table is shared");
  const long in_use = kibibytes_in_use(scene);
  SV_MUST(define(scene, true, &large));
  const long more = kibibytes_in_use(scene) - in_use;
  if (scene.rank() == 0) std::printf("%d ranks: %ld KiB for the tables\n", size_of(scene.ranks), more);
  const std::set<long> table = news(before);
  int most = size_of(scene.node);
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, scene.ranks);
  require(table.size() == (most > 1 ? 1 : 0), std::to_string(table.size()) + " tables are shared");
  long first = table.empty() ? 0 : *table.begin();
  MPI_Bcast(&first, 1, MPI_LONG, 0, scene.node);
  require(table.empty() || first == *table.begin(), "ranks of a node have tables of their own");
  write(scene, large);
  check_file(scene, large);
  SV_MUST(sv_free_decomp(small));
  SV_MUST(sv_free_decomp(large));
}

/// The first rank of all may make no memory of that size.
void tells_where_there_is_no_room(const Scene &scene) {
  int most = size_of(scene.node);
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, scene.ranks);
  if (most == 1) return;
  rlimit limit{}, none{};
  require(getrlimit(RLIMIT_FSIZE, &limit) == 0, "getrlimit");
  none = limit;
  none.rlim_cur = 4096;
  std::signal(SIGXFSZ, SIG_IGN);
  const std::set<long> before = mapped();
  sv_decomp *decomp = nullptr;
  if (scene.rank() == 0) require(setrlimit(RLIMIT_FSIZE, &none) == 0, "setrlimit");
  const int status = define(scene, true, &decomp);
  require(setrlimit(RLIMIT_FSIZE, &limit) == 0, "setrlimit");
  require(status == SV_ENOMEM, std::string("no room, and the status ") + sv_strerror(status));
  require(std::strstr(sv_message(), "no memory for the table of blocks of a node") != nullptr, sv_message());
  require(news(before).empty(), "what failed is left");
  SV_MUST(define(scene, true, &decomp));
  SV_MUST(sv_free_decomp(decomp));
  require(news(before).empty(), "the table is there, and its decomposition is not");
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  sv_context *io = start(MPI_COMM_WORLD, std::vector<std::string>(argv + 1, argv + argc));
  if (const MPI_Comm ranks = model_ranks(io); ranks != MPI_COMM_NULL) {
    Scene scene{io, ranks, node_of(ranks)};
    shares_large_tables(scene);
    tells_where_there_is_no_room(scene);
    MPI_Comm_free(&scene.node);
  }
  SV_MUST(sv_finalize(io));
  MPI_Finalize();
  return 0;
}
