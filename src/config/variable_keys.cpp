#include "config/variable_keys.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "config/store_values.hpp"
#include "config/values.hpp"
#include "model/chunk_request.hpp"

namespace sv {

namespace {

using Take = void (*)(const ChunkRequest &, VariableStorage &);
using IsGiven = bool (*)(const VariableStorage &);

/// Makes a key with the values of one that holds for a whole file; `take` moves a value from there.
VariableKey key(std::string name, const Codec<ChunkRequest> &codec, std::string meaning,
                const std::pair<Take, IsGiven> &of) {
  const auto own = std::make_shared<const Codec<ChunkRequest>>(codec);
  const auto [take, is_given] = of;
  return {std::move(name),
          codec.type,
          codec.allowed,
          std::move(meaning),
          [own, take](VariableStorage &storage, const std::string &text) {
            ChunkRequest read;
            own->read(text, read);
            take(read, storage);
          },
          is_given,
          [own](const VariableStorage &storage) {
            Variable variable;
            variable.storage = std::make_shared<const VariableStorage>(storage);
            return own->json(request_of({}, variable));
          }};
}

Codec<ChunkRequest> blosc_codec() {
  return member_codec(&ChunkRequest::codec, word_codec<std::string>({{"auto", "auto"}, {"blosc", "blosc"}}));
}

Codec<ChunkRequest> endian_codec() {
  return member_codec(
      &ChunkRequest::endian,
      word_codec<Endian>({{"native", Endian::native}, {"little", Endian::little}, {"big", Endian::big}}));
}

std::vector<VariableKey> make_keys() {
  using R = const ChunkRequest &;
  using S = VariableStorage &;
  using C = const VariableStorage &;
  return {
      key("chunks", chunks_codec(),
          "How the variable is divided into chunks. Cells may be given for all dimensions, records first.",
          {[](R from, S to) {
             to.chunks = from.kind;
             to.shape = from.shape;
           },
           [](C of) { return of.chunks.has_value(); }}),
      key("chunk_records", chunk_records_codec(), "Number of records in a chunk.",
          {[](R from, S to) { to.records = from.records; }, [](C of) { return of.records.has_value(); }}),
      key("deflate", deflate_codec(), "Level of compression.",
          {[](R from, S to) { to.deflate = from.deflate; }, [](C of) { return of.deflate.has_value(); }}),
      key("zstd", zstd_codec(), "Level of compression with Zstandard instead of deflate.",
          {[](R from, S to) { to.zstd = from.zstd; }, [](C of) { return of.zstd.has_value(); }}),
      key("shuffle", shuffle_codec(), "Whether bytes are shuffled before they are compressed. Zarr: with blosc.",
          {[](R from, S to) { to.shuffle = from.shuffle; }, [](C of) { return of.shuffle.has_value(); }}),
      key("codec", blosc_codec(), "blosc: Zarr only, Blosc calls the compressor.",
          {[](R from, S to) { to.blosc = from.codec == "blosc"; }, [](C of) { return of.blosc.has_value(); }}),
      key("fletcher32", fletcher32_codec(), "Whether each chunk has a checksum.",
          {[](R from, S to) { to.fletcher32 = from.fletcher32; }, [](C of) { return of.fletcher32.has_value(); }}),
      key("quantize", quantize_codec(), "Number of bits or significant decimal digits to keep, see quantize_mode.",
          {[](R from, S to) { to.quantize = from.quantization.amount; }, [](C of) { return of.quantize.has_value(); }}),
      key("quantize_mode", quantize_mode_codec(), "Unit of quantize.",
          {[](R from, S to) { to.quantize_mode = from.quantization.mode; },
           [](C of) { return of.quantize_mode.has_value(); }}),
      key("endian", endian_codec(), "Byte order in the file.",
          {[](R from, S to) { to.endian = from.endian; }, [](C of) { return of.endian.has_value(); }}),
  };
}

}  // namespace

const std::vector<VariableKey> &variable_keys() {
  static const auto &table = *new std::vector<VariableKey>(make_keys());  // needed until the very end
  return table;
}

const VariableKey *find_variable_key(const std::string &name) {
  const auto at = std::ranges::find(variable_keys(), name, &VariableKey::name);
  return at == variable_keys().end() ? nullptr : &*at;
}

}  // namespace sv
