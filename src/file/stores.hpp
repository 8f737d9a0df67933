// Which store a file has, and who opens it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/access.hpp"
#include "config/settings.hpp"
#include "file/write_policy.hpp"
#include "mpi/comm.hpp"
#include "mpi/watch.hpp"
#include "store/kind.hpp"
#include "store/store.hpp"

namespace sv {

/// The format that the settings ask for: that of their store where they name none.
Format format_of(const FileSettings &settings);
/// The kind of store of a new file. Throws Error(config) where the one that the settings name cannot have the format.
const StoreKind &kind_for(const FileSettings &settings, Format format);
/// Of a file that is there: the kind that the settings name, where the file is one of its; otherwise the first of the
/// table that knows it. Looks at the file.
const StoreKind &kind_at(const std::string &path, const FileSettings &settings);
/// The same on ranks that do not look: `named` says whether it is the one that the settings name.
const StoreKind &kind_of_opened(const FileSettings &settings, Format format, bool named);

/// Local. The definitions of a file, as its kind reads them.
/// `untrusted`: as the key says.
PlacedSchema read_definitions(const StoreKind &kind, const std::string &path, bool untrusted);

/// Makes the stores of one file (or of its pieces) by its settings and its kind.
class StoreMaker {
 public:
  StoreMaker() = default;
  /// `found`: which files sv_open has found under the names.
  StoreMaker(const StoreKind &kind, const FileSettings &settings, const WatchSettings &watch,
             const ChosenPolicy &policy, std::shared_ptr<FoundFiles> found);

  const StoreKind &kind() const { return *kind_; }
  /// The method of large writes, with its reason, for the summary; "": not requested.
  const std::string &reported_policy() const { return reported_policy_; }
  /// Of this rank alone.
  const Access &access() const { return access_; }
  /// For those that `access` names, or for this rank alone.
  std::unique_ptr<Store> make(const std::string &path, Kind kind, const Access &access) const;
  std::unique_ptr<Store> make(const std::string &path, Kind kind) const { return make(path, kind, access_); }
  /// For the ranks of `comm`: `writers` of them share a variable; or they read together.
  Access writing_access(const Comm &comm, int writers) const;
  Access reading_access(const Comm &comm) const;
  /// The same of stores whose new files get these stripes.
  StoreMaker striped(const FileStripes &stripes) const;
  /// The same of stores that a thread of this rank uses, which asks for HDF5 and compresses with so many threads.
  StoreMaker for_thread(Loan &hdf5, int compressing) const;

 private:
  const StoreKind *kind_ = &store_kinds().front();
  Access access_;
  WatchSettings watch_;
  std::string reported_policy_;
};

}  // namespace sv
