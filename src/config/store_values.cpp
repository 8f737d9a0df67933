#include "config/store_values.hpp"

namespace sv {

namespace {

/// A part of the request as if it were a value of its own.
template <class T>
Codec<ChunkRequest> part_codec(const Codec<T> &codec, T ChunkRequest::*member) {
  return {codec.type, codec.allowed,
          [codec, member](const std::string &text, ChunkRequest &value) { codec.read(text, value.*member); },
          [codec, member](const ChunkRequest &value) { return codec.text(value.*member); },
          [codec, member](const ChunkRequest &value) { return codec.json(value.*member); }};
}

Codec<int> bounded_codec(int most, const std::string &allowed) {
  Codec<int> codec = count_codec();
  const auto read = codec.read;
  codec.allowed = allowed;
  codec.read = [read, most](const std::string &text, int &value) {
    int given = 0;
    read(text, given);
    if (given > most) throw BadValue{std::to_string(most)};
    value = given;
  };
  return codec;
}

}  // namespace

Codec<ChunkRequest> chunks_codec() {
  using Way = ChunkRequest::Kind;
  return part_codec(word_codec<Way>({{"auto", Way::automatic},
                                     {"contiguous", Way::contiguous},
                                     {"default", Way::library},
                                     {"writers", Way::by_writers}}),
                    &ChunkRequest::kind);
}

/// The same words as an io_layout: two numbers, x first.
Codec<ChunkRequest> chunk_layout_codec() {
  const Codec<RouteRequest> pair = io_layout_codec();
  const auto as_pair = [](const ChunkRequest &value) {
    RouteRequest request;
    request.io_nx = value.cx;
    request.io_ny = value.cy;
    return request;
  };
  return {"cx,cy", "numbers of segments of the global axes, x first (4,2), or none",
          [pair](const std::string &text, ChunkRequest &value) {
            RouteRequest request;
            pair.read(text, request);
            value.cx = request.io_nx;
            value.cy = request.io_ny;
          },
          [pair, as_pair](const ChunkRequest &value) { return pair.text(as_pair(value)); },
          [pair, as_pair](const ChunkRequest &value) { return pair.json(as_pair(value)); }};
}

Codec<ChunkRequest> deflate_codec() { return part_codec(bounded_codec(9, "0 (none) to 9"), &ChunkRequest::deflate); }

Codec<ChunkRequest> shuffle_codec() { return part_codec(switch_codec(), &ChunkRequest::shuffle); }

Codec<ChunkRequest> quantize_codec() {
  return part_codec(bounded_codec(52, "0 (all) to 52; float has 23, double 52"), &ChunkRequest::quantize);
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
  return {is_list ? "text" : "number",
          is_list ? "what MPI-IO understands, such as *:1" : "a whole number from 1 on, or nothing", read, shown,
          [shown](const HintMap &hints) { return json_text(shown(hints)); }};
}

}  // namespace sv
