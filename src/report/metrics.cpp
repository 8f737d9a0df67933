#include "report/metrics.hpp"

#include <chrono>
#include <numeric>
#include <stdexcept>

namespace sv {

namespace {

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// They stand there in this order.
trace::Doing doing_of(Phase phase) { return static_cast<trace::Doing>(phase); }
trace::Doing doing_of(Step step) {
  return static_cast<trace::Doing>(static_cast<int>(trace::Doing::pack) + static_cast<int>(step));
}

// The gathered numbers, in the order of the flat numbers: the phases, the steps of writing, and then these.
constexpr std::array<double Metrics::*, 8> totals = {&Metrics::total_seconds,
                                                     &Metrics::model_seconds,
                                                     &Metrics::waited_seconds,
                                                     &Metrics::served_receive_seconds,
                                                     &Metrics::served_write_seconds,
                                                     &Metrics::behind_seconds,
                                                     &Metrics::behind_processor_seconds,
                                                     &Metrics::behind_waited_seconds};
constexpr std::array<int64_t Metrics::*, 14> counts = {
    &Metrics::written_bytes,       &Metrics::read_bytes,  &Metrics::writes,         &Metrics::reads,
    &Metrics::placed_bytes,        &Metrics::messages,    &Metrics::message_bytes,  &Metrics::out_of_range,
    &Metrics::moved_bytes,         &Metrics::requests,    &Metrics::combined_calls, &Metrics::buffered_bytes,
    &Metrics::served_memory_bytes, &Metrics::direct_bytes};
constexpr size_t numbers_per_rank = phases + writing_steps + totals.size() + counts.size() + 2 * strategies;

template <class Value>
Spread spread(const std::vector<Metrics> &per_rank, Value value) {
  Spread result;
  for (size_t rank = 0; rank < per_rank.size(); ++rank) {
    const double mine = value(per_rank[rank]);
    result.mean += mine / static_cast<double>(per_rank.size());
    if (mine <= result.max) continue;
    result.max = mine;
    result.max_rank = static_cast<int>(rank);
  }
  return result;
}

}  // namespace

std::string_view name_of(Phase phase) { return trace::name_of(doing_of(phase)); }
std::string_view name_of(Step step) { return trace::name_of(doing_of(step)); }

std::vector<double> to_numbers(const Metrics &metrics) {
  std::vector<double> numbers(metrics.seconds.begin(), metrics.seconds.end());
  numbers.insert(numbers.end(), metrics.step_seconds.begin(), metrics.step_seconds.end());
  for (const auto total : totals) numbers.push_back(metrics.*total);
  for (const auto count : counts) numbers.push_back(static_cast<double>(metrics.*count));
  for (const auto *const calls : {&metrics.strategies.writing, &metrics.strategies.reading})
    numbers.insert(numbers.end(), calls->begin(), calls->end());
  return numbers;
}

Metrics from_numbers(std::span<const double> numbers) {
  if (numbers.size() != numbers_per_rank) throw std::invalid_argument("not the numbers of one rank's metrics");
  Metrics metrics;
  size_t at = 0;
  for (double &seconds : metrics.seconds) seconds = numbers[at++];
  for (double &seconds : metrics.step_seconds) seconds = numbers[at++];
  for (const auto total : totals) metrics.*total = numbers[at++];
  for (const auto count : counts) metrics.*count = static_cast<int64_t>(numbers[at++]);
  for (auto *const calls : {&metrics.strategies.writing, &metrics.strategies.reading})
    for (int64_t &each : *calls) each = static_cast<int64_t>(numbers[at++]);
  return metrics;
}

std::vector<Metrics> all_from_numbers(std::span<const double> numbers) {
  std::vector<Metrics> all;
  for (; !numbers.empty(); numbers = numbers.subspan(numbers_per_rank))
    all.push_back(from_numbers(numbers.first(std::min(numbers.size(), numbers_per_rank))));
  return all;
}

PhaseTimer::PhaseTimer(Metrics &metrics, Phase phase, trace::Subject subject)
    : metrics_(metrics),
      phase_(phase),
      start_seconds_(now_seconds()),
      bracket_(metrics.running_timers == 0 ? metrics.steps : nullptr, doing_of(phase), subject) {
  ++metrics_.running_timers;
}

PhaseTimer::~PhaseTimer() {
  if (--metrics_.running_timers == 0) metrics_.seconds[static_cast<size_t>(phase_)] += now_seconds() - start_seconds_;
}

Spread spread_of(Phase phase, const std::vector<Metrics> &per_rank) {
  return spread(per_rank, [phase](const Metrics &metrics) { return metrics.seconds[static_cast<size_t>(phase)]; });
}

void StepTimer::begin(Step step) {
  end();
  step_ = step;
  since_seconds_ = now_seconds();
  bracket_.emplace(metrics_.steps, doing_of(step), subject_);
}

void StepTimer::end() {
  if (!step_) return;
  metrics_.step_seconds[static_cast<size_t>(*step_)] += now_seconds() - since_seconds_;
  step_.reset();
  bracket_.reset();
}

Spread spread_of(Step step, const std::vector<Metrics> &per_rank) {
  return spread(per_rank, [step](const Metrics &metrics) { return metrics.step_seconds[static_cast<size_t>(step)]; });
}

Spread spread_of_total(const std::vector<Metrics> &per_rank) {
  return spread(per_rank, [](const Metrics &metrics) { return metrics.total_seconds; });
}

OverlapTimes overlap_of(const Summary &summary) {
  OverlapTimes times{.servers = summary.servers.servers};
  for (const Metrics &each : summary.per_rank) {
    const double inside = std::accumulate(each.seconds.begin(), each.seconds.end(), 0.0);
    times.send = std::max(times.send, inside);
    times.compute += (each.model_seconds - inside) / static_cast<double>(summary.per_rank.size());
  }
  times.receive = most_of(&Metrics::served_receive_seconds, summary.per_rank);
  times.write = most_of(&Metrics::served_write_seconds, summary.per_rank);
  times.wall = most_of(&Metrics::total_seconds, summary.per_rank);
  return times;
}

int64_t sum_of(int64_t Metrics::*count, const std::vector<Metrics> &per_rank) {
  int64_t sum = 0;
  for (const Metrics &metrics : per_rank) sum += metrics.*count;
  return sum;
}

StrategyCounts most_strategies(const std::vector<Metrics> &per_rank) {
  StrategyCounts most;
  for (const Metrics &each : per_rank)
    for (size_t s = 0; s < strategies; ++s) {
      most.writing[s] = std::max(most.writing[s], each.strategies.writing[s]);
      most.reading[s] = std::max(most.reading[s], each.strategies.reading[s]);
    }
  return most;
}

}  // namespace sv
