// Every codec gives back what it was given, and zlib reads what any of them deflates.
#include "codec/codec.hpp"
#include "codec/crc32c.hpp"

#include <gtest/gtest.h>
#ifdef SV_HAVE_ZLIB
#include <zlib.h>
#endif

#include <cmath>
#include <cstring>
#include <random>

#include "base/error.hpp"
#include "store/status_of.hpp"

namespace sv {
namespace {

using Body = std::vector<std::byte>;
using testing::status_of;

/// Noise, constants, or a smooth field with some noise in its last bits.
Body random_body(std::mt19937 &engine, size_t bytes) {
  Body body(bytes);
  const int kind = static_cast<int>(engine() % 3);
  for (size_t i = 0; i < bytes; ++i)
    body[i] = kind == 0 ? static_cast<std::byte>(engine()) : static_cast<std::byte>(kind == 1 ? 7 : i / 256 % 256);
  for (size_t i = 0; kind == 2 && i + 4 <= bytes; i += 4) {
    const float value = 20.0F + std::sin(static_cast<float>(i) * 1e-3F) + static_cast<float>(engine() % 64) * 1e-5F;
    std::memcpy(body.data() + i, &value, sizeof value);
  }
  return body;
}

size_t random_length(std::mt19937 &engine) {
  const size_t most = engine() % 4 == 0 ? 1 << 20 : engine() % 2 == 0 ? 5000 : 40;
  return 1 + engine() % most;
}

Body encoded(ByteCodec &codec, const Body &body) {
  Body made(codec.most_encoded(body.size()));
  made.resize(codec.encode(body, made));
  return made;
}

std::vector<std::unique_ptr<ByteCodec>> all_codecs(int level) {
  std::vector<std::unique_ptr<ByteCodec>> all;
  for (const std::string &name : deflaters())
    for (const DeflateForm form : {DeflateForm::zlib, DeflateForm::gzip})
      all.push_back(make_deflate(name, level, form));
  if (auto blosc = blosc_codec({"zstd", level, level % 3, 4})) all.push_back(std::move(blosc));
  if (auto zstd = zstd_codec(level)) all.push_back(std::move(zstd));
  return all;
}

TEST(Codecs, CountTheSumOfRfc3720) {
  const std::string text = "123456789";
  EXPECT_EQ(crc32c(std::as_bytes(std::span(text))), 0xE3069283U);
}

TEST(Codecs, ReadEachOthersGzip) {
  std::mt19937 engine(2);
  for (const std::string &one : deflaters())
    for (const std::string &other : deflaters()) {
      const Body body = random_body(engine, 100000);
      const Body made = encoded(*make_deflate(one, 1, DeflateForm::gzip), body);
      EXPECT_EQ(made[0], std::byte{0x1f});
      Body back(body.size());
      make_deflate(other, 1, DeflateForm::gzip)->decode(made, back);
      EXPECT_EQ(back, body) << other << " reads what " << one << " made";
    }
}

TEST(Codecs, GiveBackWhatTheyWereGiven) {
  std::mt19937 engine(1);
  for (int level = 1; level <= 9; ++level)
    for (const auto &codec : all_codecs(level))
      for (int i = 0; i < 10; ++i) {
        const Body body = random_body(engine, random_length(engine));
        const Body made = encoded(*codec, body);
        Body back(body.size());
        codec->decode(made, back);
        ASSERT_EQ(back, body) << codec->name() << ", level " << level;
      }
}

TEST(Codecs, OneObjectServesManyBodies) {
  std::mt19937 engine(2);
  for (const auto &codec : all_codecs(1)) {
    const Body body = random_body(engine, 50000);
    const Body first = encoded(*codec, body);
    encoded(*codec, random_body(engine, 70000));
    EXPECT_EQ(encoded(*codec, body), first) << codec->name();
  }
}

TEST(Codecs, RefuseWhatIsDamagedOrOfAnotherLength) {
  std::mt19937 engine(3);
  for (const auto &codec : all_codecs(1)) {
    const Body body = random_body(engine, 10000);
    Body made = encoded(*codec, body), shorter(body.size() - 1), longer(body.size() + 1), same(body.size());
    EXPECT_EQ(status_of([&] { codec->decode(made, shorter); }), Status::format) << codec->name();
    EXPECT_EQ(status_of([&] { codec->decode(made, longer); }), Status::format) << codec->name();
    EXPECT_EQ(status_of([&] { codec->decode(std::span(made).first(made.size() / 2), same); }), Status::format)
        << codec->name();
    std::fill(made.begin(), made.begin() + 8, std::byte{0xff});
    EXPECT_EQ(status_of([&] { codec->decode(made, same); }), Status::format) << codec->name();
  }
}

TEST(Codecs, DeflateOneAnothersStreams) {
  std::mt19937 engine(4);
  for (int i = 0; i < 60; ++i) {
    const Body body = random_body(engine, random_length(engine));
    for (const std::string &maker : deflaters()) {
      const Body made = encoded(*make_deflate(maker, 1 + i % 9), body);
      for (const std::string &reader : deflaters()) {
        Body back(body.size());
        make_deflate(reader, 1)->decode(made, back);
        ASSERT_EQ(back, body) << maker << " read by " << reader;
      }
      Body again(body.size());
      make_inflate()->decode(made, again);
      ASSERT_EQ(again, body) << maker;
#ifdef SV_HAVE_ZLIB
      Body back(body.size());
      uLongf length = back.size();
      ASSERT_EQ(uncompress(reinterpret_cast<Bytef *>(back.data()), &length,
                           reinterpret_cast<const Bytef *>(made.data()), made.size()),
                Z_OK)
          << maker;
      ASSERT_EQ(back, body) << maker;
#endif
    }
  }
}

TEST(Codecs, AutoTakesTheFastOneForLowLevels) {
  const std::vector<std::string> built = deflaters();
  ASSERT_FALSE(built.empty());
  EXPECT_EQ(make_deflate("auto", 1)->name(), built.front());
  const std::string high = built.front() == "isal" && built.size() > 1 ? built[1] : built.front();
  EXPECT_EQ(make_deflate("auto", 6)->name(), high);
  EXPECT_EQ(status_of([] { make_deflate("gzip", 1); }), Status::config);
}

}  // namespace
}  // namespace sv
