#include "config/store_values.hpp"

#include <algorithm>
#include <memory>
#include <sstream>

#include "model/error_encoder.hpp"

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
  const Codec<ChunkKind> words = word_codec<ChunkKind>({{"auto", ChunkKind::automatic},
                                                        {"contiguous", ChunkKind::contiguous},
                                                        {"default", ChunkKind::library},
                                                        {"writers", ChunkKind::by_writers}});
  return shape_codec(words, &ChunkRequest::kind, ChunkKind::given, &ChunkRequest::shape, "1,270,360");
}

Codec<ChunkRequest> deflate_library_codec() {
  return member_codec(
      &ChunkRequest::deflate_library,
      word_codec<std::string>({{"auto", "auto"}, {"isal", "isal"}, {"libdeflate", "libdeflate"}, {"zlib", "zlib"}}));
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

Codec<ChunkRequest> compression_codec() {
  struct Compressor {
    std::string name;
    int ChunkRequest::*level;
    int usual, most;
    bool blosc;
  };
  static const auto &compressors = *new std::vector<Compressor>{{"deflate", &ChunkRequest::deflate, 1, 9, false},
                                                                {"zstd", &ChunkRequest::zstd, 3, 22, false},
                                                                {"blosc_zlib", &ChunkRequest::deflate, 1, 9, true},
                                                                {"blosc_zstd", &ChunkRequest::zstd, 3, 22, true}};
  const auto read = [](const std::string &text, ChunkRequest &request) {
    const Method method = split_method(text);
    const auto is_named = [&](const Compressor &each) { return each.name == method.name; };
    const auto found = std::ranges::find_if(compressors, is_named);
    if (found == compressors.end() && text != "none") {
      std::vector<std::string> names{"none"};
      for (const Compressor &each : compressors) names.push_back(each.name);
      throw BadValue{nearest(method.name, names)};
    }
    const int level = text == "none" ? 0 : method.with_number(found->usual, 0, found->most);
    request.deflate = request.zstd = 0;
    request.blosc = text != "none" && found->blosc;
    if (text != "none") request.*found->level = level;
  };
  const auto shown = [](const ChunkRequest &request) -> std::string {
    for (const Compressor &each : compressors)
      if (request.*each.level > 0 && request.blosc == each.blosc)
        return each.name + ":" + std::to_string(request.*each.level);
    return "none";
  };
  return text_codec<ChunkRequest>(
      "codec", "none, deflate, zstd, blosc_zlib or blosc_zstd, with a level after a colon (deflate:4, zstd:3)", read,
      shown);
}

Codec<ChunkRequest> shuffle_codec() { return member_codec(&ChunkRequest::shuffle, switch_codec()); }

Codec<ChunkRequest> zstd_plugin_codec() {
  return member_codec(&ChunkRequest::zstd_anyway, word_codec<bool>({{"required", false}, {"assumed", true}}));
}

Codec<ChunkRequest> checksum_codec() { return member_codec(&ChunkRequest::fletcher32, switch_codec()); }

namespace {

/// "0.01", or "0.01:sz3" for a bound that an encoder keeps.
Quantization bound_of(const Method &method, Quantization::Mode mode) {
  const auto [number, word] = split_method(method.parameter.value_or(""));
  Quantization value{mode, 1, Method{method.name, number}.with_real_number(smallest_bound, largest_bound(mode))};
  if (!word) return value;
  const auto encoder = find_encoder(*word);
  const std::string before = "absolute:" + number + ":";
  if (!encoder || mode != Quantization::Mode::absolute)
    throw BadValue{nearest(before + *word, {before + "sz3", before + "zfp"})};
  value.encoder = encoder->encoder;
  return value;
}

}  // namespace

Codec<ChunkRequest> quantize_codec() {
  using Mode = Quantization::Mode;
  struct Rounding {
    std::string name;
    Mode mode;
    int most;  // bits or digits; of a bound 0
  };
  static const auto &roundings = *new std::vector<Rounding>{
      {"bitround", Mode::bit_round, 52}, {"bitgroom", Mode::bit_groom, 15}, {"granular_bitround", Mode::granular, 15},
      {"absolute", Mode::absolute, 0},   {"relative", Mode::relative, 0},   {"information", Mode::information, 0}};
  const auto read = [](const std::string &text, Quantization &value) {
    if (text == "none") return void(value = {});
    const Method method = split_method(text);
    std::vector<std::string> examples{"none"};
    for (const Rounding &each : roundings) {
      if (each.name == method.name && each.most > 0)
        return void(value = {each.mode, method.with_number(0, 0, each.most)});
      if (each.name == method.name) return void(value = bound_of(method, each.mode));
      examples.push_back(each.name);
    }
    throw BadValue{nearest(method.name, examples)};
  };
  const auto shown = [](const Quantization &value) -> std::string {
    const auto encoder = find_encoder(value.encoder);
    for (const Rounding &each : roundings)
      if (value.amount > 0 && value.mode == each.mode)
        return each.name + ":" + (value.has_bound() ? json_number(value.bound) : std::to_string(value.amount)) +
               (encoder ? std::string(":") + encoder->word : "");
    return "none";
  };
  return member_codec(
      &ChunkRequest::quantization,
      text_codec<Quantization>(
          "rounding",
          "none, bitround:BITS, bitgroom:DIGITS, granular_bitround:DIGITS, information:SHARE, relative:ERROR, "
          "absolute:ERROR, absolute:ERROR:sz3 or absolute:ERROR:zfp",
          read, shown));
}

Codec<FileSettings> layout_codec() {
  const std::string divided = "per_variable";
  const auto read = [divided](const std::string &text, FileSettings &file) {
    const Method method = split_method(text);
    if (method.name == divided && method.parameter != "")
      file.layout = FileLayout::per_variable;
    else if (text == "one_file")
      file.layout = FileLayout::one_file;
    else
      throw BadValue{nearest(method.name, {"one_file", divided})};
    file.variable_file = method.parameter.value_or("");
  };
  const auto shown = [divided](const FileSettings &file) -> std::string {
    if (file.layout == FileLayout::one_file) return "one_file";
    return file.variable_file.empty() ? divided : divided + ":" + file.variable_file;
  };
  return text_codec<FileSettings>(
      "layout", "one_file, or per_variable, with the name of a variable's file after a colon (per_variable:%f_%v)",
      read, shown);
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

Codec<StripeRequest> stripe_count_codec() {
  using Count = StripeRequest::Count;
  const auto words = std::make_shared<const Codec<Count>>(
      word_codec<Count>({{"directory", Count::directory}, {"auto", Count::automatic}, {"all", Count::all}}));
  const auto read = [words](const std::string &given, StripeRequest &request) {
    const bool is_number = !given.empty() && given.find_first_not_of("0123456789") == std::string::npos;
    if (!is_number) return words->read(given, request.count);
    number_codec(1, most_stripes, "").read(given, request.n);
    request.count = Count::given;
  };
  const auto text = [words](const StripeRequest &request) {
    return request.count == Count::given ? std::to_string(request.n) : words->text(request.count);
  };
  return text_codec<StripeRequest>("word or number", words->allowed + ", or 1 to " + std::to_string(most_stripes), read,
                                   text);
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
