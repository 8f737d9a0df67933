#include "delivery/file_delivery.hpp"

#include "file/file_trace.hpp"
#include "file/home.hpp"

namespace sv {

namespace {

Error no_servers() { return {Status::internal, "no servers have this file", "Please report this"}; }

}  // namespace

FileDelivery &delivery_of(const File &file) { return file.delivery->current(); }

bool FileDelivery::places_in_calls() const {
  return file_.mode == Mode::data && file_.home().places_here() && file_.home().pieces(0).empty();
}

void FileDelivery::conclude(const std::string &call, const std::optional<Error> &error) {
  or_fail(file_, [&] { file_.context().agree("end of writing " + call, error); });
}

void FileDelivery::committed() {
  if (file_.trace != nullptr) file_.trace->committed();
}

void FileDelivery::close(bool completes) {
  if (!completes || file_.mode != Mode::data) return;
  agree(file_, "sv_close('" + file_.path() + "'), finished", -1, [this] {
    if (file_.home().is_owner()) file_.home().handle.store().finish();
  });
}

void FileDelivery::put(const FieldJob &, const FieldPieces<PackRow> &) { throw no_servers(); }

std::optional<Error> FileDelivery::get(const FieldJob &, const FieldPieces<UnpackRow> &, OutOfRange &) {
  throw no_servers();
}

}  // namespace sv
