// A model that only takes time: between its outputs it sleeps, works, or exchanges halos with its neighbours.
#pragma once

#include <string>
#include <vector>

#include "workload/workload.hpp"

namespace CLI {
class App;
}

namespace sv_bench {

struct ComputeWish {
  enum class Kind { sleep, spin, halo } kind = Kind::sleep;
  double seconds = 0.2;             // of a step; with spin, of the processor's time
  double between_exchanges = 0.01;  // with halo, seconds
};
/// "200ms", "spin:7.5s", "halo:200ms". Throws CLI::ValidationError.
ComputeWish compute_wish(const std::string &text);
std::string text_of(const ComputeWish &wish);
/// "--compute"; `usual`: the default.
void add_compute(CLI::App &app, ComputeWish &wish, const std::string &usual);

class TimedModel : public Model {
 public:
  /// Of ranks that divide the workload's grid px x py, x-fastest; points are taken for squares of cells. `workload`
  /// outlives it. Local.
  TimedModel(const Workload &workload, const ComputeWish &wish, int px, int py);
  Computed compute(size_t step, const std::function<void(bool)> &communicates) override;
  /// Takes the time of so many steps; the values stay as they are. Collective.
  Computed pass(double steps, const std::function<void(bool)> &communicates);

 private:
  struct Neighbour {
    int rank;
    std::vector<double> sent, received;
  };
  void spin(double seconds);
  double compute_between_exchanges(double begin, double seconds, const std::function<void(bool)> &communicates);
  void exchange();

  const Workload &workload_;
  const ComputeWish wish_;
  std::vector<Neighbour> neighbours_;
  std::vector<MPI_Request> requests_;
  double state_ = 0;  // of the work
};

}  // namespace sv_bench
