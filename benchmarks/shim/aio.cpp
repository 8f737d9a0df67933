// Interposed: POSIX AIO, with which Open MPI's OMPIO writes. A request is under way until both the C library and the
// emulated device are done with it.
#include <aio.h>
#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <iterator>

#include "call.hpp"
#include "device.hpp"
#include "faults.hpp"

namespace {

using namespace sv_shim;

// Requests that the device still works on. When there is no room, the caller waits at once.
class Pending {
 public:
  void add(const void *request, int64_t done_ns) {
    {
      const Lock lock(mutex_);
      Entry *const free = find(nullptr);
      if (free != nullptr) {
        *free = {request, done_ns};
        return;
      }
    }
    sleep_until(done_ns);
  }
  int64_t done_ns(const void *request) {
    const Lock lock(mutex_);
    const Entry *const entry = find(request);
    return entry != nullptr ? entry->done_ns : 0;
  }
  void remove(const void *request) {
    const Lock lock(mutex_);
    Entry *const entry = find(request);
    if (entry != nullptr) *entry = {};
  }

 private:
  struct Entry {
    const void *request;
    int64_t done_ns;
  };
  struct Lock {
    explicit Lock(pthread_mutex_t &mutex) : mutex_(mutex) { pthread_mutex_lock(&mutex_); }
    ~Lock() { pthread_mutex_unlock(&mutex_); }
    pthread_mutex_t &mutex_;
  };
  Entry *find(const void *request) {
    Entry *const found =
        std::find_if(std::begin(entries_), std::end(entries_), [&](const Entry &e) { return e.request == request; });
    return found != std::end(entries_) ? found : nullptr;
  }
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  Entry entries_[256]{};
};
Pending pending;

template <typename Call>
int submit(Function function, aiocb &request, Call call) {
  Path path;
  if (!is_watched(request.aio_fildes, path)) return call();
  const bool writes = function == Function::aio_write;
  const Verdict verdict = judge(writes ? Operation::write : Operation::read, path);
  if (verdict.error != 0) {
    errno = verdict.error;
    return -1;
  }
  if (verdict.shorten && request.aio_nbytes > 1) request.aio_nbytes /= 2;
  const Configuration &c = configuration();
  const bool slow = is_below(c.device_directory, path) && (writes || c.device_reads);
  const Extent extent{request.aio_fildes, request.aio_offset, static_cast<int64_t>(request.aio_nbytes), writes};
  const Reservation reserved = slow ? reserve_device(extent) : Reservation{};
  const int result = call();
  if (result != 0) return result;
  count_call(function, path, static_cast<int64_t>(request.aio_nbytes));
  if (reserved.hand_overs > 0) count_call(Function::hand_over, path, reserved.handed_over_bytes, reserved.hand_overs);
  if (slow) pending.add(&request, reserved.done_ns);
  return 0;
}

}  // namespace

// The 64-bit names are the same functions here: off_t has 64 bits.
static_assert(sizeof(off_t) == sizeof(off64_t) && sizeof(aiocb) == sizeof(aiocb64));

#define SV_SHIM_SUBMIT(name, block, function)                                                              \
  SV_SHIM_EXPORT int name(struct block *request) noexcept {                                                \
    static const auto next = real<int(struct block *)>(#name);                                             \
    return submit(Function::function, *reinterpret_cast<aiocb *>(request), [&] { return next(request); }); \
  }
#define SV_SHIM_ERROR(name, block)                                            \
  SV_SHIM_EXPORT int name(const struct block *request) noexcept {             \
    static const auto next = real<int(const struct block *)>(#name);          \
    if (is_busy() && now_ns() < pending.done_ns(request)) return EINPROGRESS; \
    return next(request);                                                     \
  }
#define SV_SHIM_RETURN(name, block)                                \
  SV_SHIM_EXPORT ssize_t name(struct block *request) noexcept {    \
    static const auto next = real<ssize_t(struct block *)>(#name); \
    if (is_busy()) pending.remove(request);                        \
    return next(request);                                          \
  }
// Waits longer than the caller's time limit where the device does.
#define SV_SHIM_SUSPEND(name, block)                                                                      \
  SV_SHIM_EXPORT int name(const struct block *const requests[], int n, const struct timespec *limit) {    \
    static const auto next = real<int(const struct block *const[], int, const struct timespec *)>(#name); \
    const int result = next(requests, n, limit);                                                          \
    int64_t first_ns = INT64_MAX;                                                                         \
    for (int i = 0; i < n; ++i) {                                                                         \
      if (requests[i] != nullptr) first_ns = std::min(first_ns, pending.done_ns(requests[i]));            \
    }                                                                                                     \
    if (result == 0 && is_busy() && first_ns != INT64_MAX) sleep_until(first_ns);                         \
    return result;                                                                                        \
  }

SV_SHIM_SUBMIT(aio_write, aiocb, aio_write)
SV_SHIM_SUBMIT(aio_write64, aiocb64, aio_write)
SV_SHIM_SUBMIT(aio_read, aiocb, aio_read)
SV_SHIM_SUBMIT(aio_read64, aiocb64, aio_read)
SV_SHIM_ERROR(aio_error, aiocb)
SV_SHIM_ERROR(aio_error64, aiocb64)
SV_SHIM_RETURN(aio_return, aiocb)
SV_SHIM_RETURN(aio_return64, aiocb64)
SV_SHIM_SUSPEND(aio_suspend, aiocb)
SV_SHIM_SUSPEND(aio_suspend64, aiocb64)
