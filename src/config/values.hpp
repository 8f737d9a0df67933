// How each type of value is read from text and shown: a Codec. It is the same in YAML, in the environment and in
// arguments, since all of them are served by the table of keys.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "config/nearest.hpp"
#include "plan/route.hpp"

namespace sv {

/// Thrown by Codec::read; `nearest`: the valid value that may have been meant, or empty.
struct BadValue {
  std::string nearest;
};

/// A value with a parameter after a colon: "zstd:3", "per_variable:%f_%v".
struct Method {
  std::string name;
  std::optional<std::string> parameter;

  /// The parameter, a whole number from `least` to `most`; without one `usual`, or BadValue where that is 0.
  int with_number(int usual, int least, int most) const;
  /// The parameter, a number from `least` to `most`.
  double with_real_number(double least, double most) const;
};
Method split_method(const std::string &text);

/// Codecs are copied often while the table of keys is made, so that what their functions have in common is shared: the
/// table of every process takes memory that is touched in sv_init.
template <class T>
struct Codec {
  std::string type;                                    // as the documentation calls it
  std::string allowed;                                 // completes "give ..."
  std::function<void(const std::string &, T &)> read;  // throws BadValue
  std::function<std::string(const T &)> text;          // which read accepts
  std::function<std::string(const T &)> json;          // sizes in bytes, durations in seconds
};

/// Of a value that JSON shows as its text.
template <class T>
Codec<T> text_codec(std::string type, std::string allowed, std::function<void(const std::string &, T &)> read,
                    std::function<std::string(const T &)> text) {
  return {std::move(type), std::move(allowed), std::move(read), text,
          [text](const T &value) { return json_text(text(value)); }};
}

/// "4096", "32MiB", "4MB": from `least` bytes to 1 TiB; and 0, where that has a meaning of its own.
enum class Zero { valid, refused };
Codec<int64_t> size_codec(int64_t least, Zero zero);
/// "30", "30s", "250ms", "5min", "1h"; 0 to 1e9 seconds.
Codec<double> duration_codec();
/// A whole number from `least` to `most`; `allowed` says so.
Codec<int> number_codec(int least, int most, const std::string &allowed);
/// A whole number, 0 or more.
Codec<int> count_codec();
/// true, yes, on, 1 and their opposites.
Codec<bool> switch_codec();
Codec<std::string> path_codec();

/// The three keys that make up a request.
Codec<RouteRequest> route_name_codec();
Codec<RouteRequest> io_layout_codec();
Codec<RouteRequest> writers_codec();

/// Without spaces at its ends.
std::string trimmed(const std::string &text);

/// "auto, place or send"
std::string listed(const std::vector<std::string> &words);

/// One of several words; the first pair that holds the value shows it.
template <class T>
Codec<T> word_codec(const std::vector<std::pair<std::string, T>> &words) {
  std::vector<std::string> names;
  for (const auto &word : words) names.push_back(word.first);
  const auto known = std::make_shared<const std::vector<std::pair<std::string, T>>>(words);
  const auto text = [known](const T &value) {
    for (const auto &word : *known)
      if (word.second == value) return word.first;
    return std::string();
  };
  const auto read = [known](const std::string &given, T &value) {
    std::vector<std::string> valid;
    for (const auto &word : *known) {
      if (word.first == given) return void(value = word.second);
      valid.push_back(word.first);
    }
    throw BadValue{nearest(given, valid)};
  };
  return text_codec<T>("word", listed(names), read, text);
}

/// "4,2": two numbers from 1 on, or "none": 0 and 0.
std::pair<int, int> parse_pair(const std::string &text);
std::string pair_text(int x, int y);
template <class Owner>
Codec<Owner> pair_codec(const char *type, const char *allowed, int Owner::*x, int Owner::*y) {
  return text_codec<Owner>(
      type, allowed, [=](const std::string &text, Owner &owner) { std::tie(owner.*x, owner.*y) = parse_pair(text); },
      [=](const Owner &owner) { return pair_text(owner.*x, owner.*y); });
}

/// Of a member of something larger.
template <class Owner, class T>
Codec<Owner> member_codec(T Owner::*member, const Codec<T> &codec) {
  const auto own = std::make_shared<const Codec<T>>(codec);
  return {codec.type, codec.allowed, [=](const std::string &text, Owner &owner) { own->read(text, owner.*member); },
          [=](const Owner &owner) { return own->text(owner.*member); },
          [=](const Owner &owner) { return own->json(owner.*member); }};
}

}  // namespace sv
