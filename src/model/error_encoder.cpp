#include "model/error_encoder.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace sv {

namespace {

using Encoder = Quantization::Encoder;
constexpr ErrorEncoder encoders[] = {{Encoder::sz3, FilterNumber::sz3, "sz3", "SZ3"},
                                     {Encoder::zfp, FilterNumber::zfp, "zfp", "ZFP"}};

template <class Is>
std::optional<ErrorEncoder> found_where(Is is) {
  const auto *const found = std::ranges::find_if(encoders, is);
  return found == std::end(encoders) ? std::nullopt : std::optional(*found);
}

}  // namespace

std::optional<ErrorEncoder> find_encoder(Encoder encoder) {
  return found_where([=](const ErrorEncoder &each) { return each.encoder == encoder; });
}

std::optional<ErrorEncoder> find_encoder(unsigned filter) {
  return found_where([=](const ErrorEncoder &each) { return static_cast<unsigned>(each.filter) == filter; });
}

std::optional<ErrorEncoder> find_encoder(const std::string &word) {
  return found_where([&](const ErrorEncoder &each) { return each.word == word; });
}

/// H5Z-SZ3 (to version 3.1): mode 0 is an absolute bound, a double in two words, the upper one first; three other
/// bounds follow. SZ3 compares floats: its bound is lower by a few units in the last place of a float. H5Z-ZFP: mode 3
/// is the fixed accuracy, a double in the memory of two words. In more than one dimension, ZFP's errors stay below half
/// of it: twice the bound saves a bit of each value, and chunks whose errors exceed the bound are rounded.
std::vector<unsigned> filter_parameters(const Quantization &quantization) {
  constexpr unsigned absolute_of_sz3 = 0, accuracy_of_zfp = 3;
  constexpr double margin = 1 - 0x1p-20;
  const bool is_sz3 = quantization.encoder == Encoder::sz3;
  const auto bits = std::bit_cast<uint64_t>(is_sz3 ? quantization.bound * margin : quantization.bound * 2);
  const auto upper = static_cast<unsigned>(bits >> 32), lower = static_cast<unsigned>(bits);
  if (is_sz3) return {absolute_of_sz3, upper, lower, 0, 0, 0, 0, 0, 0};
  const bool is_little = std::endian::native == std::endian::little;
  return {accuracy_of_zfp, 0, is_little ? lower : upper, is_little ? upper : lower, 0, 0};
}

/// H5Z-SZ3 has room for 5 dimensions, and ZFP takes 1 to 4 of more than one cell. SZ3 (3.1) crashes where a float
/// cannot hold the bound and its inverse.
bool is_encodable(const Quantization &quantization, const Index &chunk) {
  constexpr double least = 1e-30, most = 1e28;
  if (quantization.bound < least || quantization.bound > most) return false;
  const auto long_ones = std::ranges::count_if(chunk, [](int64_t length) { return length > 1; });
  return chunk.n <= 5 && long_ones >= 1 && long_ones <= 4;
}

}  // namespace sv
