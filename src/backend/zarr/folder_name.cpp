#include "backend/zarr/folder_name.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include "base/error.hpp"
#include "store/being_written.hpp"
#include "store/file_name.hpp"
#include "store/header_copy.hpp"
#include "store/journal.hpp"
#include "store/kind.hpp"
#include "store/publication.hpp"
#include "store/retry.hpp"

namespace sv::zarr {

namespace {

/// The kind that this is the store of.
const StoreKind &own_kind() {
  return *std::find_if(store_kinds().begin(), store_kinds().end(),
                       [](const StoreKind &one) { return one.name == "zarr"; });
}

/// A directory that will give its name to a new group, and go, with all that is in it.
void check_is_group(const std::string &path, const std::string &place, const Progress &progress) {
  if (presence_itself(place) != Presence::directory) return;
  if (!own_kind().knows(place) && !std::filesystem::is_empty(place))
    throw Error(Status::access, "'" + place + "' is a directory, but no Zarr group",
                "Choose another name, or remove the directory")
        .in_file(path);
  if (const std::string other = foreign_name(place, progress); !other.empty())
    throw Error(
        Status::access,
        "'" + place + "' contains '" + other + "', which belongs to no Zarr group, and would be removed with it",
        "Move it elsewhere, or choose another name")
        .in_file(path);
  if (::faccessat(AT_FDCWD, place.c_str(), W_OK | X_OK, AT_EACCESS) != 0)
    throw system_error(errno, "the group may not be written, so that no other one takes its place", path);
}

/// Whether a file may be what a run that was killed has left: one that it had begun, or of another store.
bool is_left_file(const std::string &place) {
  StoreCounters counters;
  std::array<std::byte, 4> bytes{};
  PositionalFile file(PositionalFile::Entry{AT_FDCWD, place, false}, PositionalFile::Mode::read, place);
  if (file.read(0, bytes, counters) == 0) return true;
  constexpr std::string_view cdf = "CDF", hdf5 = "\x89HDF";
  const std::string_view found(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  return found.starts_with(cdf) || found == hdf5;
}

/// Removes the entry under a name that a group has only while it is written, or replaced.
void check_is_left(const std::string &path, const std::string &place, const Progress &progress) {
  const Presence there = presence_itself(place);
  if (there == Presence::absent) return;
  std::string other;
  if (there == Presence::directory)
    other = foreign_name(place, progress);
  else if (there != Presence::file || !is_left_file(place))
    other = "something other than a Zarr group";
  if (other.empty()) return;
  throw Error(
      Status::access,
      "'" + place + "' has the name that a group has while it is written or replaced, but " +
          (there == Presence::directory ? "contains '" + other + "', which belongs to no Zarr group" : "is " + other),
      "Move it elsewhere, or choose another name")
      .in_file(path);
}

void check_unwritten(const std::string &path, const std::string &place) {
  const Presence there = presence_itself(place);
  if (there == Presence::directory) {
    Folder group(place, path);
    if (!retry_until([&] { return group.lock(); })) throw busy(path, place);
  } else if (there == Presence::file && may_be_written(place)) {
    throw busy(path, place);
  }
}

void remove_whatever(const std::string &place, const Progress &progress) {
  if (presence_itself(place) == Presence::directory)
    remove_group(place, progress);  // entries that others have made meanwhile stay
  else
    remove_file(place);
}

}  // namespace

std::string FolderName::place_for(bool writing) const {
  if (!writing) return path_;
  return presence_itself(part()) == Presence::directory ? part() : target();
}

const std::string &FolderName::target() const {
  if (target_.empty()) target_ = target_of(path_, true);
  return target_;
}

void FolderName::hold(const std::string &place) {
  held_ = Folder(place, path_);
  if (retry_until([this] { return held_.lock(); }) && held_.is_at(place)) return;
  held_ = {};
  throw busy(path_, place);
}

void FolderName::begin(bool exclusive) {
  target_ = check_new_file(path_, exclusive, true).target;
  check_is_group(path_, target_, progress_);
  check_is_left(path_, part(), progress_);
  check_is_left(path_, old(), progress_);
  check_unwritten(path_, target_);
  check_unwritten(path_, part());
  remove_whatever(old(), progress_);
  has_old_ = presence_itself(part()) != Presence::absent;
  if (has_old_) rename_file(part(), old());
  if (::mkdir(part().c_str(), 0777) != 0) throw system_error(errno, "cannot make the directory", path_);
  hold(part());
  if (presence_itself(target()) == Presence::directory) held_.take_rights_at(target(), true);
  remove_file(marker());
  is_exclusive_ = exclusive;
  named_ = synced_ = is_kept_ = false;
}

void FolderName::resume(bool owner) {
  kind_ = Kind::growing;
  named_ = true;
  synced_ = false;
  if (!owner) return;
  if (!held_.is_open()) hold(target());
  check_unwritten(path_, part());
  check_is_left(path_, part(), progress_);
  check_is_left(path_, old(), progress_);
  remove_whatever(part(), progress_);
  remove_whatever(old(), progress_);
  if (remove_file(marker())) sync_directory_of(target());
}

void FolderName::remove_old() {
  if (std::exchange(has_old_, false)) remove_whatever(old(), progress_);
}

void FolderName::sync_name() {
  if (!synced_) sync_directory_of(place());
  synced_ = true;
}

void FolderName::check_own() const {
  if (!held_.is_open() || !held_.is_at(place())) throw lost_name(path_, place());
}

/// A directory cannot replace another unless that is empty: they exchange their names, at once. Where the file system
/// cannot do that, the name is absent for a moment. The contents of the old one are removed when its name is no
/// longer on the disk.
void FolderName::publish() {
  check_own();
  if (named_) return;
  check_place(path_, target(), true);
  check_is_group(path_, target(), progress_);
  remove_old();
  if (is_exclusive_) {
    is_kept_ = !rename_to_new(part(), target());
    if (is_kept_) throw taken_name(path_, part());
  } else {
    replace();
  }
  named_ = true;
  synced_ = false;
  remove_if_allowed(header_copy_of(target()));  // of the file that has gone
  remove_if_allowed(journal_of(target()));
}

void FolderName::replace() {
  if (presence_itself(target()) == Presence::directory) held_.take_rights_at(target(), false);
  const bool is_free = presence_itself(target()) == Presence::absent;
  if (is_free || ::renameat2(AT_FDCWD, part().c_str(), AT_FDCWD, target().c_str(), RENAME_EXCHANGE) != 0) {
    if (!is_free) rename_file(target(), old());
    rename_file(part(), target());
    has_old_ = !is_free;
  } else {
    rename_file(part(), old());
    has_old_ = true;
  }
}

void FolderName::committed() {
  if (kind_ == Kind::growing)
    publish();
  else
    check_own();
  sync_name();
  remove_old();
}

void FolderName::finish() {
  publish();
  sync_name();
  remove_old();
  if (kind_ == Kind::growing) {
    PositionalFile complete(marker(), PositionalFile::Mode::make, path_);
    synced_ = false;
    complete.sync();
    complete.close();
    sync_name();
  }
  held_ = {};
}

void FolderName::abandon() noexcept {
  try {
    if (!named_ && !is_kept_ && held_.is_open() && held_.is_at(part())) remove_group(part(), progress_);
    remove_old();
    held_ = {};
  } catch (...) {
    // The first error is reported; the next begin or resume removes the leftovers.
  }
}

}  // namespace sv::zarr
