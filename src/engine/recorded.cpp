#include "engine/recorded.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "base/first_error.hpp"
#include "base/signature.hpp"
#include "engine/batch.hpp"
#include "engine/file_parts.hpp"
#include "file/file_trace.hpp"
#include "file/home.hpp"
#include "file/suppress_deferred_errors.hpp"
#include "transfer/facts.hpp"
#include "transfer/request_table.hpp"
#include "transfer/writing.hpp"

namespace sv {

namespace {

constexpr int64_t any_record = -1;
constexpr int64_t widest_bytes = 8;  // of a value in memory: types may differ between ranks, decisions must not

/// The values of the rank that has most. For puts that all ranks make alike, independent of errors in this rank's
/// values.
int64_t most_bytes_of(const File &file, const RequestArgs &asked) {
  const auto &variables = file.schema().variables;
  if (asked.variable < 0 || asked.variable >= static_cast<int>(variables.size())) return 0;
  const int64_t all = file.schema().slab_elements(variables[static_cast<size_t>(asked.variable)]);
  if (asked.kind == RequestArgs::Kind::replicated || asked.decomp == nullptr) return all * widest_bytes;
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

int64_t largest_bytes(File &file) {
  int64_t &most = file.engine->recorded.largest_bytes;
  if (most < 0)
    for (const Variable &each : file.schema().variables)
      most = std::max(most, file.schema().slab_elements(each) * widest_bytes);
  return most;
}

/// The buffer space of the rank that needs most.
struct RecordingSpace {
  Max<int64_t> added{}, recorded{};  // by this put, by those before; bytes
  auto members() { return std::tie(added, recorded); }
};

/// Makes room for the put. False if the buffer is too small for it alone; then nothing is left in it. Collective if the
/// largest put would have no room, and for sub-arrays, which ranks do not know of each other. Whether it is collective
/// never depends on arguments, which may be wrong on one rank.
bool reserve(File &file, const Recorded::Call &call, const RequestArgs &asked, const std::optional<Error> &error) {
  const int64_t most = file.settings().combine_buffer_bytes;
  Recorded &recorded = file.engine->recorded;
  const bool regions = asked.kind == RequestArgs::Kind::regions;
  int64_t bytes = regions ? 0 : most_bytes_of(file, asked);
  if (!regions && recorded.reserved_bytes + largest_bytes(file) <= most) {
    recorded.reserved_bytes += largest_bytes(file);
    recorded.most_bytes += bytes;
    return true;
  }
  if (regions && !error) bytes = asked.regions.elements() * widest_bytes;
  const std::string text = call_text(call.function, file, call.variable, call.record);
  const RecordingSpace needed = file.context().agree(text, error, RecordingSpace{bytes, recorded.most_bytes});
  const int64_t added = needed.added, all = needed.recorded + added;
  if (all > most) require_recorded(file);
  if (added > most) return false;
  recorded.most_bytes = recorded.puts == 0 ? added : all;
  recorded.reserved_bytes = recorded.most_bytes;
  return true;
}

/// In words.
std::string last_call(const File &file, const Recorded &recorded) {
  const Recorded::Call &last = recorded.last;
  return call_text(last.function, file, last.variable, last.record);
}

/// A number that distinguishes calls as their words do.
uint64_t signature_of_call(const File &file, const Recorded::Call &call) {
  const auto variable = static_cast<uint64_t>(call.variable) * 2 + file.definitions.is_packed(call.variable);
  return passing_signature_after(passing_signature_after(run_local_hash(call.function), variable),
                                 static_cast<uint64_t>(call.record));
}

/// Whether this rank knows the slab of the put. (For sub-arrays, all ranks receive the error.)
bool knows_slab(const File &file, const RequestArgs &asked) {
  return !caught(file.context().rank(), [&] {
    file.variable(asked.variable);
    if (asked.kind != RequestArgs::Kind::regions) file.check_record(asked.variable, asked.record, false);
  });
}

}  // namespace

bool record_put(File &file, const char *call, const RequestArgs &asked) {
  if (file.settings().combine != Combine::step || !file.has_home()) return false;
  Facts facts = writing_facts(file, -1);
  facts.in_set = !file.home().pieces(0).empty();
  if (!waits_for_step(facts)) {
    const Handle &handle = file.home().handle;
    if (!facts.served && handle.is_attached()) handle.store().collect();
    return false;
  }
  Context &context = file.context();
  PhaseTimer timer(context.metrics, Phase::write, subject_of(file, asked.variable));
  std::optional<Request> request;
  std::optional<Error> error = context.refusals.take(call, context.rank());
  if (!error)
    error = caught(context.rank(), [&] {
      if (asked.problem != nullptr) throw Error(*asked.problem);
      request = checked_request(file, asked);
      check_now(file, *request);
    });
  error = file.located(asked.variable, error);
  const int64_t record = asked.kind == RequestArgs::Kind::regions ? any_record : std::max<int64_t>(0, asked.record);
  const Recorded::Call made{call, asked.variable, record == any_record ? -1 : asked.record};
  if (!reserve(file, made, asked, error)) return false;
  Recorded &recorded = file.engine->recorded;
  file.ledger.record(++recorded.puts);
  recorded.last = made;
  recorded.sequence = passing_signature_after(recorded.sequence, signature_of_call(file, made));
  if (has_slab(recorded, asked.variable, record)) {
    ++recorded.turn;
    recorded.slabs.clear();
  }
  recorded.slabs.insert({asked.variable, record});
  if (!error)
    error = caught(context.rank(), [&] {
      const int64_t mine = elements_of(*request) * size_of(file.variable(asked.variable).type);
      convert_values(file, *request, recorded.buffer.take(mine, file.settings().combine_buffer_bytes));
      recorded.copied_bytes += mine;
      recorded.requests.push_back({std::move(*request), static_cast<int>(recorded.puts) - 1, recorded.turn});
    });
  context.metrics.buffered(recorded.copied_bytes);
  if (!error) return true;
  if (!recorded.complaint) recorded.complaint = error;
  if (!recorded.is_lost && !knows_slab(file, asked)) {
    recorded.is_lost = true;
    recorded.complaint = error;
  }
  throw Error(*error);
}

void refuse_put(File &file, const char *call, RequestArgs asked, const Error &problem) {
  asked.problem = &problem;
  if (!record_put(file, call, asked)) file.context().agree(call, file.located(asked.variable, problem));
}

void require_recorded(File &file) {
  if (const auto error = complete_recorded(file)) throw Error(*error);
}

namespace {

/// While recorded puts are carried out, refusals of the following call wait. Their memory is kept for the next step in
/// any case.
class Completion {
 public:
  explicit Completion(File &file)
      : recorded(std::exchange(file.engine->recorded, {})), file_(file), refusal_(file.context().refusals.hold()) {
    file.ledger.record(0);
  }
  Completion(const Completion &) = delete;
  ~Completion() {
    for (Recorded::Put &each : recorded.requests) recorded.buffer.give_back(std::move(each.request.copy));
    file_.engine->recorded.buffer = std::move(recorded.buffer);
    file_.context().refusals.restore(std::move(refusal_));
  }

  Recorded recorded;

 private:
  File &file_;
  std::optional<Refusals::Refusal> refusal_;
};

/// The values that ranks agree on in the gate that may carry out recorded puts, after the values of the call.
struct RecordedVote {
  Same puts{};         // an odd number for the recorded puts of a rank; 0: the gate cannot carry them out
  Any range_errors{};  // the file has values of some rank that did not fit
  bool is_ready() const { return puts.is_equal() && puts.largest != 0; }
  auto members() { return std::tie(puts, range_errors); }
};

RecordedVote last_vote(const Context &context) {
  return read_words<RecordedVote, RecordedInGate::own_values>(context.gate.last());
}

}  // namespace

/// The usual way reports errors.
RecordedInGate::RecordedInGate(File &file, Accepts accepts, FunctionRef<void()> then) : file_(file), then_(then) {
  const Recorded &recorded = file.engine->recorded;
  const int rank = file.context().rank();
  if (recorded.puts > 0) timer_.emplace(file.context().metrics, Phase::write, subject_of(file));
  if (recorded.puts == 1 && !recorded.complaint) caught(rank, [&] { prepare_field(recorded, accepts); });
  if (recorded.puts > 0 && !recorded.complaint && values_ == nullptr)
    caught(rank, [&] { prepare_list(recorded, accepts); });
  is_ready_ = values_ != nullptr ? !values_->round().error() : recorded.puts == 0 && accepts({});
  action_ = {owner_rank, [this] { act(); }};
  if (values_ != nullptr) action_.sent = values_->round().action().sent;
}

/// Of a put on a decomposition.
void RecordedInGate::prepare_field(const Recorded &recorded, Accepts accepts) {
  const Request &put = recorded.requests.front().request;
  const bool is_field = put.kind == RequestArgs::Kind::distributed && put.layout->points() == nullptr;
  if (!file_.home().combines() || !file_.home().places_here() || !is_field) return;
  check_now(file_, put);
  if (!accepts(std::array{WrittenSlab{put.variable, put.record}})) return;
  job_.emplace(FieldJob{.file = file_,
                        .variable = put.variable,
                        .record = put.record,
                        .layout = put.layout,
                        .first_axis = put.first_axis});
  plan_decomposed(*job_);
  row_ = row_of(file_, put);
  pieces_.emplace(pieces_of_block(job_->field, put.memory.view, row_));
  values_ = in_gate(*job_, *pieces_);
  if (values_ == nullptr) return;
  converted_ = put.range_errors;
  signature_ = passing_signature_after(static_cast<uint64_t>(put.decomp) + 1, recorded.sequence);
}

/// Of any puts of one turn.
void RecordedInGate::prepare_list(const Recorded &recorded, Accepts accepts) {
  const Context &context = file_.context();
  if (recorded.turn > 0 || context.gate.is_of_one() || !file_.home().combines() ||
      !context.window.has(recorded.reserved_bytes))
    return;
  RequestList list{file_, std::to_string(recorded.puts) + " recorded puts, the last " + last_call(file_, recorded),
                   Direction::write, true};
  for (const Recorded::Put &each : recorded.requests) {
    // Points become regions, of which ranks must hear from each other.
    if (each.request.layout != nullptr && each.request.layout->points() != nullptr) return;
    check_now(file_, each.request);
    list.mine.push_back(&each.request);
    list.places.push_back(each.place);
  }
  std::optional<AskedFields> fields = asked_alike(std::move(list), file_.engine->memory_of_alike);
  if (!fields || !fields->refused.empty() || !accepts(slabs_of(*fields))) return;
  fields_.emplace(std::move(*fields));
  values_ = in_gate(*fields_);
  signature_ = passing_signature_after(recorded.sequence, static_cast<uint64_t>(fields_->hash));
}

void RecordedInGate::write_to(Agreed &words) const {
  const bool range_errors =
      file_.range_errors.any() || converted_ > 0 || (values_ != nullptr && values_->has_range_errors());
  const int64_t puts = is_ready_ ? compared_number(signature_) | 1 : 0;
  static_assert(own_values + word_count<RecordedVote> <= call_values);
  write_words<own_values>(words, RecordedVote{.puts = puts, .range_errors = range_errors});
}

void RecordedInGate::act() const {
  if (!last_vote(file_.context()).is_ready()) return;
  if (values_ != nullptr) values_->round().action().action();
  then_();
}

RecordedInGate::Outcome RecordedInGate::end(std::optional<Error> failed) {
  const RecordedVote agreed = last_vote(file_.context());
  Outcome outcome{agreed.is_ready() && !failed, agreed.range_errors, std::move(failed)};
  if (values_ == nullptr) return outcome;
  values_->end(outcome.done);
  if (!outcome.done) return outcome;
  if (converted_ > 0) file_.count_range_errors(job_->variable, converted_);
  Metrics &metrics = file_.context().metrics;
  metrics.requests += std::ssize(file_.engine->recorded.requests);
  ++metrics.combined_calls;
  const Completion completed(file_);
  return outcome;
}

std::optional<Error> complete_recorded(File &file) {
  if (file.engine->recorded.puts == 0) return std::nullopt;
  const SuppressDeferredErrors suppressed(file.context());
  Completion completion(file);
  Recorded &recorded = completion.recorded;
  PhaseTimer timer(file.context().metrics, Phase::write, subject_of(file));
  FirstError first;
  for (int turn = 0; turn <= recorded.turn; ++turn) {
    Batch batch(file,
                std::to_string(recorded.puts) + " recorded puts, the last " + last_call(file, recorded) + " #" +
                    std::to_string(recorded.sequence) + (turn > 0 ? ", turn " + std::to_string(turn) : ""),
                Batch::Kind::alike);
    batch.count(recorded.puts);
    for (Recorded::Put &each : recorded.requests)
      if (each.turn == turn) batch.add(each.request, each.place);
    const bool complains = turn == recorded.turn && recorded.complaint.has_value();
    if (recorded.is_lost) batch.give_up(*recorded.complaint);
    if (complains) batch.mark_failed();
    batch.run();
    first.attempt([&] { batch.conclude(complains ? recorded.complaint : std::nullopt); });
  }
  return first.error();
}

}  // namespace sv
