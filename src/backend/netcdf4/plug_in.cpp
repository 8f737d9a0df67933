// Makes the store netcdf4 a plug-in.
#include "backend/backend.hpp"
#include "backend/netcdf4/chunk_store.hpp"
#include "backend/netcdf4/hdf5_calls.hpp"
#include "backend/netcdf4/reader.hpp"
#include "backend/netcdf_c/guarded.hpp"
#include "backend/netcdf_c/netcdf_c.hpp"

namespace sv {

namespace {

class Netcdf4 final : public Backend {
 public:
  std::unique_ptr<Store> make_store(const std::string &path, Kind kind, const Access &access) const override {
    return netcdf4::make_chunk_store(path, kind, access);
  }
  Schema read_schema(const std::string &path) const override { return netcdf4::read_guarded_definitions(path); }
  Schema read_untrusted(const std::string &path) const override { return netcdf4::read_untrusted_definitions(path); }
};

}  // namespace

}  // namespace sv

extern "C" __attribute__((visibility("default"))) const sv::Backend *sv_backend() {
  sv::netcdf4::start_hdf5_without_locks();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  static const sv::Netcdf4 one;
  return &one;
}
