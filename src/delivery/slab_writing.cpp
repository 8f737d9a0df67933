#include "delivery/slab_writing.hpp"

#include <algorithm>

#include "delivery/file_trace.hpp"
#include "file/home.hpp"

namespace sv {

namespace {

constexpr int64_t large_bytes = 1 << 20;  // is written at once
constexpr int64_t batch_bytes = 4 << 20;  // of small runs

void write_or_note(AsyncFile &late, Writer &store, const std::vector<ArrivedRun> &runs) {
  if (late.error()) return;
  if (const auto failed = caught(late.file->context().rank(), [&] { write_runs(*late.file, store, runs); }))
    late.note(*failed);
}

/// nullptr where it cannot be opened.
Store *attached_store(AsyncFile &late) {
  Store *store = nullptr;
  const auto failed = caught(late.file->context().rank(), [&] { store = &late.file->home().handle.attached(true); });
  if (failed) late.note(*failed);
  return store;
}

/// Whether its elements follow one another in the file: it is no part of a dimension.
bool is_whole(const File &file, const Slab &slab) {
  return slab.box.elements() == file.schema().slab_elements(file.variable(slab.variable));
}

/// Where in the file what belongs to the slab begins and ends. Behind its last element stands padding, where the format
/// has some: none between the records of a file's only record variable.
Segment bytes_in_file(const File &file, const Slab &slab) {
  const Variable &variable = file.variable(slab.variable);
  const CdfPlaces::Place &place = file.schema().place(slab.variable);
  const int64_t element = size_of(variable.type), begin = place.of_record(slab.record);
  const bool ends = slab.last == slab.box.elements();
  return {begin + slab.first * element, begin + (ends ? place.slab_bytes : slab.last * element)};
}

int64_t bytes_of(const std::vector<ArrivedRun> &runs) {
  int64_t bytes = 0;
  for (const ArrivedRun &run : runs) bytes += std::ssize(run.values);
  return bytes;
}

}  // namespace

void SlabWriting::write(AsyncFile &late, std::vector<ArrivedRun> runs, std::function<void()> release) {
  File &file = *late.file;
  const int64_t bytes = bytes_of(runs);
  const bool combines =
      file.home().combines() && bytes < large_bytes && !runs.empty() && is_whole(file, runs.front().slab);
  if (!combines || attached_store(late) == nullptr) return write_now(late, std::move(runs), std::move(release));
  flush_before(late, runs);
  slabs_.insert(held_slab(late, runs.front()));
  const std::shared_ptr<void> shared(nullptr, [done = std::move(release)](void *) { done(); });
  for (ArrivedRun &run : runs) {
    const Segment in_file = bytes_in_file(file, run.slab);
    held_.push_back({&late, std::move(run), in_file, shared});
  }
}

/// Of one slab, what comes later must be written later.
void SlabWriting::flush_before(AsyncFile &late, const std::vector<ArrivedRun> &runs) {
  const auto is_held = [&](const ArrivedRun &run) { return slabs_.count(held_slab(late, run)) > 0; };
  if (!slabs_.empty() && std::any_of(runs.begin(), runs.end(), is_held)) flush();
}

void SlabWriting::write_now(AsyncFile &late, std::vector<ArrivedRun> runs, std::function<void()> release) {
  flush_before(late, runs);
  Store *const store = attached_store(late);
  const trace::Subject subject = subject_of(*late.file, runs.empty() ? -1 : runs.front().slab.variable);
  used_ = used_ || !runs.empty();
  writer_.post([&late, store, own = std::move(runs), done = std::move(release), subject, steps = steps_] {
    if (store != nullptr) {
      trace::Bracket writing(steps, trace::Doing::write_file, subject);
      writing.bytes(bytes_of(own));
      write_or_note(late, *store, own);
    }
    done();
  });
}

void SlabWriting::write_slices(AsyncFile &late, std::vector<SliceInParts> slices, std::shared_ptr<void> room) {
  int64_t bytes = 0;
  std::vector<SliceInParts::Run> runs;
  for (const SliceInParts &slice : slices) {
    for (const SliceInParts::Run &run : slice.runs) runs.push_back({run.slab, bytes + run.begin_bytes, run.bytes});
    bytes += slice.bytes;
  }
  auto order = [own = std::move(slices), kept = std::move(room)](std::byte *to) {
    for (const SliceInParts &slice : own) {
      slice.put_in_order(to);
      to += slice.bytes;
    }
  };
  auto ordered = std::make_shared<std::future<Ordering::Ordered>>(ordering_->order(bytes, std::move(order)));
  post(late,
       [&late, ordered, bytes, own = std::move(runs), steps = steps_, subject = subject_of(*late.file)](Writer &store) {
         const Ordering::Ordered values = ordered->get();
         trace::Bracket writing(steps, trace::Doing::write_file, subject);
         writing.bytes(bytes);
         std::vector<ArrivedRun> arrived;
         add_runs(arrived, own, values.get());
         write_runs(*late.file, store, arrived);
       });
}

void SlabWriting::post(AsyncFile &late, std::function<void(Store &)> action) {
  flush();
  Store *const store = attached_store(late);
  if (store == nullptr) return;
  used_ = true;
  writer_.post([&late, store, own = std::move(action)] {
    if (late.error()) return;
    if (const auto failed = caught(late.file->context().rank(), [&] { own(*store); })) late.note(*failed);
  });
}

void SlabWriting::write_parts(AsyncFile &late, std::vector<SlabPart> parts, std::shared_ptr<void> room) {
  post(late, [own = std::move(parts), kept = std::move(room), steps = steps_,
              subject = subject_of(*late.file)](Writer &store) {
    trace::Bracket writing(steps, trace::Doing::write_file, subject);
    int64_t bytes = 0;
    for (const SlabPart &part : own) bytes += std::ssize(part.values);
    writing.bytes(bytes);
    store.write_many(own);
  });
}

void SlabWriting::hold_back(std::chrono::milliseconds time) {
  if (ordering_ != nullptr) ordering_->thread().hold_back(time);
  writer_.hold_back(time);
}

void SlabWriting::go() {
  if (ordering_ != nullptr) ordering_->thread().go();
  writer_.go();
}

void SlabWriting::flush() {
  std::stable_sort(held_.begin(), held_.end(), [](const Held &a, const Held &b) {
    return std::pair(a.late->number, a.in_file.first) < std::pair(b.late->number, b.in_file.first);
  });
  std::vector<Held> batch;
  int64_t bytes = 0;
  for (Held &each : held_) {
    const int64_t length = std::ssize(each.run.values);
    if (!batch.empty() && (batch.front().late != each.late || bytes + length > batch_bytes)) {
      post_batch(std::exchange(batch, {}));
      bytes = 0;
    }
    bytes += length;
    batch.push_back(std::move(each));
  }
  if (!batch.empty()) post_batch(std::move(batch));
  held_.clear();
  slabs_.clear();
}

void SlabWriting::flush_if_idle() {
  if (!held_.empty() && writer_.is_idle()) flush();
}

void SlabWriting::post_batch(std::vector<Held> batch) {
  used_ = true;
  Store *const store = &batch.front().late->file->home().handle.attached(true);
  const trace::Subject subject = subject_of(*batch.front().late->file);
  writer_.post([store, own = std::make_shared<std::vector<Held>>(std::move(batch)), subject, steps = steps_] {
    AsyncFile &late = *own->front().late;
    const auto failed = caught(late.file->context().rank(), [&] {
      trace::Bracket writing(steps, trace::Doing::write_file, subject);
      std::vector<SlabPart> parts;
      int64_t end = -1, bytes = 0;  // in the file, with padding; of all
      for (const auto &[owner, run, in_file, release] : *own) {
        parts.push_back({run.slab, run.values, in_file.first <= end});
        end = in_file.last;
        bytes += std::ssize(run.values);
      }
      writing.bytes(bytes);
      if (!late.error()) store->write_many(parts);
    });
    if (failed) late.note(*failed);
    own->clear();  // gives the memory back
  });
}

}  // namespace sv
