// The storage requests of a variable, how it becomes chunks, and how it travels.
#include "model/variable_storage.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "model/chunks.hpp"
#include "model/rules/zarr.hpp"

namespace sv {
namespace {

Schema file() {
  Schema schema;
  schema.format = Format::netcdf4;
  schema.dims = {{"time", 0, true, false}, {"y", 540, false, false}, {"x", 720, false, false}, {"n", 4, false, true}};
  const auto add = [&](const char *name, Type type, std::vector<int> dims) {
    schema.variables.push_back({.name = name, .type = type, .dims = std::move(dims), .attributes = {}});
  };
  add("temp", Type::float32, {0, 1, 2});
  add("time", Type::float64, {0});
  add("x", Type::float64, {2});
  add("count", Type::int32, {1, 2});
  add("list", Type::float32, {3, 2});
  add("one", Type::float32, {});
  schema.mark_records();
  return schema;
}

Variable asking(const Schema &schema, const char *name, const VariableStorage &storage) {
  Variable made = schema.variables[static_cast<size_t>(schema.find_variable(name))];
  made.storage = std::make_shared<const VariableStorage>(storage);
  return made;
}

TEST(VariableStorage, IsCheckedAgainstItsVariable) {
  const Schema schema = file();
  const auto refuses = [&](const char *name, const VariableStorage &storage) {
    const Variable variable = asking(schema, name, storage);
    EXPECT_THROW(check_storage(schema, variable, storage), Error) << name << ": " << in_words(storage);
  };
  const auto takes = [&](const char *name, const VariableStorage &storage) {
    const Variable variable = asking(schema, name, storage);
    EXPECT_NO_THROW(check_storage(schema, variable, storage)) << name << ": " << in_words(storage);
  };
  takes("temp", {.chunks = ChunkKind::given, .shape = {100, 540, 1}});
  refuses("temp", {.chunks = ChunkKind::given, .shape = {1, 541, 1}});
  refuses("temp", {.chunks = ChunkKind::given, .shape = {1, 540}});
  refuses("one", {.chunks = ChunkKind::given, .shape = {}});
  takes("list", {.chunks = ChunkKind::given, .shape = {100, 720}});
  refuses("temp", {.chunks = ChunkKind::contiguous});
  refuses("list", {.chunks = ChunkKind::contiguous});
  takes("count", {.chunks = ChunkKind::contiguous});
  refuses("count", {.chunks = ChunkKind::contiguous, .deflate = 1});
  refuses("temp", {.deflate = 1, .zstd = 1});
  takes("temp", {.deflate = 0, .zstd = 1});
  refuses("count", {.quantize = 3, .quantize_mode = Quantization::Mode::bit_round});
  takes("temp", {.quantize = 23, .quantize_mode = Quantization::Mode::bit_round});
  refuses("temp", {.quantize = 8, .quantize_mode = Quantization::Mode::bit_groom});
  using Mode = Quantization::Mode;
  const auto sz3 = Quantization::Encoder::sz3;
  takes("temp", {.quantize = 1, .quantize_mode = Mode::absolute, .error_bound = 0.1, .error_encoder = sz3});
  refuses("temp", {.quantize = 1, .quantize_mode = Mode::relative, .error_bound = 0.1, .error_encoder = sz3});
  refuses("temp", {.error_encoder = sz3});
  refuses(
      "temp",
      {.fletcher32 = true, .quantize = 1, .quantize_mode = Mode::absolute, .error_bound = 0.1, .error_encoder = sz3});
}

/// Others are rounded within the same bound: a row alone, chunks by the library, tiny bounds, and swapped bytes.
TEST(VariableStorage, HasAnEncoderForChunksThatItTakes) {
  const Schema schema = file();
  const auto encoder = [&](double bound, const VariableStorage &storage) {
    const ChunkRequest of_file{.quantization = {Quantization::Mode::absolute, 1, bound, Quantization::Encoder::zfp}};
    const Chunks made = chunks_of(schema, asking(schema, "temp", storage), of_file, 4);
    EXPECT_EQ(made.quantization.bound, bound);
    return made.quantization.encoder;
  };
  using Encoder = Quantization::Encoder;
  EXPECT_EQ(encoder(0.1, {}), Encoder::zfp);
  EXPECT_EQ(encoder(0.1, {.chunks = ChunkKind::given, .shape = {1, 1, 1}}), Encoder::rounding);
  EXPECT_EQ(encoder(0.1, {.chunks = ChunkKind::library}), Encoder::rounding);
  EXPECT_EQ(encoder(1e-40, {}), Encoder::rounding);
  EXPECT_EQ(encoder(0.1, {.endian = swaps(Endian::big) ? Endian::big : Endian::little}), Encoder::rounding);
  EXPECT_THROW(
      chunks_of(schema, asking(schema, "temp", {}),
                {.quantization = {Quantization::Mode::absolute, 1, 0.1, Encoder::sz3}, .only_chunks = true}, 4),
      Error);
}

TEST(VariableStorage, CountsMoreThanTheFiles) {
  const Schema schema = file();
  const ChunkRequest of_file{.deflate = 1};
  const Chunks own = chunks_of(
      schema, asking(schema, "temp", {.chunks = ChunkKind::given, .shape = {1, 90, 180}, .zstd = 3, .shuffle = false}),
      of_file, 4);
  EXPECT_EQ(own.shape, (Index{1, 90, 180}));
  EXPECT_EQ(own.deflate, 0);
  EXPECT_EQ(own.zstd, 3);
  EXPECT_FALSE(own.shuffle);
  const Chunks plain = chunks_of(schema, asking(schema, "count", {.chunks = ChunkKind::contiguous}), of_file, 4);
  EXPECT_EQ(plain.kind, Chunks::Kind::contiguous);
  EXPECT_EQ(plain.deflate, 0);
}

TEST(VariableStorage, CountsForSmallVariablesAndOneDimension) {
  const Schema schema = file();
  const Chunks axis = chunks_of(schema, asking(schema, "x", {.deflate = 2}), {}, 4);
  EXPECT_EQ(axis.deflate, 2);
  EXPECT_EQ(axis.shape, (Index{720}));
  const Chunks time = chunks_of(schema, asking(schema, "time", {.chunks = ChunkKind::given, .shape = {512}}), {}, 4);
  EXPECT_EQ(time.shape, (Index{512}));
  EXPECT_EQ(time.deflate, 0);
}

/// Each commit would write such chunks anew.
TEST(VariableStorage, HasOneRecordInAGrowingFile) {
  const Schema schema = file();
  VariableStorage storage{.chunks = ChunkKind::given, .shape = {10, 90, 180}, .deflate = 1};
  const ChunkRequest growing{.one_record = true, .each_step = true};
  EXPECT_EQ(chunks_of(schema, asking(schema, "temp", storage), growing, 4).shape, (Index{1, 90, 180}));
  EXPECT_EQ(chunks_of(schema, asking(schema, "temp", storage), {}, 4).shape, (Index{10, 90, 180}));
  storage.deflate.reset();
  EXPECT_EQ(chunks_of(schema, asking(schema, "temp", storage), growing, 4).shape, (Index{10, 90, 180}));
}

TEST(VariableStorage, QuantizesCoordinatesOnlyForTheProgram) {
  const Schema schema = file();
  const VariableStorage three{.quantize = 3};
  EXPECT_EQ(quantization_of(schema, asking(schema, "x", three), {}).amount, 3);
  ChunkRequest of_file;
  of_file.variables.emplace_back("*", three);
  EXPECT_EQ(quantization_of(schema, schema.variables[2], of_file).amount, 0);
  EXPECT_EQ(quantization_of(schema, schema.variables[0], of_file).amount, 3);
  EXPECT_EQ(quantization_of(schema, schema.variables[3], of_file).amount, 0);  // integers
}

/// HDF5 stores no values in one piece in another order that Sverdrup writes.
TEST(VariableStorage, IsInChunksWhereBytesAreSwapped) {
  const Schema schema = file();
  const Endian other = swaps(Endian::big) ? Endian::big : Endian::little;
  const Chunks chunks = chunks_of(schema, asking(schema, "count", {.endian = other}), {}, 4);
  EXPECT_EQ(chunks.kind, Chunks::Kind::shaped);
  EXPECT_EQ(chunks.endian, other);
  EXPECT_EQ(chunks_of(schema, asking(schema, "count", {.endian = Endian::native}), {}, 4).kind,
            Chunks::Kind::contiguous);
}

TEST(VariableStorage, OfAnOpenedFileAsksForNothing) {
  const Schema schema = file();
  const Variable found = asking(schema, "count", {.deflate = 4, .is_found = true});
  EXPECT_EQ(chunks_of(schema, found, {}, 4).kind, Chunks::Kind::contiguous);
}

TEST(VariableStorage, OfAnOpenedFileKeepsItsErrorBound) {
  const Schema schema = file();
  const Variable found =
      asking(schema, "temp",
             {.quantize = 1, .quantize_mode = Quantization::Mode::absolute, .error_bound = 0.25, .is_found = true});
  const ChunkRequest other{.quantization = {Quantization::Mode::relative, 1, 0.1}};
  EXPECT_EQ(quantization_of(schema, found, other).bound, 0.25);
  const Variable exact = asking(schema, "temp", {.is_found = true});
  EXPECT_FALSE(quantization_of(schema, exact, other).has_bound());
}

TEST(VariableStorage, TravelsAsNumbers) {
  const VariableStorage storage{.chunks = ChunkKind::given,
                                .shape = {1, 10, 270, 360},
                                .deflate = 0,
                                .zstd = 3,
                                .fletcher32 = false,
                                .quantize = 4,
                                .quantize_mode = Quantization::Mode::granular,
                                .endian = Endian::big,
                                .others = {307, 32013}};
  const VariableStorage bounded{.quantize = 1, .quantize_mode = Quantization::Mode::relative, .error_bound = 1e-4};
  EXPECT_EQ(in_words(decoded_storage(encoded(bounded))), "relative error 1e-04");
  VariableStorage encoded_by;
  encoded_by.set_quantization({Quantization::Mode::absolute, 1, 0.25, Quantization::Encoder::sz3});
  encoded_by.deflate = 1;
  const VariableStorage again = decoded_storage(encoded(encoded_by));
  EXPECT_EQ(in_words(again), "deflate 1, absolute error 0.25 by SZ3");
  EXPECT_EQ(again.filters(), (std::vector<unsigned>{32024, 1}));
  const std::vector<int64_t> numbers = encoded(storage);
  const VariableStorage back = decoded_storage(numbers);
  EXPECT_EQ(in_words(back), in_words(storage));
  EXPECT_EQ(back.others, storage.others);
  EXPECT_EQ(back.filters(), (std::vector<unsigned>{32015, 307, 32013}));
  for (size_t length = 0; length < numbers.size(); ++length)
    EXPECT_THROW(decoded_storage(std::span(numbers).first(length)), Error) << length;
}

TEST(VariableStorage, OfQuantizationIsAnAttributeOfNetcdf) {
  const Quantization quantization{Quantization::Mode::granular, 4};
  const Attribute attribute = quantization_attribute(quantization);
  EXPECT_EQ(attribute.name, "_QuantizeGranularBitRoundNumberOfSignificantDigits");
  const Quantization found = quantization_in({attribute});
  EXPECT_EQ(found.mode, quantization.mode);
  EXPECT_EQ(found.amount, 4);
  EXPECT_EQ(quantization_in({}).amount, 0);
  const Quantization bound = quantization_in({number_attribute("quantization_absolute_error_bound", 0.25)});
  EXPECT_TRUE(bound.has_bound() && bound.mode == Quantization::Mode::absolute);
  EXPECT_EQ(bound.bound, 0.25);
}

TEST(VariableStorage, OfZarrIsShuffledByBloscAlone) {
  Schema schema = file();
  schema.variables[0] = asking(schema, "temp", {.deflate = 4, .shuffle = true});
  schema.variables[3] = asking(schema, "count", {.deflate = 4, .shuffle = false});
  schema.variables[4] = asking(schema, "list", {.deflate = 4, .shuffle = true, .blosc = true});
  omit_shuffle(schema, {.deflate = 1});
  EXPECT_TRUE(schema.omissions.empty());  // netCDF-4 shuffles
  omit_shuffle(schema, {.deflate = 1, .only_chunks = true});
  omit_shuffle(schema, {.deflate = 1, .only_chunks = true});
  ASSERT_EQ(schema.omissions.size(), 1U);
  EXPECT_EQ(schema.omissions[0].what, "variable 'temp'");
  EXPECT_FALSE(schema.omissions[0].is_lost);
}

}  // namespace
}  // namespace sv
