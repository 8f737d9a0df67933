#include "workload/input.hpp"

#include <sys/mman.h>

#include "workload/plain_file.hpp"
#include "workload/swap.hpp"

namespace sv_bench {

namespace {

// The whole file in memory: its many rows cost no system calls, and take no time of an emulated device.
class Map {
 public:
  Map(const std::string &path, int64_t bytes) : bytes_(static_cast<size_t>(bytes)) {
    const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor >= 0) data_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (descriptor >= 0) ::close(descriptor);
    if (data_ == MAP_FAILED) throw std::runtime_error("cannot map '" + path + "': " + std::strerror(errno));
  }
  ~Map() { munmap(data_, bytes_); }
  Map(const Map &) = delete;
  Map &operator=(const Map &) = delete;
  std::byte *data() const { return static_cast<std::byte *>(data_); }

 private:
  void *data_ = MAP_FAILED;
  size_t bytes_;
};

}  // namespace

void make_input(const Workload &workload, const std::string &path) {
  const Team &team = workload.team;
  const CdfFile &what = workload.file;
  if (team.rank == 0) {
    PlainFile file(path, O_WRONLY | O_CREAT | O_TRUNC);
    file.reserve(what.end);
    file.write(what.header.data(), static_cast<int64_t>(what.header.size()), 0);
    file.close();
  }
  MPI_Barrier(team.comm);
  const Map map(path, what.end);
  for (size_t step = 0; step < workload.steps(); ++step) {
    workload.advance(step);
    for (const Box &box : workload.boxes()) {
      if (box.step != step) continue;
      box.for_each_row([&](int64_t offset, int64_t place) {
        swap_copy(workload.memory() + place, map.data() + offset, box.elements, box.width);
      });
    }
  }
  MPI_Barrier(team.comm);
}

void remove_input(const Workload &workload, const std::string &path) {
  MPI_Barrier(workload.team.comm);
  if (workload.team.rank == 0 && unlink(path.c_str()) != 0) throw std::runtime_error("cannot remove '" + path + "'");
}

}  // namespace sv_bench
