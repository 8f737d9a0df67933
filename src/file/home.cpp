#include "file/home.hpp"

#include <algorithm>
#include <numeric>

#include "file/file.hpp"

namespace sv {

Home::Home(File &file, StoreMaker maker)
    : file_(file),
      context_(file.context()),
      maker_(std::move(maker)),
      asked_(file.settings().route),
      handle_(file.schema()) {
  handle_.exchange(make_cdf_store(file.path(), file.settings().kind));
}

Schema &Home::schema() const { return file_.definitions().schema(); }

std::unique_ptr<Store> Home::new_store() {
  auto store = maker_.make(file_.path(), file_.settings().kind);
  if (file_.mode() != Mode::read && file_.ranges() != nullptr) store->keep_ranges(*file_.ranges());
  return store;
}

void Home::create(const std::string &call, bool exclusive) {
  handle_.exchange(new_store());
  context_.agree(call + ", created", file_.located(-1, caught(context_.rank(), [&] {
    if (!is_owner()) return;
    handle_.store().create(schema(), exclusive);
    handle_.opened();
  })));
}

void Home::open(const std::string &call, bool writing) {
  handle_.exchange(new_store());
  context_.agree(call, file_.located(-1, caught(context_.rank(), [&] {
    if (!writing && readers() == Readers::together) store();
    if (!writing || !is_owner()) return;
    handle_.store().reopen(schema());
    handle_.opened();
  })));
}

Route Home::ranges_of(const RouteRequest &request) const {
  const Layout any({1}, context_.comm().size(), {}, true);  // owners of ranges do not depend on it
  return resolve(request, any, context_.topology(), surroundings_);
}

void Home::choose_owners() {
  if (context_.options().of_servers) {
    range_owners_.resize(static_cast<size_t>(asked_.writers.n));
    std::iota(range_owners_.begin(), range_owners_.end(), 0);
  } else if (const auto ranges = asked_.ranges()) {
    range_owners_ = ranges_of(*ranges).writers;
  }
  forget_places();
}

Route Home::route_of_ranges() const {
  Route route;
  route.name = "ranges";
  route.writers = range_owners_;
  return route;
}

Route Home::reading_route() const {
  if (readers() == Readers::owners_only || readers() == Readers::carrier) return route_of_ranges();
  RouteRequest request;
  request.name = "ranges";
  if (asked_.counts_writers()) request.writers = nearest_writers(asked_.writers, context_.topology());
  return ranges_of(request);
}

Readers Home::chosen_readers(bool can_read_together) const {
  const Reading asked = file_.settings().reading;
  if (asked == Reading::collective) return can_read_together ? Readers::together : Readers::writers;
  if (asked != Reading::automatic) return asked == Reading::writers ? Readers::writers : Readers::each;
  return surroundings_.shared_file_system || context_.node().shares_memory() ? Readers::writers : Readers::each;
}

Readers Home::readers() const { return chosen_readers(false); }

std::vector<int> Home::combining_owners() const {
  return asked_.chooses_owners() ? range_owners_ : ranges_of({"ranges", 0, 0, {}}).writers;
}

std::vector<Territory> Home::pieces(int) const { return {}; }

std::vector<Share> Home::own_shares(const Field &field, int variable) const {
  std::vector<Share> own;
  for (const OwnedRange &range : owner_ranges(field, places().extents(variable), static_cast<int>(range_owners_.size()),
                                              places().stripe_bytes(variable)))
    if (range_owners_[static_cast<size_t>(range.writer)] == context_.rank())
      own.push_back({Box::whole(field.shape), range.first, range.last});
  return own;
}

void Home::remember_unsynced(UnsyncedFiles &unsynced) const {
  unsynced.remember(file_.path(), context_.rank() == owner_rank);
}

bool Home::has_offsets() const { return !is_netcdf4(schema().format); }

const Places &Home::places() const {
  if (places_ == nullptr)
    places_ = std::make_unique<Places>(schema(), Places::Ground{surroundings_.stripe_bytes, file_.settings().chunks,
                                                                static_cast<int>(range_owners_.size())});
  return *places_;
}

Store &Home::store() { return handle_.attached(file_.mode() != Mode::read); }

Store &Home::lone_store() {
  if (readers() == Readers::owners_only)
    throw Error(Status::order, "reading by one rank from a file that its writers have open together",
                "Close the file, and open it for reading")
        .in_file(file_.path());
  if (readers() != Readers::together) return store();
  return handle_.lone([this] { return maker_.make(file_.path(), file_.settings().kind); });
}

void Home::report(FileReport &report) const {
  report.store = maker_.name();
  report.remarks = handle_.store().remarks();
  if (file_.mode() != Mode::data) return;  // nothing but sub-arrays, replicated values and combined requests
  report.route = "ranges";
  report.writers = static_cast<int>(combining_owners().size());
}

void Home::check_counting() const {
  const FileSettings &settings = file_.settings();
  if (settings.durability != Durability::ordered || !maker_.has_team() || settings.kind == Kind::published) return;
  throw Error(Status::config, "durability: ordered, in a growing file of the store '" + maker_.name() + "'",
              "Choose on_disk or written, or the store cdf: this one's library counts records by itself")
      .in_file(file_.path());
}

std::vector<int> Home::writers_of(const Layout &layout, const Route &route) const {
  if (!route.self) return route.writers;
  std::vector<int> writers;
  if (layout.points() == nullptr)
    for (const Territory &block : blocks_of(layout, route)) writers.push_back(block.rank);
  for (int rank = 0; layout.points() != nullptr && rank < layout.ranks(); ++rank)
    if (layout.cells_of_rank(rank) > 0) writers.push_back(rank);
  return writers;
}

std::vector<int> Home::in_trace(const std::vector<int> &ranks) const {
  std::vector<int> numbers;
  for (const int rank : ranks) numbers.push_back(context_.trace_ranks()[static_cast<size_t>(rank)]);
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

std::vector<int> Home::trace_writers(const Layout *layout, const Route *route) const {
  return in_trace(route == nullptr ? combining_owners() : writers_of(*layout, *route));
}

void check_readable(const File &file) {
  file.require_readable();
  if (file.has_home()) file.home().check_readable();
}

void report_route(FileReport &report, const Route &route) {
  report.route = route.name;
  report.reason = route.reason;
  report.io_nx = route.io_nx;
  report.io_ny = route.io_ny;
  report.writers = static_cast<int>(route.writers.size());
}

FileReport report_of(const File &file) {
  const Schema &schema = file.schema();
  const Ledger &ledger = file.ledger();
  FileReport all;
  all.path = file.path();
  all.format = name_of(schema.format);
  all.kind = file.mode() == Mode::read ? "read" : file.settings().kind == Kind::published ? "published" : "growing";
  file.home().report(all);
  all.bytes = schema.record_begin + schema.records * schema.record_bytes;
  all.records = schema.records;
  all.redefinitions = ledger.redefinitions();
  all.moved_bytes = ledger.moved_bytes();
  all.misfits = file.misfits().told();
  all.outcome = ledger.outcome();
  return all;
}

void fail(File &file, const Error &error) {
  Ledger &ledger = file.ledger();
  ledger.fail(error);
  file.on_disk().forget();
  // What was put into it is lost, or not known to be there.
  if (file.mode() != Mode::read) file.on_disk().is_behind(file.context().disk().steps_ended());
  file.context().note(ledger.failure());
  if (file.has_home()) file.home().handle().store().all_know();
}

}  // namespace sv
