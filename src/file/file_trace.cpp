#include "file/file_trace.hpp"

#include <algorithm>
#include <filesystem>

#include "base/json.hpp"
#include "file/home.hpp"
#include "model/chunks.hpp"
#include "plan/pieces.hpp"

namespace sv {

namespace {

constexpr auto *no_value = "null";

template <class Numbers>
std::string json_numbers(const Numbers &numbers) {
  std::vector<std::string> texts;
  for (const auto number : numbers) texts.push_back(json_number(static_cast<int64_t>(number)));
  return json_array(texts);
}

std::string json_index(const Index &index) { return json_numbers(std::vector(index.begin(), index.end())); }

/// As the tracer names it, too.
std::string full_path(const std::string &path) {
  std::error_code failed;
  const std::filesystem::path full = std::filesystem::weakly_canonical(std::filesystem::absolute(path, failed), failed);
  return failed ? path : full.string();
}

}  // namespace

bool FileTrace::leads() const { return file_.context().rank() == 0 && !file_.context().options.of_servers; }

/// Whether it is one file in which a place identifies the positions of values.
bool FileTrace::has_offsets() const { return file_.has_home() && file_.home().has_offsets(); }

trace::Subject FileTrace::subject(int variable) {
  if (number_ == 0) {
    path_ = full_path(file_.place());
    number_ = steps_.recorder().file(path_);
  }
  if (variable < 0 || variable >= std::ssize(file_.schema().variables)) return {number_, 0};
  const auto [known, is_new] = variables_.try_emplace(variable);
  if (is_new)
    known->second =
        steps_.recorder().variable(number_, variable, file_.schema().variables[static_cast<size_t>(variable)].name);
  return {number_, known->second};
}

void FileTrace::note(const char *kind, JsonMembers members) {
  const uint32_t number = subject(-1).file;
  members.insert(members.begin(), {{"kind", json_text(kind)}, {"file", json_text(path_)}});
  steps_.recorder().note(json_object(members), number);
}

std::string FileTrace::json_variable(int id) const {
  const Schema &schema = file_.schema();
  const Variable &each = file_.variable(id);
  std::vector<std::string> dims;
  for (const int dim : each.slab_dims()) dims.push_back(json_text(file_.definitions.dim(dim).name));
  const Chunks chunks = file_.home().places().chunks(id);
  Index chunk(0, 0);
  for (int d = each.record_axes(); d < chunks.shape.n; ++d) chunk.push(chunks.shape[d]);
  return json_object({{"name", json_text(each.name)},
                      {"begin_bytes", has_offsets() ? json_number(file_.schema().place(id).begin) : no_value},
                      {"shape", json_index(schema.slab_shape(each))},
                      {"dims", json_array(dims)},
                      {"type_bytes", json_number(size_of(each.type))},
                      {"record", each.has_records ? "true" : "false"},
                      {"chunks", chunks.kind == Chunks::Kind::shaped ? json_index(chunk) : no_value}});
}

std::string FileTrace::variables() const {
  std::vector<std::string> all;
  for (int v = 0; v < std::ssize(file_.schema().variables); ++v) all.push_back(json_variable(v));
  return json_array(all);
}

/// The ranks that write, by their numbers in the trace, ascending. `layout` and `route`: of a put, or nullptr.
std::vector<int> FileTrace::writers(const Layout *layout, const Route *route) const {
  Home &home = file_.home();
  if (!others_.empty()) return others_;
  std::vector<int> ranks;
  for (const Territory &piece : home.pieces(0)) ranks.push_back(piece.rank);
  if (ranks.empty()) ranks = route == nullptr ? home.owners.of_combined() : home.owners.writers(*layout, *route);
  std::set<int> numbers;
  for (const int rank : ranks) numbers.insert(file_.context().trace_ranks[static_cast<size_t>(rank)]);
  return {numbers.begin(), numbers.end()};
}

/// Again when a route is known that was not.
void FileTrace::describe(const Layout *layout, const Route *route) {
  if (!leads() || (described_ && (has_route_ || route == nullptr))) return;
  described_ = true;
  has_route_ = route != nullptr;
  const FileReport report = file_.home().report();
  const std::string io_layout = report.io_nx > 0 ? json_numbers(std::vector{report.io_nx, report.io_ny}) : no_value;
  const bool places = has_offsets();
  const bool writes = file_.mode != Mode::read && !file_.schema().variables.empty();
  note("file", {{"path", json_text(full_path(file_.place()))},
                {"mode", json_text(file_.mode == Mode::read ? "read" : "write")},
                {"format", json_text(report.format)},
                {"route", json_text(report.route)},
                {"reason", json_text(report.reason)},
                {"store", json_text(report.store)},
                {"io_layout", io_layout},
                {"writers", json_numbers(writes ? writers(layout, route) : std::vector<int>{})},
                {"stripe_bytes", places ? json_number(file_.home().places().stripe_bytes(0)) : no_value},
                {"record_bytes", places ? json_number(file_.schema().places->record_bytes) : no_value},
                {"variables", variables()}});
}

void FileTrace::put(const Decomp &decomp, const Route *route) {
  const Layout &layout = *decomp.layout;
  describe(&layout, route);
  if (!decomps_.insert(decomp.id).second || layout.points() != nullptr) return;
  std::vector<std::string> names;
  for (int v = 0; v < std::ssize(file_.schema().variables); ++v)
    if (file_.definitions.axis_of(v, layout)) names.push_back(json_text(file_.variable(v).name));
  std::vector<Territory> domains;
  if (route != nullptr && route->io_nx > 0 && file_.home().pieces(0).empty()) domains = blocks_of(layout, *route);
  for (const Patch &patch : layout.patches_of_rank(file_.context().rank())) {
    const auto domain =
        std::find_if(domains.begin(), domains.end(), [&](const Territory &each) { return meet(each.box, patch.box); });
    const bool has = domain != domains.end();
    note("domain",
         {{"shape", json_index(layout.shape())},
          {"start", json_index(patch.box.start)},
          {"count", json_index(patch.box.count)},
          {"io_start", has ? json_index(domain->box.start) : no_value},
          {"io_count", has ? json_index(domain->box.count) : no_value},
          {"io_rank",
           has ? json_number(int64_t{file_.context().trace_ranks[static_cast<size_t>(domain->rank)]}) : no_value},
          {"variables", json_array(names)}});
  }
}

void FileTrace::sent(int variable, const std::map<int, int64_t> &bytes) {
  const trace::Subject about = subject(variable);
  for (const auto &[rank, count] : bytes) {
    Sum &sum = sent_[rank];
    sum.bytes += count;
    ++sum.puts;
    steps_.sent(about, rank, file_.context().disk.steps_ended(), count);
  }
}

void FileTrace::redefined() {
  described_ = false;
  decomps_.clear();
}

void FileTrace::begin_ranges() {
  if (!has_offsets()) return;
  const CdfPlaces &places = *file_.schema().places;
  ranges_ = reported_ = WrittenRanges(places.record_begin + places.record_bytes);
  has_ranges_ = true;
}

void FileTrace::committed() {
  if (ranges_.ends() == reported_.ends()) return;
  reported_ = ranges_;
  std::vector<std::string> all;
  for (const auto &[begin, end] : ranges_.ends()) all.push_back(json_numbers(std::vector{begin, end - begin}));
  note("range", {{"ranges", json_array(all)}, {"truncated", ranges_.truncated() ? "true" : "false"}});
}

void FileTrace::closed() {
  if (file_.mode != Mode::define) describe(nullptr, nullptr);
  committed();
  std::vector<std::string> to;
  for (const auto &[rank, sum] : sent_) to.push_back(json_numbers(std::vector<int64_t>{rank, sum.bytes, sum.puts}));
  if (!to.empty()) note("sends", {{"to", json_array(to)}});
}

trace::Subject subject_of(const File &file, int variable) {
  FileTrace *const trace = file.trace.get();
  return trace == nullptr ? trace::Subject{} : trace->subject(variable);
}

}  // namespace sv
