#include "methods/collected.hpp"

#include <sverdrup/sverdrup.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <stdexcept>

namespace sv_bench {

namespace {

/// In which of so many parts a rank's place stands.
int part_of(int place, int length, int parts) {
  for (int part = 0; part < parts; ++part) {
    int64_t start = 0, count = 0;
    if (sv_block(length, parts, part, &start, &count) != SV_OK)
      throw std::runtime_error(std::string("sv_block: ") + sv_message());
    if (place < start + count) return part;
  }
  throw std::runtime_error("a rank is in no I/O domain");
}

MPI_Comm part_of(const Team &team, int color) {
  MPI_Comm comm = MPI_COMM_NULL;
  if (MPI_Comm_split(team.comm, color, team.rank, &comm) != MPI_SUCCESS)
    throw std::runtime_error("MPI cannot divide the ranks into I/O domains");
  return comm;
}

}  // namespace

Collected::Collected(const Workload &workload, const Domains &domains) : SteppedMethod(workload, false) {
  const int x = part_of(team_.rank % domains.ranks.x, domains.ranks.x, domains.io.x);
  const int y = part_of(team_.rank / domains.ranks.x, domains.ranks.y, domains.io.y);
  domain_ = part_of(team_, y * domains.io.x + x);
  int place = 0, ranks = 1;
  MPI_Comm_rank(domain_, &place);
  MPI_Comm_size(domain_, &ranks);
  writers_ = part_of(team_, place == 0 ? 0 : MPI_UNDEFINED);
  const Grid &grid = *workload.grid;
  mine_ = {grid.start[0], grid.count[0], grid.start[1], grid.count[1]};
  members_.resize(static_cast<size_t>(place == 0 ? ranks : 0));
  MPI_Gather(mine_.data(), 4, MPI_INT64_T, members_.data(), 4, MPI_INT64_T, 0, domain_);
  counts_.resize(members_.size());
  places_.resize(members_.size());
  if (place != 0) return;
  whole_ = {mine_[0], 0, mine_[2], 0};
  for (const Bounds &one : members_) {
    whole_[1] = std::max(whole_[1], one[0] + one[1] - whole_[0]);
    whole_[3] = std::max(whole_[3], one[2] + one[3] - whole_[2]);
  }
}

const std::byte *Collected::pack(const Access &access, int64_t levels) {
  if (!access.frame) return source() + access.place;
  const int64_t width = workload_.variable(access).type.bytes, row = mine_[3] * width;
  const std::vector<int64_t> steps = access.memory_steps(width);
  const size_t rows = steps.size() - 2;
  const int64_t next_level = rows > 0 ? steps[rows - 1] : 0;  // bytes before the rows are contiguous
  packed_.resize(static_cast<size_t>(levels * mine_[1] * row));
  std::byte *to = packed_.data();
  for (int64_t level = 0; level < levels; ++level) {
    for (int64_t y = 0; y < mine_[1]; ++y, to += row)
      std::memcpy(to, source() + access.place + level * next_level + y * steps[rows], static_cast<size_t>(row));
  }
  return packed_.data();
}

// From one rank's block after the other to rows of the domain.
void Collected::order(int64_t levels, int64_t width) {
  for (size_t m = 0; m < members_.size(); ++m) {
    const auto [start_y, rows, start_x, columns] = members_[m];
    const std::byte *from = gathered_.data() + places_[m] * width;
    for (int64_t level = 0; level < levels; ++level) {
      for (int64_t y = 0; y < rows; ++y, from += columns * width) {
        const int64_t row = level * whole_[1] + start_y - whole_[0] + y;
        std::memcpy(block_.data() + (row * whole_[3] + start_x - whole_[2]) * width, from,
                    static_cast<size_t>(columns * width));
      }
    }
  }
}

void Collected::open(const std::string &path) {
  if (writers_ != MPI_COMM_NULL) create(path);
}

void Collected::move(size_t step) {
  const auto [first, end] = workload_.step(step);
  for (size_t a = first; a < end; ++a) collect(workload_.accesses()[a]);
}

void Collected::collect(const Access &access) {
  const ElementType &type = workload_.variable(access).type;
  const int64_t cells = mine_[1] * mine_[3], levels = access.elements() / cells;
  int64_t place = 0;
  for (size_t m = 0; m < members_.size(); ++m) {
    counts_[m] = static_cast<int>(levels * members_[m][1] * members_[m][3]);
    places_[m] = static_cast<int>(place);
    place += levels * members_[m][1] * members_[m][3];
  }
  if (place > INT_MAX) throw std::runtime_error("an I/O domain has more values of a variable than MPI gathers");
  gathered_.resize(std::max(gathered_.size(), static_cast<size_t>(place * type.bytes)));
  block_.resize(gathered_.size());
  MPI_Gatherv(pack(access, levels), static_cast<int>(levels * cells), type.mpi, gathered_.data(), counts_.data(),
              places_.data(), type.mpi, 0, domain_);
  if (writers_ == MPI_COMM_NULL) return;
  order(levels, type.bytes);
  Region region = access.regions.front();
  const size_t d = region.start.size() - 2;
  for (size_t i = 0; i < 2; ++i) {
    region.start[d + i] = whole_[2 * i];
    region.count[d + i] = whole_[2 * i + 1];
  }
  put(access.variable, region, block_.data());
}

void Collected::close() {
  if (writers_ != MPI_COMM_NULL) close_file();
  MPI_Barrier(team_.comm);
}

Traffic Collected::traffic() {
  int sends = members_.empty() ? 1 : 0;  // to another rank
  MPI_Allreduce(MPI_IN_PLACE, &sends, 1, MPI_INT, MPI_SUM, team_.comm);
  return {{}, {}, sends * static_cast<int64_t>(workload_.accesses().size())};
}

void Collected::finish() {
  for (MPI_Comm *comm : {&domain_, &writers_}) {
    if (*comm != MPI_COMM_NULL && MPI_Comm_free(comm) != MPI_SUCCESS)
      throw std::runtime_error("MPI cannot free the communicator of an I/O domain");
  }
}

}  // namespace sv_bench
