#include "backend/peers.hpp"

namespace sv {

void Peers::together(const std::function<void()> &local) {
  if (alone()) return local();
  agree(caught(-1, local));
}

}  // namespace sv
