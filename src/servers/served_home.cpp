#include "servers/served_home.hpp"

#include <algorithm>

#include "delivery/file_trace.hpp"
#include "file/divided.hpp"
#include "plan/serving.hpp"
#include "servers/served.hpp"
#include "servers/served_delivery.hpp"
#include "servers/service.hpp"

namespace sv {

ServedHome::ServedHome(File &file, StoreMaker store_maker, Service &service, const Client::Served &served)
    : Home(file, std::move(store_maker)), service_(service), served_(served) {
  file.served_number = served.number;
  // How the chunks of a file that was closed are shaped, servers and models do not tell each other.
  const bool has_single_appender =
      file.mode == Mode::data && (maker.kind().has_single_appender || maker.kind().placing == Placing::by_chunk);
  const size_t servers = service.client().group(served.group).size();
  owners.of_ranges.resize(has_single_appender ? 1 : static_cast<size_t>(served_owners(file.settings().route, servers)));
  if (file.trace != nullptr) file.trace->written_by(trace_writers());
  const bool asks =
      file.mode != Mode::read && owners.asked.writers.kind == Writers::Kind::count && owners.asked.name != "serial";
  if (!asks || owners.asked.writers.n <= static_cast<int>(servers)) return;
  remark_ = "writers = " + std::to_string(owners.asked.writers.n) + " is more than the servers of a file, which are " +
            std::to_string(servers) + ": all of them write";
  context_.warn_once(remark_);
}

std::vector<int> ServedHome::trace_writers() const {
  const std::vector<int> &ranks = context_.metrics.steps->ranks, &group = service_.client().group(served_.group);
  std::vector<int> numbers;
  for (size_t i = 0; i < owners.of_ranges.size(); ++i) numbers.push_back(ranks[static_cast<size_t>(group[i])]);
  return numbers;
}

void ServedHome::tell(Command::What what) {
  service_.unsettle(file_.place());
  service_.client().tell(served_, std::move(what));
}

void ServedHome::choose_writers() {
  for (int v = 0; file_.mode == Mode::define && v < std::ssize(file_.schema().variables); ++v)
    places().stripe_bytes(v);  // checks chunks
  check_promises();
  check_primaries();
}

/// Primaries are some of those that write.
void ServedHome::check_primaries() const {
  const int writers = static_cast<int>(owners.of_ranges.size()), primaries = file_.settings().points.primaries;
  if (primaries <= writers) return;
  throw Error(Status::config,
              "primaries = " + std::to_string(primaries) + " of " + std::to_string(writers) +
                  (writers == 1 ? " server" : " servers") + " that write the file",
              "Ask for more 'servers' or 'writers', fewer 'server_groups', or fewer 'primaries'")
      .in_file(file_.path());
}

ServedFileReports ServedHome::served_file_reports() const {
  return {
      file_.path(),          file_.place(), file_.schema().format, owners.surroundings, encode_header(file_.schema()),
      file_.found->encoded()};
}

/// With which these ranks read a file that is ours.
void ServedHome::make_own() {
  if (!maker.kind().is_plug_in) handle.exchange(store_of(file_, maker, maker.access()));
}

void ServedHome::create(const std::string &, bool exclusive) {
  make_own();
  tell(CreateFile{served_file_reports(), file_.settings().kind, exclusive});
}

void ServedHome::open(const std::string &, bool writing) {
  make_own();
  tell(OpenFile{served_file_reports(), writing});
}

Route ServedHome::route_of_ranges() const {
  return {"servers", 0, 0, false, owners.of_ranges, "servers write it while the model computes"};
}

Readers ServedHome::readers() const {
  const bool is_open_there = file_.mode == Mode::data && maker.kind().has_team;  // by servers together
  return file_.mode == Mode::read || is_open_there ? Readers::servers : Home::readers();
}

std::shared_ptr<Home> Service::home_of(File &file, const StoreMaker &maker, bool in_pieces) {
  if (in_pieces) return nullptr;
  const Client::Served served = client_.choose(file.settings(), context_.number_file());
  if (served.group < 0) return nullptr;
  file.delivery = std::make_shared<ServedDelivery>(file, *this, served);
  return std::make_shared<ServedHome>(file, maker, *this, served);
}

}  // namespace sv
