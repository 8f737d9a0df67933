#include "model/variable_storage.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/error.hpp"
#include "base/json.hpp"
#include "model/error_encoder.hpp"

namespace sv {

namespace {

[[noreturn]] void refuse(const std::string &cause, const std::string &remedy) {
  throw Error(Status::invalid, cause, remedy);
}

void check_range(const char *what, const std::optional<int> &value, int most) {
  if (value && (*value < 0 || *value > most))
    refuse(std::string(what) + " has the level " + std::to_string(*value), "Give 0 (none) to " + std::to_string(most));
}

void check_chunks(const Schema &schema, const Variable &variable, const VariableStorage &storage) {
  const auto grows = [&schema](int dim) { return schema.is_unlimited(dim); };
  if (storage.chunks == ChunkKind::contiguous && std::ranges::any_of(variable.dims, grows))
    refuse("a variable with an unlimited dimension cannot be contiguous", "Store it in chunks");
  if (storage.chunks == ChunkKind::contiguous && storage.has_filters())
    refuse("a contiguous variable has neither compression nor checksums", "Store it in chunks");
  if (storage.chunks != ChunkKind::given) return;
  if (storage.shape.n != std::ssize(variable.dims) || storage.shape.n == 0)
    refuse("chunks of " + std::to_string(storage.shape.n) + " dimensions for a variable of " +
               std::to_string(variable.dims.size()),
           "Give the length of a chunk in each dimension; a scalar has none");
  for (int d = 0; d < storage.shape.n; ++d) {
    const int dim = variable.dims[static_cast<size_t>(d)];
    const Dimension &along = schema.dims[static_cast<size_t>(dim)];
    if (storage.shape[d] < 1 || (!along.is_unlimited() && storage.shape[d] > along.length))
      refuse("chunks of " + std::to_string(storage.shape[d]) + " cells along '" + along.name + "', which has " +
                 (along.is_unlimited() ? "no fixed length" : std::to_string(along.length)),
             "Give at least 1, and at most the length of the dimension");
  }
}

const char *word_of(Quantization::Mode mode) {
  switch (mode) {
    case Quantization::Mode::bit_groom:
      return "bitgroom";
    case Quantization::Mode::granular:
      return "granular_bitround";
    case Quantization::Mode::absolute:
      return "absolute";
    case Quantization::Mode::relative:
      return "relative";
    case Quantization::Mode::information:
      return "information";
    case Quantization::Mode::bit_round:
      break;
  }
  return "bitround";
}

void check_quantization(const Variable &variable, const VariableStorage &storage) {
  const int amount = storage.quantize.value_or(0);
  const auto encoder = find_encoder(storage.error_encoder.value_or(Quantization::Encoder::rounding));
  if (encoder && (amount == 0 || storage.quantize_mode != Quantization::Mode::absolute))
    refuse(std::string(encoder->name) + " without an absolute error bound",
           "Define this bound first, or leave the filter out; relative bounds are kept by rounding");
  if (encoder && storage.fletcher32.value_or(false))
    refuse(std::string("a checksum with ") + encoder->name + ", whose values differ from those of the checksum",
           "Leave one of them out");
  if (amount == 0) return;
  const int most = most_kept(variable.type, storage.quantize_mode.value_or(Quantization::Mode::bit_round));
  if (most == 0) refuse("only floats and doubles are quantized", "Leave it out");
  const Quantization made = storage.quantization();
  if (made.has_bound() && (!(made.bound >= smallest_bound) || !(made.bound <= largest_bound(made.mode))))
    refuse((made.mode == Quantization::Mode::information ? "the share of information " : "the error bound ") +
               json_number(made.bound),
           std::string("Of the kind ") + word_of(made.mode) + " it is from 1e-270 to " +
               json_number(largest_bound(made.mode)));
  if (amount < 0 || amount > most)
    refuse("quantization that keeps " + std::to_string(amount) + " bits or digits",
           "This type and mode have 1 to " + std::to_string(most));
}

std::string words_of_chunks(const VariableStorage &storage) {
  switch (storage.chunks.value_or(ChunkKind::automatic)) {
    case ChunkKind::automatic:
      return storage.chunks ? "automatic chunks" : "";
    case ChunkKind::contiguous:
      return "contiguous";
    case ChunkKind::library:
      return "default chunks";
    case ChunkKind::by_writers:
      return "chunks of the writers";
    case ChunkKind::given:
      break;
  }
  return "chunks of " + in_words(storage.shape);
}

}  // namespace

double largest_bound(Quantization::Mode mode) {
  if (mode == Quantization::Mode::absolute) return 1e270;
  return mode == Quantization::Mode::relative ? 0.5 : 1;
}

int most_kept(Type type, Quantization::Mode mode) {
  const bool in_bits = mode != Quantization::Mode::bit_groom && mode != Quantization::Mode::granular;
  if (type == Type::float32) return in_bits ? 23 : 7;
  return type == Type::float64 ? (in_bits ? 52 : 15) : 0;
}

namespace {

struct QuantizationName {
  Quantization::Mode mode;
  const char *name;
};
constexpr QuantizationName quantization_names[] = {
    {Quantization::Mode::bit_round, "_QuantizeBitRoundNumberOfSignificantBits"},
    {Quantization::Mode::bit_groom, "_QuantizeBitGroomNumberOfSignificantDigits"},
    {Quantization::Mode::granular, "_QuantizeGranularBitRoundNumberOfSignificantDigits"}};

}  // namespace

Attribute quantization_attribute(const Quantization &quantization) {
  const auto amount = static_cast<int32_t>(quantization.amount);
  const auto known = std::ranges::find(quantization_names, quantization.mode, &QuantizationName::mode);
  return {known->name, Type::int32, 1, SmallBytes(std::as_bytes(std::span(&amount, 1)))};
}

Quantization quantization_in(const std::vector<Attribute> &attributes) {
  for (const auto &[mode, name] : quantization_names) {
    const Attribute *const found = find_attribute(attributes, name);
    int32_t amount = 0;
    if (found == nullptr || found->type != Type::int32 || found->count != 1) continue;
    std::memcpy(&amount, found->values.data(), sizeof amount);
    if (amount > 0) return {mode, amount};
  }
  using Mode = Quantization::Mode;
  for (const auto mode : {Mode::absolute, Mode::relative, Mode::information})
    if (const auto bound = number_in(attributes, bound_attributes(mode).bound)) return {mode, 1, *bound};
  return {};
}

/// Half of the unit in the last of n bits is 2^-(n + 1) of the value at most.
int most_bits(Type type, const Quantization &quantization) {
  const int all = most_kept(type, quantization.mode);
  if (quantization.mode != Quantization::Mode::relative) return all;
  int exponent = 0;
  std::frexp(quantization.bound, &exponent);
  return std::clamp(-exponent, 1, all);
}

BoundAttributes bound_attributes(Quantization::Mode mode) {
  if (mode == Quantization::Mode::information)
    return {"quantization_information", bound_attributes(Quantization::Mode::relative).worst};
  if (mode == Quantization::Mode::relative)
    return {"quantization_relative_error_bound", "quantization_maximum_relative_error"};
  return {"quantization_absolute_error_bound", "quantization_maximum_absolute_error"};
}

void check_bound(const Variable &variable, const Quantization &quantization) {
  const bool is_found = variable.storage != nullptr && variable.storage->is_found;
  if (!quantization.has_bound() || is_found) return;
  for (const auto mode : {Quantization::Mode::absolute, Quantization::Mode::relative})
    if (const char *const name = bound_attributes(mode).worst; find_attribute(variable.attributes, name) != nullptr)
      throw Error(
          Status::invalid,
          std::string("an error bound for values that were rounded before, as its attribute '") + name + "' states",
          "Leave the error bound out for this variable, or the attribute")
          .in_variable(variable.name);
}

Attribute number_attribute(const char *name, double value) {
  return {name, Type::float64, 1, SmallBytes(std::as_bytes(std::span(&value, 1)))};
}

std::optional<double> number_in(const std::vector<Attribute> &attributes, const char *name) {
  const Attribute *const found = find_attribute(attributes, name);
  double value = 0;
  if (found == nullptr || found->type != Type::float64 || found->count != 1) return std::nullopt;
  std::memcpy(&value, found->values.data(), sizeof value);
  return value >= 0 ? std::optional(value) : std::nullopt;
}

Quantization VariableStorage::quantization() const {
  return {quantize_mode.value_or(Quantization::Mode::bit_round), quantize.value_or(0), error_bound.value_or(0),
          error_encoder.value_or(Quantization::Encoder::rounding)};
}

void VariableStorage::set_quantization(const Quantization &made) {
  quantize = made.amount;
  quantize_mode = made.mode;
  error_bound.reset();
  error_encoder.reset();
  if (made.has_bound()) error_bound = made.bound;
  if (made.encoder != Quantization::Encoder::rounding) error_encoder = made.encoder;
}

bool swaps(Endian endian) { return endian == (std::endian::native == std::endian::big ? Endian::little : Endian::big); }

/// As netCDF-C gives them to HDF5.
std::vector<unsigned> VariableStorage::filters() const {
  std::vector<unsigned> numbers;
  const auto add = [&numbers](bool has, FilterNumber number) {
    if (has) numbers.push_back(static_cast<unsigned>(number));
  };
  const bool in_blosc = blosc.value_or(false) && compresses();
  add(compresses() && shuffle.value_or(false) && !in_blosc, FilterNumber::shuffle);
  add(fletcher32.value_or(false), FilterNumber::fletcher32);
  if (const auto encoder = find_encoder(quantization().encoder)) add(true, encoder->filter);
  add(in_blosc, FilterNumber::blosc);
  add(!in_blosc && deflate.value_or(0) > 0, FilterNumber::deflate);
  add(!in_blosc && zstd.value_or(0) > 0, FilterNumber::zstd);
  numbers.insert(numbers.end(), others.begin(), others.end());
  return numbers;
}

void check_storage(const Schema &schema, const Variable &variable, const VariableStorage &storage) {
  constexpr int most_deflate = 9, most_zstd = 22;
  check_range("deflate", storage.deflate, most_deflate);
  check_range("Zstandard", storage.zstd, most_zstd);
  if (storage.deflate.value_or(0) > 0 && storage.zstd.value_or(0) > 0)
    refuse("deflate and Zstandard are both asked for", "Leave one of them out, or give it the level 0");
  check_chunks(schema, variable, storage);
  check_quantization(variable, storage);
}

void ask_storage(Schema &schema, int variable, const std::function<void(VariableStorage &)> &change) {
  Variable &each = schema.variables[static_cast<size_t>(variable)];
  VariableStorage made;
  if (each.storage != nullptr) made = *each.storage;
  change(made);
  check_storage(schema, each, made);
  each.storage = std::make_shared<const VariableStorage>(std::move(made));
}

std::string in_words(const Index &shape) {
  std::string text;
  for (int d = 0; d < shape.n; ++d) text += (d > 0 ? " x " : "") + std::to_string(shape[d]);
  return text;
}

std::string in_words(const VariableStorage &storage) {
  std::string words;
  const auto add = [&words](const std::string &part) {
    if (!part.empty()) words += (words.empty() ? "" : ", ") + part;
  };
  const auto add_level = [&](const char *name, const std::optional<int> &level) {
    if (level) add(std::string(name) + " " + std::to_string(*level));
  };
  const auto add_switch = [&](const char *name, const std::optional<bool> &on) {
    if (on) add(*on ? name : std::string("no ") + name);
  };
  add(words_of_chunks(storage));
  add_level("records", storage.records);
  add_level("deflate", storage.deflate);
  add_level("zstd", storage.zstd);
  add_switch("shuffle", storage.shuffle);
  add_switch("fletcher32", storage.fletcher32);
  add_switch("blosc", storage.blosc);
  const Quantization quantization = storage.quantization();
  const auto encoder = find_encoder(quantization.encoder);
  if (quantization.has_bound())
    add(word_of(quantization.mode) +
        std::string(quantization.mode == Quantization::Mode::information ? " " : " error ") +
        json_number(quantization.bound) + (encoder ? std::string(" by ") + encoder->name : ""));
  else
    add_level("quantize", storage.quantize);
  if (storage.quantize_mode && !quantization.has_bound()) add(word_of(*storage.quantize_mode));
  if (storage.endian)
    add(*storage.endian == Endian::native ? "native order"
        : *storage.endian == Endian::big  ? "big-endian"
                                          : "little-endian");
  return words;
}

namespace {

constexpr int64_t absent = -1;

template <class T>
int64_t number_of(const std::optional<T> &value) {
  return value ? static_cast<int64_t>(*value) : absent;
}

/// Takes one number after the other.
class Numbers {
 public:
  explicit Numbers(std::span<const int64_t> numbers) : rest_(numbers) {}

  int64_t next(int64_t least, int64_t most) {
    if (rest_.empty() || rest_.front() < least || rest_.front() > most)
      throw Error(Status::format, "the storage of a variable is malformed", "Please report this");
    const int64_t number = rest_.front();
    rest_ = rest_.subspan(1);
    return number;
  }
  template <class T>
  void take(std::optional<T> &value, int64_t most) {
    if (const int64_t number = next(absent, most); number != absent) value = static_cast<T>(number);
  }

 private:
  std::span<const int64_t> rest_;
};

}  // namespace

std::vector<int64_t> encoded(const VariableStorage &storage) {
  std::vector<int64_t> numbers{
      storage.is_found ? 1 : 0,         number_of(storage.chunks),
      number_of(storage.records),       number_of(storage.deflate),
      number_of(storage.zstd),          number_of(storage.shuffle),
      number_of(storage.fletcher32),    number_of(storage.blosc),
      number_of(storage.quantize),      number_of(storage.quantize_mode),
      number_of(storage.endian),        storage.error_bound ? std::bit_cast<int64_t>(*storage.error_bound) : absent,
      number_of(storage.error_encoder), storage.shape.n};
  numbers.insert(numbers.end(), storage.shape.begin(), storage.shape.end());
  numbers.push_back(std::ssize(storage.others));
  numbers.insert(numbers.end(), storage.others.begin(), storage.others.end());
  return numbers;
}

VariableStorage decoded_storage(std::span<const int64_t> numbers) {
  constexpr int64_t most_filters = 32;  // of HDF5
  Numbers from(numbers);
  VariableStorage made;
  made.is_found = from.next(0, 1) == 1;
  from.take(made.chunks, static_cast<int64_t>(ChunkKind::given));
  from.take(made.records, INT32_MAX);
  from.take(made.deflate, INT32_MAX);
  from.take(made.zstd, INT32_MAX);
  from.take(made.shuffle, 1);
  from.take(made.fletcher32, 1);
  from.take(made.blosc, 1);
  from.take(made.quantize, INT32_MAX);
  from.take(made.quantize_mode, static_cast<int64_t>(Quantization::Mode::information));
  from.take(made.endian, static_cast<int64_t>(Endian::big));
  if (const int64_t bits = from.next(absent, INT64_MAX); bits != absent) made.error_bound = std::bit_cast<double>(bits);
  from.take(made.error_encoder, static_cast<int64_t>(Quantization::Encoder::zfp));
  for (int64_t left = from.next(0, max_dims); left > 0; --left) made.shape.push(from.next(1, INT64_MAX));
  for (int64_t left = from.next(0, most_filters); left > 0; --left)
    made.others.push_back(static_cast<unsigned>(from.next(0, INT32_MAX)));
  return made;
}

}  // namespace sv
