#include "delivery/behind_delivery.hpp"

#include <algorithm>

#include "file/home.hpp"
#include "file/suppress_deferred_errors.hpp"

namespace sv {

BehindDelivery::BehindDelivery(File &file, std::shared_ptr<BackgroundWriter> writer, int64_t number, bool in_pieces)
    : FileDelivery(file), writer_(std::move(writer)), in_call_(file), in_pieces_(in_pieces) {
  async_.file = &file;
  file.served.number = async_.number = number;
}

/// A task that is still to come would look at a file that is gone. There is none but where ranks have given up.
BehindDelivery::~BehindDelivery() {
  if (is_over_) return;
  async_.note(Error(Status::order, "the file is gone", "Close it first"));
  writer_->finish();
}

FileDelivery &BehindDelivery::current() {
  if (file_.mode == Mode::data && writer_->is_on) return *this;
  return in_call_;
}

/// Settling forgets all slabs: so none of these is noted before.
void BehindDelivery::begin(std::span<const WrittenSlab> slabs, WriterAssignment assignment) {
  // Of a variable without records, for any name in the call.
  const auto key = [](const WrittenSlab &slab) { return std::pair(slab.variable, std::max<int64_t>(slab.record, 0)); };
  const auto has_others = [&](const WrittenSlab &slab) {
    const auto known = slabs_.find(key(slab));
    return known != slabs_.end() &&
           (assignment == WriterAssignment::stretches || known->second.assignment == WriterAssignment::stretches);
  };
  if (file_.home().owners.of_ranges.size() > 1) {
    const bool waits = std::any_of(slabs.begin(), slabs.end(), has_others);
    if (waits && assignment == WriterAssignment::filling)
      throw Error(Status::internal, "fill values, where other ranks may still be writing values", "Please report this")
          .in_file(file_.path());
    if (waits) settle();
    for (const WrittenSlab &each : slabs) slabs_[key(each)] = {assignment, file_.context().disk.requests() + 1};
  }
  in_flight_ = true;
}

std::optional<Error> BehindDelivery::write(ArrivedRound round) {
  if (!round.in_parts.empty())
    writing().write_slices(async_, std::move(round.in_parts), std::move(round.memory));
  else if (!round.runs.empty())
    writing().write(async_, std::move(round.runs), [kept = std::move(round.memory)] {});
  return std::nullopt;
}

void BehindDelivery::settle() {
  if (!in_flight_) return;
  const SuppressDeferredErrors suppressed(file_.context());
  file_.context().agree("settling '" + file_.path() + "'", [this] { writer_->rest(); });
  in_flight_ = false;
  slabs_.clear();
}

void BehindDelivery::drain() {
  try {
    rest();
  } catch (const Error &error) {
    async_.note(error);  // pending data are left out
    writer_->finish();
    throw;
  }
}

std::function<void()> BehindDelivery::unfinished() {
  return [this] {
    rest();
    if (const auto failed = async_.error()) throw Error(*failed);
  };
}

void BehindDelivery::forget(int64_t done) {
  std::erase_if(slabs_, [done](const auto &each) { return each.second.number <= done; });
}

std::optional<Error> BehindDelivery::keep(std::optional<Error> error) {
  if (error) async_.note(*error);
  return std::nullopt;
}

bool BehindDelivery::has_one_thread() const {
  return !in_pieces_ && file_.home().owners.of_ranges == std::vector{owner_rank};
}

}  // namespace sv
