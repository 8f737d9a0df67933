#include "servers/served_delivery.hpp"

#include "file/home.hpp"
#include "file/suppress_deferred_errors.hpp"
#include "servers/service.hpp"
#include "transfer/field_job.hpp"

namespace sv {

void ServedDelivery::tell(Command::What what) {
  service_.unsettle(file_.place());
  service_.client().tell(served_, std::move(what));
}

void ServedDelivery::settle() {
  if (file_.mode == Mode::data) service_.settle(file_.name());
}

/// What they have not committed yet does not count any more.
void ServedDelivery::fail(const Error &error) { tell(FailFile{static_cast<int64_t>(error.status()), error.what()}); }

bool ServedDelivery::commit() {
  if (file_.ledger.has_uncommitted()) service_.unsettle(file_.place());
  return true;
}

void ServedDelivery::sync() {
  tell(SyncFile{});
  service_.await_written("sv_sync('" + file_.path() + "')");
}

void ServedDelivery::close(bool completes) {
  service_.client().send_step();
  tell(CloseFile{completes});
}

void ServedDelivery::redefine() { tell(RedefineFile{encode_header(file_.schema())}); }

bool ServedDelivery::define_fixed(const std::vector<int> &variables) {
  tell(DefineFixed{variables});
  return true;
}

void ServedDelivery::put(const FieldJob &job, const FieldPieces<PackRow> &pieces) {
  service_.unsettle(file_.place());
  service_.client().put(served_, job, pieces);
}

std::optional<Error> ServedDelivery::get(const FieldJob &job, const FieldPieces<UnpackRow> &pieces,
                                         OutOfRange &range_errors) {
  service_.unsettle(file_.place());
  const Context &context = file_.context();
  const auto left = caught(context.rank(), [&] { range_errors += service_.client().get(served_, job, pieces); });
  const SuppressDeferredErrors beside(file_.context());
  const auto failed =
      caught(context.rank(), [&] { service_.await_answers("reading " + file_.name_of(job.variable), left); });
  return failed ? failed : service_.news_of(served_.number);
}

}  // namespace sv
