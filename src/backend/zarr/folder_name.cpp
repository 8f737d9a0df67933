#include "backend/zarr/folder_name.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "base/error.hpp"
#include "store/file_name.hpp"
#include "store/header_copy.hpp"
#include "store/journal.hpp"
#include "store/kind.hpp"
#include "store/patience.hpp"
#include "store/publication.hpp"

namespace sv::zarr {

namespace {

/// The kind that this is the store of.
const StoreKind &own_kind() {
  return *std::find_if(store_kinds().begin(), store_kinds().end(),
                       [](const StoreKind &one) { return one.name == "zarr"; });
}

/// A directory that will give its name to a new group, and go.
void check_is_group(const std::string &path, const std::string &place) {
  if (presence_itself(place) == Presence::directory && !own_kind().knows(place) && !std::filesystem::is_empty(place))
    throw Error(Status::access, "'" + place + "' is a directory, but no Zarr group",
                "Choose another name, or remove the directory")
        .in_file(path);
}

void check_unwritten(const std::string &path, const std::string &place) {
  if (presence_itself(place) != Presence::directory) return;
  Folder there(place, path);
  if (!gets([&] { return there.lock(); })) throw busy(path, place);
}

void remove_whatever(const std::string &place) {
  presence_itself(place) == Presence::directory ? remove_group(place) : static_cast<void>(remove_file(place));
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
  if (gets([this] { return held_.lock(); }) && held_.is_at(place)) return;
  held_ = {};
  throw busy(path_, place);
}

void FolderName::begin(bool exclusive) {
  target_ = check_new_file(path_, exclusive, true).target;
  check_is_group(path_, target_);
  check_unwritten(path_, target_);
  check_unwritten(path_, part());
  remove_whatever(old());
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
  remove_whatever(part());
  remove_whatever(old());
  if (remove_file(marker())) sync_directory_of(target());
}

void FolderName::remove_old() {
  if (std::exchange(has_old_, false)) remove_whatever(old());
}

void FolderName::sync_name() {
  if (!synced_) sync_directory_of(place());
  synced_ = true;
}

void FolderName::check_own() const {
  if (!held_.is_open() || !held_.is_at(place())) throw lost_name(path_, place());
}

/// One directory does not take the place of another unless it is empty: they exchange their names, at once. Where the
/// file system cannot do that, the name is absent for a moment. What is in the old one goes when its name is no longer
/// on the disk.
void FolderName::publish() {
  check_own();
  if (named_) return;
  check_place(path_, target(), true);
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
    if (!named_ && !is_kept_ && held_.is_open() && held_.is_at(part())) remove_group(part());
    remove_old();
    held_ = {};
  } catch (...) {
    // The error that led here is the one to tell; what is left over, the next begin or resume removes.
  }
}

}  // namespace sv::zarr
