// The plain way to read: every rank its own rows, one pread each, from their known offsets. A row of cells
// with small gaps is read with the bytes between them.
#include <cstring>

#include "methods/methods.hpp"
#include "workload/plain_file.hpp"
#include "workload/swap.hpp"

namespace sv_bench {

namespace {

class Pread : public OneFileMethod {
 public:
  explicit Pread(const Workload &workload) : OneFileMethod(workload, true) {}

  void run(const std::string &path) override {
    begin();
    PlainFile file(path, O_RDONLY);
    opened();
    for (const Box &box : workload_.boxes()) {
      if (stands_apart(box)) {
        read_apart(file, box);
        continue;
      }
      row_.resize(static_cast<size_t>(box.elements * box.width));
      box.for_each_row([&](int64_t offset, int64_t place) {
        file.read(row_.data(), box.elements * box.width, offset);
        swap_copy(row_.data(), target() + place, box.elements, box.width);
      });
    }
    moved();
    file.close();
    closed();
  }

  Traffic traffic() override { return {{}, {}, 0}; }

 private:
  static bool stands_apart(const Box &box) {
    constexpr int64_t little = 8;
    return box.elements == 1 && box.count[2] > 1 && box.file_step[2] <= little * box.width &&
           box.memory_step[2] == box.width;
  }

  void read_apart(const PlainFile &file, Box box) {
    const int64_t cells = box.count[2], apart = box.file_step[2], bytes = (cells - 1) * apart + box.width;
    row_.resize(static_cast<size_t>(bytes));
    cells_.resize(static_cast<size_t>(cells * box.width));
    box.count[2] = 1;
    box.for_each_row([&](int64_t offset, int64_t place) {
      file.read(row_.data(), bytes, offset);
      for (int64_t c = 0; c < cells; ++c)
        std::memcpy(cells_.data() + c * box.width, row_.data() + c * apart, static_cast<size_t>(box.width));
      swap_copy(cells_.data(), target() + place, cells, box.width);
    });
  }

  std::vector<std::byte> row_, cells_;
};

}  // namespace

Peer pread_peer(const Workload &workload) {
  return {"read.pread", true, "", [&workload] { return std::make_unique<Pread>(workload); }};
}

}  // namespace sv_bench
