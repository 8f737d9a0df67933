#include "config/store_values.hpp"

#include <memory>
#include <sstream>

namespace sv {

namespace {

/// "1,270,360": lengths from 1 on, at least one.
Index parse_lengths(const std::string &text) {
  Index lengths;
  std::istringstream list(text);
  for (std::string each; std::getline(list, each, ',');) {
    int length = 0;
    if (lengths.n == max_dims) throw BadValue{""};
    number_codec(1, INT32_MAX, "").read(each, length);
    lengths.push(length);
  }
  return lengths;
}

std::string lengths_text(const Index &lengths) {
  std::string text;
  for (int d = 0; d < lengths.n; ++d) {
    if (d > 0) text += ',';
    text += std::to_string(lengths[d]);
  }
  return text;
}

/// A word, or lengths: then `kind` is `given`.
template <class K>
Codec<ChunkRequest> shape_codec(const Codec<K> &words, K ChunkRequest::*kind, K given, Index ChunkRequest::*shape,
                                const std::string &example) {
  const auto own = std::make_shared<const Codec<K>>(words);
  const auto read = [=](const std::string &text, ChunkRequest &request) {
    const bool is_shape = !text.empty() && text.find_first_not_of("0123456789,") == std::string::npos;
    if (!is_shape) return own->read(text, request.*kind);
    request.*shape = parse_lengths(text);
    request.*kind = given;
  };
  const auto shown = [=](const ChunkRequest &request) {
    return request.*kind == given ? lengths_text(request.*shape) : own->text(request.*kind);
  };
  return text_codec<ChunkRequest>("word or cells", words.allowed + ", or cells of the last axes (" + example + ")",
                                  read, shown);
}

}  // namespace

Codec<ChunkRequest> chunks_codec() {
  using Way = ChunkRequest::Kind;
  const Codec<Way> words = word_codec<Way>({{"auto", Way::automatic},
                                            {"contiguous", Way::contiguous},
                                            {"default", Way::library},
                                            {"writers", Way::by_writers}});
  return shape_codec(words, &ChunkRequest::kind, Way::given, &ChunkRequest::shape, "1,270,360");
}

Codec<ChunkRequest> codec_codec() {
  return member_codec(
      &ChunkRequest::codec,
      word_codec<std::string>(
          {{"auto", "auto"}, {"isal", "isal"}, {"libdeflate", "libdeflate"}, {"zlib", "zlib"}, {"blosc", "blosc"}}));
}

Codec<ChunkRequest> shards_codec() {
  using Shards = ChunkRequest::Shards;
  const Codec<Shards> words = word_codec<Shards>({{"none", Shards::none}, {"auto", Shards::automatic}});
  return shape_codec(words, &ChunkRequest::shards, Shards::given, &ChunkRequest::shard_shape, "1080,1440");
}

Codec<ChunkRequest> chunk_layout_codec() {
  return pair_codec("cx,cy", "numbers of segments of the global axes, x first (4,2), or none", &ChunkRequest::cx,
                    &ChunkRequest::cy);
}

Codec<ChunkRequest> chunk_records_codec() {
  return member_codec(&ChunkRequest::records, number_codec(0, INT32_MAX, "0 (automatic), or records"));
}

Codec<ChunkRequest> deflate_codec() {
  return member_codec(&ChunkRequest::deflate, number_codec(0, 9, "0 (none) to 9"));
}

Codec<ChunkRequest> shuffle_codec() { return member_codec(&ChunkRequest::shuffle, switch_codec()); }

Codec<ChunkRequest> zstd_codec() { return member_codec(&ChunkRequest::zstd, number_codec(0, 22, "0 (none) to 22")); }

Codec<ChunkRequest> zstd_readers_codec() {
  return member_codec(&ChunkRequest::zstd_anyway, word_codec<bool>({{"here", false}, {"elsewhere", true}}));
}

Codec<ChunkRequest> fletcher32_codec() { return member_codec(&ChunkRequest::fletcher32, switch_codec()); }

Codec<ChunkRequest> quantize_codec() {
  return member_codec(
      &ChunkRequest::quantization,
      member_codec(&Quantization::amount,
                   number_codec(0, 52, "0 (all) to 52; bits: float has 23, double 52; digits: 7 and 15")));
}

Codec<ChunkRequest> quantize_mode_codec() {
  using Mode = Quantization::Mode;
  return member_codec(&ChunkRequest::quantization,
                      member_codec(&Quantization::mode, word_codec<Mode>({{"bitround", Mode::bit_round},
                                                                          {"bitgroom", Mode::bit_groom},
                                                                          {"granular_bitround", Mode::granular}})));
}

Codec<int> write_depth_codec() {
  constexpr int most = 64;
  const auto number = number_codec(1, most, "1 to 64");
  const auto read = [number](const std::string &given, int &value) {
    if (given == "auto")
      value = 0;
    else
      number.read(given, value);
  };
  const auto text = [](const int &value) { return value == 0 ? std::string("auto") : std::to_string(value); };
  return text_codec<int>("number", "auto, or 1 to 64", read, text);
}

Codec<HintMap> hint_codec(const std::string &name) {
  const auto shown = [name](const HintMap &hints) {
    const auto given = hints.find(name);
    return given == hints.end() ? std::string() : given->second;
  };
  const bool is_list = name == "cb_config_list";
  const auto read = [name, is_list](const std::string &text, HintMap &hints) {
    if (text.empty()) return void(hints.erase(name));
    if (is_list) return void(hints[name] = text);
    int64_t number = 0;
    size_codec(1, Zero::refused).read(text, number);
    hints[name] = std::to_string(number);
  };
  return text_codec<HintMap>(is_list ? "text" : "number",
                             is_list ? "a list for MPI-IO, such as *:1" : "a whole number from 1 on, or nothing", read,
                             shown);
}

}  // namespace sv
