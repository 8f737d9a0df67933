#include "file/handle.hpp"

#include <utility>

#include "base/first_error.hpp"

namespace sv {

std::unique_ptr<Store> Handle::exchange(std::unique_ptr<Store> store) {
  counted_ = {};
  attached_ = false;
  return std::exchange(store_, std::move(store));
}

Store &Handle::attached(bool writing) {
  if (!attached_) store_->attach(schema_, writing);
  attached_ = true;
  return *store_;
}

Reader &Handle::lone(const std::function<std::unique_ptr<Store>()> &make) {
  if (lone_ == nullptr) {
    auto made = make();
    made->attach(schema_, false);
    lone_ = std::move(made);
  }
  return *lone_;
}

void Handle::detach(bool wrote) {
  // A team closes its store together: an error of this rank's own reading must not keep it away.
  FirstError reading;
  if (lone_ != nullptr) reading.attempt([&] { std::exchange(lone_, nullptr)->detach(); });
  if (std::exchange(attached_, false)) {
    wrote_ = wrote;
    store_->detach();
  }
  reading.check();
}

void Handle::was_detached() {
  if (std::exchange(attached_, false)) wrote_ = true;
}

void Handle::count(Metrics &metrics) {
  const StoreCounters now = store_->counters();
  metrics.writes += now.writes - counted_.writes;
  metrics.written_bytes += now.written_bytes - counted_.written_bytes;
  metrics.direct_bytes += now.direct_bytes - counted_.direct_bytes;
  metrics.reads += now.reads - counted_.reads;
  metrics.read_bytes += now.read_bytes - counted_.read_bytes;
  counted_ = now;
}

}  // namespace sv
