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
          "",
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

Codec<ChunkRequest> endian_codec() {
  return member_codec(
      &ChunkRequest::endian,
      word_codec<Endian>({{"native", Endian::native}, {"little", Endian::little}, {"big", Endian::big}}));
}

/// The key that a scalar in place of its group sets.
VariableKey main_key(const std::string &group, const std::string &name, const Codec<ChunkRequest> &codec,
                     std::string meaning, const std::pair<Take, IsGiven> &of) {
  VariableKey made = key(group + "." + name, codec, std::move(meaning), of);
  made.group = group;
  return made;
}

std::vector<VariableKey> make_variable_keys() {
  using R = const ChunkRequest &;
  using S = VariableStorage &;
  using C = const VariableStorage &;
  return {
      main_key("chunks", "shape", chunks_codec(),
               "How the variable is divided into chunks. Cells may be given for all dimensions, records first.",
               {[](R from, S to) {
                  to.chunks = from.kind;
                  to.shape = from.shape;
                },
                [](C of) { return of.chunks.has_value(); }}),
      key("chunks.records", chunk_records_codec(), "Number of records in a chunk.",
          {[](R from, S to) { to.records = from.records; }, [](C of) { return of.records.has_value(); }}),
      main_key("compression", "codec", compression_codec(), "Compressor and level.",
               {[](R from, S to) {
                  to.deflate = from.deflate;
                  to.zstd = from.zstd;
                  to.blosc = from.blosc;
                },
                [](C of) { return of.deflate.has_value() || of.zstd.has_value(); }}),
      key("compression.shuffle", shuffle_codec(),
          "Whether bytes are shuffled before they are compressed. Zarr: with Blosc.",
          {[](R from, S to) { to.shuffle = from.shuffle; }, [](C of) { return of.shuffle.has_value(); }}),
      key("compression.quantize", quantize_codec(),
          "Bits of the mantissa or significant decimal digits to keep, the share of information to keep, or the "
          "largest error, with an encoder.",
          {[](R from, S to) { to.set_quantization(from.quantization); }, [](C of) { return of.quantize.has_value(); }}),
      key("compression.checksum", checksum_codec(), "Whether each chunk has a checksum (fletcher32).",
          {[](R from, S to) { to.fletcher32 = from.fletcher32; }, [](C of) { return of.fletcher32.has_value(); }}),
      key("endian", endian_codec(), "Byte order in the file.",
          {[](R from, S to) { to.endian = from.endian; }, [](C of) { return of.endian.has_value(); }}),
  };
}

}  // namespace

const std::vector<VariableKey> &variable_keys() {
  static const auto &table = *new std::vector<VariableKey>(make_variable_keys());  // needed until the very end
  return table;
}

const VariableKey *find_variable_key(const std::string &name) {
  const auto at = std::ranges::find_if(variable_keys(), [&](const VariableKey &key) {
    return key.name == name || (!name.empty() && key.group == name);
  });
  return at == variable_keys().end() ? nullptr : &*at;
}

}  // namespace sv
