#include "config/values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace sv {

namespace {

constexpr int64_t largest_size_bytes = int64_t{1} << 40;  // offsets computed from it stay far from overflow
constexpr double longest_seconds = 1e9;                   // which clocks can add

struct Unit {
  std::string name;
  int64_t factor;
};
// Larger units first: the first one that divides a size shows it.
const std::vector<Unit> size_units = {
    {"TiB", 1LL << 40},    {"GiB", 1LL << 30}, {"MiB", 1LL << 20}, {"KiB", 1LL << 10}, {"TB", 1'000'000'000'000},
    {"GB", 1'000'000'000}, {"MB", 1'000'000},  {"KB", 1'000},      {"kB", 1'000},      {"B", 1}};

/// The number at the beginning of `text`, which is cut off; throws BadValue without one, or for one out of range.
template <class T>
T take_number(std::string &text) {
  text = trimmed(text);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) throw BadValue{};
  text = trimmed(text.substr(static_cast<size_t>(end - text.data())));
  return value;
}

/// A number that is all of `text`.
template <class T>
T whole_number(std::string text) {
  const T value = take_number<T>(text);
  if (!text.empty()) throw BadValue{};
  return value;
}

int64_t parse_size(std::string text) {
  const std::string given = text;
  const int64_t number = take_number<int64_t>(text);
  if (number < 0) throw BadValue{};
  if (text.empty()) return number;
  std::vector<std::string> names;
  for (const Unit &unit : size_units) {
    names.push_back(unit.name);
    if (unit.name != text) continue;
    if (number > std::numeric_limits<int64_t>::max() / unit.factor) throw BadValue{};
    return number * unit.factor;
  }
  throw BadValue{std::to_string(number) + nearest(text, names)};
}

double parse_duration(std::string text) {
  const double number = take_number<double>(text);
  if (!std::isfinite(number) || number < 0) throw BadValue{};
  const std::vector<std::pair<std::string, double>> units = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"min", 60}, {"h", 3600}};
  for (const auto &[name, seconds] : units)
    if (name == text) {
      if (number * seconds > longest_seconds) throw BadValue{};
      return number * seconds;
    }
  throw BadValue{json_number(number) + nearest(text, {"s", "min", "h", "ms"})};
}

std::string size_text(int64_t bytes) {
  for (const Unit &unit : size_units)
    if (bytes > 0 && bytes % unit.factor == 0 && unit.factor > 1)
      return std::to_string(bytes / unit.factor) + unit.name;
  return std::to_string(bytes);
}

std::string duration_text(double seconds) {
  const bool minutes = seconds >= 60 && std::fmod(seconds, 60) == 0;
  return seconds == 0 ? "0" : minutes ? json_number(seconds / 60) + "min" : json_number(seconds) + "s";
}

std::string writers_text(const RouteRequest &request) {
  switch (request.writers.kind) {
    case Writers::Kind::self:
      return "self";
    case Writers::Kind::count:
      return std::to_string(request.writers.n);
    case Writers::Kind::per_node:
      return std::to_string(request.writers.n) + " per node";
    case Writers::Kind::automatic:
      break;
  }
  return "auto";
}

}  // namespace

std::string trimmed(const std::string &text) {
  const size_t first = text.find_first_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string listed(const std::vector<std::string> &words) {
  std::string list;
  for (size_t i = 0; i < words.size(); ++i) list += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return list;
}

Method split_method(const std::string &text) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos) return {text, std::nullopt};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

int Method::with_number(int usual, int least, int most) const {
  if (!parameter && usual > 0) return usual;
  const std::string before = name + ":";
  int number = 0;
  try {
    number_codec(least, most, "").read(parameter.value_or(""), number);
  } catch (const BadValue &bad) {
    throw BadValue{before + (bad.nearest.empty() ? std::to_string(least) : bad.nearest)};
  }
  return number;
}

double Method::with_real_number(double least, double most) const {
  const double number = whole_number<double>(parameter.value_or(""));
  if (!(number >= least && number <= most)) throw BadValue{};
  return number;
}

std::pair<int, int> parse_pair(const std::string &text) {
  if (text == "none") return {0, 0};
  std::string rest = text;
  const int x = take_number<int>(rest);
  if (rest.empty() || rest[0] != ',') throw BadValue{};
  const int y = whole_number<int>(rest.substr(1));
  if (x < 1 || y < 1) throw BadValue{};
  return {x, y};
}

std::string pair_text(int x, int y) { return x == 0 ? "none" : std::to_string(x) + "," + std::to_string(y); }

Codec<int64_t> size_codec(int64_t least, Zero zero) {
  const auto read = [=](const std::string &text, int64_t &value) {
    const int64_t size = parse_size(text);
    if (size < least && !(size == 0 && zero == Zero::valid)) throw BadValue{size_text(least)};
    if (size > largest_size_bytes) throw BadValue{size_text(largest_size_bytes)};
    value = size;
  };
  const std::string bound = (zero == Zero::valid ? ", 0 or at least " : ", at least ") + size_text(least);
  return {"size", "bytes with or without a unit (4096, 32MiB, 4MB)" + (least > 0 ? bound : ""), read, size_text,
          [](int64_t value) { return std::to_string(value); }};
}

Codec<double> duration_codec() {
  const auto read = [](const std::string &text, double &value) { value = parse_duration(text); };
  return {"duration", "seconds, or a number with s, ms, min or h", read, duration_text,
          [](double seconds) { return json_number(seconds); }};
}

Codec<int> number_codec(int least, int most, const std::string &allowed) {
  const auto read = [=](const std::string &text, int &value) {
    const int number = whole_number<int>(text);
    if (number < 0) throw BadValue{};
    if (number < least || number > most) throw BadValue{std::to_string(std::clamp(number, least, most))};
    value = number;
  };
  const auto text = [](int value) { return std::to_string(value); };
  return {"number", allowed, read, text, text};
}

Codec<int> count_codec() { return number_codec(0, std::numeric_limits<int>::max(), "a whole number, 0 or more"); }

Codec<bool> switch_codec() {
  Codec<bool> codec = word_codec<bool>({{"true", true},
                                        {"false", false},
                                        {"yes", true},
                                        {"no", false},
                                        {"on", true},
                                        {"off", false},
                                        {"1", true},
                                        {"0", false}});
  codec.type = "switch";
  codec.allowed = "true or false";
  codec.json = codec.text;
  return codec;
}

Codec<std::string> path_codec() {
  return text_codec<std::string>(
      "path", "a path, or nothing", [](const std::string &text, std::string &value) { value = text; },
      [](const std::string &path) { return path; });
}

Codec<RouteRequest> route_name_codec() {
  std::vector<std::pair<std::string, std::string>> words;
  for (const std::string &name : route_names()) words.emplace_back(name, name);
  return member_codec(&RouteRequest::name, word_codec<std::string>(words));
}

Codec<RouteRequest> io_layout_codec() {
  return pair_codec("nx,ny", "numbers of I/O domains, x first (4,2), or none", &RouteRequest::io_nx,
                    &RouteRequest::io_ny);
}

Codec<RouteRequest> writers_codec() {
  const auto read = [](const std::string &text, RouteRequest &value) {
    try {
      value.writers = parse_writers(text);
    } catch (const Error &) {
      throw BadValue{nearest(text, {"auto", "self", "1", "1 per node"})};
    }
  };
  return text_codec<RouteRequest>("writers", "auto, self, a number (4), or a number per node (2 per node)", read,
                                  writers_text);
}

}  // namespace sv
