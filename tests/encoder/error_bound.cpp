// Hostile fields pass through the encoder of chunks with error bounds: decoded by themselves, and compared with the
// original by code that shares nothing with the library's. Usage: error_bound [VALUES [SEED [sz3|zfp]]]. Without HDF5's
// plug-in for the last one, it ends with 77.
#include <hdf5.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "backend/netcdf4/encoder.hpp"
#include "backend/netcdf4/filter_plug_in.hpp"
#include "base/error.hpp"
#include "model/error_encoder.hpp"

namespace {

using sv::Quantization;
using Mode = Quantization::Mode;

int64_t violations = 0, checked_values = 0, chunks_by_plug_in = 0;

void require(bool is_right, const std::string &what) {
  if (is_right) return;
  if (++violations <= 20) std::printf("%s\n", what.c_str());
}

template <class Float>
using Field = std::vector<Float>;
template <class Float>
constexpr Float fill = static_cast<Float>(9.969209968386869e+36);
constexpr double missing = -999, least_valid = -2e30, most_valid = 3.3e30;

/// Any bits: NaN of all kinds, infinities, subnormal numbers, all sizes.
template <class Float>
Float any_bits(std::mt19937_64 &random) {
  using Word = std::conditional_t<sizeof(Float) == 4, uint32_t, uint64_t>;
  return std::bit_cast<Float>(static_cast<Word>(random()));
}

template <class Float>
Float value_of(const std::string &kind, std::mt19937_64 &random, int64_t i) {
  using Limits = std::numeric_limits<Float>;
  const double part = static_cast<double>(random() >> 11) / 0x1p53;
  if (kind == "bits") return any_bits<Float>(random);
  if (kind == "subnormal") return static_cast<Float>((part - 0.5) * 4) * Limits::min();
  if (kind == "constant") return static_cast<Float>(1.0 / 3);
  if (kind == "range")
    return static_cast<Float>((part - 0.5) * std::pow(10.0, static_cast<double>(random() % 76) - 38));
  if (kind == "islands")
    return i / 97 % 3 == 0 ? any_bits<Float>(random)
                           : static_cast<Float>(15 + 10 * std::sin(static_cast<double>(i) / 1e3));
  if (kind == "land")
    return i / 97 % 3 == 0 ? fill<Float> : static_cast<Float>(15 + 10 * std::sin(static_cast<double>(i) / 1e3));
  if (kind == "zeros") return i / 50 % 2 == 0 ? 0 : static_cast<Float>(std::sin(static_cast<double>(i) / 1e2));
  if (kind == "largest") return random() % 2 == 0 ? Limits::max() : -Limits::max() * static_cast<Float>(1 - part / 1e5);
  if (kind == "near fill") return std::nextafter(fill<Float>, static_cast<Float>(random() % 2 == 0 ? 0 : 1e38));
  if (kind == "near missing") return static_cast<Float>(missing + (part - 0.5) * 1e-3);
  if (kind == "near zero") return static_cast<Float>((part - 0.5) * 1e-5);
  if (kind == "near valid")
    return static_cast<Float>((random() % 2 == 0 ? least_valid : most_valid) * (1 + (part - 0.5) / 1e5));
  return static_cast<Float>(15 + 10 * std::sin(static_cast<double>(i) / 1e3) + part / 100);  // "smooth"
}

const char *const kinds[] = {"bits",      "subnormal",    "constant",  "range",      "islands", "land", "largest",
                             "near fill", "near missing", "near zero", "near valid", "smooth",  "zeros"};

template <class Float>
bool is_valid(Float value) {
  return value >= static_cast<Float>(least_valid) && value <= static_cast<Float>(most_valid);
}

/// Infinity where the cell had to stay. A plug-in may change zeros.
template <class Float>
long double error_of(Float value, Float found, const Quantization &how) {
  if (std::memcmp(&value, &found, sizeof value) == 0) return 0;
  const bool is_relative = how.mode == Mode::relative;
  const auto is_kept = [](Float each) { return each == fill<Float> || each == static_cast<Float>(missing); };
  const bool is_free = value == 0 && how.encoder != Quantization::Encoder::rounding;
  if ((!std::isnormal(value) && !is_free) || !std::isfinite(found) || is_kept(value) || is_kept(found) ||
      (is_valid(value) && !is_valid(found)))
    return std::numeric_limits<long double>::infinity();
  const long double distance = std::abs(static_cast<long double>(value) - static_cast<long double>(found));
  return is_relative ? distance / std::abs(static_cast<long double>(value)) : distance;
}

sv::Attribute number(const char *name, double value) { return sv::number_attribute(name, value); }

/// As HDF5 defines a dataset with it.
sv::netcdf4::Filter defined_filter(const Quantization &how, const sv::Index &chunk, hid_t type) {
  sv::netcdf4::Filter filter{static_cast<sv::netcdf4::FilterKind>(sv::find_encoder(how.encoder)->filter)};
  std::vector<hsize_t> lengths(chunk.begin(), chunk.end());
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_fapl_core(access, 4096, false);
  const hid_t file = H5Fcreate("plug-in", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  const hid_t space = H5Screate_simple(chunk.n, lengths.data(), nullptr);
  const std::vector<unsigned> asked = filter_parameters(how);
  H5Pset_chunk(creation, chunk.n, lengths.data());
  H5Pset_filter(creation, static_cast<int>(filter.kind), H5Z_FLAG_MANDATORY, asked.size(), asked.data());
  const hid_t set = H5Dcreate2(file, "field", type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  require(set >= 0, "HDF5 does not define the dataset");
  const hid_t made = H5Dget_create_plist(set);
  size_t given = 32;
  unsigned flags = 0;
  filter.parameters.resize(given);
  H5Pget_filter2(made, 0, &flags, &given, filter.parameters.data(), 0, nullptr, nullptr);
  filter.parameters.resize(given);
  H5Pclose(made);
  H5Dclose(set);
  H5Sclose(space);
  H5Fclose(file);
  H5Pclose(creation);
  H5Pclose(access);
  return filter;
}

template <class Float>
sv::netcdf4::Recipe recipe_of(const Quantization &how, int codec) {
  sv::Variable variable{.name = "field",
                        .type = sizeof(Float) == 4 ? sv::Type::float32 : sv::Type::float64,
                        .dims = {},
                        .attributes = {number("missing_value", missing), number("valid_min", least_valid),
                                       number("valid_max", most_valid)}};
  sv::netcdf4::Recipe recipe{{}, variable.type, how, {}, codec == 1};
  std::memcpy(recipe.fill.data(), &fill<Float>, sizeof(Float));
  if (codec > 0) recipe.filters = {{sv::netcdf4::FilterKind::shuffle}, {sv::netcdf4::FilterKind::deflate, 1}};
  recipe.bound = error_bound_of(variable, how, recipe.fill);
  return recipe;
}

template <class Float>
void check_field(const std::string &kind, const Quantization &how, std::mt19937_64 &random, int codec,
                 const sv::Index &chunk) {
  const auto cells = static_cast<size_t>(chunk.product());
  const std::string name = kind + (sizeof(Float) == 4 ? ", floats, " : ", doubles, ") +
                           (how.mode == Mode::relative ? "relative " : "absolute ") + std::to_string(how.bound);
  Field<Float> values(cells), found(cells), again(cells);
  for (size_t i = 0; i < cells; ++i) values[i] = value_of<Float>(kind, random, static_cast<int64_t>(i));
  const bool has_plug_in = how.encoder != Quantization::Encoder::rounding;
  sv::netcdf4::Recipe recipe = recipe_of<Float>(how, codec);
  if (has_plug_in) {
    recipe.swaps = false;
    recipe.plug_in = static_cast<int>(recipe.filters.size()) / 2;  // behind the shuffle
    recipe.filters.insert(recipe.filters.begin() + recipe.plug_in,
                          defined_filter(how, chunk, sizeof(Float) == 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE));
  }
  sv::netcdf4::Encoder encoder("auto");
  sv::Loss loss;
  const auto decode = [&](const sv::netcdf4::StoredBody &body, Field<Float> &to) {
    sv::netcdf4::decode(recipe.filters, sizeof(Float), encoder.codecs(), body, std::as_writable_bytes(std::span(to)));
    if (recipe.swaps)
      std::ranges::for_each(to, [](Float &each) {
        auto *const bytes = reinterpret_cast<std::byte *>(&each);
        std::reverse(bytes, bytes + sizeof each);
      });
  };
  decode(encoder.encode(recipe, std::as_bytes(std::span(values)), loss), found);
  long double worst = 0;
  for (size_t i = 0; i < cells; ++i) {
    const long double error = error_of(values[i], found[i], how);
    if (!(error <= how.bound))
      require(false, name + ": " + std::to_string(values[i]) + " became " + std::to_string(found[i]));
    worst = std::max(worst, error);
  }
  checked_values += static_cast<int64_t>(cells);
  chunks_by_plug_in += loss.by_plug_in;
  require(std::abs(loss.worst - static_cast<double>(worst)) <= static_cast<double>(worst) * 1e-15,
          name + ": the stated error is " + std::to_string(loss.worst));
  sv::Loss second;
  decode(encoder.encode(recipe, std::as_bytes(std::span(found)), second, has_plug_in), again);
  require(second.worst == 0 && std::memcmp(again.data(), found.data(), cells * sizeof(Float)) == 0,
          name + ": rounding again changes values");
}

/// Of one to three dimensions.
sv::Index any_chunk(std::mt19937_64 &random, size_t most_cells) {
  sv::Index chunk;
  auto left = static_cast<int64_t>(1 + random() % most_cells);
  for (uint64_t dims = random() % 3; dims > 0; --dims) {
    chunk.push(1 + static_cast<int64_t>(random() % 20));
    left = std::max<int64_t>(left / chunk[chunk.n - 1], 1);
  }
  chunk.push(left);
  return chunk;
}

void check_fields(int64_t wanted, uint64_t seed, Quantization::Encoder encoder) {
  const bool has_plug_in = encoder != Quantization::Encoder::rounding;
  const size_t most_cells = wanted > 100000000 ? 200000 : 3000;
  std::mt19937_64 random(seed);
  for (int round = 0; checked_values < wanted; ++round)
    for (const char *const kind : kinds)
      for (const double bound : {1e-270, 1e-40, 3e-8, 1e-4, 0.01, 0.3, 7.0, 1e5, 1e36, 1e270})
        for (const Mode mode : {Mode::absolute, Mode::relative}) {
          if (mode == Mode::relative && (bound > 0.5 || has_plug_in)) continue;
          const sv::Index chunk = any_chunk(random, most_cells);
          const Quantization how{mode, 1, bound, encoder};
          if (has_plug_in && !is_encodable(how, chunk)) continue;
          check_field<float>(kind, how, random, round % 3, chunk);
          check_field<double>(kind, how, random, round % 3, chunk);
        }
}

/// With an error of 0.01, values become multiples of 1/64, the nearest ones.
void check_bits() {
  std::vector<double> values{15.123456789, 0.001, -15.123456789, 1e9 + 1.0 / 3}, rounded(4);
  const auto recipe = recipe_of<double>({Mode::absolute, 1, 0.01}, 0);
  round_within(recipe.bound, std::as_bytes(std::span(values)), std::as_writable_bytes(std::span(rounded)));
  for (const double each : rounded) require(std::fmod(each, 0x1p-6) == 0, "not a multiple of 1/64");
  require(rounded[1] == 0 && rounded[0] == -rounded[2], "not rounded to the nearest value");
}

/// One damaged decoding, and the chunk keeps its values; damaged always, and there is an error.
void check_damage() {
  const auto bound = recipe_of<float>({Mode::absolute, 1, 0.01}, 0).bound;
  const std::vector<float> values(100, 1.234567F);
  for (const int damages : {0, 1, 2}) {
    std::vector<std::byte> room;
    sv::Loss loss;
    int decoded = 0;
    bool failed = false;
    try {
      const auto encode = [](std::span<std::byte> own) { return std::span<const std::byte>(own); };
      const auto decode = [&](std::span<const std::byte>, std::span<std::byte> own) {
        if (decoded++ < damages) own[41 * sizeof(float) + 2] ^= std::byte{0x40};
      };
      sv::encode_within(bound, std::as_bytes(std::span(values)), room, loss, sv::ChunkCoding{encode, decode});
    } catch (const sv::Error &) {
      failed = true;
    }
    require(failed == (damages == 2), "an error for " + std::to_string(damages) + " damages");
    require(failed || (loss.worst > 0) == (damages == 0), "a damaged chunk does not keep its values");
  }
}

}  // namespace

int main(int argc, char **argv) {
  const int64_t values = argc > 1 ? std::strtoll(argv[1], nullptr, 10) : 500000;
  const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const auto encoder = sv::find_encoder(argc > 3 ? argv[3] : "");
  try {
    if (encoder) sv::netcdf4::need_plug_in(static_cast<sv::netcdf4::FilterKind>(encoder->filter));
  } catch (const sv::Error &error) {
    std::printf("skipped: %s\n", error.what());
    return 77;
  }
  check_bits();
  check_damage();
  check_fields(values, seed, encoder ? encoder->encoder : Quantization::Encoder::rounding);
  require(chunks_by_plug_in > 0 || !encoder, "the plug-in has encoded no chunk");
  std::printf("%lld values, seed %llu: %lld violations; %lld chunks by a plug-in\n",
              static_cast<long long>(checked_values), static_cast<unsigned long long>(seed),
              static_cast<long long>(violations), static_cast<long long>(chunks_by_plug_in));
  return violations == 0 ? 0 : 1;
}
