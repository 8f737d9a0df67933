#include "servers/served_delivery.hpp"

#include "file/file_trace.hpp"
#include "file/home.hpp"
#include "file/suppress_deferred_errors.hpp"
#include "plan/serving.hpp"
#include "servers/service.hpp"
#include "transfer/field_job.hpp"

namespace sv {

namespace {

/// The first of so many servers own its ranges. Servers and models do not exchange the chunk shapes of a file that was
/// closed: one server appends.
void own_by_servers(Home &home, File &file, const std::vector<int> &servers) {
  Ownership &owners = home.owners;
  const auto all = static_cast<int>(servers.size());
  const StoreKind &kind = home.maker.kind();
  const bool has_one = file.mode == Mode::data && (kind.has_single_appender || kind.placing == Placing::by_chunk);
  owners.by = WrittenBy::servers;
  owners.of_ranges.resize(has_one ? 1 : static_cast<size_t>(served_owners(owners.asked, servers.size())));
  const bool asks =
      file.mode != Mode::read && owners.asked.writers.kind == Writers::Kind::count && owners.asked.name != "serial";
  if (!asks || owners.asked.writers.n <= all) return;
  owners.remark = "writers = " + std::to_string(owners.asked.writers.n) +
                  " is more than the servers of a file, which are " + std::to_string(all) + ": all of them write";
  file.context().warn_once(owners.remark);
}

}  // namespace

ServedDelivery::ServedDelivery(File &file, Service &service, const Client::Served &served)
    : FileDelivery(file), service_(service), served_(served) {
  file.served.number = served.number;
}

/// With our own store, these ranks read the file.
FileDescription ServedDelivery::begin_file() {
  Home &home = file_.home();
  if (!home.maker.kind().is_plug_in) home.handle.exchange(home.new_store());
  return {file_.path(),
          file_.place(),
          file_.schema().format,
          home.owners.surroundings,
          encode_header(file_.schema()),
          file_.found->encoded()};
}

bool ServedDelivery::create(bool exclusive) {
  send(CreateFile{begin_file(), file_.settings().kind, exclusive});
  return true;
}

bool ServedDelivery::open(bool writing) {
  send(OpenFile{begin_file(), writing});
  return true;
}

void ServedDelivery::send(Command::What what) {
  service_.unsettle(file_.place());
  service_.client().send_command(served_, std::move(what));
}

void ServedDelivery::settle() {
  if (file_.mode == Mode::data) service_.settle(file_.name());
}

/// Uncommitted records do not count any more.
void ServedDelivery::fail(const Error &error) { send(FailFile{static_cast<int64_t>(error.status()), error.what()}); }

bool ServedDelivery::commit() {
  if (file_.ledger.has_uncommitted()) service_.unsettle(file_.place());
  return true;
}

void ServedDelivery::sync() {
  send(SyncFile{});
  service_.await_written("sv_sync('" + file_.path() + "')");
}

void ServedDelivery::close(bool completes) {
  service_.client().send_step();
  send(CloseFile{completes});
}

void ServedDelivery::redefine() { send(RedefineFile{encode_header(file_.schema())}); }

bool ServedDelivery::define_fixed(const std::vector<int> &variables) {
  send(DefineFixed{variables});
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
  const SuppressDeferredErrors suppressed(file_.context());
  const auto failed =
      caught(context.rank(), [&] { service_.await_answers("reading " + file_.name_of(job.variable), left); });
  return failed ? failed : service_.trouble_of(served_.number);
}

std::shared_ptr<Home> Service::home_of(File &file, const StoreMaker &maker, bool in_pieces) {
  if (in_pieces) return nullptr;
  const Client::Served served = client_.choose(file.settings(), context_.number_file());
  if (served.group < 0) return nullptr;
  auto home = std::make_shared<Home>(file, maker);
  const std::vector<int> &servers = client_.group(served.group);
  own_by_servers(*home, file, servers);
  if (file.trace != nullptr) {
    std::vector<int> numbers;
    for (size_t i = 0; i < home->owners.of_ranges.size(); ++i)
      numbers.push_back(context_.metrics.steps->ranks[static_cast<size_t>(servers[i])]);
    file.trace->written_by(std::move(numbers));
  }
  file.delivery = std::make_shared<ServedDelivery>(file, *this, served);
  return home;
}

}  // namespace sv
