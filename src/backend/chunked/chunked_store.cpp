#include "backend/chunked/chunked_store.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>

#include "base/json.hpp"
#include "model/error_encoder.hpp"

namespace sv {

namespace {

constexpr int tag_of_losses = 32000;  // PlacingTurns has those up to 30000

std::string in_words(const Loss &loss, const Quantization &quantization) {
  const bool is_absolute = quantization.mode == Quantization::Mode::absolute;
  const bool is_share = quantization.mode == Quantization::Mode::information;
  std::string words =
      std::string("largest ") + (is_absolute ? "absolute" : "relative") + " error " + json_number(loss.worst) +
      (is_share ? ", with the share of information " : ", within the bound ") + json_number(quantization.bound);
  if (loss.body_bytes == 0) return words;
  char ratio[32];
  std::snprintf(ratio, sizeof ratio, "%.2f",
                static_cast<double>(loss.values_bytes) / static_cast<double>(loss.body_bytes));
  words += "; " + std::to_string(loss.values_bytes) + " bytes of values in " + std::to_string(loss.body_bytes) +
           ", a ratio of " + ratio;
  if (const auto encoder = find_encoder(quantization.encoder))
    words += "; " + std::to_string(loss.by_plug_in) + " of " + std::to_string(loss.chunks) + " chunks by " +
             encoder->name + ", the others by rounding";
  return words;
}

bool is_found(const Variable &variable) { return variable.storage != nullptr && variable.storage->is_found; }

}  // namespace

std::vector<Quantization> ChunkedStore::bounds() const {
  const auto has_bound = [&](const Variable &each) {
    return quantization_of(schema_, each, access_.chunks).has_bound();
  };
  std::vector<Quantization> all(schema_.variables.size());
  if (std::ranges::none_of(schema_.variables, has_bound)) return all;
  const ChunkRequest request = summed(access_.chunks, schema_);
  for (size_t v = 0; v < all.size(); ++v) {
    const Variable &of = schema_.variables[v];
    if (!has_bound(of)) continue;
    all[v] = is_found(of) ? of.storage->quantization() : chunks_of(schema_, of, request, access_.writers).quantization;
  }
  return all;
}

std::vector<LargestError> ChunkedStore::bounds_as_errors() {
  const std::vector<Quantization> all = bounds();
  std::vector<LargestError> errors;
  for (int v = 0; v < std::ssize(all); ++v) {
    const Quantization &how = all[static_cast<size_t>(v)];
    if (!how.has_bound()) continue;
    const char *const attribute = bound_attributes(how.mode).worst;
    earlier_losses_[v].worst = number_in(variable(v).attributes, attribute).value_or(how.most_error());
    errors.push_back({v, attribute, how.most_error()});
  }
  return errors;
}

std::vector<LargestError> ChunkedStore::largest_errors(const Losses &mine) {
  const std::vector<Quantization> stated = bounds();
  if (std::ranges::none_of(stated, &Quantization::has_bound)) return {};
  std::vector<int64_t> numbers;
  for (const auto &[v, loss] : mine)
    numbers.insert(numbers.end(), {v, std::bit_cast<int64_t>(loss.worst), loss.values_bytes, loss.body_bytes,
                                   loss.chunks, loss.by_plug_in});
  if (!peers_.is_owner()) {
    peers_.send(0, tag_of_losses, std::move(numbers));
    return {};
  }
  Losses sums = earlier_losses_;
  for (int rank = 0; rank < peers_.size(); ++rank) {
    if (rank > 0) numbers = peers_.receive(rank, tag_of_losses);
    for (size_t i = 0; i + 5 < numbers.size(); i += 6)
      sums[static_cast<int>(numbers[i])].add(
          {std::bit_cast<double>(numbers[i + 1]), numbers[i + 2], numbers[i + 3], numbers[i + 4], numbers[i + 5]});
  }
  std::vector<LargestError> errors;
  for (int v = 0; v < std::ssize(stated); ++v) {
    const Quantization &how = stated[static_cast<size_t>(v)];
    if (!how.has_bound()) continue;
    errors.push_back({v, bound_attributes(how.mode).worst, sums[v].worst});
    remarks_.push_back(variable(v).name + ": " + in_words(sums[v], how));
  }
  return errors;
}

}  // namespace sv
