#include "delivery/background_writer.hpp"

#include <algorithm>

#include "file/home.hpp"
#include "file/suppress_deferred_errors.hpp"

namespace sv {

BackgroundWriter::BackgroundWriter(Context &context, int64_t ring_bytes)
    : context_(context),
      ring_(context.node, ring_bytes),
      bell_{},
      ordering_(bell_),
      writer_("sv-behind", [this] { bell_.ring(); }),
      writing_(writer_, context.metrics.steps, &ordering_),
      borrower_(hdf5(), writer_.begin()) {}

std::unique_ptr<RingSliceMemory> BackgroundWriter::rooms(const Schedule &schedule) {
  return std::make_unique<RingSliceMemory>(ring_, schedule, [this] { flush_now(); });
}

Budget BackgroundWriter::limited(Budget window) const {
  return {std::min(window.slices, ring_.most_block_bytes()), window.outgoing};
}

void BackgroundWriter::finish() {
  const Lent lent(hdf5());
  flush_now();
  writer_.wait();
}

void BackgroundWriter::rest() {
  const Lent lent(hdf5());
  flush_now();
  while (!writer_.wait(std::chrono::milliseconds(20))) {
    context_.node.check_poison();
    context_.node.waits();
  }
  if (const auto failed = writer_.failure()) throw Error(*failed);
}

void BackgroundWriter::ask(int64_t number, std::vector<std::shared_ptr<SyncJob>> jobs) {
  asked_ = number;
  writing_.flush();                       // what was kept back was given before
  if (!is_on) return pass(number, jobs);  // the thread rests
  writer_.post([this, number, own = std::move(jobs)] { pass(number, own); });
}

void BackgroundWriter::pass(int64_t number, const std::vector<std::shared_ptr<SyncJob>> &jobs) {
  context_.disk.syncer().ask(number, jobs);
  const MutexLock lock(mutex_);
  passed_ = {number, busy_seconds(), processor_seconds()};
}

Passed BackgroundWriter::passed() const {
  const MutexLock lock(mutex_);
  return passed_;
}

int64_t BackgroundWriter::done() const {
  const int64_t number = passed().number;  // first: what it passes on is asked for before
  return std::min(number == asked_ ? INT64_MAX : number, context_.disk.syncer().done());
}

/// Settling forgets all slabs: so none of these is noted before.
void WriteBehindFile::begin(std::span<const WrittenSlab> slabs, WriterAssignment dealing) {
  // Of a variable without records, whatever the call names.
  const auto key = [](const WrittenSlab &slab) { return std::pair(slab.variable, std::max<int64_t>(slab.record, 0)); };
  const auto has_others = [&](const WrittenSlab &slab) {
    const auto known = slabs_.find(key(slab));
    return known != slabs_.end() &&
           (dealing == WriterAssignment::stretches || known->second.dealing == WriterAssignment::stretches);
  };
  if (file->home().owners.of_ranges.size() > 1) {
    const bool waits = std::any_of(slabs.begin(), slabs.end(), has_others);
    if (waits && dealing == WriterAssignment::filling)
      throw Error(Status::internal, "fill values, where other ranks may still be writing values", "Please report this")
          .in_file(file->path());
    if (waits) settle();
    for (const WrittenSlab &each : slabs) slabs_[key(each)] = {dealing, file->context().disk.requests() + 1};
  }
  begin();
}

void WriteBehindFile::forget(int64_t done) {
  std::erase_if(slabs_, [done](const auto &each) { return each.second.number <= done; });
}

void WriteBehindFile::settle() {
  if (!under_way_) return;
  const SuppressDeferredErrors beside(file->context());
  file->context().agree("settling '" + file->path() + "'", [this] { behind_.rest(); });
  under_way_ = false;
  slabs_.clear();
}

bool WriteBehindFile::has_one_thread() const {
  return !in_pieces_ && file->home().owners.of_ranges == std::vector{owner_rank};
}

WriteBehindFile *behind_of(const File &file) {
  return file.mode == Mode::data && file.behind != nullptr && file.behind->behind().is_on ? file.behind : nullptr;
}

void rest(File &file) {
  if (WriteBehindFile *const later = behind_of(file)) later->behind().rest();
}

Budget round_budget(const File &file, int stages) {
  const Budget window = file.context().window.budget(stages);
  const WriteBehindFile *const later = behind_of(file);
  return later == nullptr ? window : later->behind().limited(window);
}

void with_store(File &file, std::function<void(Store &)> action) {
  if (WriteBehindFile *const later = behind_of(file)) return later->writing().post(*later, std::move(action));
  action(file.home().store());
}

}  // namespace sv
