// The plain way to read: every rank its own rows, one pread each, straight from where they are known to lie.
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
  std::vector<std::byte> row_;
};

}  // namespace

Peer pread_peer(const Workload &workload) {
  return {"read.pread", true, "", [&workload] { return std::make_unique<Pread>(workload); }};
}

}  // namespace sv_bench
