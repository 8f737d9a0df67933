// POSIX AIO, with which Open MPI's OMPIO writes: the system calls are made by threads inside the C library. One event
// for each request, under the name of the call that made it. Made inside another traced call, which then waits for it,
// its time is that from there, or from the request that was done before, until the result is fetched: so the times of
// requests that go on together add up to the time they took together. Made by the program itself, which does something
// else meanwhile, it is that of the call.
#include "tracer/posix_aio.hpp"

#include <aio.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <iterator>
#include <new>

#include "trace/lock.hpp"
#include "tracer/call.hpp"
#include "tracer/descriptors.hpp"
#include "tracer/process.hpp"

namespace sv::profile::posix {

struct Request {
  const void *block = nullptr;  // the program's; nullptr: none
  uint32_t path = 0;
  trace::Event event;
};

/// Requests whose results have not been fetched.
class Requests {
 public:
  /// False where there is no room.
  bool add(const Request &request) {
    const Unseen unseen;
    const trace::Lock::Held held(lock_);
    Request *const free = find(nullptr);
    if (free == std::end(all_)) return false;
    *free = request;
    ++in_flight_;
    return true;
  }
  /// The request of this block, which is forgotten; one of nullptr where it is not known.
  Request take(const void *block) {
    if (block == nullptr || in_flight_.load(std::memory_order_relaxed) == 0) return {};
    const Unseen unseen;
    const trace::Lock::Held held(lock_);
    Request *const found = find(block);
    if (found == std::end(all_)) return {};
    --in_flight_;
    const Request taken = *found;
    *found = {};
    return taken;
  }
  /// From when on the time of a request counts that was made then; it is done now.
  int64_t counted_from(int64_t made_ns, int64_t now_ns) {
    return std::min(now_ns, std::max(made_ns, latest_done_ns_.exchange(now_ns, std::memory_order_relaxed)));
  }

 private:
  Request *find(const void *block) {
    return std::find_if(std::begin(all_), std::end(all_), [&](const Request &one) { return one.block == block; });
  }
  trace::Lock lock_;
  std::atomic<int> in_flight_{0};
  std::atomic<int64_t> latest_done_ns_{0};
  Request all_[512];
};
constinit Requests requests;

template <typename Block, typename Real>
int submit(TracedName &traced, Block *block, Real real) {
  const Description *const file = block != nullptr ? description_of(block->aio_fildes) : nullptr;
  trace::Recorder *const records = file != nullptr ? recorder() : nullptr;
  if (records == nullptr) return real();
  const auto bytes = static_cast<int64_t>(block->aio_nbytes), offset = static_cast<int64_t>(block->aio_offset);
  const uint32_t caller = records->current_path();
  if (caller != trace::no_caller) {
    Request request{block, records->path(caller, traced.number(*records)), {}};
    request.event = {records->now_ns(), 0, bytes, offset, file->file, 0, false};
    if (requests.add(request)) {
      const int result = real();
      if (result != 0) requests.take(block);
      return result;
    }
  }
  Call call(traced);
  call.about(file->file);
  call.offset(offset);
  const int result = call.results(real());
  call.bytes(result == 0 ? bytes : 0);
  return result;
}

template <typename Real>
ssize_t fetch(const void *block, Real real) {
  Request request = is_tracing() ? requests.take(block) : Request{};
  const ssize_t moved = real();
  trace::Recorder *const records = request.block != nullptr ? recorder() : nullptr;
  if (records == nullptr) return moved;
  const Unseen unseen;
  const int error = errno;
  const int64_t now_ns = records->now_ns();
  request.event.start_ns = requests.counted_from(request.event.start_ns, now_ns);
  request.event.duration_ns = now_ns - request.event.start_ns;
  request.event.bytes = std::max<ssize_t>(moved, 0);
  request.event.failed = moved < 0;
  trace::Arguments arguments;
  if (moved < 0) arguments.add(Argument::status, error);
  records->add(request.path, request.event, arguments);
  errno = error;
  return moved;
}

}  // namespace sv::profile::posix

void sv::profile::forget_requests() { new (&posix::requests) posix::Requests; }

#define SV_AIO_SUBMIT(symbol, block)                                           \
  SV_POSIX(int, symbol, #symbol, (struct block * request) noexcept, (request), \
           sv::profile::posix::submit(traced, request, real))
#define SV_AIO_FETCH(symbol, block)                                                \
  SV_POSIX(ssize_t, symbol, #symbol, (struct block * request) noexcept, (request), \
           sv::profile::posix::fetch(request, real))

SV_AIO_SUBMIT(aio_read, aiocb)
SV_AIO_SUBMIT(aio_read64, aiocb64)
SV_AIO_SUBMIT(aio_write, aiocb)
SV_AIO_SUBMIT(aio_write64, aiocb64)
SV_AIO_FETCH(aio_return, aiocb)
SV_AIO_FETCH(aio_return64, aiocb64)
