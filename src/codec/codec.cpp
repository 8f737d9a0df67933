#include "codec/codec.hpp"

#include <string_view>

#include "base/error.hpp"
#include "codec/deflate_libraries.hpp"

namespace sv {

namespace {

/// nullptr where it is not built in.
std::unique_ptr<ByteCodec> made_by(const DeflateLibrary &library, int level, DeflateForm form) {
  const std::string_view name = library.name;
  if (name == "isal") return isal_deflate(level, form);
  return name == "libdeflate" ? libdeflate_deflate(level, form) : zlib_deflate(level, form);
}

Error codec_absent(const std::string &what) {
  return Error(Status::not_compiled, what, "Build Sverdrup where the library is found, or choose another codec");
}

std::unique_ptr<ByteCodec> deflate_by(const std::string &library, int level, DeflateForm form) {
  for (const DeflateLibrary &each : deflate_libraries) {
    if (library != each.name) continue;
    auto made = made_by(each, level, form);
    if (made == nullptr) throw codec_absent("the codec '" + library + "' is not built in");
    return made;
  }
  throw Error(Status::config, "there is no codec '" + library + "'", "The codecs are auto, isal, libdeflate and zlib");
}

}  // namespace

std::vector<std::string> deflaters() {
  std::vector<std::string> names;
  for (const DeflateLibrary &each : deflate_libraries)
    if (made_by(each, 1, DeflateForm::zlib) != nullptr) names.emplace_back(each.name);
  return names;
}

std::unique_ptr<ByteCodec> make_deflate(const std::string &library, int level, DeflateForm form) {
  if (library != "auto") return deflate_by(library, level, form);
  std::unique_ptr<ByteCodec> last;
  for (const DeflateLibrary &each : deflate_libraries) {
    auto made = made_by(each, level, form);
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
