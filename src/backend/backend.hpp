// Stores that are plug-ins, because they need other libraries: PnetCDF, netCDF-C and HDF5. Each is a shared library
// of its own that is loaded when a file first asks for it. Programs that use no such store need none of these
// libraries, and may link another netCDF (docs/adr/0017-stores-over-libraries.md). A plug-in exports one function,
// `sv_backend`, which returns its Backend.
#pragma once

#include <memory>
#include <string>

#include "backend/access.hpp"
#include "store/kind.hpp"
#include "store/read_schema.hpp"
#include "store/store.hpp"

namespace sv {

class Backend {
 public:
  virtual ~Backend() = default;
  /// What it is, where the table in store/kind.cpp has no row for it; otherwise nullptr.
  virtual const StoreKind *kind() const { return nullptr; }
  /// Local. The store of one file for this rank.
  virtual std::unique_ptr<Store> make_store(const std::string &path, Kind kind, const Access &access) const = 0;
  /// Local. The definitions of one of its files. Error(not_found), Error(format).
  virtual Schema read_schema(const std::string &path) const { return sv::read_schema(path); }
  /// The same of a file that may have been made to do harm. Error(config) where its library would read it here.
  virtual Schema read_untrusted(const std::string &path) const { return read_schema(path); }
};

/// Of stores that are made with the arguments of make_store. `read`: of the definitions of one of their files; nullptr:
/// as those of CDF are.
template <class Made>
class BackendOf : public Backend {
 public:
  using Read = Schema (*)(const std::string &path);
  explicit BackendOf(Read read = nullptr) : read_(read) {}
  std::unique_ptr<Store> make_store(const std::string &path, Kind kind, const Access &access) const override {
    return std::make_unique<Made>(path, kind, access);
  }
  Schema read_schema(const std::string &path) const override {
    return read_ == nullptr ? Backend::read_schema(path) : read_(path);
  }

 private:
  Read read_;
};

/// Of a kind that is a plug-in. Local; loaded once per process. Error(not_compiled) where it is not there.
const Backend &backend(const std::string &name);
/// Local. The kind of a store that the key `store` may name. Loads the plug-in if the table does not contain it.
const StoreKind &kind_named(const std::string &name);

}  // namespace sv
