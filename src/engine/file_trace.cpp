#include "engine/file_trace.hpp"

#include <algorithm>
#include <filesystem>

#include "engine/client.hpp"
#include "engine/file.hpp"
#include "plan/pieces.hpp"
#include "report/json.hpp"
#include "store/chunks.hpp"

namespace sv {

namespace {

constexpr auto *no_value = "null";

template <class Numbers>
std::string json_numbers(const Numbers &numbers) {
  std::vector<std::string> texts;
  for (const auto number : numbers) texts.push_back(json_number(static_cast<int64_t>(number)));
  return json_array(texts);
}

std::string json_index(const Index &index) {
  return json_numbers(std::vector(index.v.begin(), index.v.begin() + index.n));
}

/// As the tracer names it, too.
std::string full_path(const std::string &path) {
  std::error_code failed;
  const std::filesystem::path full = std::filesystem::weakly_canonical(std::filesystem::absolute(path, failed), failed);
  return failed ? path : full.string();
}

/// Whether it is one file in which a place tells where values stand.
bool has_places(const File &file) { return !file.is_set() && !is_netcdf4(file.schema().format); }

std::string json_variable(const File &file, int id) {
  const Schema &schema = file.schema();
  const Variable &each = file.variable(id);
  std::vector<std::string> dims;
  for (const int dim : each.dims)
    if (!file.dim(dim).is_record) dims.push_back(json_text(file.dim(dim).name));
  Chunks chunks;
  if (is_netcdf4(schema.format))
    chunks = chunks_of(schema, each, file.settings().chunks, static_cast<int>(file.range_owners().size()));
  Index chunk(0, 0);
  for (int d = each.has_records ? 1 : 0; d < chunks.shape.n; ++d) chunk.push(chunks.shape[d]);
  return json_object({{"name", json_text(each.name)},
                      {"begin_bytes", has_places(file) ? json_number(each.begin) : no_value},
                      {"shape", json_index(schema.slab_shape(each))},
                      {"dims", json_array(dims)},
                      {"type_bytes", json_number(size_of(each.type))},
                      {"record", each.has_records ? "true" : "false"},
                      {"chunks", chunks.kind == Chunks::Kind::shaped ? json_index(chunk) : no_value}});
}

}  // namespace

bool FileTrace::leads() const { return file_.context().rank() == 0 && !file_.context().is_of_servers(); }

int FileTrace::number(int rank) const { return file_.context().trace_ranks()[static_cast<size_t>(rank)]; }

trace::Subject FileTrace::subject(int variable) {
  if (number_ == 0) {
    path_ = full_path(file_.path());
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

std::vector<int> FileTrace::writers(const Layout *layout, const Route *route) const {
  std::vector<int> ranks, numbers;
  if (file_.mode() == Mode::read || file_.schema().variables.empty()) return numbers;
  if (file_.is_served()) {
    const auto &group = file_.context().client()->link().crew().groups[static_cast<size_t>(file_.group())];
    for (size_t i = 0; i < file_.range_owners().size(); ++i)
      numbers.push_back(steps_.ranks[static_cast<size_t>(group[i])]);
    return numbers;
  }
  if (file_.is_set()) {
    for (const Territory &piece : file_.pieces(0)) ranks.push_back(piece.rank);
  } else if (route == nullptr) {
    ranks = file_.combining_owners();
  } else if (!route->self) {
    ranks = route->writers;
  } else if (layout->points() != nullptr) {
    for (int rank = 0; rank < layout->ranks(); ++rank)
      if (layout->cells_of_rank(rank) > 0) ranks.push_back(rank);
  } else {
    for (const Territory &block : blocks_of(*layout, *route)) ranks.push_back(block.rank);
  }
  for (const int rank : ranks) numbers.push_back(number(rank));
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

std::string FileTrace::variables() const {
  std::vector<std::string> all;
  for (int v = 0; v < std::ssize(file_.schema().variables); ++v) all.push_back(json_variable(file_, v));
  return json_array(all);
}

/// Again when a route is known that was not.
void FileTrace::describe(const Layout *layout, const Route *route) {
  if (!leads() || (described_ && (has_route_ || route == nullptr))) return;
  described_ = true;
  has_route_ = route != nullptr;
  const FileReport told = file_.report();
  const std::string io_layout = told.io_nx > 0 ? json_numbers(std::vector{told.io_nx, told.io_ny}) : no_value;
  const bool places = has_places(file_);
  note("file", {{"path", json_text(full_path(file_.path()))},
                {"mode", json_text(file_.mode() == Mode::read ? "read" : "write")},
                {"format", json_text(told.format)},
                {"route", json_text(told.route)},
                {"reason", json_text(told.reason)},
                {"store", json_text(told.store)},
                {"io_layout", io_layout},
                {"writers", json_numbers(writers(layout, route))},
                {"stripe_bytes", places ? json_number(file_.stripe_bytes(0)) : no_value},
                {"record_bytes", places ? json_number(file_.schema().record_bytes) : no_value},
                {"variables", variables()}});
}

void FileTrace::put(const Decomp &decomp, const Route *route) {
  const Layout &layout = *decomp.layout;
  describe(&layout, route);
  if (!decomps_.insert(decomp.id).second || layout.points() != nullptr) return;
  std::vector<std::string> names;
  for (int v = 0; v < std::ssize(file_.schema().variables); ++v)
    if (file_.axis_of(v, layout)) names.push_back(json_text(file_.variable(v).name));
  std::vector<Territory> domains;
  if (route != nullptr && route->io_nx > 0 && !file_.is_set()) domains = blocks_of(layout, *route);
  for (const Patch &patch : layout.patches_of_rank(file_.context().rank())) {
    const auto domain =
        std::find_if(domains.begin(), domains.end(), [&](const Territory &each) { return meet(each.box, patch.box); });
    const bool has = domain != domains.end();
    note("domain", {{"shape", json_index(layout.shape())},
                    {"start", json_index(patch.box.start)},
                    {"count", json_index(patch.box.count)},
                    {"io_start", has ? json_index(domain->box.start) : no_value},
                    {"io_count", has ? json_index(domain->box.count) : no_value},
                    {"io_rank", has ? json_number(int64_t{number(domain->rank)}) : no_value},
                    {"variables", json_array(names)}});
  }
}

void FileTrace::sent(int variable, const std::map<int, int64_t> &bytes) {
  const trace::Subject about = subject(variable);
  for (const auto &[rank, count] : bytes) {
    Sum &sum = sent_[rank];
    sum.bytes += count;
    ++sum.puts;
    steps_.sent(about, rank, file_.context().steps_ended(), count);
  }
}

void FileTrace::redefined() {
  described_ = false;
  decomps_.clear();
}

void FileTrace::keep_ranges(Store &store) {
  if (is_netcdf4(file_.schema().format)) return;
  ranges_ = told_ = WrittenRanges(file_.schema().record_begin + file_.schema().record_bytes);
  store.keep_ranges(ranges_);
}

void FileTrace::committed() {
  if (ranges_.ends() == told_.ends()) return;
  told_ = ranges_;
  std::vector<std::string> all;
  for (const auto &[begin, end] : ranges_.ends()) all.push_back(json_numbers(std::vector{begin, end - begin}));
  note("range", {{"ranges", json_array(all)}, {"truncated", ranges_.truncated() ? "true" : "false"}});
}

void FileTrace::closed() {
  if (file_.mode() != Mode::define) describe(nullptr, nullptr);
  committed();
  std::vector<std::string> to;
  for (const auto &[rank, sum] : sent_) to.push_back(json_numbers(std::vector<int64_t>{rank, sum.bytes, sum.puts}));
  if (!to.empty()) note("sends", {{"to", json_array(to)}});
}

namespace {

class CountedSource final : public Source {
 public:
  using Count = std::function<void(int sink, int64_t bytes)>;
  CountedSource(Source &source, Count count) : source_(source), count_(std::move(count)) {}

  int64_t place(int sink, int round, std::byte *slice) override {
    return counted(sink, source_.place(sink, round, slice));
  }
  int64_t write_message(int sink, int round, std::byte *message) override {
    return counted(sink, source_.write_message(sink, round, message));
  }

 private:
  int64_t counted(int sink, int64_t bytes) const {
    if (bytes > 0) count_(sink, bytes);
    return bytes;
  }

  Source &source_;
  const Count count_;
};

}  // namespace

Source &SentBytes::counting(Source &source, std::function<int(int)> rank_of) {
  if (file_.trace() == nullptr) return source;
  sources_.push_back(
      std::make_unique<CountedSource>(source, [this, rank = std::move(rank_of)](int sink, int64_t bytes) {
        bytes_[(*numbers_)[static_cast<size_t>(rank(sink))]] += bytes;
      }));
  return *sources_.back();
}

void SentBytes::tell(int variable) const {
  if (file_.trace() != nullptr) file_.trace()->sent(variable, bytes_);
}

}  // namespace sv
