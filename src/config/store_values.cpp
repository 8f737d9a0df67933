#include "config/store_values.hpp"

namespace sv {

Codec<ChunkRequest> chunks_codec() {
  using Way = ChunkRequest::Kind;
  return member_codec(&ChunkRequest::kind, word_codec<Way>({{"auto", Way::automatic},
                                                            {"contiguous", Way::contiguous},
                                                            {"default", Way::library},
                                                            {"writers", Way::by_writers}}));
}

Codec<ChunkRequest> chunk_layout_codec() {
  return pair_codec("cx,cy", "numbers of segments of the global axes, x first (4,2), or none", &ChunkRequest::cx,
                    &ChunkRequest::cy);
}

Codec<ChunkRequest> deflate_codec() {
  return member_codec(&ChunkRequest::deflate, number_codec(0, 9, "0 (none) to 9"));
}

Codec<ChunkRequest> shuffle_codec() { return member_codec(&ChunkRequest::shuffle, switch_codec()); }

Codec<ChunkRequest> quantize_codec() {
  return member_codec(&ChunkRequest::quantize, number_codec(0, 52, "0 (all) to 52; float has 23, double 52"));
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
                             is_list ? "what MPI-IO understands, such as *:1" : "a whole number from 1 on, or nothing",
                             read, shown);
}

}  // namespace sv
