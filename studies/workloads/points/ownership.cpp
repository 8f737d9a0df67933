#include "ownership.hpp"

#include <sverdrup/sverdrup.h>

#include <algorithm>
#include <climits>
#include <numeric>
#include <random>
#include <stdexcept>

#include "methods/sverdrup_context.hpp"

namespace sv_bench {

namespace {

constexpr int64_t run_cells = 64;
constexpr unsigned seed = 20231213;

std::vector<int64_t> shuffled(int64_t n) {
  std::vector<int64_t> numbers(static_cast<size_t>(n));
  std::iota(numbers.begin(), numbers.end(), int64_t{0});
  std::shuffle(numbers.begin(), numbers.end(), std::mt19937_64(seed));
  return numbers;
}

// A file of sv-grid, open while this lives.
class GridFile {
 public:
  GridFile(const Team &team, const std::string &path) : context_(team.comm, {"async=none"}, nullptr) {
    if (sv_open(context_.io(), path.c_str(), SV_NOWRITE, &file_) != SV_OK)
      throw std::invalid_argument(std::string("--grid: ") + sv_message());
  }
  sv_file *get() const { return file_; }
  /// Collective.
  void close() {
    check_sverdrup(sv_close(file_), "sv_close");
    context_.finish();
  }

 private:
  SverdrupContext context_;
  sv_file *file_ = nullptr;
};

// On rank 0; nothing on the others.
std::vector<int> owners_in_file(const Team &team, int64_t cells, const std::string &path) {
  const std::string name = "owner_" + std::to_string(team.ranks);
  GridFile file(team, path);
  int var = 0;
  if (sv_inq_varid(file.get(), name.c_str(), &var) != SV_OK)
    throw std::invalid_argument("'" + path + "' has no variable '" + name + "': make it with sv-grid --ranks " +
                                std::to_string(team.ranks));
  std::vector<int> owners(static_cast<size_t>(team.rank == 0 ? cells : 0));
  const int64_t start = 0, count = static_cast<int64_t>(owners.size());
  check_sverdrup(sv_get_vara(file.get(), var, &start, &count, SV_INT, owners.data(), nullptr), "sv_get_vara");
  file.close();
  return owners;
}

std::vector<std::vector<int64_t>> lists_of(const std::vector<int> &owners, int ranks) {
  std::vector<std::vector<int64_t>> lists(static_cast<size_t>(ranks));
  for (size_t c = 0; c < owners.size(); ++c)
    lists.at(static_cast<size_t>(owners[c])).push_back(static_cast<int64_t>(c));
  return lists;
}

std::vector<std::vector<int64_t>> random_lists(int64_t cells, int ranks) {
  const std::vector<int64_t> order = shuffled(cells);
  std::vector<std::vector<int64_t>> lists;
  for (int64_t r = 0; r < ranks; ++r)
    lists.emplace_back(order.begin() + cells * r / ranks, order.begin() + cells * (r + 1) / ranks);
  return lists;
}

std::vector<std::vector<int64_t>> run_lists(int64_t cells, int ranks) {
  const std::vector<int64_t> order = shuffled((cells + run_cells - 1) / run_cells);
  std::vector<int> owners(static_cast<size_t>(cells));
  for (size_t place = 0; place < order.size(); ++place) {
    const int64_t first = order[place] * run_cells, end = std::min(cells, first + run_cells);
    std::fill(owners.begin() + first, owners.begin() + end, static_cast<int>(place) % ranks);
  }
  return lists_of(owners, ranks);
}

// Rank 0 has the lists of all.
std::vector<int64_t> dealt(const Team &team, const std::vector<std::vector<int64_t>> &lists) {
  std::vector<int> counts, places;
  std::vector<int64_t> all;
  for (const std::vector<int64_t> &list : lists) {
    places.push_back(static_cast<int>(all.size()));
    counts.push_back(static_cast<int>(list.size()));
    all.insert(all.end(), list.begin(), list.end());
  }
  int mine = 0;
  MPI_Scatter(counts.data(), 1, MPI_INT, &mine, 1, MPI_INT, 0, team.comm);
  std::vector<int64_t> cells(static_cast<size_t>(mine));
  MPI_Scatterv(all.data(), counts.data(), places.data(), MPI_INT64_T, cells.data(), mine, MPI_INT64_T, 0, team.comm);
  return cells;
}

}  // namespace

int64_t cells_of_grid(const Team &team, const std::string &path) {
  GridFile file(team, path);
  int dim = 0;
  int64_t cells = 0;
  check_sverdrup(sv_inq_dimid(file.get(), "cell", &dim), "sv_inq_dimid");
  check_sverdrup(sv_inq_dim(file.get(), dim, nullptr, &cells), "sv_inq_dim");
  file.close();
  return cells;
}

std::vector<int64_t> owned_cells(const Team &team, int64_t cells, const Ownership &ownership) {
  if (cells < team.ranks || cells > INT_MAX)
    throw std::invalid_argument("--cells " + std::to_string(cells) + ": give " + std::to_string(team.ranks) + " to " +
                                std::to_string(INT_MAX) + ", at least one for each rank");
  if (ownership.kind == "blocks") {
    int64_t start = 0, count = 0;
    check_sverdrup(sv_block(cells, team.ranks, team.rank, &start, &count), "sv_block");
    std::vector<int64_t> mine(static_cast<size_t>(count));
    std::iota(mine.begin(), mine.end(), start);
    return mine;
  }
  std::vector<int> owners;
  if (!ownership.grid.empty()) owners = owners_in_file(team, cells, ownership.grid);
  std::vector<std::vector<int64_t>> lists;
  std::string wrong;
  if (team.rank == 0) try {
      if (ownership.kind == "random") lists = random_lists(cells, team.ranks);
      if (ownership.kind == "runs") lists = run_lists(cells, team.ranks);
      if (ownership.kind == "metis")
        lists = lists_of(owners.empty() ? metis_owners(cells, team.ranks) : owners, team.ranks);
    } catch (const std::logic_error &error) {
      wrong = error.what();
    }
  if (!team.all(wrong.empty())) throw std::invalid_argument(wrong);  // rank 0 says it
  return dealt(team, lists);
}

}  // namespace sv_bench
