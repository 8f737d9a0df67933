#include "store/syncing.hpp"

#include "store/io_threads.hpp"

namespace sv {

void sync_many(int64_t n, const Progress &progress, const std::function<void(size_t)> &sync) {
  constexpr int depth = 8;
  const auto all = static_cast<int>(n);
  IoThreads().run(all < 2 * depth ? 1 : depth, all, [&](int number) {
    sync(static_cast<size_t>(number));
    progress.count();
  });
}

}  // namespace sv
