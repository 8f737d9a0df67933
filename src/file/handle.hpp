// This rank's handle of the store of a file, which is opened at the first read or write. A Home has one. Local, except
// where the store itself is collective.
#pragma once

#include <functional>
#include <memory>

#include "report/metrics.hpp"
#include "store/store.hpp"

namespace sv {

class Handle {
 public:
  /// `schema` outlives it.
  explicit Handle(const PlacedSchema &schema) : schema_(schema) {}

  /// Takes a store that is not open yet in place of the one it has, which it gives back.
  std::unique_ptr<Store> exchange(std::unique_ptr<Store> store);
  /// Whether it is open or not.
  Store &store() const { return *store_; }
  /// Opens it if need be.
  Store &attached(bool writing);
  /// The store has been opened by other means: created, reopened.
  void opened() { attached_ = true; }
  bool is_attached() const { return attached_; }
  /// A second handle for reads of this rank alone, in addition to the one that all ranks have open together.
  Reader &lone(const std::function<std::unique_ptr<Store>()> &make);
  /// Closes both. `wrote`: something may have been written through it.
  void detach(bool wrote);
  /// Called when a thread has closed the store after its writes.
  void was_detached();
  bool wrote() const { return wrote_; }
  /// Adds what the store has counted since the last time.
  void count(Metrics &metrics);

 private:
  const PlacedSchema &schema_;
  std::unique_ptr<Store> store_, lone_;
  StoreCounters counted_;
  bool attached_ = false, wrote_ = false;
};

}  // namespace sv
