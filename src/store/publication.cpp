#include "store/publication.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "base/error.hpp"
#include "store/being_written.hpp"
#include "store/file_name.hpp"
#include "store/header_copy.hpp"
#include "store/journal.hpp"
#include "store/retry.hpp"
#include "store/stale_names.hpp"

namespace sv {

namespace {

/// Opens what may be somebody else's; closed where this process may not open it.
PositionalFile opened_if_allowed(const std::string &place) {
  try {
    return {place, PositionalFile::Mode::update};
  } catch (const Error &) {
    return {};
  }
}

/// Whether somebody writes the file that stands at `place`.
bool is_written(const std::string &place) {
  const PositionalFile there = opened_if_allowed(place);
  return there.is_open() && !retry_until([&] { return !there.is_locked(); });
}

/// The leftover of a crashed run. Removed, not emptied: a process of it that still has it open must not write into the
/// new file.
void remove_leftover(const std::string &path, const std::string &place) {
  const Presence found = presence_itself(place);
  if (found == Presence::absent) return;
  if (found == Presence::link) {
    remove_file(place);
    return;
  }
  if (found != Presence::file)
    throw Error(Status::access, "'" + place + "' is no file, and would have to be removed",
                "Remove it, or choose another name")
        .in_file(path);
  PositionalFile leftover = opened_if_allowed(place);
  if (leftover.is_open() && !retry_until([&] { return leftover.lock(); })) throw busy(path, place);
  if (leftover.is_open() && !leftover.is_at(place)) return;
  if (!leftover.is_open() && may_be_written(place)) throw busy(path, place);
  remove_if_allowed(header_copy_of(place));
  remove_file(place);
}

}  // namespace

const std::string &Publication::target() const {
  if (target_.empty()) target_ = target_of(path_, true);
  return target_;
}

std::string Publication::place_for(bool writing) const {
  if (!writing) return path_;
  return kind_ == Kind::published || presence_itself(part()) == Presence::file ? part() : target();
}

/// A growing file is published once, and loses its other name: then another user may make a file of that name.
PositionalFile Publication::opened() const {
  using Mode = PositionalFile::Mode;
  return opened_held(part(), [this]() -> PositionalFile {
    try {
      PositionalFile file({AT_FDCWD, part(), false}, Mode::update, path_);
      if (kind_ == Kind::published || file.owner() == ::geteuid()) return file;
      PositionalFile placed = opened_if_allowed(target());
      return placed.is_open() && placed.owner() == ::geteuid() ? std::move(placed) : std::move(file);
    } catch (const Error &error) {
      if (error.status() != Status::not_found || kind_ == Kind::published) throw;
      return {target(), Mode::update, path_};
    }
  });
}

void Publication::begin_at_once(bool exclusive) {
  const NewPlace place = check_new_file(path_, exclusive);
  target_ = place.target;
  if (place.there == Presence::file) {
    hold();
    held_.resize(0);
    remove_marker();
  } else {
    held_ = PositionalFile({AT_FDCWD, target_, true, stripes_}, PositionalFile::Mode::make, path_);
    if (!held_.lock()) throw busy(path_, target_);
  }
  remove_if_allowed(journal_of(target_));
  named_ = true;
  synced_ = false;
}

void Publication::begin(bool exclusive) {
  if (named_at_once_) return begin_at_once(exclusive);
  const NewPlace place = check_new_file(path_, exclusive);
  target_ = place.target;
  if (place.there == Presence::file && is_written(target_)) throw busy(path_, target_);
  const bool replaces_file = place.there == Presence::file;
  make_part(replaces_file ? PositionalFile::Mode::make_private : PositionalFile::Mode::make);
  is_exclusive_ = exclusive;
  named_ = synced_ = is_kept_ = false;
  try {
    if (replaces_file) held_.take_rights_at(target_, true);
    remove_marker();
  } catch (const Error &) {
    abandon();
    throw;
  }
}

/// The first writer has it: the other one finds it there, and locked.
void Publication::make_part(PositionalFile::Mode mode) {
  const auto is_free = [this, mode] {
    try {
      held_ = PositionalFile({AT_FDCWD, part(), true, stripes_}, mode, path_);
    } catch (const Error &error) {
      if (error.status() == Status::exists) return false;
      throw;
    }
    return true;
  };
  const bool made = retry_until([&] {
    if (!is_free()) {
      remove_leftover(path_, part());
      if (!is_free()) return false;
    }
    return held_.lock() && held_.is_at(part());
  });
  if (!made) held_ = {};
  if (!made) throw busy(path_, part());
}

void Publication::hold() {
  held_ = PositionalFile(target(), PositionalFile::Mode::update, path_);
  if (retry_until([this] { return held_.lock(); })) return;
  held_ = {};
  throw busy(path_, target());
}

void Publication::resume(bool owner) {
  kind_ = Kind::growing;
  named_ = true;
  synced_ = false;
  if (!owner) return;
  if (!held_.is_open()) hold();
  if (!named_at_once_) remove_leftover(path_, part());
  remove_marker();
}

/// Durably: after a crash, none may exist next to an incomplete file.
void Publication::remove_marker() {
  if (remove_file(marker())) sync_directory_of(target());
}

bool Publication::is_own() const noexcept {
  try {
    return held_.is_open() && held_.is_at(place());
  } catch (...) {
    return false;
  }
}

Error lost_name(const std::string &path, const std::string &place) {
  const bool absent = presence_itself(place) == Presence::absent;
  return Error(Status::not_found,
               absent ? "somebody has removed or renamed it while it was written"
                      : "another file has taken its name while it was written",
               "Nothing that is written now could be found. Let nothing touch '" + place + "' before it is closed")
      .in_file(path);
}

void Publication::check_own() const {
  if (!is_own()) throw lost_name(path_, place());
}

void Publication::publish() {
  if (named_at_once_) return;  // its program may give it other names
  check_own();
  if (named_) return;
  const Presence there = check_place(path_, target());
  if (is_exclusive_) {
    is_kept_ = !rename_to_new(part(), target());
    if (is_kept_) throw taken_name(path_, part());
  } else {
    if (there == Presence::file) held_.take_rights_at(target(), false);
    rename_file(part(), target());
  }
  named_ = true;
  synced_ = false;
  remove_if_allowed(header_copy_of(target()));  // of the file that has gone
  remove_if_allowed(journal_of(target()));
}

void Publication::sync_name() {
  if (!synced_) sync_directory_of(place());
  synced_ = true;
}

void Publication::committed() {
  if (kind_ == Kind::growing)
    publish();
  else
    check_own();
  if (durable_) sync_name();
}

void Publication::finish() {
  publish();
  if (durable_) sync_name();
  if (kind_ == Kind::growing && !named_at_once_) {
    PositionalFile complete(marker(), PositionalFile::Mode::make, path_);
    synced_ = false;
    if (durable_) complete.sync();
    complete.close();
    if (durable_) sync_name();
  }
  prepare_replacement();
}

void Publication::abandon() noexcept {
  try {
    if (!named_ && !is_kept_ && is_own()) {
      remove_file(part());
      remove_if_allowed(header_copy_of(part()));
    }
    prepare_replacement();
  } catch (...) {
    // The error that led here is reported; the next begin or resume removes the rest.
  }
}

}  // namespace sv
