#include "codec/codec.hpp"

#include "base/error.hpp"

namespace sv {

namespace {

struct DeflateLibrary {
  const char *name;
  std::unique_ptr<ByteCodec> (*make)(int level, DeflateForm form);
  int best_level;  // above it, auto takes the next one, which then makes smaller streams
};

/// In the order in which auto asks for them.
constexpr DeflateLibrary deflate_libraries[] = {
    {"isal", isal_deflate, 2}, {"libdeflate", libdeflate_deflate, 9}, {"zlib", zlib_deflate, 9}};

Error codec_absent(const std::string &what) {
  return Error(Status::not_compiled, what, "Build Sverdrup where the library is found, or choose another codec");
}

std::unique_ptr<ByteCodec> deflate_by(const std::string &library, int level, DeflateForm form) {
  for (const DeflateLibrary &each : deflate_libraries) {
    if (library != each.name) continue;
    auto made = each.make(level, form);
    if (made == nullptr) throw codec_absent("the codec '" + library + "' is not built in");
    return made;
  }
  throw Error(Status::config, "there is no codec '" + library + "'", "The codecs are auto, isal, libdeflate and zlib");
}

}  // namespace

std::vector<std::string> deflaters() {
  std::vector<std::string> names;
  for (const DeflateLibrary &each : deflate_libraries)
    if (each.make(1, DeflateForm::zlib) != nullptr) names.emplace_back(each.name);
  return names;
}

std::unique_ptr<ByteCodec> make_deflate(const std::string &library, int level, DeflateForm form) {
  if (library != "auto") return deflate_by(library, level, form);
  std::unique_ptr<ByteCodec> last;
  for (const DeflateLibrary &each : deflate_libraries) {
    auto made = each.make(level, form);
    if (made == nullptr) continue;
    last = std::move(made);
    if (level <= each.best_level) break;
  }
  if (last == nullptr) throw codec_absent("no library is built in that makes deflate streams");
  return last;
}

std::unique_ptr<ByteCodec> make_inflate(DeflateForm form) {
  for (const auto make : {libdeflate_deflate, isal_deflate, zlib_deflate})
    if (auto made = make(1, form)) return made;
  throw codec_absent("no library is built in that reads deflate streams");
}

std::unique_ptr<ByteCodec> make_zstd(int level) {
  auto made = zstd_codec(level);
  if (made == nullptr) throw codec_absent("the codec 'zstd' is not built in");
  return made;
}

std::unique_ptr<ByteCodec> make_blosc(const BloscRequest &request) {
  auto made = blosc_codec(request);
  if (made == nullptr) throw codec_absent("the codec 'blosc' is not built in");
  return made;
}

}  // namespace sv
