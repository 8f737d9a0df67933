// Brings values that have arrived at this rank, as a writer, to the store of a file. This class writes them within the
// call that brought them; behind_delivery.hpp hands them to a thread. The rounds and the filling of src/transfer call
// it, through delivery_of(file) in file_delivery.hpp. It decides neither where a file lives (file/home.hpp) nor by
// which strategy values travel (src/strategy).
//
// A parameter `memory` keeps the bytes of values until its last copy is dropped; nullptr if they stay unchanged until
// the function returns. Where ranks call the store together (file/store_calls.hpp), they write together; else all is
// local.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "delivery/slab_writing.hpp"
#include "file/store_calls.hpp"
#include "transport/node_ring.hpp"

namespace sv {

/// By whom a slab is written: by the owners of ranges of the file, or by those of stretches of one call. Filling: with
/// fill values, by the owners of ranges, before anybody else.
enum class WriterAssignment { ranges, stretches, filling };

/// The values of one variable that arrived in a round: runs or, where slice_memory says so, slices in parts. `failed`,
/// `in_gate`: as of Calls.
struct ArrivedRound {
  int variable;
  std::vector<ArrivedRun> runs;
  std::vector<SliceInParts> in_parts;
  std::shared_ptr<void> memory;
  bool failed, in_gate;
};

class ValueDelivery {
 public:
  /// `file` outlives it.
  explicit ValueDelivery(File &file) : file_(file) {}
  virtual ~ValueDelivery() = default;
  ValueDelivery(const ValueDelivery &) = delete;

  /// The size of a round of a plan of so many stages.
  virtual Budget round_budget(int stages) const { return file_.context().window.budget(stages); }
  /// Where the slices of a schedule's rounds stand; nullptr: in the window.
  virtual std::unique_ptr<RingSliceMemory> slice_memory(const Schedule &) { return nullptr; }
  /// While this lives, ranks pack.
  virtual std::shared_ptr<void> packing() { return nullptr; }

  /// Collective; for filling, local, but the same on all ranks. One call is about to bring values of these slabs.
  virtual void begin(std::span<const WrittenSlab>, WriterAssignment) {}
  /// Returns the error of writing within the call.
  virtual std::optional<Error> write(ArrivedRound round) {
    const Calls calls{Direction::write, round.variable, std::ssize(round.runs), round.failed, round.in_gate};
    return make_calls(file_, calls, [&](int64_t call) {
      call < 0 ? write({empty_slab(file_, round.variable), {}}, nullptr)
               : write(round.runs[static_cast<size_t>(call)], nullptr);
    });
  }
  /// One run that is not kept back.
  virtual void write(const ArrivedRun &run, std::shared_ptr<void>) { store().write(run.slab, run.values); }
  /// Runs of any variables, not kept back; chunks all together.
  virtual void write_together(std::vector<ArrivedRun> runs, std::shared_ptr<void>) { write_runs(file_, store(), runs); }
  /// Parts in the order of the file.
  virtual void write_parts(std::vector<SlabPart> parts, std::shared_ptr<void>) { store().write_many(parts); }
  /// Applies another action to this rank's open store, after the values that it has received.
  virtual void with_store(std::function<void(Store &)> action) { action(store()); }

 protected:
  File &file_;

 private:
  Store &store() const { return file_.home().store(); }
};

}  // namespace sv
