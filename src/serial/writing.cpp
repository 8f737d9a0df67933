#include "serial/writing.hpp"

#include <pthread.h>

#include <algorithm>
#include <condition_variable>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

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
    std::unique_lock lock(mutex_);
    waiting_bytes_ += bytes_of(job);
    out.jobs_.push_back(std::move(job));
    if (then == Outflow::Then::drains) return;
    if (!out.is_busy_) list(out);
    if (!is_running_ && !start()) return rest(out, lock);
    if (is_asleep_) wake_.notify_one();
    ++waiters_;
    ended_.wait(lock, [&] { return waiting_bytes_ <= most_waiting_bytes; });
    --waiters_;
  }

  void rest(Outflow &out) {
    std::unique_lock lock(mutex_);
    rest(out, lock);
  }

  std::vector<Job> take_back(Outflow &out) {
    const std::scoped_lock lock(mutex_);
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

  std::mutex &mutex() { return mutex_; }

 private:
  /// A process that is forked has no such thread: it is started again, and no job is under way meanwhile.
  WritingThread() {
    pthread_atfork(
        [] {
          std::unique_lock lock(own().mutex_);
          ++own().waiters_;
          own().ended_.wait(lock, [] { return own().under_way_ == 0; });
          --own().waiters_;
          lock.release();
        },
        [] { own().mutex_.unlock(); },
        [] {
          // Threads of the other process may be waiting there.
          new (&own().wake_) std::condition_variable;
          new (&own().ended_) std::condition_variable;
          own().waiters_ = 0;
          own().is_running_ = own().is_asleep_ = false;
          own().mutex_.unlock();
        });
  }

  /// False where the system gives no thread.
  bool start() {
    try {
      std::thread([this] { serve(); }).detach();
      is_running_ = true;
    } catch (const std::system_error &) {
    }
    return is_running_;
  }

  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      is_asleep_ = true;
      wake_.wait(lock, [&] { return !ready_.empty(); });
      is_asleep_ = false;
      Outflow &out = *ready_.front();
      ready_.pop_front();
      out.is_listed_ = false;
      carry_out_first(out, lock);
    }
  }

  void rest(Outflow &out, std::unique_lock<std::mutex> &lock) {
    while (out.is_busy_ || !out.jobs_.empty()) {
      if (!out.is_busy_) {
        unlist(out);
        carry_out_first(out, lock);
      } else {
        ++waiters_;
        ended_.wait(lock);
        --waiters_;
      }
    }
  }

  void list(Outflow &out) {
    if (!std::exchange(out.is_listed_, true)) ready_.push_back(&out);
  }
  void unlist(Outflow &out) {
    if (std::exchange(out.is_listed_, false)) std::erase(ready_, &out);
  }

  /// Batches that follow each other are written together.
  static Job take_first(Outflow &out) {
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
  void carry_out_first(Outflow &out, std::unique_lock<std::mutex> &lock) {
    {
      Job job = take_first(out);
      const int64_t bytes = bytes_of(job);
      out.note_begun(job);
      out.is_busy_ = true;
      ++under_way_;
      lock.unlock();
      out.carry_out(job);
      lock.lock();
      waiting_bytes_ -= bytes;
    }
    out.is_busy_ = false;
    --under_way_;
    if (!out.jobs_.empty()) list(out);
    if (waiters_ > 0) ended_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable wake_, ended_;
  std::deque<Outflow *> ready_;  // those that have jobs, and none under way
  int64_t waiting_bytes_ = 0;    // in jobs of all files, under way or not
  int waiters_ = 0, under_way_ = 0;
  bool is_running_ = false, is_asleep_ = false;
};

Outflow::~Outflow() { rest(); }

void Outflow::submit(Job job, Then then) { WritingThread::own().submit(*this, std::move(job), then); }

std::vector<Job> Outflow::take_back() { return WritingThread::own().take_back(*this); }

void Outflow::rest() { WritingThread::own().rest(*this); }

void Outflow::drain() {
  rest();
  check();
}

void Outflow::check() const {
  if (!has_failed_) return;
  const std::scoped_lock lock(WritingThread::own().mutex());
  throw Error(*error_);
}

ByteRanges Outflow::written() const {
  const std::scoped_lock lock(WritingThread::own().mutex());
  return written_;
}

void Outflow::set_written(ByteRanges written) {
  const std::scoped_lock lock(WritingThread::own().mutex());
  written_ = std::move(written);
}

/// With the lock.
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
  if (has_failed_) return;
  try {
    if (auto *const batch = std::get_if<Batch>(&job)) batch->write_to(file_, counters_);
    if (auto *const header = std::get_if<HeaderJob>(&job)) file_.write(header->offset_bytes, header->bytes, counters_);
    if (auto *const fill = std::get_if<FillJob>(&job)) write(*fill);
    if (auto *const moves = std::get_if<MoveJob>(&job)) write(*moves);
  } catch (const Error &error) {
    fail(error);
  } catch (const std::bad_alloc &) {
    fail(Error(Status::no_memory, "there is no memory for writing", "Give the program more"));
  } catch (...) {
    fail(handled_error(-1));
  }
}

void Outflow::fail(const Error &error) {
  const std::scoped_lock lock(WritingThread::own().mutex());
  error_ = error;
  has_failed_ = true;
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
  struct Way {
    int64_t from, to, length;
  };
  std::vector<Way> ways;
  for (const auto &[begin, end] : moves.written.ends())
    moves.before->each(begin, end, [&](const Slabs::Stretch &stretch) {
      const int64_t to = moves.after->place(stretch.variable, stretch.record) + stretch.at;
      if (!ways.empty() && ways.back().from + ways.back().length == stretch.offset_bytes &&
          ways.back().to + ways.back().length == to)
        ways.back().length += stretch.length;
      else
        ways.push_back({stretch.offset_bytes, to, stretch.length});
    });
  // All go further back, and none passes another: the last one first, so that nothing is overwritten unread.
  for (auto way = ways.rbegin(); way != ways.rend(); ++way)
    if (way->from != way->to) move(way->from, way->to, way->length);
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
