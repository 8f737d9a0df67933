#include "file/shared_numbers.hpp"

#include <algorithm>

#include "transport/shared_memory.hpp"

namespace sv {

SharedNumbers share_numbers(Context &context, const std::string &what, int64_t count,
                            const std::function<void(int64_t *)> &write) {
  const int64_t bytes = (count + 1) * static_cast<int64_t>(sizeof(int64_t));  // the last belongs to the allocator
  std::string why;
  const auto memory = std::make_shared<SharedMemory>(context.node.reserve(bytes, bytes, why));
  context.agree("sharing " + what, [&] {
    if (!*memory) throw Error(Status::no_memory, "no memory for " + what + " of a node: " + why, "Use more nodes");
    write(reinterpret_cast<int64_t *>(memory->data()));
  });
  memory->settle();
  return {{reinterpret_cast<const int64_t *>(memory->data()), static_cast<size_t>(count)}, memory};
}

SharedNumbers keep_once(Context &context, const std::string &what,
                        std::shared_ptr<const std::vector<int64_t>> numbers) {
  constexpr size_t least_bytes = 16 << 10;  // below it, a mapping and a gate cost more than the copies
  const auto &nodes = context.topology().ranks_of;
  const bool saves = numbers->size() * sizeof(int64_t) >= least_bytes &&
                     std::any_of(nodes.begin(), nodes.end(), [](const auto &ranks) { return ranks.size() > 1; });
  if (!saves) return {*numbers, numbers};
  return share_numbers(context, what, std::ssize(*numbers), [&](int64_t *to) {
    if (context.node.local_rank() == 0) std::copy(numbers->begin(), numbers->end(), to);
  });
}

}  // namespace sv
