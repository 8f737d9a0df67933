#include "engine/combine.hpp"

#include <algorithm>

#include "engine/combined_transfer.hpp"
#include "engine/context.hpp"
#include "engine/file.hpp"
#include "engine/request_table.hpp"
#include "engine/write.hpp"

namespace sv {

namespace {

/// A request, and what has become of it.
struct Item {
  const Request *request;
  int place;
  std::optional<Error> outcome = std::nullopt;
  bool done = false;
};

/// All requests of one call.
class Batch {
 public:
  enum class Kind {
    any,             // ranks have different requests
    all_or_nothing,  // one that cannot be carried out keeps the others from it
    alike            // all ranks have made the same calls: one that a rank leaves out is left out by all
  };
  Batch(File &file, std::string call, Kind kind) : file_(file), call_(std::move(call)), kind_(kind) {}

  /// `place`: in the list of the caller.
  void add(const Request &request, int place) {
    items_.push_back({&request, place});
    count_ = std::max(count_, place + 1);
  }
  void complain() { complains_ = true; }  // of something else
  /// Throws what fails the file; then (and otherwise) the items tell what has become of them.
  void run();
  const std::vector<Item> &items() const { return items_; }
  /// Collective: throws, on every rank, what the requests of some rank have failed with, `other` before.
  void conclude(const std::optional<Error> &other) const;

 private:
  bool phase(Direction direction);
  Gathering gather(Direction direction);
  void refuse(const std::vector<Refusal> &refused);
  Item &chosen(int request) { return items_[chosen_[static_cast<size_t>(request)]]; }

  File &file_;
  const std::string call_;
  const Kind kind_;
  std::vector<Item> items_;
  std::vector<size_t> chosen_;  // of the items: those of the present phase
  int count_ = 0;               // of the caller's list
  bool complains_ = false, complaints_ = false;
};

/// Those of this direction that can be carried out, as far as this rank can see.
Gathering Batch::gather(Direction direction) {
  Gathering gathering{direction, {}, {}};
  gathering.alike = kind_ == Kind::alike;
  chosen_.clear();
  for (size_t i = 0; i < items_.size(); ++i) {
    Item &item = items_[i];
    if (item.request->direction != direction) {
      gathering.more = true;
      continue;
    }
    item.outcome = caught(file_.context().rank(), [&] { check_now(file_, *item.request); });
    if (item.outcome) {
      item.outcome->in_request(item.place, count_);
      complains_ = true;
      continue;
    }
    gathering.mine.push_back(item.request);
    gathering.places.push_back(item.place);
    chosen_.push_back(i);
  }
  gathering.complaint = complains_;
  return gathering;
}

void Batch::refuse(const std::vector<Refusal> &refused) {
  const int rank = file_.context().rank();
  complaints_ = complaints_ || !refused.empty();
  for (const Refusal &each : refused)
    if (each.rank < 0 || each.rank == rank)
      chosen(each.request).outcome = Error(Status::layout, each.cause, "Put each cell once, or set 'overlap' to allow")
                                         .in_file(file_.path())
                                         .on_rank(rank);
}

/// Returns whether a rank has requests of the other direction.
bool Batch::phase(Direction direction) {
  const Gathering gathering = gather(direction);
  const AskedFields fields = bring_together(file_, call_, gathering);
  complaints_ = complaints_ || fields.complaint;
  refuse(fields.refused);
  if (!fields.any || (kind_ == Kind::all_or_nothing && complaints_)) return fields.more;
  const FieldsJob job{file_, call_, fields, gathering.mine};
  Metrics &metrics = file_.context().metrics();
  metrics.requests += static_cast<int64_t>(gathering.mine.size());
  ++metrics.combined_calls;
  ReadOutcome outcome{std::vector<std::optional<Error>>(gathering.mine.size()), false};
  if (direction == Direction::write)
    write_fields(job);
  else
    outcome = read_fields(job);
  for (size_t i = 0; i < gathering.mine.size(); ++i) {
    Item &item = chosen(static_cast<int>(i));
    item.done = true;
    if (outcome.errors[i]) item.outcome = outcome.errors[i]->in_request(item.place, count_);
  }
  complaints_ = complaints_ || outcome.anywhere;
  return fields.more;
}

void Batch::run() {
  try {
    // Where nobody gets, that costs no gate.
    if (phase(Direction::write)) phase(Direction::read);
  } catch (const Error &error) {
    for (Item &each : items_)
      if (!each.done && !each.outcome) each.outcome = error;
    throw;
  }
}

void Batch::conclude(const std::optional<Error> &other) const {
  if (!complaints_) return;
  std::optional<Error> first = other;
  for (const Item &each : items_)
    if (!first) first = each.outcome;
  file_.context().agree(call_ + ", its requests", first);
}

std::string call_on(const char *call, const File &file) { return std::string(call) + "('" + file.path() + "')"; }

}  // namespace

void wait_for(File &file, std::span<const int64_t> numbers, std::vector<std::optional<Error>> &outcomes) {
  const auto complaint = complete_recorded(file);
  outcomes.assign(numbers.size(), std::nullopt);
  std::vector<std::optional<Request>> requests(numbers.size());
  std::vector<size_t> places;
  Batch batch(file, call_on("sv_wait", file), Batch::Kind::any);
  std::optional<Error> unknown = complaint;
  for (size_t i = 0; i < numbers.size(); ++i) {
    outcomes[i] = caught(file.context().rank(), [&] { requests[i] = file.pending().take(file, numbers[i]); });
    if (outcomes[i] && !unknown) unknown = outcomes[i];
    if (outcomes[i]) continue;
    batch.add(*requests[i], static_cast<int>(i));
    places.push_back(i);
  }
  if (unknown) batch.complain();
  const auto tell = [&] {
    for (size_t i = 0; i < places.size(); ++i) outcomes[places[i]] = batch.items()[i].outcome;
  };
  try {
    batch.run();
  } catch (const Error &) {
    tell();
    throw;
  }
  tell();
  batch.conclude(unknown);
}

void carry_out(File &file, const char *call, std::span<const Asked> asked) {
  std::optional<Error> error = complete_recorded(file);
  std::vector<std::optional<Request>> requests(asked.size());
  Batch batch(file, call_on(call, file), Batch::Kind::all_or_nothing);
  for (size_t i = 0; i < asked.size(); ++i) {
    auto failed = caught(file.context().rank(), [&] { requests[i] = checked_request(file, asked[i]); });
    if (failed && !error) error = failed->in_request(static_cast<int>(i), static_cast<int>(asked.size()));
    if (requests[i]) batch.add(*requests[i], static_cast<int>(i));
  }
  if (error) batch.complain();
  batch.run();
  batch.conclude(error);
}

std::optional<Error> complete_all(File &file) {
  std::optional<Error> error = complete_recorded(file);
  const std::vector<int64_t> numbers = file.pending().numbers();
  const Agreed most =
      file.context().agree(call_on("pending requests", file), std::nullopt, {static_cast<int64_t>(numbers.size())});
  if (most[0] == 0) return error;
  std::vector<std::optional<Error>> outcomes;
  try {
    wait_for(file, numbers, outcomes);
  } catch (const Error &failure) {
    if (file.failed()) throw;
    if (!error) error = failure;
  }
  return error;
}

namespace {

constexpr int64_t any_record = -1;
constexpr int64_t widest_bytes = 8;  // of a value in memory: types may differ between ranks, decisions must not

/// The values of the rank that has most.
int64_t most_bytes_of(const File &file, const Asked &asked) {
  const Variable &variable = file.variable(asked.variable);
  const int64_t all = file.schema().slab_elements(variable);
  if (asked.kind == Asked::Kind::replicated || asked.decomp == nullptr) return all * widest_bytes;
  const Layout &layout = *asked.decomp->layout;
  int64_t most = 0;
  for (int rank = 0; rank < layout.ranks(); ++rank) most = std::max(most, layout.cells_of_rank(rank));
  return layout.cells() > 0 ? all / layout.cells() * most * widest_bytes : 0;
}

/// Whether a put of this slab is among them.
bool has_slab(const Recorded &recorded, int variable, int64_t record) {
  const auto first = recorded.slabs.lower_bound({variable, any_record});
  if (first == recorded.slabs.end() || first->first != variable) return false;
  return record == any_record || first->second == any_record || recorded.slabs.count({variable, record}) > 0;
}

/// Collective where it must be: what ranks have of sub-arrays, they do not know of each other.
int64_t agreed_bytes(File &file, const char *call, const Asked &asked, const std::optional<Error> &error) {
  if (asked.kind != Asked::Kind::regions) return error ? 0 : most_bytes_of(file, asked);
  int64_t bytes = 0;
  for (const Strided &each : asked.regions) bytes += Box::whole(each.count).elements() * widest_bytes;
  return file.context().agree(call_text(call, file, asked.variable, -1), error, {bytes})[0];
}

}  // namespace

bool record_put(File &file, const char *call, const Asked &asked) {
  if (file.settings().combine != Combine::step) return false;
  PhaseTimer timer(file.context().metrics(), Phase::write);
  std::optional<Request> request;
  const auto error = caught(file.context().rank(), [&] {
    request = checked_request(file, asked);
    check_now(file, *request);
  });
  const int64_t bytes = agreed_bytes(file, call, asked, error);
  const bool full = file.recorded().most_bytes + bytes > file.settings().combine_buffer_bytes;
  const int64_t record = asked.kind == Asked::Kind::regions ? any_record : std::max<int64_t>(0, asked.record);
  if (full || has_slab(file.recorded(), asked.variable, record)) require_recorded(file);
  if (bytes > file.settings().combine_buffer_bytes) return false;
  Recorded &recorded = file.recorded();
  ++recorded.puts;
  recorded.last = call_text(call, file, asked.variable, asked.record);
  recorded.sequence = signature_of(std::to_string(recorded.sequence) + recorded.last);
  recorded.slabs.insert({asked.variable, record});
  recorded.most_bytes += bytes;
  if (error) {
    if (!recorded.complaint) recorded.complaint = error;
    throw Error(*error);
  }
  recorded.copied_bytes += copy_values(*request, recorded.buffer);
  file.context().metrics().buffered(recorded.copied_bytes);
  recorded.requests.push_back(std::move(*request));
  recorded.places.push_back(static_cast<int>(recorded.puts) - 1);
  return true;
}

void require_recorded(File &file) {
  if (const auto error = complete_recorded(file)) throw Error(*error);
}

namespace {

/// Gives the memory of recorded values back to the file for the next step, however a call is left.
class BufferKeeper {
 public:
  BufferKeeper(File &file, CopyBuffer &buffer) : file_(file), buffer_(buffer) {}
  BufferKeeper(const BufferKeeper &) = delete;
  ~BufferKeeper() {
    buffer_.clear();
    file_.recorded().buffer = std::move(buffer_);
  }

 private:
  File &file_;
  CopyBuffer &buffer_;
};

}  // namespace

std::optional<Error> complete_recorded(File &file) {
  if (file.recorded().puts == 0) return std::nullopt;
  Recorded recorded = std::exchange(file.recorded(), {});
  const BufferKeeper keeper(file, recorded.buffer);
  PhaseTimer timer(file.context().metrics(), Phase::write);
  Batch batch(file,
              std::to_string(recorded.puts) + " recorded puts, the last " + recorded.last + " #" +
                  std::to_string(recorded.sequence),
              Batch::Kind::alike);
  for (size_t i = 0; i < recorded.requests.size(); ++i) batch.add(recorded.requests[i], recorded.places[i]);
  if (recorded.complaint) batch.complain();
  batch.run();
  try {
    batch.conclude(recorded.complaint);
  } catch (const Error &error) {
    return error;
  }
  return std::nullopt;
}

}  // namespace sv
