#include "file/home.hpp"

#include <algorithm>

#include "file/divided.hpp"
#include "file/file.hpp"
#include "file/servers.hpp"
#include "store/cdf_store.hpp"
#include "store/striping.hpp"

namespace sv {

Home::Home(File &file, StoreMaker store_maker)
    : maker(std::move(store_maker)),
      handle(file.schema()),
      owners(file.context(), file.settings().route),
      file_(file),
      context_(file.context()) {
  handle.exchange(make_cdf_store(file.place(), file.settings().kind));
}

namespace {

/// Where one rank alone can know where values stand.
bool has_chunks(const StoreMaker &maker) { return maker.kind().placing == Placing::by_chunk; }

/// Primaries are some of so many servers that write.
void check_primaries(const File &file, int servers) {
  const int primaries = file.settings().points.primaries;
  if (primaries <= servers) return;
  throw Error(Status::config,
              "points.primaries = " + std::to_string(primaries) + " of " + std::to_string(servers) +
                  (servers == 1 ? " server" : " servers") + " that write the file",
              "Ask for more servers ('async') or 'writers', fewer 'async.groups', or fewer 'points.primaries'")
      .in_file(file.path());
}

/// Of a new file whose definitions are complete, where its file system takes a request. Whether there was one.
bool choose_stripes(const File &file, const StoreKind &kind, Ownership &owners) {
  const bool is_new = file.mode == Mode::define && file.before() == nullptr && !file.context().options.of_servers;
  Surroundings &around = owners.surroundings;
  if (!is_new || around.targets == 0 || kind.is_folder) return false;
  const bool divides = file.settings().route.divides_file();
  const bool is_counted = owners.by != WrittenBy::ranks || owners.asked.chooses_owners();
  const int ranks = file.context().comm.size();
  const int writers = divides ? 1 : is_counted ? static_cast<int>(owners.of_ranges.size()) : ranks;
  around.chosen =
      sv::choose_stripes(file.settings().stripes, {.targets = around.targets,
                                                   .unit_bytes = around.stripe_bytes,
                                                   .step_bytes = step_size(file.schema()) / (divides ? ranks : 1),
                                                   .writers = writers});
  if (!around.chosen.is_chosen()) return false;
  around.stripe_count = around.chosen.count;
  return true;
}

}  // namespace

void Home::choose_writers() {
  owners.choose(has_chunks(maker), file_.settings().points.primaries);
  if (choose_stripes(file_, maker.kind(), owners))  // the number of owners follows them
    owners.choose(has_chunks(maker), file_.settings().points.primaries);
  forget_places();
  if (owners.by == WrittenBy::ranks) return;
  check_promises();
  check_chunks();
  if (!writes_here()) check_primaries(file_, static_cast<int>(owners.of_ranges.size()));
}

std::unique_ptr<Store> Home::new_store() {
  auto store = store_of(file_, maker, maker.striped(owners.surroundings.chosen).access());
  WrittenRanges *const ranges = file_.trace != nullptr ? file_.trace->ranges() : nullptr;
  if (file_.mode != Mode::read && ranges != nullptr) store->keep_ranges(*ranges);
  return store;
}

void Home::create(const std::string &call, bool exclusive) {
  handle.exchange(new_store());
  context_.agree(call + ", created", file_.located(-1, caught(context_.rank(), [&] {
    if (!is_owner()) return;
    handle.store().create(file_.schema(), exclusive);
    handle.opened();
  })));
}

void Home::open(const std::string &call, bool writing) {
  handle.exchange(new_store());
  if (!writing && !maker.kind().is_plug_in) return;  // readers open it then
  context_.agree(call, file_.located(-1, caught(context_.rank(), [&] {
    if (!writing && readers() == Readers::together) store();
    if (!writing || !is_owner()) return;
    handle.store().reopen(file_.schema());
    handle.opened();
  })));
}

/// Pending writes of a thread, or the metadata that locate them, may not be in the file.
Readers Home::readers() const {
  const bool writes = file_.mode == Mode::data;
  if (owners.by == WrittenBy::threads && writes && has_chunks(maker)) return Readers::owners_only;
  const bool is_open_there = writes && maker.kind().has_team;  // by servers together
  if (!writes_here() && (file_.mode == Mode::read || is_open_there)) return Readers::servers;
  return chosen_readers(false);
}

std::shared_ptr<const Route> Home::reading_route() const {
  const Readers who = readers();
  if (reading_route_ && reading_route_->first == who) return reading_route_->second;
  const bool of_owners = who == Readers::owners_only || who == Readers::servers;
  reading_route_ = {who, std::make_shared<const Route>(of_owners ? route_of_ranges() : owners.reading_route())};
  return reading_route_->second;
}

std::shared_ptr<const Route> Home::route(const std::shared_ptr<const Layout> &layout) {
  if (const auto known = routes_.find(layout.get()); known != routes_.end()) return known->second.route;
  if (routes_.size() >= most_routes_) {
    std::erase_if(routes_, [](const auto &each) { return each.second.layout.use_count() == 1; });
    most_routes_ = std::max<size_t>(16, 2 * routes_.size());
  }
  auto made = std::make_shared<const Route>(new_route(*layout));
  if (!reported_route_) reported_route_ = *made;
  routes_.emplace(layout.get(), KeptRoute{layout, made});
  return made;
}

Route Home::new_route(const Layout &layout) const {
  Route route = owners.route(layout);
  if (owners.by == WrittenBy::ranks) return prepared(std::move(route), layout);
  if (!writes_here()) return route;
  route.reason = context_.settings.servers.chooses()
                     ? "one rank on each node writes, in the calls or in a thread, by their cost"
                     : "a thread of one rank on each node writes while the model computes";
  if (has_chunks(maker) || layout.points() == nullptr) return route;  // chunks have owners
  PointRequest points = file_.settings().points;
  points.primaries = std::min(points.primaries, static_cast<int>(owners.of_ranges.size()));
  return with_points(std::move(route), points);
}

Route Home::prepared(Route route, const Layout &layout) const {
  if (!route.self) route.writers = owners.of_ranges;
  return layout.points() == nullptr ? route : with_points(std::move(route), file_.settings().points);
}

Readers Home::chosen_readers(bool can_read_together) const {
  const Reading asked = file_.settings().reading;
  if (asked == Reading::collective) return can_read_together ? Readers::together : Readers::writers;
  if (asked != Reading::automatic) return asked == Reading::writers ? Readers::writers : Readers::each;
  // Chunks are inflated by those who need them: one rank would inflate them all, one after the other.
  if (maker.kind().placing == Placing::by_chunk) return Readers::each;
  return owners.surroundings.shared_file_system || context_.node.shares_memory() ? Readers::writers : Readers::each;
}

std::vector<Territory> Home::pieces(int) const { return {}; }

bool Home::has_offsets() const { return maker.kind().placing == Placing::in_file; }

const Places &Home::places() const {
  // The definitions of a file that is only read do not contain the shape of its chunks.
  const Placing known = maker.kind().placing;
  const Placing placing = known == Placing::by_chunk && file_.mode == Mode::read ? Placing::in_chunks : known;
  if (places_ == nullptr)
    places_ = std::make_unique<Places>(
        file_.schema(), Places::Dependencies{placing, owners.surroundings.stripe_bytes, maker.access().chunks,
                                             static_cast<int>(owners.of_ranges.size()),
                                             file_.mode == Mode::data ? found_chunks_ : std::vector<Chunks>{}});
  return *places_;
}

Store &Home::store() {
  if (before_use) before_use();
  return handle.attached(file_.mode != Mode::read);
}

Reader &Home::lone_reader() {
  const Readers who = readers();
  const bool by_servers = who == Readers::servers && maker.kind().is_plug_in;
  if (who == Readers::owners_only || by_servers)
    throw Error(Status::unsupported,
                std::string("reading by one rank from a file that its ") + (by_servers ? "servers" : "writers") +
                    " have open together",
                "Close the file, and open it for reading")
        .in_file(file_.path());
  if (who != Readers::together) return store();
  return handle.lone([this] { return store_of(file_, maker, maker.access()); });
}

namespace {

/// Of a file that is no CDF file: those that it would take there.
int64_t bytes_of(const File &file) {
  const auto end_of = [](const PlacedSchema &schema) {
    return schema.places ? schema.places->record_begin + schema.records * schema.places->record_bytes : 0;
  };
  if (file.schema().places || has_places(file.schema().format)) return end_of(file.schema());
  PlacedSchema schema = file.schema();
  caught(file.context().rank(), [&] {
    schema.format = Format::cdf5;
    place_variables(schema, file.placement());
  });
  return end_of(schema);
}

/// Returns a remark on the requests that a CDF file ignores; "" if there are none.
std::string ignored_storage(const File &file) {
  const auto is_asked = [&](const Variable &each) {
    return each.storage != nullptr || pattern_for(file.settings().chunks, each.name) != nullptr;
  };
  const auto count = std::ranges::count_if(file.schema().variables, is_asked);
  if (!has_places(file.schema().format) || file.mode == Mode::read || count == 0) return "";
  return "chunks, compression, rounding and byte order, which " + std::to_string(count) +
         (count == 1 ? " variable was" : " variables were") + " to have, are for netCDF-4 and Zarr";
}

}  // namespace

FileReport Home::report() const {
  const Schema &schema = file_.schema();
  const Ledger &ledger = file_.ledger;
  FileReport all;
  all.path = file_.path();
  all.format = name_of(schema.format);
  all.kind = file_.mode == Mode::read ? "read" : file_.settings().kind == Kind::published ? "published" : "growing";
  all.store = maker.kind().name;
  for (const std::string &each : handle.store().remarks())
    all.remarks.push_back(relative_to(file_.name().directory(), each));
  if (const FileStripes &chosen = owners.surroundings.chosen; chosen.is_chosen() && !writes_here())
    all.remarks.push_back(in_words(chosen) + ", for which the servers have asked the file system");
  constexpr size_t most_omissions = 100;
  for (std::string &each : in_words(schema.omissions, most_omissions)) all.remarks.push_back(std::move(each));
  if (std::string ignored = ignored_storage(file_); !ignored.empty()) all.remarks.push_back(std::move(ignored));
  if (handle.store().counters().direct_refused)
    all.remarks.push_back(
        "file_system.direct_io: the file system refuses to write past the page cache, so all went through it");
  if (!maker.reported_policy().empty()) all.remarks.push_back(maker.reported_policy());
  if (!owners.remark.empty()) all.remarks.push_back(owners.remark);
  if (owners.surroundings.late && file_.mode != Mode::read && file_.settings().durability == Durability::written)
    all.remarks.push_back(
        "each commit is synchronised, since other hosts see late what one has written (key: visibility)");
  const std::string other = context_.servers == nullptr ? "" : context_.servers->remark_on(file_);
  if (!other.empty()) all.remarks.push_back(other);
  if (reported_route_) {
    all.route = reported_route_->name;
    all.reason = reported_route_->reason;
    all.io_nx = reported_route_->io_nx;
    all.io_ny = reported_route_->io_ny;
    all.writers = static_cast<int>(reported_route_->writers.size());
  } else if (file_.mode == Mode::data) {  // nothing but sub-arrays, replicated values and combined requests
    all.route = "ranges";
    all.writers = static_cast<int>(owners.of_combined().size());
  }
  all.bytes = bytes_of(file_);
  all.records = schema.records;
  all.redefinitions = ledger.redefinitions();
  all.moved_bytes = ledger.moved_bytes();
  all.range_errors = file_.range_errors.summed();
  all.outcome = ledger.outcome();
  return all;
}

void Home::check_chunks() const {
  const bool is_new = file_.mode == Mode::define && maker.kind().placing != Placing::in_file;
  for (int v = 0; is_new && v < std::ssize(file_.schema().variables); ++v) {
    const Variable &each = file_.variable(v);
    check_bound(each, quantization_of(file_.schema(), each, file_.settings().chunks));
    places().stripe_bytes(v);
  }
}

void Home::check_promises() const {
  const FileSettings &settings = file_.settings();
  const StoreKind &kind = maker.kind();
  if (settings.virtual_index && !kind.exposes_offsets && file_.mode != Mode::read)
    throw Error(Status::config, "virtual_index: true, for a file of the store '" + kind.name + "'",
                "Choose the store cdf or netcdf4: these know where values stand")
        .in_file(file_.path());
  if (settings.durability != Durability::ordered || kind.has_all_calls || settings.kind == Kind::published) return;
  throw Error(Status::config, "durability: ordered, in a growing file of the store '" + kind.name + "'",
              "Choose on_disk or written, or the store cdf: this one's library counts records by itself")
      .in_file(file_.path());
}

namespace {

/// Whether it is a set that is written, of whose pieces a library holds something back.
bool is_set_of_library(const File &file) {
  if (file.mode != Mode::data || !file.has_home() || file.schema().variables.empty()) return false;
  const Home &home = file.home();
  return home.maker.kind().is_plug_in && home.handle.is_attached() && !home.pieces(0).empty();
}

}  // namespace

void check_readable(const File &file) {
  if (file.ledger.failed()) throw Error(file.ledger.failure());
  if (file.mode == Mode::define || file.mode == Mode::series) file.require(Mode::data, "reading");
  if (is_set_of_library(file)) file.home().handle.store().admit(file.schema().records);
}

void fail(File &file, const Error &error, Failed failed) {
  Ledger &ledger = file.ledger;
  ledger.fail(Error(error).relative_to(file.name().directory()));
  file.on_disk.forget();
  // Its puts are lost, or not known to be in the file.
  if (file.mode != Mode::read) file.on_disk.is_behind(file.context().disk.steps_ended());
  file.context().note(ledger.failure());
  if (failed == Failed::itself && file.has_home()) file.home().handle.store().mark_failed_everywhere();
}

void or_fail(File &file, const std::function<void()> &action) {
  try {
    action();
  } catch (const Error &failure) {
    fail(file, failure);
    throw;
  }
}

}  // namespace sv
