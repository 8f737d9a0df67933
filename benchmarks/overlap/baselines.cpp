#include "baselines.hpp"

#include <algorithm>

#include "workload/swap.hpp"

namespace sv_bench {

namespace {

/// No file at all.
class NoOutput : public SteppedMethod {
 public:
  NoOutput(const Workload &workload, bool) : SteppedMethod(workload, false) {}
  void run(const std::string &path) override {
    MPI_Barrier(team_.comm);
    SteppedMethod::run(path);
  }
  void open(const std::string &) override {}
  void move(size_t) override {}
  void close() override {}
  Traffic traffic() override { return {{}, 0, {}}; }
  std::optional<bool> check_steps(const std::string &, size_t, size_t) override { return {}; }
  void remove(const std::string &) override {}
};

class Pack : public NoOutput {
 public:
  Pack(const Workload &workload, bool) : NoOutput(workload, false), packed_(static_cast<size_t>(most_bytes())) {}

  void move(size_t step) override {
    std::byte *to = packed_.data();
    for (const Box &box : workload_.boxes()) {
      if (box.step != step) continue;
      box.for_each_row([&](int64_t, int64_t place) {
        swap_copy(source() + place, to, box.elements, box.width);
        to += box.elements * box.width;
      });
    }
    // As in the calls that it is compared with, a rank waits for those with which it shares a core.
    MPI_Barrier(team_.comm);
  }

 private:
  int64_t most_bytes() const {
    std::vector<int64_t> bytes(workload_.steps());
    for (const Box &box : workload_.boxes()) bytes[box.step] += box.bytes();
    return *std::max_element(bytes.begin(), bytes.end());
  }
  std::vector<std::byte> packed_;
};

}  // namespace

Peer no_output_peer(const std::string &name, const Workload &workload) {
  return peer_of<NoOutput>(name, workload, false);
}
Peer pack_peer(const std::string &name, const Workload &workload) { return peer_of<Pack>(name, workload, false); }

}  // namespace sv_bench
