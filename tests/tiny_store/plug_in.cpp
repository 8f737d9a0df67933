// Makes the store `tiny` a plug-in: store_tiny.so.
#include "backend/backend.hpp"
#include "store/read_schema.hpp"
#include "tiny_store/tiny_store.hpp"

namespace sv {

namespace {

class Tiny final : public Backend {
 public:
  const StoreKind *kind() const override {
    static const StoreKind tiny{.name = "tiny",
                                .formats = {Format::automatic, Format::cdf1, Format::cdf2, Format::cdf5},
                                .knows = tiny::knows,
                                .is_folder = true};
    return &tiny;
  }
  std::unique_ptr<Store> make_store(const std::string &path, Kind kind, const Access &) const override {
    return tiny::make_store(path, kind);
  }
  Schema read_schema(const std::string &path) const override { return tiny::read_definitions(path); }
};

}  // namespace

}  // namespace sv

extern "C" __attribute__((visibility("default"))) const sv::Backend *sv_backend() {
  static const sv::Tiny one;
  return &one;
}
