#include "workload/input.hpp"

#include "workload/plain_file.hpp"
#include "workload/swap.hpp"

namespace sv_bench {

void make_input(const Workload &workload, const std::string &path) {
  const Team &team = workload.team;
  if (team.rank == 0) {
    PlainFile file(path, O_WRONLY | O_CREAT | O_TRUNC);
    file.write(workload.file.header.data(), static_cast<int64_t>(workload.file.header.size()), 0);
    file.close();
  }
  MPI_Barrier(team.comm);
  std::vector<std::byte> row;
  PlainFile file(path, O_WRONLY);
  for (const Box &box : workload.boxes()) {
    row.resize(static_cast<size_t>(box.elements * box.width));
    box.for_each_row([&](int64_t offset, int64_t place) {
      swap_copy(workload.memory() + place, row.data(), box.elements, box.width);
      file.write(row.data(), box.elements * box.width, offset);
    });
  }
  file.close();
  MPI_Barrier(team.comm);
}

void remove_input(const Workload &workload, const std::string &path) {
  MPI_Barrier(workload.team.comm);
  if (workload.team.rank == 0 && unlink(path.c_str()) != 0) throw std::runtime_error("cannot remove '" + path + "'");
}

}  // namespace sv_bench
