// The run of a schedule, by any method.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "methods/several.hpp"

namespace sv_bench {

/// In the order of the schedule's files.
using Parts = std::vector<std::unique_ptr<SteppedMethod>>;

/// The time since it was last asked, seconds.
class Clock {
 public:
  double lap() {
    const double last = since_;
    since_ = MPI_Wtime();
    return since_ - last;
  }

 private:
  double since_ = MPI_Wtime();
};

class Several : public Method {
 public:
  Several(const Schedule &schedule, Parts parts)
      : Method(schedule.team), schedule_(schedule), parts_(std::move(parts)) {}

  void run(const std::string &path) override;
  std::optional<Phases> phases() override { return phases_; }
  Traffic traffic() override;
  std::optional<bool> check(const std::string &path) override;
  void remove(const std::string &path) override;
  /// "streams": of each file, or series of them, what a run moves, and the seconds of the slowest rank in its calls.
  nlohmann::json more() override;
  void finish() override;

 protected:
  const Schedule schedule_;

 private:
  bool reads(size_t file) const { return !schedule_.files[file].input.empty(); }
  size_t steps_of_a_file(size_t file) const;
  std::string path_of(size_t file, size_t step, const std::string &path) const;
  /// The one that speaks for the context: the first that writes.
  SteppedMethod &lead();
  void compute(size_t step, Clock &clock);
  void move(const Moment::Part &part, const std::string &path, Clock &clock);

  const Parts parts_;
  Phases phases_;
  std::vector<std::vector<double>> seconds_;  // of each run, in the calls of each file
  double first_output_ = 0;
};

}  // namespace sv_bench
