#include "store/publication.hpp"

#include "base/error.hpp"
#include "store/positional_file.hpp"

namespace sv {

std::string Publication::place_for(bool writing) const {
  const bool unnamed = writing && (kind_ == Kind::published || presence_of(part()) == Presence::file);
  return unnamed ? part() : path_;
}

void Publication::begin(bool exclusive) {
  const Presence presence = presence_of(path_);
  if (presence == Presence::directory)
    throw Error(Status::access, "a directory has this name", "Choose another name").in_file(path_);
  if (exclusive && presence == Presence::file)
    throw Error(Status::exists, "the file exists", "Remove it, or create without SV_NOCLOBBER").in_file(path_);
  // Removed, not emptied: a process of the crashed run that still has it open must not write into the new one.
  remove_file(part());
  remove_file(marker());
  named_ = false;
}

void Publication::resume(bool owner) {
  kind_ = Kind::growing;
  named_ = true;
  if (!owner) return;
  remove_file(marker());
  remove_file(part());
}

void Publication::publish() {
  if (named_) return;
  rename_file(part(), path_);
  named_ = true;
  if (durable_) sync_directory_of(path_);
}

void Publication::committed() {
  if (kind_ == Kind::growing) publish();
}

void Publication::finish() {
  publish();
  if (kind_ == Kind::published) return;
  PositionalFile complete(marker(), PositionalFile::Mode::create);
  if (durable_) complete.sync();
  complete.close();
  if (durable_) sync_directory_of(path_);
}

void Publication::abandon() noexcept {
  try {
    if (!named_) remove_file(part());
  } catch (...) {
    // The error that led here is the one to tell; what is left over, the next begin or resume removes.
  }
}

}  // namespace sv
