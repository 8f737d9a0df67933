// The library's own codecs, as its stores of compressed chunks use them: bytes of a number apart, then each codec at
// the levels that people use; by one core, and by all cores of a node at the same time.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>

#include "codec/codec.hpp"
#include "codec/shuffle.hpp"
#include "probe.hpp"

namespace sv_probe {

namespace {

using Bytes = std::vector<std::byte>;

struct Tried {
  const char *name;
  int level;
};
/// ISA-L's higher levels are slower without being smaller.
constexpr Tried all_tried[] = {{"isal", 1}, {"isal", 2}, {"libdeflate", 1}, {"libdeflate", 4}, {"libdeflate", 6},
                               {"zlib", 1}, {"zlib", 4}, {"zlib", 6},       {"zstd", 1},       {"zstd", 3}};

/// nullptr where it is not built in.
std::unique_ptr<sv::ByteCodec> compressor(const Tried &tried) {
  const std::string name = tried.name;
  if (name == "zstd") return sv::zstd_codec(tried.level);
  const std::vector<std::string> there = sv::deflaters();
  if (std::find(there.begin(), there.end(), name) == there.end()) return nullptr;
  return sv::make_deflate(name, tried.level);
}

/// The chunks of a sample, and their compressed bytes: the data of one rank.
class Work {
 public:
  Work(const Sample &sample, const Tried &tried)
      : sample_(sample),
        out_(compressor(tried)),
        in_(std::string(tried.name) == "zstd" ? sv::zstd_codec(tried.level) : sv::make_inflate()) {
    for (const Bytes &chunk : sample.chunks) {
      bodies_.emplace_back(out_->most_encoded(chunk.size()));
      lengths_.push_back(0);
      if (chunk.size() > room_.size()) room_.resize(chunk.size());
    }
    values_ = room_;
  }
  void encode() {
    for (size_t i = 0; i < bodies_.size(); ++i) {
      const Bytes &chunk = sample_.chunks[i];
      const auto shuffled = std::span(room_).first(chunk.size());
      sv::shuffle_bytes(chunk, shuffled, sample_.element_bytes);
      lengths_[i] = out_->encode(shuffled, bodies_[i]);
    }
  }
  void decode() {
    for (size_t i = 0; i < bodies_.size(); ++i) {
      const auto shuffled = std::span(room_).first(sample_.chunks[i].size());
      in_->decode(std::span(bodies_[i]).first(lengths_[i]), shuffled);
      sv::unshuffle_bytes(shuffled, std::span(values_).first(shuffled.size()), sample_.element_bytes);
    }
  }
  double left_bytes() const {
    double sum = 0;
    for (const size_t length : lengths_) sum += static_cast<double>(length);
    return sum;
  }

 private:
  const Sample &sample_;
  const std::unique_ptr<sv::ByteCodec> out_, in_;
  std::vector<Bytes> bodies_;
  std::vector<size_t> lengths_;
  Bytes room_, values_;
};

void add(Bench &bench, const Tried &tried, CodecRates &rates) {
  const Sample &sample = bench.sample;
  const int all = std::min(bench.team.cores_per_node(), bench.team.ranks_on_first_node());
  std::unique_ptr<Work> work;
  bench.team.time({all, true}, [&](int /*place*/) {
    work = std::make_unique<Work>(sample, tried);
    work->encode();  // its memory was touched when it is timed
    work->decode();
  });
  const auto rate = [&](int ranks, int times, void (Work::*part)()) {
    const Seconds seconds = bench.team.time({ranks, true}, [&](int /*place*/) {
      for (int time = 0; time < times; ++time) (*work.*part)();
    });
    return sample.bytes() * ranks * times / seconds.wall;
  };
  // It takes the system a while to give each of several ranks a core of its own.
  const auto times_at = [&](double bytes_per_second) {
    constexpr double long_seconds = 0.05;
    return std::clamp(static_cast<int>(long_seconds * bytes_per_second / sample.bytes()), 1, 100);
  };
  rates.out.push_back(rate(1, 1, &Work::encode));
  rates.in.push_back(rate(1, 1, &Work::decode));
  rates.out_node.push_back(all > 1 ? rate(all, times_at(rates.out.back()), &Work::encode) : rates.out.back());
  rates.in_node.push_back(all > 1 ? rate(all, times_at(rates.in.back()), &Work::decode) : rates.in.back());
  double left = work == nullptr ? 0 : work->left_bytes();
  MPI_Bcast(&left, 1, MPI_DOUBLE, 0, bench.team.comm());
  rates.ratio.push_back(left / sample.bytes());
}

}  // namespace

Sample smooth_sample() {
  constexpr size_t columns = 1024, rows = 256, chunk_rows = 64;
  Sample sample{"a smooth field of single precision", sizeof(float), {}};
  for (size_t first = 0; first < rows; first += chunk_rows) {
    Bytes chunk(chunk_rows * columns * sizeof(float));
    for (size_t cell = 0; cell < chunk_rows * columns; ++cell) {
      const auto x = static_cast<double>(cell % columns), y = static_cast<double>(first + cell / columns);
      const auto value = static_cast<float>(15 + 12 * std::cos(y / 160) + std::sin(x / 40) * std::cos(y / 25));
      std::memcpy(chunk.data() + cell * sizeof(float), &value, sizeof(float));
    }
    sample.chunks.push_back(std::move(chunk));
  }
  return sample;
}

double Sample::bytes() const {
  double sum = 0;
  for (const Bytes &chunk : chunks) sum += static_cast<double>(chunk.size());
  return sum;
}

void measure_codecs(Bench &bench, Measured &measured) {
  for (const Tried &tried : all_tried)
    if (compressor(tried) != nullptr) add(bench, tried, measured.codecs[{tried.name, tried.level}]);
}

}  // namespace sv_probe
