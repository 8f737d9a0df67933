#include "delivery/slab_writing.hpp"

#include <algorithm>

#include "file/file_trace.hpp"
#include "file/home.hpp"

namespace sv {

namespace {

constexpr int64_t large_bytes = 1 << 20;  // is written at once
constexpr int64_t batch_bytes = 4 << 20;  // of small runs

/// In the thread. Nothing is done once the file has failed.
void carry_out(AsyncFile &late, const std::function<void()> &action) {
  if (late.error()) return;
  if (const auto failed = caught(late.file->context().rank(), action)) late.note(*failed);
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

/// The begin and end of the slab's bytes in the file. Padding follows its last element, if the format has some: none
/// between the records of a file's only record variable.
Segment bytes_in_file(const File &file, const Slab &slab) {
  const Variable &variable = file.variable(slab.variable);
  const CdfPlaces::Place &place = file.schema().place(slab.variable);
  const int64_t element = size_of(variable.type), begin = place.of_record(slab.record);
  const bool ends = slab.last == slab.box.elements();
  return {begin + slab.first * element, begin + (ends ? place.slab_bytes : slab.last * element)};
}

template <class Part>
int64_t bytes_of(const std::vector<Part> &parts) {
  int64_t bytes = 0;
  for (const Part &part : parts) bytes += std::ssize(part.values);
  return bytes;
}

}  // namespace

std::vector<SliceInParts::Run> runs_of(const Slab &share, const std::vector<Segment> &written, int64_t element_bytes) {
  std::vector<SliceInParts::Run> runs;
  for (const Segment &part : written)
    runs.push_back({{share.variable, share.record, share.box, part.first, part.last},
                    (part.first - share.first) * element_bytes,
                    (part.last - part.first) * element_bytes});
  return runs;
}

void add_runs(std::vector<ArrivedRun> &all, const std::vector<SliceInParts::Run> &runs, std::byte *slice) {
  for (const SliceInParts::Run &run : runs)
    all.push_back({run.slab, {slice + run.begin_bytes, static_cast<size_t>(run.bytes)}});
}

void write_runs(const File &file, Writer &store, const std::vector<ArrivedRun> &runs) {
  if (file.home().maker.kind().placing != Placing::by_chunk) {
    for (const ArrivedRun &run : runs) store.write(run.slab, run.values);
    return;
  }
  std::vector<SlabPart> parts;
  for (const ArrivedRun &run : runs) parts.push_back({run.slab, run.values, false});
  store.write_many(parts);
}

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

/// Within one slab, later parts must be written later.
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
      carry_out(late, [&] { write_runs(*late.file, *store, own); });
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
  writer_.post([&late, store, own = std::move(action)] { carry_out(late, [&] { own(*store); }); });
}

void SlabWriting::write_parts(AsyncFile &late, std::vector<SlabPart> parts, std::shared_ptr<void> room) {
  post(late, [own = std::move(parts), kept = std::move(room), steps = steps_,
              subject = subject_of(*late.file)](Writer &store) {
    trace::Bracket writing(steps, trace::Doing::write_file, subject);
    writing.bytes(bytes_of(own));
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
    carry_out(late, [&] {
      trace::Bracket writing(steps, trace::Doing::write_file, subject);
      std::vector<SlabPart> parts;
      int64_t end = -1;  // in the file, with padding
      for (const auto &[owner, run, in_file, release] : *own) {
        parts.push_back({run.slab, run.values, in_file.first <= end});
        end = in_file.last;
      }
      writing.bytes(bytes_of(parts));
      store->write_many(parts);
    });
    own->clear();  // gives the memory back
  });
}

}  // namespace sv
