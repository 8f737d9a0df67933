#include "transfer/waiting.hpp"

#include "file/file.hpp"

namespace sv {

Waiting &waiting_in(File &file) {
  std::shared_ptr<Waiting> &waiting = file.waiting;
  if (waiting == nullptr) waiting = std::make_shared<Waiting>();
  return *waiting;
}

}  // namespace sv
