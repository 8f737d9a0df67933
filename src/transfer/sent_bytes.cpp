#include "transfer/sent_bytes.hpp"

namespace sv {

namespace {

class CountedSource final : public Source {
 public:
  using Count = std::function<void(int sink, int64_t bytes)>;
  CountedSource(Source &source, Count count) : source_(source), count_(std::move(count)) {}

  int64_t put(int sink, int round, Form form, std::byte *to) override {
    const int64_t bytes = source_.put(sink, round, form, to);
    if (bytes > 0) count_(sink, bytes);
    return bytes;
  }
  std::span<const std::byte> whole(int sink, int round) override {
    const std::span<const std::byte> found = source_.whole(sink, round);
    if (!found.empty()) count_(sink, std::ssize(found));
    return found;
  }

 private:
  Source &source_;
  const Count count_;
};

}  // namespace

Source &SentBytes::counting(Source &source, std::function<int(int)> rank_of) {
  if (file_.trace == nullptr) return source;
  sources_.push_back(
      std::make_unique<CountedSource>(source, [this, rank = std::move(rank_of)](int sink, int64_t bytes) {
        bytes_[(*numbers_)[static_cast<size_t>(rank(sink))]] += bytes;
      }));
  return *sources_.back();
}

void SentBytes::report(int variable) const {
  if (file_.trace != nullptr) file_.trace->sent(variable, bytes_);
}

}  // namespace sv
