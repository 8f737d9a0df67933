#include "rounds/ordering.hpp"

namespace sv {

std::future<Ordering::Ordered> Ordering::order(int64_t bytes, std::function<void(std::byte *slice)> put_in_order) {
  auto promise = std::make_shared<std::promise<Ordered>>();
  std::future<Ordered> future = promise->get_future();
  thread_.post([this, bytes, promise, put = std::move(put_in_order)]() mutable {
    free_.acquire();
    std::vector<std::byte> &memory = memory_[static_cast<size_t>(ordered_++ % buffers)];
    Ordered ordered(static_cast<const std::byte *>(nullptr), [this](const std::byte *) { free_.release(); });
    try {
      if (std::ssize(memory) < bytes) memory.resize(static_cast<size_t>(bytes));
      put(memory.data());
      put = nullptr;
      promise->set_value(Ordered(ordered, memory.data()));
    } catch (...) {
      put = nullptr;
      promise->set_exception(std::current_exception());
    }
  });
  return future;
}

}  // namespace sv
