#include "transfer/rounds.hpp"

#include <algorithm>
#include <array>

#include "delivery/file_delivery.hpp"
#include "file/home.hpp"

namespace sv {

namespace {

void count(Context &context, const Transfers &transfers) {
  context.metrics.messages += transfers.sent();
  context.metrics.message_bytes += transfers.sent_bytes();
}

/// The need of a schedule in the window of any node in any round; at most `most`, the limit of its plan. The same on
/// all ranks: it follows the size of slices, which a node may send completely.
StageNeed need_of(const Schedule &schedule, const StageNeed &most) {
  int64_t slices = 0, messages = 0;
  for (int round = 0; round < schedule.rounds() && slices < most.slices; ++round) {
    int64_t sent = 0;
    for (int sink = 0; sink < schedule.sinks(); ++sink) {
      const int64_t bytes = schedule.depth() * schedule.slice_bytes(sink, round);
      slices = std::max(slices, schedule.slice_begin(sink, round) + bytes);
      sent += bytes;
    }
    messages = std::max(messages, sent);
  }
  if (slices >= most.slices) return most;
  return {slices, std::min(messages, most.outgoing), std::min(slices, most.incoming)};
}

/// The areas of these rounds in the window. Rounds may be much shorter than the window, and each page costs every rank
/// of the node when it is touched first. `elsewhere`: the slices of the last stage stand there.
Areas areas_of(const Window &window, int stages, const Schedule &schedule, bool elsewhere) {
  constexpr int64_t most_looked_at = 4096;  // slices: in each call, until the window has all of its pages
  const StageNeed most = window.most(stages);
  std::vector<StageNeed> needs(static_cast<size_t>(stages), most);
  Areas areas = divide(needs);
  if (stages > 1 || window.has(areas.bytes) || schedule.sinks() * int64_t{schedule.rounds()} > most_looked_at)
    return areas;
  needs.front() = need_of(schedule, most);
  if (elsewhere) needs.front().slices = 0;
  return divide(needs);
}

/// Collective. The window has pages for these rounds.
std::vector<StagePlace> make_window(Context &context, int stages, const Schedule &schedule, bool elsewhere) {
  Window &window = context.window;
  Areas areas = areas_of(window, stages, schedule, elsewhere);
  if (window.has(areas.bytes) || schedule.rounds() == 0) return std::move(areas.stages);
  int64_t made = 0;
  context.agree("making the window of a node", [&] { made = window.make(areas.bytes); });
  window.take_into_use(made);
  return std::move(areas.stages);
}

}  // namespace

void write_rounds(const WritingRounds &job) {
  Context &context = job.file.context();
  Transfers transfers(context.node, job.doing);
  const auto stages = static_cast<int>(job.stages.size());
  FileDelivery &delivery = delivery_of(job.file);
  const std::unique_ptr<RingSliceMemory> rooms = delivery.slice_memory(*job.stages.back());
  const std::vector<StagePlace> places = make_window(context, stages, *job.stages.back(), rooms != nullptr);
  std::vector<std::unique_ptr<Exchange>> exchanges;
  for (int stage = 0; stage < stages; ++stage)
    exchanges.push_back(std::make_unique<Exchange>(*job.stages[static_cast<size_t>(stage)],
                                                   places[static_cast<size_t>(stage)], context.window, transfers,
                                                   stage + 1 == stages ? rooms.get() : nullptr));
  std::shared_ptr<void> packing = delivery.packing();
  Exchange &first = *exchanges.front(), &last = *exchanges.back();
  const std::unique_ptr<Source> collected = stages == 2 ? job.passed_on(first) : nullptr;
  SentBytes sent(job.file);
  Source &own = sent.counting(job.source, *job.stages.front());
  Source *const passed_on = stages == 2 ? &sent.counting(*collected, *job.stages.back()) : nullptr;
  const int rounds = job.stages.front()->rounds();
  StepTimer timer(context.metrics, subject_of(job.file, job.variable));
  for (int round = 0; round < rounds; ++round) {
    timer.begin(Step::pack);
    first.place(round, own);
    if (job.packed && round + 1 == rounds) job.packed();
    timer.begin(Step::collect);
    first.collect(round);
    if (stages == 2) {
      timer.begin(Step::reorder);
      last.place(round, *passed_on);
      first.release(round);
      timer.begin(Step::scatter);
      last.collect(round);
    }
    timer.begin(Step::output);
    job.sink.finish();
    // Not before: the ranks that wait for the last round's half take the cores from a writer that could write this one.
    if (round > 0) last.release(round - 1);
    job.sink.write(last, round, rooms == nullptr ? nullptr : rooms->hold(round));
  }
  packing.reset();
  job.sink.finish();
  timer.end();
  sent.report(job.variable);
  if (rounds > 0) last.release(rounds - 1);
  transfers.finish(job.for_whom);
  for (const auto &exchange : exchanges) context.metrics.placed_bytes += exchange->placed_bytes();
  count(context, transfers);
}

std::optional<WriterInGate> writer_in_gate(const File &file, const Schedule &schedule) {
  const Context &context = file.context();
  if (schedule.rounds() != 1 || schedule.sinks() == 0 || schedule.fills()) return std::nullopt;
  const int writer = schedule.rank_of(0);
  for (int sink = 1; sink < schedule.sinks(); ++sink)
    if (schedule.rank_of(sink) != writer) return std::nullopt;
  const StageNeed need = need_of(schedule, context.window.most(1));
  const Areas areas = divide(std::array{need});
  if (!context.gate.takes(need.outgoing) || !context.window.has(areas.bytes)) return std::nullopt;
  return WriterInGate{writer, areas.stages.front()};
}

RoundInGate::RoundInGate(Job job, std::optional<Error> error)
    : job_(std::move(job)),
      transfers_(job_.file.context().node, job_.doing),
      exchange_(job_.schedule, job_.writer.place, job_.file.context().window, transfers_),
      sent_(job_.file),
      timer_(job_.file.context().metrics, subject_of(job_.file, job_.variable)),
      error_(std::move(error)) {
  timer_.begin(Step::pack);
  const auto place = [this] { exchange_.place_for_gate(sent_.counting(job_.source, job_.schedule)); };
  if (!error_) error_ = job_.file.located(job_.variable, caught(job_.file.context().rank(), place));
  timer_.begin(Step::collect);
  action_ = {job_.writer.rank, [this] { write(); }, exchange_.sent()};
}

void RoundInGate::write() {
  timer_.begin(Step::output);
  exchange_.take_sent(job_.file.context().gate);
  job_.write(exchange_);
}

void RoundInGate::end() {
  Metrics &metrics = job_.file.context().metrics;
  timer_.end();
  sent_.report(job_.variable);
  metrics.placed_bytes += exchange_.placed_bytes();
  metrics.messages += action_.sent.empty() ? 0 : 1;
  metrics.message_bytes += std::ssize(action_.sent);
}

void read_rounds(const ReadingRounds &job) {
  Context &context = job.file.context();
  Transfers transfers(context.node, job.doing);
  const std::vector<StagePlace> places = make_window(context, 1, job.schedule, false);
  Distribution distribution(job.schedule, places.front(), context.window, transfers);
  for (int round = 0; round < job.schedule.rounds(); ++round) {
    if (job.begin) job.begin(round);
    distribution.round(round, job.read, job.target);
  }
  transfers.finish("the nodes that take what it has read");
  count(context, transfers);
}

}  // namespace sv
