#include "engine/file.hpp"

#include <algorithm>

#include "engine/commit.hpp"
#include "engine/extents.hpp"
#include "engine/file_system.hpp"
#include "engine/listing.hpp"

namespace sv {

namespace {

constexpr int owner_rank = 0;  // the rank that writes the header and the record count

}  // namespace

std::string call_text(const char *function, const File &file, int variable, int64_t record) {
  std::string text = std::string(function) + "('" + file.path() + "'";
  const auto &variables = file.schema().variables;
  if (variable >= 0 && variable < static_cast<int>(variables.size()))
    text += ", '" + variables[static_cast<size_t>(variable)].name + "'";
  else
    text += ", variable id " + std::to_string(variable);
  if (record >= 0) text += ", record " + std::to_string(record);
  return text + ")";
}

File::File(Context &context, std::string path, const FileSettings &settings)
    : context_(context), path_(std::move(path)), settings_(settings), store_(make_cdf_store(path_, settings.kind)) {}

std::unique_ptr<File> File::create(Context &context, const std::string &path, const FileSettings &settings,
                                   bool exclusive) {
  std::unique_ptr<File> file(new File(context, path, settings));
  file->schema_.format = settings.format;
  Agreed found{};
  const auto error = caught(context.rank(), [&] {
    if (path.empty()) throw Error(Status::invalid, "the path is empty", "Give the file a name");
    if (context.rank() != owner_rank) return;
    check_can_create(path, exclusive);
    file->surroundings_ = surroundings_of(path, settings.stripe_bytes);
    found = {file->surroundings_.shared_file_system ? 1 : 0, file->surroundings_.stripe_bytes,
             file->surroundings_.stripe_count, 0};
  });
  const std::string how =
      std::string(settings.kind == Kind::growing ? ", growing" : "") + (exclusive ? ", new" : "") +
      (settings.format == Format::automatic ? "" : ", CDF-" + std::to_string(static_cast<int>(settings.format)));
  found = context.agree("sv_create('" + path + "'" + how + ")", error, found);
  file->surroundings_ = {found[0] != 0, found[1], static_cast<int>(found[2])};
  return file;
}

std::unique_ptr<File> File::open(Context &context, const std::string &path, const FileSettings &settings,
                                 bool writing) {
  FileSettings growing = settings;
  if (writing) growing.kind = Kind::growing;
  std::unique_ptr<File> file(new File(context, path, growing));
  std::vector<std::byte> header;
  Agreed told{};
  const auto error = caught(context.rank(), [&] {
    if (context.rank() != owner_rank) return;
    PhaseTimer timer(context.metrics(), Phase::read_meta);
    file->schema_ = read_schema(path);
    header = encode_header(file->schema_);
    file->surroundings_ = surroundings_of(path, settings.stripe_bytes);
    told = {static_cast<int64_t>(header.size()), file->surroundings_.stripe_bytes, file->schema_.records,
            file->surroundings_.shared_file_system ? 1 : 0};
  });
  told = context.agree("sv_open('" + path + "'" + (writing ? ", for writing" : "") + ")", error, told);
  header.resize(static_cast<size_t>(told[0]));
  context.comm().broadcast(header.data(), told[0], owner_rank);
  if (context.rank() != owner_rank) {
    file->schema_ = decode_header(header.data(), told[0], -1);
    file->schema_.records = told[2];
    file->surroundings_ = {told[3] != 0, told[1], 1};
  }
  file->writing_ = writing;
  file->mode_ = writing ? Mode::data : Mode::read;
  file->pending_records_ = file->schema_.records;
  file->touched_fixed_.assign(file->schema_.variables.size(), true);
  if (writing) {
    context.agree("sv_open, reopened", [&] {
      if (context.rank() != owner_rank) return;
      file->store_->reopen(file->schema_);
      file->attached_ = true;
    });
  }
  return file;
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
    const std::string difference = difference_of(root, mine);
    if (!difference.empty())
      throw Error(Status::define, difference, "Make the same definitions on every rank, in the same order")
          .in_file(path_);
  });
}

void File::end_define() {
  compare_definitions();
  try {
    context_.agree("sv_enddef, created", [&] {
      place_variables(schema_, Placement{settings_.header_reserve_bytes, 4096, 8});
      if (context_.rank() != owner_rank) return;
      store_->create(schema_, false);
      attached_ = true;
    });
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
  if (error) error->in_file(path_);
  return error;
}

Store &File::attached_store() {
  if (!attached_) store_->attach(schema_, writing_);
  attached_ = true;
  return *store_;
}

void File::sync_attached() {
  if (attached_) store_->sync();
}

Field File::field(int variable, int64_t record) const {
  const Variable &each = this->variable(variable);
  return {schema_.slab_shape(each), 0, size_of(each.type), schema_.slab_offset(variable, std::max<int64_t>(record, 0))};
}

const Route &File::route(const std::shared_ptr<const Layout> &layout) {
  for (const auto &[known, route] : routes_)
    if (known == layout) return route;
  Route route = resolve(settings_.route, *layout, context_.topology(), surroundings_);
  if (!route.self) {
    if (owners_fixed_) route.writers = range_owners_;
    range_owners_ = route.writers;
    owners_fixed_ = true;
  }
  routes_.emplace_back(layout, std::move(route));
  return routes_.back().second;
}

bool File::reads_through_writers() const {
  if (settings_.reading != Reading::automatic) return settings_.reading == Reading::writers;
  return surroundings_.shared_file_system || context_.node().shares_memory();
}

Route File::reading_route(const std::shared_ptr<const Layout> &layout) const {
  RouteRequest request;
  request.name = "ranges";
  if (settings_.route.writers.kind == Writers::Kind::count || settings_.route.writers.kind == Writers::Kind::per_node)
    request.writers = settings_.route.writers;
  return resolve(request, *layout, context_.topology(), surroundings_);
}

std::unique_ptr<ExtentMap> File::extents() const { return std::make_unique<SchemaExtents>(schema_); }

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

std::vector<std::pair<int, int64_t>> File::untouched(int64_t records, bool fixed_too) const {
  std::vector<std::pair<int, int64_t>> slabs;
  for (int v = 0; v < static_cast<int>(schema_.variables.size()); ++v) {
    if (!schema_.variables[static_cast<size_t>(v)].has_records) {
      if (fixed_too && !touched(v, 0)) slabs.emplace_back(v, 0);
      continue;
    }
    for (int64_t record = schema_.records; record < records; ++record)
      if (!touched(v, record)) slabs.emplace_back(v, record);
  }
  return slabs;
}

void File::committed(int64_t records) {
  schema_.records = std::max(schema_.records, records);
  touched_records_.erase(touched_records_.begin(), touched_records_.lower_bound(schema_.records));
  dirty_ = false;
}

void File::fail(const Error &error) {
  if (failure_ == nullptr) failure_ = std::make_shared<Error>(error);
}

void File::detach() {
  if (!attached_) return;
  attached_ = false;
  store_->detach();
}

void File::count_store() {
  const StoreCounters counted = store_->counters();
  Metrics &metrics = context_.metrics();
  metrics.writes += counted.writes;
  metrics.written_bytes += counted.written_bytes;
  metrics.reads += counted.reads;
  metrics.read_bytes += counted.read_bytes;
}

void File::close() {
  const auto give_up = [this](const Error &error) {
    fail(error);
    abandon();
  };
  try {
    context_.agree("sv_close('" + path_ + "')", [this] {
      if (mode_ == Mode::define)
        throw Error(Status::order, "closed in define mode", "Call sv_enddef first").in_file(path_);
      if (mode_ == Mode::data) check_writable();
    });
    if (mode_ == Mode::data) commit_all(*this);
    context_.agree("sv_close, detached", [this] { detach(); });
    if (mode_ == Mode::data)
      context_.agree("sv_close, finished", [this] {
        if (context_.rank() == owner_rank) store_->finish();
      });
  } catch (const Error &error) {
    give_up(error);
    throw;
  }
  closed_ = true;
  outcome_ = "complete";
  count_store();
  context_.reports.push_back(report());
}

void File::abandon() noexcept {
  if (closed_) return;
  closed_ = true;
  outcome_ = "abandoned";
  try {
    if (failure_ != nullptr) outcome_ += std::string(": ") + failure_->what();
    detach();
  } catch (const Error &error) {
    outcome_ += std::string("; ") + error.what();
  }
  if (context_.rank() == owner_rank && mode_ != Mode::read) store_->abandon();
  count_store();
  context_.reports.push_back(report());
}

FileReport File::report() const {
  FileReport all;
  all.path = path_;
  all.format = "CDF-" + std::to_string(static_cast<int>(schema_.format));
  all.kind = mode_ == Mode::read ? "read" : settings_.kind == Kind::published ? "published" : "growing";
  if (!routes_.empty()) {
    const Route &route = routes_.front().second;
    all.route = route.name;
    all.reason = route.reason;
    all.io_nx = route.io_nx;
    all.io_ny = route.io_ny;
    all.writers = static_cast<int>(route.writers.size());
  }
  all.bytes = schema_.record_begin + schema_.records * schema_.record_bytes;
  all.records = schema_.records;
  all.outcome = outcome_.empty() ? "open" : outcome_;
  return all;
}

}  // namespace sv
