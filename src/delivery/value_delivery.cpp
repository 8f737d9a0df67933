#include "delivery/value_delivery.hpp"

#include "file/home.hpp"

namespace sv {

Budget ValueDelivery::round_budget(int stages) const { return file_.context().window.budget(stages); }

std::optional<Error> ValueDelivery::write(ArrivedRound round) {
  const Calls calls{Direction::write, round.variable, std::ssize(round.runs), round.failed, round.in_gate};
  return make_calls(file_, calls, [&](int64_t call) {
    call < 0 ? write({empty_slab(file_, round.variable), {}}, nullptr)
             : write(round.runs[static_cast<size_t>(call)], nullptr);
  });
}

void ValueDelivery::write(const ArrivedRun &run, std::shared_ptr<void>) {
  file_.home().store().write(run.slab, run.values);
}

void ValueDelivery::write_together(std::vector<ArrivedRun> runs, std::shared_ptr<void>) {
  write_runs(file_, file_.home().store(), runs);
}

void ValueDelivery::write_parts(std::vector<SlabPart> parts, std::shared_ptr<void>) {
  file_.home().store().write_many(parts);
}

void ValueDelivery::with_store(std::function<void(Store &)> action) { action(file_.home().store()); }

}  // namespace sv
