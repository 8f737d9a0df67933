#include "serial/writing.hpp"

#include <pthread.h>

#include <algorithm>
#include <new>
#include <utility>

#include "base/thread.hpp"

namespace sv {

namespace {

constexpr int64_t most_waiting_bytes = 256 << 20;
constexpr int64_t together_bytes = 4 << 20;
constexpr int64_t step_bytes = 1 << 20;  // of fill values and moves
constexpr size_t most_ranges = 4096;     // more written ranges than these are counted as one

void join_if_many(ByteRanges &ranges) {
  if (ranges.ends().size() <= most_ranges) return;
  const int64_t begin = ranges.ends().begin()->first, end = std::prev(ranges.ends().end())->second;
  ranges.add(begin, end);
}

}  // namespace

int64_t bytes_of(const Job &job) {
  if (const auto *const batch = std::get_if<Batch>(&job)) return batch->bytes();
  if (const auto *const header = std::get_if<HeaderJob>(&job)) return std::ssize(header->bytes);
  return 0;
}

/// The thread of the process. Never destroyed: files may be closed when the process ends.
class WritingThread {
 public:
  static WritingThread &own() {
    static auto *const thread = new WritingThread;
    return *thread;
  }

  void submit(Outflow &out, Job job, Outflow::Then then) {
    const MutexLock lock(Outflow::mutex_);
    waiting_bytes_ += bytes_of(job);
    out.jobs_.push_back(std::move(job));
    if (then == Outflow::Then::drains) return;
    if (!out.is_busy_) list(out);
    if (!thread_.has_begun() && !thread_.begin("sv-serial", [this](const std::stop_token &) { serve(); }))
      return rest(out);
    if (is_asleep_) wake_.notify_one();
    while (waiting_bytes_ > most_waiting_bytes) await_end_of_job();
  }

  void rest(Outflow &out) SV_REQUIRES(Outflow::mutex_) {
    while (out.is_busy_ || !out.jobs_.empty()) {
      if (out.is_busy_) {
        await_end_of_job();
        continue;
      }
      unlist(out);
      carry_out_first(out);
    }
  }

  std::vector<Job> take_back(Outflow &out) {
    const MutexLock lock(Outflow::mutex_);
    const auto last_move = std::find_if(out.jobs_.rbegin(), out.jobs_.rend(),
                                        [](const Job &job) { return std::holds_alternative<MoveJob>(job); });
    std::vector<Job> taken;
    for (auto job = last_move.base(); job != out.jobs_.end(); ++job) {
      waiting_bytes_ -= bytes_of(*job);
      taken.push_back(std::move(*job));
    }
    out.jobs_.erase(last_move.base(), out.jobs_.end());
    if (out.jobs_.empty()) unlist(out);
    return taken;
  }

 private:
  /// A process that is forked has no such thread: it is started again, and no job is under way meanwhile.
  WritingThread() { pthread_atfork(before_fork, after_fork, after_fork_in_child); }

  static void before_fork() SV_ACQUIRE(Outflow::mutex_) {
    Outflow::mutex_.lock();
    while (own().in_flight_ > 0) own().await_end_of_job();
  }
  static void after_fork() SV_RELEASE(Outflow::mutex_) { Outflow::mutex_.unlock(); }
  /// Threads of the other process may be waiting in the objects that are made anew.
  static void after_fork_in_child() SV_RELEASE(Outflow::mutex_) {
    new (&own().wake_) Condition;
    new (&own().ended_) Condition;
    new (&own().thread_) Thread;
    own().waiters_ = 0;
    own().is_asleep_ = false;
    Outflow::mutex_.unlock();
  }

  void serve() {
    const MutexLock lock(Outflow::mutex_);
    for (;;) {
      is_asleep_ = true;
      while (ready_.empty()) wake_.wait(Outflow::mutex_);
      is_asleep_ = false;
      Outflow &out = *ready_.front();
      ready_.pop_front();
      out.is_listed_ = false;
      carry_out_first(out);
    }
  }

  void await_end_of_job() SV_REQUIRES(Outflow::mutex_) {
    ++waiters_;
    ended_.wait(Outflow::mutex_);
    --waiters_;
  }

  void list(Outflow &out) SV_REQUIRES(Outflow::mutex_) {
    if (!std::exchange(out.is_listed_, true)) ready_.push_back(&out);
  }
  void unlist(Outflow &out) SV_REQUIRES(Outflow::mutex_) {
    if (std::exchange(out.is_listed_, false)) std::erase(ready_, &out);
  }

  /// Batches that follow each other are written together.
  static Job take_first(Outflow &out) SV_REQUIRES(Outflow::mutex_) {
    Job first = std::move(out.jobs_.front());
    out.jobs_.pop_front();
    auto *const batch = std::get_if<Batch>(&first);
    while (batch != nullptr && batch->bytes() < together_bytes && !out.jobs_.empty() &&
           std::holds_alternative<Batch>(out.jobs_.front())) {
      try {
        batch->absorb(std::move(std::get<Batch>(out.jobs_.front())));
      } catch (const std::bad_alloc &) {  // then each is written by itself
        break;
      }
      out.jobs_.pop_front();
    }
    return first;
  }

  /// Its first job, without the lock meanwhile. Afterwards it stands in line again if it has more.
  void carry_out_first(Outflow &out) SV_REQUIRES(Outflow::mutex_) {
    {
      Job job = take_first(out);
      const int64_t bytes = bytes_of(job);
      out.note_begun(job);
      out.is_busy_ = true;
      ++in_flight_;
      Outflow::mutex_.unlock();
      out.carry_out(job);
      Outflow::mutex_.lock();
      waiting_bytes_ -= bytes;
    }
    out.is_busy_ = false;
    --in_flight_;
    if (!out.jobs_.empty()) list(out);
    if (waiters_ > 0) ended_.notify_all();
  }

  Condition wake_, ended_;
  // Those that have jobs, and none under way.
  std::deque<Outflow *> ready_ SV_GUARDED_BY(Outflow::mutex_);
  // In jobs of all files, under way or not.
  int64_t waiting_bytes_ SV_GUARDED_BY(Outflow::mutex_) = 0;
  int waiters_ SV_GUARDED_BY(Outflow::mutex_) = 0, in_flight_ SV_GUARDED_BY(Outflow::mutex_) = 0;
  bool is_asleep_ SV_GUARDED_BY(Outflow::mutex_) = false;
  Thread thread_ SV_GUARDED_BY(Outflow::mutex_);
};

Outflow::~Outflow() { rest(); }

void Outflow::submit(Job job, Then then) { WritingThread::own().submit(*this, std::move(job), then); }

std::vector<Job> Outflow::take_back() { return WritingThread::own().take_back(*this); }

void Outflow::rest() {
  const MutexLock lock(mutex_);
  WritingThread::own().rest(*this);
}

void Outflow::drain() {
  rest();
  check();
}

ByteRanges Outflow::written() const {
  const MutexLock lock(mutex_);
  return written_;
}

void Outflow::set_written(ByteRanges written) {
  const MutexLock lock(mutex_);
  written_ = std::move(written);
}

void Outflow::note_begun(const Job &job) {
  if (const auto *const batch = std::get_if<Batch>(&job)) {
    for (const Batch::Piece &piece : batch->pieces())
      written_.add(piece.offset_bytes, piece.offset_bytes + piece.length);
  } else if (const auto *const fill = std::get_if<FillJob>(&job)) {
    for (const auto &[begin, end] : fill->ranges) written_.add(begin, end);
  }
  join_if_many(written_);
}

/// After an error, nothing of the file is written any more.
void Outflow::carry_out(Job &job) noexcept {
  if (error_.error()) return;
  try {
    if (auto *const batch = std::get_if<Batch>(&job)) batch->write_to(file_, counters_);
    if (auto *const header = std::get_if<HeaderJob>(&job)) file_.write(header->offset_bytes, header->bytes, counters_);
    if (auto *const fill = std::get_if<FillJob>(&job)) write(*fill);
    if (auto *const moves = std::get_if<MoveJob>(&job)) write(*moves);
  } catch (const Error &error) {
    error_.note(error);
  } catch (const std::bad_alloc &) {
    error_.note(Error(Status::no_memory, "there is no memory for writing", "Give the program more"));
  } catch (...) {
    error_.note(handled_error(-1));
  }
}

void Outflow::write(FillJob &fill) {
  for (const auto &[begin, end] : fill.ranges)
    for (int64_t at = begin; at < end; at += step_bytes) {
      room_.assign(static_cast<size_t>(std::min(step_bytes, end - at)), std::byte{});
      fill.slabs->fill(at, room_);
      file_.write(at, room_, counters_);
    }
}

void Outflow::write(MoveJob &moves) {
  struct Move {
    int64_t from, to, length;
  };
  std::vector<Move> stretches;
  for (const auto &[begin, end] : moves.written.ends())
    moves.before->each(begin, end, [&](const Slabs::Stretch &stretch) {
      const int64_t to = moves.after->place(stretch.variable, stretch.record) + stretch.at;
      if (!stretches.empty() && stretches.back().from + stretches.back().length == stretch.offset_bytes &&
          stretches.back().to + stretches.back().length == to)
        stretches.back().length += stretch.length;
      else
        stretches.push_back({stretch.offset_bytes, to, stretch.length});
    });
  // All go further back, and none passes another: the last one first, so that nothing is overwritten unread.
  for (auto stretch = stretches.rbegin(); stretch != stretches.rend(); ++stretch)
    if (stretch->from != stretch->to) move(stretch->from, stretch->to, stretch->length);
}

void Outflow::move(int64_t from, int64_t to, int64_t length) {
  while (length > 0) {
    const int64_t step = std::min(step_bytes, length);
    length -= step;
    room_.resize(static_cast<size_t>(step));
    const int64_t got = file_.read(from + length, room_, counters_);
    file_.write(to + length, std::span(room_).first(static_cast<size_t>(got)), counters_);
  }
}

}  // namespace sv
