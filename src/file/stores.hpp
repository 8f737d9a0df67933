// Which store a file has, and who opens it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/access.hpp"
#include "config/settings.hpp"
#include "mpi/comm.hpp"
#include "store/store.hpp"

namespace sv {

/// The definitions of a file of any kind: of HDF5 files through netCDF-4. Local. Those of netCDF-4 files stand where
/// CDF-5 would have them, so that ranges have offsets.
Schema read_definitions(const std::string &path);

/// Makes the stores of one file (or of its pieces) by its settings and its format.
class StoreMaker {
 public:
  StoreMaker() = default;
  /// Throws Error(config) where the settings' store cannot have the format.
  StoreMaker(const FileSettings &settings, const WatchSettings &watch, Format format);

  /// Whether the writers open it together.
  bool has_team() const { return name_ != "cdf"; }
  const std::string &name() const { return name_; }
  /// For those that `access` names, or for this rank alone.
  std::unique_ptr<Store> make(const std::string &path, Kind kind, const Access &access) const;
  std::unique_ptr<Store> make(const std::string &path, Kind kind) const { return make(path, kind, access_); }
  /// For the ranks of `comm`: `writers` of them share a variable; or they read together.
  Access writing_access(const Comm &comm, int writers) const;
  Access reading_access(const Comm &comm) const;

 private:
  std::string name_ = "cdf";
  Access access_;
};

/// The format that the settings ask for: that of their store where they name none.
Format format_of(const FileSettings &settings);

}  // namespace sv
