#include "store/syncing.hpp"

#include <mutex>
#include <optional>

#include "base/error.hpp"
#include "store/lanes.hpp"

namespace sv {

void sync_many(int64_t n, const Progress &progress, const std::function<void(size_t)> &sync) {
  constexpr int depth = 8;
  std::mutex mutex;
  std::optional<Error> first;
  const auto put = [&](int number) {
    if (const auto failed = caught(-1, [&] { sync(static_cast<size_t>(number)); })) {
      const std::scoped_lock lock(mutex);
      if (!first) first = failed;
    }
    progress.count();
  };
  const auto all = static_cast<int>(n);
  if (all < 2 * depth) {
    for (int number = 0; number < all; ++number) put(number);
  } else {
    Lanes lanes;
    lanes.run(depth, all, put);
  }
  if (first) throw Error(*first);
}

}  // namespace sv
