// Named values that ranks agree on in a gate (transport/gate). A ballot has a few words, and a gate finds the largest
// of each over all ranks. A call states its values as a struct of the reducers below; each takes one word of the ballot
// (Same: two), in the order of `members`:
//
//   struct StepEnding {
//     Any stops{};            // true on some rank
//     Min<int64_t> done{};    // the least of all ranks
//     auto members() { return std::tie(stops, done); }
//   };
//   const StepEnding agreed = context.agree(call, error, StepEnding{.stops = asked, .done = mine});
//
// Before the gate, a member has this rank's value; after it, the agreed one. All of it is local and never fails.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace sv {

constexpr size_t agreed_values = 7;
/// The first of them belong to the call; the others to deferred errors of servers (servers/deferred_errors).
constexpr size_t call_values = 5;
/// The words of a ballot; after the gate, equal on all ranks.
using Agreed = std::array<int64_t, agreed_values>;

/// The largest value of all ranks. Where only one rank knows a value, which is not negative, the others leave it at 0.
template <class T>
struct Max {
  static constexpr size_t words = 1;
  T value{};
  Max() = default;
  Max(T given) : value(given) {}
  operator T() const { return value; }
  void write(int64_t *word) const { *word = static_cast<int64_t>(value); }
  void read(const int64_t *word) { value = static_cast<T>(*word); }
  auto members() { return std::tie(*this); }
};

using Any = Max<bool>;

/// The least value of all ranks.
template <class T>
struct Min {
  static constexpr size_t words = 1;
  T value{};
  Min() = default;
  Min(T given) : value(given) {}
  operator T() const { return value; }
  void write(int64_t *word) const { *word = -static_cast<int64_t>(value); }
  void read(const int64_t *word) { value = static_cast<T>(-*word); }
  auto members() { return std::tie(*this); }
};

/// Whether a condition holds on every rank.
struct All {
  static constexpr size_t words = 1;
  bool value = true;
  All() = default;
  All(bool given) : value(given) {}
  operator bool() const { return value; }
  void write(int64_t *word) const { *word = value ? 0 : 1; }
  void read(const int64_t *word) { value = *word == 0; }
  auto members() { return std::tie(*this); }
};

/// A number that ranks compare, and its largest and least values.
struct Same {
  static constexpr size_t words = 2;
  int64_t largest = 0, least = 0;
  Same() = default;
  Same(int64_t given) : largest(given), least(given) {}
  bool is_equal() const { return largest == least; }
  void write(int64_t *word) const { word[0] = largest, word[1] = -least; }
  void read(const int64_t *word) { largest = word[0], least = -word[1]; }
  auto members() { return std::tie(*this); }
};

/// A struct of reducers, or one reducer.
template <class Values>
concept AgreedValues = requires(Values values) {
  values.members();
};

template <class... Reducers>
constexpr size_t words_in(const std::tuple<Reducers &...> *) {
  return (Reducers::words + ...);
}
template <AgreedValues Values>
constexpr size_t word_count = words_in(static_cast<decltype(std::declval<Values &>().members()) *>(nullptr));

/// Writes these values into the words from `first` on.
template <size_t first = 0, AgreedValues Values>
void write_words(Agreed &words, Values values) {
  static_assert(first + word_count<Values> <= agreed_values, "a ballot has too few words for these values");
  int64_t *word = words.data() + first;
  std::apply([&word](auto &...each) { ((each.write(word), word += each.words), ...); }, values.members());
}

/// The words of a call.
template <AgreedValues Values>
Agreed words_with(const Values &values) {
  static_assert(word_count<Values> <= call_values, "a call has too few words for these values");
  Agreed words{};
  write_words(words, values);
  return words;
}

/// The values that these words state from `first` on.
template <AgreedValues Values, size_t first = 0>
Values read_words(const Agreed &words) {
  static_assert(first + word_count<Values> <= agreed_values, "a ballot has too few words for these values");
  Values values;
  const int64_t *word = words.data() + first;
  std::apply([&word](auto &...each) { ((each.read(word), word += each.words), ...); }, values.members());
  return values;
}

}  // namespace sv
