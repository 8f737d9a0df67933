#include "engine/file.hpp"

#include <algorithm>
#include <numeric>

#include "backend/backend.hpp"
#include "base/signature.hpp"
#include "engine/client.hpp"
#include "engine/combine.hpp"
#include "engine/commit.hpp"
#include "engine/file_system.hpp"
#include "engine/file_trace.hpp"
#include "engine/orders.hpp"
#include "engine/request_codec.hpp"
#include "engine/series.hpp"
#include "store/listing.hpp"
#include "store/positional_file.hpp"

namespace sv {

namespace {

constexpr int64_t shared_flag = 1, set_flag = 2, format_unit = 4;  // what rank 0 tells of a file that is opened

}  // namespace

Slab slab_of(int variable, int64_t record, const Share &share) {
  return {variable, std::max<int64_t>(record, 0), share.box, share.first, share.last};
}

std::string call_text(const char *function, const File &file, int variable, int64_t record) {
  std::string text = std::string(function) + "('" + file.path() + "'";
  const auto &variables = file.schema().variables;
  if (variable >= 0 && variable < static_cast<int>(variables.size()))
    text += ", '" + variables[static_cast<size_t>(variable)].name + "'";
  else
    text += ", variable id " + std::to_string(variable);
  if (record >= 0) text += ", record " + file.context().text_of_record(record);
  if (file.is_packed(variable)) text += ", packed";
  return text + ")";
}

File::File(Context &context, std::string path, const FileSettings &settings)
    : context_(context),
      path_(std::move(path)),
      settings_(settings),
      store_(make_cdf_store(path_, settings.kind)),
      orders_(std::make_shared<Orders>()) {
  context_.require_model("'" + path_ + "'");
  if (context.metrics().steps != nullptr) trace_ = std::make_shared<FileTrace>(*this, *context.metrics().steps);
}

trace::Subject File::subject(int variable) const {
  return trace_ == nullptr || series_ != nullptr ? trace::Subject{} : trace_->subject(variable);
}

WatchSettings File::watch() const { return {context_.node().watchdog_seconds(), context_.settings().watchdog_abort}; }

std::unique_ptr<File> File::create(Context &context, const std::string &path, const FileSettings &settings,
                                   bool exclusive) {
  context.settle("sv_create", path);
  std::unique_ptr<File> file(new File(context, path, settings));
  file->schema_.format = format_of(settings);
  file->exclusive_ = exclusive;
  file->begin();
  return file;
}

void File::begin() {
  share_compression();
  Agreed found{};
  const auto error = caught(context_.rank(), [&] {
    if (path_.empty()) throw Error(Status::invalid, "the path is empty", "Give the file a name");
    context_.require_unwritten(path_);
    maker_ = StoreMaker(settings_, watch(), schema_.format);
    choose_servers();
    if (context_.rank() != owner_rank) return;
    if (maker_.has_team()) backend(maker_.name());  // told now where it is not there
    check_can_create(path_, exclusive_);
    surroundings_ = surroundings_of(path_, settings_.stripe_bytes);
    found = {surroundings_.shared_file_system ? 1 : 0, surroundings_.stripe_bytes, surroundings_.stripe_count, 0};
  });
  const std::string how = std::string(settings_.kind == Kind::growing ? ", growing" : "") +
                          (exclusive_ ? ", new" : "") +
                          (settings_.format == Format::automatic ? "" : ", " + sv::name_of(settings_.format));
  found = context_.agree("sv_create('" + path_ + "'" + how + ")", error, found);
  surroundings_ = {found[0] != 0, found[1], static_cast<int>(found[2])};
}

std::pair<std::vector<std::byte>, Agreed> File::read_header() {
  PhaseTimer timer(context_.metrics(), Phase::read_meta);
  std::vector<std::byte> header;
  Agreed told{};
  const auto error = caught(context_.rank(), [&] {
    if (path_.empty()) throw Error(Status::invalid, "the path is empty", "Give the name of a file");
    if (writing_) context_.require_unwritten(path_);
    if (context_.rank() != owner_rank) return;
    const bool set = presence_of(path_) == Presence::absent && presence_of(piece_path(path_, 0)) == Presence::file;
    schema_ = read_definitions(set ? piece_path(path_, 0) : path_);
    header = encode_header(schema_);
    const Surroundings found = surroundings_of(path_, settings_.stripe_bytes);
    told = {static_cast<int64_t>(header.size()), found.stripe_bytes, schema_.records,
            (found.shared_file_system ? shared_flag : 0) + (set ? set_flag : 0) +
                format_unit * static_cast<int64_t>(schema_.format)};
  });
  told = context_.agree("sv_open('" + path_ + "'" + (writing_ ? ", for writing" : "") + ")", error, told);
  header.resize(static_cast<size_t>(told[0]));
  context_.comm().broadcast(header.data(), told[0], owner_rank);
  return {std::move(header), told};
}

std::unique_ptr<File> File::open(Context &context, const std::string &path, const FileSettings &settings,
                                 bool writing) {
  context.settle("sv_open", path);
  FileSettings growing = settings;
  if (writing) growing.kind = Kind::growing;
  std::unique_ptr<File> file(new File(context, path, growing));
  file->writing_ = writing;
  const auto [header, told] = file->read_header();
  PhaseTimer timer(context.metrics(), Phase::open);
  file->mode_ = writing ? Mode::data : Mode::read;
  const auto format = static_cast<Format>(told[3] / format_unit);
  file->surroundings_ = {(told[3] & shared_flag) != 0, told[1], 1};
  Schema schema;
  const auto understood = caught(context.rank(), [&, &bytes = header] {
    schema = decode_header(bytes.data(), static_cast<int64_t>(bytes.size()), -1);
    schema.format = format;
    file->maker_ = StoreMaker(file->store_settings(format), file->watch(), format);
    if (writing) file->check_durability();
  });
  context.agree("sv_open('" + path + "'), its store", file->located(-1, understood));
  if ((told[3] & set_flag) != 0) {
    file->view_set(schema);
  } else {
    file->schema_ = schema;
    file->schema_.records = file->pending_records_ = told[2];
  }
  file->touched_fixed_.assign(file->schema_.variables.size(), true);
  if (!file->is_set() && (writing || settings.reading == Reading::servers)) file->choose_servers();
  if (writing) file->check_primaries();
  file->open_store();
  file->orders_->find(file->schema_);
  return file;
}

/// The store that the settings name is for files that are made; what is opened has the one of its format, or PnetCDF.
FileSettings File::store_settings(Format format) const {
  FileSettings settings = settings_;
  const bool pnetcdf = settings.store == StoreName::pnetcdf && !is_netcdf4(format);
  if (!pnetcdf) settings.store = StoreName::automatic;
  return settings;
}

void File::open_store() {
  if (is_served()) return context_.client()->open(*this, surroundings_);
  const std::string call = "sv_open('" + path_ + "'), told";
  if (writing_) {
    context_.agree(call + " its writers", located(-1, caught(context_.rank(), [&] {
                     choose_owners();
                     if (!is_set()) choose_team();
                   })));
    if (!is_set()) store_ = new_store();
  } else if (!is_set()) {
    store_ = reads_together() ? maker_.make(path_, settings_.kind, maker_.reading_access(context_.comm()))
                              : maker_.make(path_, settings_.kind);
  }
  const auto failed = caught(context_.rank(), [&] {
    if (!writing_ && reads_together()) attached_store();
    if (!writing_ || !is_owner()) return;
    store_->reopen(schema_);
    attached_ = true;
  });
  context_.agree(call, located(-1, failed));
}

void File::compare_definitions() {
  const std::string mine = listing_of(schema_, axes_);
  const auto hash = static_cast<int64_t>(signature_of(mine) >> 2);
  const auto length = static_cast<int64_t>(mine.size());
  const Agreed agreed = context_.agree("sv_enddef('" + path_ + "')", [this] { require(Mode::define, "sv_enddef"); },
                                       {hash, -hash, context_.rank() == owner_rank ? length : 0, 0});
  if (agreed[0] == -agreed[1]) return;
  std::string root = mine;
  root.resize(static_cast<size_t>(agreed[2]));
  context_.comm().broadcast(root.data(), agreed[2], owner_rank);
  context_.agree("sv_enddef, compared", [&] {
    const std::string difference = difference_of(root, mine, "rank 0", "this rank");
    if (!difference.empty())
      throw Error(Status::define, "ranks defined different things: " + difference,
                  "Make the same definitions on every rank, in the same order")
          .in_file(path_);
  });
}

void File::check_access() const {
  const bool set = settings_.route.name == "per_pe" || settings_.route.name == "per_domain";
  if (settings_.access == FileAccess::combined || (!maker_.has_team() && !set && !is_served())) return;
  throw Error(Status::config, "file_access: independent, in a file that is not written like that",
              "It goes with single files of the store cdf, without servers");
}

/// A library that counts the records itself does so before they are on the disk.
void File::check_durability() const {
  if (!is_ordered() || !maker_.has_team() || settings_.kind == Kind::published) return;
  throw Error(Status::config, "durability: ordered, in a growing file of the store '" + maker_.name() + "'",
              "Choose on_disk or written, or the store cdf: this one's library counts records by itself")
      .in_file(path_);
}

/// Of files of servers, whose primaries are some of those that write.
void File::check_primaries() const {
  const auto owners = static_cast<int>(range_owners_.size());
  if (!is_served() || !settings_.points.reorder || settings_.points.primaries <= owners) return;
  throw Error(Status::config,
              "primaries = " + std::to_string(settings_.points.primaries) + " of " + std::to_string(owners) +
                  (owners == 1 ? " server" : " servers") + " that write the file",
              "Ask for more 'servers' or 'writers', fewer 'server_groups', or fewer 'primaries'")
      .in_file(path_);
}

void File::end_define() {
  names_ = {};
  extents_ = nullptr;
  compare_definitions();
  if (series_ != nullptr) return series_->end_define();
  const int known = before_ == nullptr ? 0 : static_cast<int>(before_->variables.size());
  before_ == nullptr ? begin_data() : end_redefine();
  orders_->find(schema_);
  orders_->write(*this, known);
}

void File::begin_data() {
  try {
    const auto step = [this](const char *what, const std::function<void()> &action) {
      context_.agree(what, located(-1, caught(context_.rank(), action)));
    };
    step("sv_enddef, placed", [&] {
      place_variables(schema_, placement());
      for (int v = 0; is_served() && v < static_cast<int>(schema_.variables.size()); ++v)
        stripe_bytes(v);  // checks chunks
      check_access();
      check_durability();
      check_primaries();
      if (is_served()) return;
      choose_owners();
      if (settings_.route.name == "per_pe" || settings_.route.name == "per_domain")
        divide();
      else
        choose_team();
      if (is_set() && orders_->given())
        throw Error(Status::define, "a set of files has no order of points",
                    "Choose a route that writes one file, or define no order");
      for (int v = 0; has_team() && v < static_cast<int>(schema_.variables.size()); ++v)
        stripe_bytes(v);  // checks chunks
    });
    if (is_served()) {
      context_.client()->create(*this, surroundings_, exclusive_);
    } else {
      if (!is_set()) store_ = new_store();
      step("sv_enddef, created", [&] {
        if (!is_owner()) return;
        store_->create(schema_, exclusive_);
        attached_ = true;
      });
    }
  } catch (const Error &failure) {
    fail(failure);
    throw;
  }
  mode_ = Mode::data;
  touched_fixed_.assign(schema_.variables.size(), false);
}

std::string File::name_of(int variable) const {
  const bool known = variable >= 0 && variable < static_cast<int>(schema_.variables.size());
  return (known ? "'" + schema_.variables[static_cast<size_t>(variable)].name + "'"
                : "variable id " + std::to_string(variable)) +
         " of '" + path_ + "'";
}

std::optional<Error> File::located(int variable, std::optional<Error> error) const {
  if (error && variable >= 0 && variable < static_cast<int>(schema_.variables.size()))
    error->in_variable(schema_.variables[static_cast<size_t>(variable)].name);
  if (error) error->in_file(path_).count_records_from(context_.first_record());
  return error;
}

Store &File::attached_store() {
  if (!attached_) store_->attach(schema_, writing_);
  attached_ = true;
  return *store_;
}

RequestMemory &File::request_memory() {
  if (request_memory_ == nullptr) request_memory_ = std::make_shared<RequestMemory>();
  return *request_memory_;
}

void File::rest() {
  if (attached_ && settings_.access == FileAccess::independent) store_->rest();
}

const Route &File::route(const std::shared_ptr<const Layout> &layout) {
  if (is_set()) return set_route_;
  if (is_served() && routes_.empty()) routes_.emplace_back(nullptr, route_of_ranges());
  if (is_served()) return routes_.front().second;
  for (const auto &[known, route] : routes_)
    if (known == layout) return route;
  Route route = resolve(settings_.route, *layout, context_.topology(), surroundings_);
  if (has_team() && !writes_within_team(*layout)) {
    route = route_of_ranges();
    route.reason = "only these ranks have opened the file";
  }
  if (shares_compression_) route.reason = "compressing keeps a writer busy, so several compress on each node";
  if (!route.self) route.writers = range_owners_;
  if (layout->points() != nullptr) route = with_points(std::move(route), settings_.points);
  routes_.emplace_back(layout, std::move(route));
  return routes_.back().second;
}

bool File::reads_through_writers() const {
  if (reads_through_servers()) return true;
  if (only_writers_read()) return true;
  if (settings_.reading == Reading::collective) return !reads_together();
  if (settings_.reading != Reading::automatic) return settings_.reading == Reading::writers;
  return surroundings_.shared_file_system || context_.node().shares_memory();
}

Route File::ranges_of(const RouteRequest &request) const {
  const Layout any({1}, context_.comm().size(), {}, true);  // owners of ranges do not depend on it
  return resolve(request, any, context_.topology(), surroundings_);
}

void File::choose_owners() {
  const RouteRequest &asked = settings_.route;
  const bool counted = asked.writers.kind == Writers::Kind::count || asked.writers.kind == Writers::Kind::per_node;
  const bool ranges = asked.name == "ranges" || (asked.name == "auto" && asked.io_nx == 0 && asked.io_ny == 0);
  if (context_.is_of_servers()) {  // the first of them, as served_plan has it
    range_owners_.resize(static_cast<size_t>(asked.writers.n));
    std::iota(range_owners_.begin(), range_owners_.end(), 0);
  } else if (asked.name == "serial") {
    range_owners_ = ranges_of({"serial", 0, 0, {}}).writers;
  } else if (counted || (ranges && asked.writers.kind != Writers::Kind::self)) {
    range_owners_ = ranges_of({"ranges", 0, 0, asked.writers}).writers;
  }
}

std::vector<int> File::combining_owners() const {
  const RouteRequest &asked = settings_.route;
  const bool counted = asked.writers.kind == Writers::Kind::count || asked.writers.kind == Writers::Kind::per_node;
  const bool chosen = counted || asked.name == "serial" || has_team();
  return chosen ? range_owners_ : ranges_of({"ranges", 0, 0, {}}).writers;
}

Route File::route_of_ranges() const {
  if (is_set()) return set_route_;
  if (is_served()) return {"servers", 0, 0, false, range_owners_, "servers write it while the model computes"};
  return {"ranges", 0, 0, false, range_owners_, {}};
}

bool File::is_owner() const {
  return is_served() ? false : is_set() || (has_team() ? in_team() : context_.rank() == owner_rank);
}

Route File::reading_route() const {
  if (only_writers_read() || reads_through_servers()) return route_of_ranges();
  RouteRequest request;
  request.name = "ranges";
  if (settings_.route.writers.kind == Writers::Kind::count || settings_.route.writers.kind == Writers::Kind::per_node)
    request.writers = nearest_writers(settings_.route.writers, context_.topology());
  return ranges_of(request);
}

bool File::touched(int variable, int64_t record) const {
  if (!this->variable(variable).has_records) return touched_fixed_[static_cast<size_t>(variable)];
  if (record < schema_.records) return true;
  const auto found = touched_records_.find(record);
  return found != touched_records_.end() && found->second[static_cast<size_t>(variable)];
}

void File::touch(int variable, int64_t record) {
  dirty_ = true;
  if (!this->variable(variable).has_records) {
    touched_fixed_[static_cast<size_t>(variable)] = true;
    return;
  }
  pending_records_ = std::max(pending_records_, record + 1);
  if (record < schema_.records) return;
  std::vector<bool> &of_record = touched_records_[record];
  of_record.resize(schema_.variables.size());
  of_record[static_cast<size_t>(variable)] = true;
}

void File::touch_fixed() { touched_fixed_.assign(schema_.variables.size(), true); }

void File::committed() {
  schema_.records = std::max(schema_.records, pending_records_);
  touched_records_.erase(touched_records_.begin(), touched_records_.lower_bound(schema_.records));
  dirty_ = replaces_committed_ = false;
  if (trace_ != nullptr) trace_->committed();
}

void File::fail(const Error &error) {
  if (failure_ == nullptr) failure_ = std::make_shared<Error>(error);
  lags_.clear();
  sync_job_ = nullptr;
  if (mode_ != Mode::read) leave_unsynced();  // what was put into it is lost, or not known to be there
  leave_unsynced();
  context_.note(*failure_);
  if (store_ != nullptr) store_->all_know();
}

void File::count_misfits(int variable, OutOfRange values, const FirstMisfit &first) {
  context_.metrics().out_of_range += values;
  if (settings_.out_of_range != Misfit::refuse) misfits_->count(variable, values, first);
}

void File::detach() {
  if (lone_store_) std::exchange(lone_store_, nullptr)->detach();
  if (!attached_) return;
  attached_ = false;
  wrote_ = mode_ == Mode::data;
  store_->detach();
}

void File::count_store() {
  const StoreCounters now = store_->counters();
  Metrics &metrics = context_.metrics();
  metrics.writes += now.writes - counted_.writes;
  metrics.written_bytes += now.written_bytes - counted_.written_bytes;
  metrics.reads += now.reads - counted_.reads;
  metrics.read_bytes += now.read_bytes - counted_.read_bytes;
  counted_ = now;
}

void File::close() {
  if (series_ != nullptr) return series_->close();
  if (closed_) return;  // when the run was asked to stop
  if (const auto complaint = complete()) throw Error(*complaint);
}

std::optional<Error> File::complete() {
  Context::Beside beside(context_);
  std::optional<Error> complaint;
  const auto step = [this](const std::string &what, const std::function<void()> &action) {
    const Agreed values{misfits_->any() ? 1 : 0};
    return context_.agree("sv_close('" + path_ + "')" + what, located(-1, caught(context_.rank(), action)), values)[0];
  };
  int64_t misfits = 0;
  try {
    step("", [this] {
      if (failure_ != nullptr) throw *failure_;
      if (mode_ == Mode::define) throw Error(Status::order, "closed in define mode", "Call sv_enddef first");
    });
    if (mode_ != Mode::define) complaint = complete_all(*this);
    if (mode_ == Mode::data) commit(*this, "sv_close", true);
    if (failure_ != nullptr) throw Error(*failure_);  // its servers have told meanwhile
    misfits = step(", detached", [this] { detach(); });
    if (is_served())
      context_.client()->tell(Command::What::close, *this);
    else if (mode_ == Mode::data)
      step(", finished", [this] {
        if (is_owner()) store_->finish();
      });
  } catch (const Error &error) {
    fail(error);
    abandon();
    context_.forget_news(error);
    throw;
  }
  closed_ = true;
  leave_to_be_synced();
  outcome_ = "complete";
  if (trace_ != nullptr) trace_->closed();
  count_store();
  if (misfits > 0) all_misfits_ = gather_misfits(*this);
  warn_of(*this, all_misfits_);
  context_.keep_report(*this);
  return complaint ? complaint : beside.news();
}

void File::abandon() noexcept {
  if (closed_) return;
  closed_ = true;
  outcome_ = "abandoned";
  if (failure_ != nullptr) outcome_ += std::string(": ") + failure_->what();
  if (const auto error = caught(context_.rank(), [this] { detach(); })) outcome_ += std::string("; ") + error->what();
  if (is_owner() && mode_ != Mode::read) store_->abandon();
  leave_to_be_synced();
  if (is_served() && mode_ != Mode::define)
    if (const auto error = caught(context_.rank(), [this] { context_.client()->tell(Command::What::abandon, *this); }))
      outcome_ += std::string("; ") + error->what();
  if (trace_ != nullptr) caught(context_.rank(), [this] { trace_->closed(); });  // what it cannot tell, it does not
  count_store();
  context_.keep_report(*this);
}

FileReport File::report() const {
  FileReport all;
  all.path = path_;
  all.format = sv::name_of(schema_.format);
  all.store = maker_.name();
  all.remarks = store_->remarks();
  if (has_team()) all.remarks.push_back(aggregators());
  if (!remark_.empty()) all.remarks.push_back(remark_);
  all.kind = mode_ == Mode::read ? "read" : settings_.kind == Kind::published ? "published" : "growing";
  if (is_set() || !routes_.empty()) {
    const Route &route = is_set() ? set_route_ : routes_.front().second;
    all.route = route.name;
    all.reason = route.reason;
    all.io_nx = route.io_nx;
    all.io_ny = route.io_ny;
    all.writers = static_cast<int>(route.writers.size());
  } else if (mode_ == Mode::data) {  // nothing but sub-arrays, replicated values and combined requests
    all.route = "ranges";
    all.writers = static_cast<int>(combining_owners().size());
  }
  all.bytes = schema_.record_begin + schema_.records * schema_.record_bytes;
  all.records = schema_.records;
  all.redefinitions = redefinitions_;
  all.moved_bytes = moved_bytes_;
  all.misfits = all_misfits_;
  all.outcome = outcome_.empty() ? "open" : outcome_;
  return all;
}

}  // namespace sv
