#include "engine/batch.hpp"

#include <new>

#include "delivery/file_delivery.hpp"
#include "engine/file_parts.hpp"
#include "engine/point_requests.hpp"
#include "file/file_trace.hpp"
#include "file/home.hpp"
#include "transfer/alone.hpp"
#include "transfer/facts.hpp"
#include "transfer/request_table.hpp"
#include "transfer/writing.hpp"

namespace sv {

namespace {

/// Returns the error of a get; the error of a put fails the file, and is thrown.
std::optional<Error> moved_alone(File &file, const Request &request) {
  Metrics &metrics = file.context().metrics;
  ++metrics.requests;
  ++metrics.combined_calls;
  if (request.direction == Direction::read) {
    count_reading(file, Strategy::independent);
    define_fixed(file, {request.variable});
    delivery_of(file).settle();
    const PhaseTimer timer(metrics, Phase::read, subject_of(file));
    return file.located(request.variable, caught(file.context().rank(), [&] { move_alone(file, request); }));
  }
  count_writing(file, Strategy::independent);
  const PhaseTimer timer(metrics, Phase::write, subject_of(file));
  or_fail(file, [&] { name_errors(file, request.variable, [&] { move_alone(file, request); }); });
  file.ledger.touch(slabs_of(file, request));
  return std::nullopt;
}

}  // namespace

/// Those of this direction that can be carried out, as far as this rank can see.
RequestList Batch::gather(Direction direction) {
  RequestList list{file_, call_, direction, kind_ == Kind::alike};
  chosen_.clear();
  for (size_t i = 0; i < items_.size(); ++i) {
    Item &item = items_[i];
    if (item.request->direction != direction) {
      list.more = true;
      continue;
    }
    item.outcome = caught(file_.context().rank(), [&] { check_now(file_, *item.request); });
    if (item.outcome) {
      item.outcome->in_request(item.place, count_);
      complains_ = true;
      continue;
    }
    list.mine.push_back(item.request);
    list.places.push_back(item.place);
    chosen_.push_back(i);
  }
  list.complaint = complains_;
  return list;
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

/// For a batch that cannot be combined with other ranks' requests. False: it takes the usual way.
bool Batch::run_alone() {
  if (items_.size() != 1 || given_up_ || complains_ || file_.context().refusals.any()) return false;
  Item &item = items_.front();
  const Request &request = *item.request;
  if (!needs_no_other_rank(file_, request)) return false;
  item.outcome = caught(file_.context().rank(), [&] { check_now(file_, request); });
  if (!item.outcome) item.outcome = moved_alone(file_, request);
  item.done = true;
  if (item.outcome) item.outcome->in_request(item.place, count_);
  complaints_ = item.outcome.has_value();
  return true;
}

/// Returns whether a rank has requests of the other direction.
bool Batch::phase(Direction direction) {
  const AskedFields fields = exchange_requests(gather(direction), file_.engine->memory);
  const size_t mine = fields.list.mine.size();
  complaints_ = complaints_ || fields.complaint;
  refuse(fields.refused);
  if (kind_ == Kind::all_or_nothing && complaints_) return fields.more;
  Metrics &metrics = file_.context().metrics;
  metrics.requests += static_cast<int64_t>(mine);
  if (fields.any) ++metrics.combined_calls;
  ReadOutcome outcome{std::vector<std::optional<Error>>(mine), false};
  if (!fields.bands.empty() && direction == Direction::write) write_fields(fields);
  if (!fields.bands.empty() && direction == Direction::read) {
    std::vector<int> variables;
    for (const Band &each : fields.bands) variables.push_back(each.variable);
    define_fixed(file_, variables);
    outcome = read_fields(fields);
  }
  for (size_t i = 0; i < mine; ++i) {
    Item &item = chosen(static_cast<int>(i));
    item.done = true;
    if (outcome.errors[i]) item.outcome = outcome.errors[i]->in_request(item.place, count_);
  }
  complaints_ = complaints_ || outcome.anywhere;
  return fields.more;
}

void Batch::run() {
  has_run_ = true;
  try {
    if (run_alone()) return;
    if (given_up_) file_.context().agree(call_, given_up_);
    std::vector<Request *> all;
    for (const Item &each : items_) all.push_back(each.request);
    place_points(file_, call_, all);
    // Without gets, that costs no gate.
    if (phase(Direction::write)) phase(Direction::read);
  } catch (const Error &error) {
    for (Item &each : items_)
      if (!each.done && !each.outcome) each.outcome = error;
    throw;
  } catch (const std::bad_alloc &) {  // no rank must wait for this one
    file_.context().node.give_up(Error(Status::no_memory, "no memory to combine requests", "Combine fewer at a time")
                                     .in_file(file_.path())
                                     .on_rank(file_.context().rank()));
  }
}

void Batch::conclude(const std::optional<Error> &other) const {
  if (!complaints_) return;
  std::optional<Error> first = other;
  for (const Item &each : items_)
    if (!first) first = each.outcome;
  file_.context().agree(call_ + ", its requests", first);
}

}  // namespace sv
