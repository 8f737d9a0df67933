#include "prediction/write_load.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace sv {

namespace {

constexpr int64_t most_rows = 4000000;

/// Writes of one stripe: in all, the sum of the writers' squares, and those of the writer that has most.
struct StripeWrites {
  double all = 0, squares = 0, largest = 0;
  int writers = 0;
  int64_t of_last = 0;
  int last = -1;  // its rank

  void end_writer() {
    if (last < 0) return;
    ++writers;
    squares += real(of_last) * real(of_last);
    largest = std::max(largest, real(of_last));
    of_last = 0;
  }
  /// Writers come one after another.
  void add(int rank) {
    if (rank != last) end_writer();
    last = rank;
    ++of_last;
    all += 1;
  }
};

/// Adds up the writes of one writer after the other.
class Loading {
 public:
  Loading(const Plan &plan, const Striping &striping, int64_t examined)
      : field_(plan.field), striping_(striping), first_(field_.offset_bytes / striping.bytes) {
    const int64_t end = field_.offset_bytes + examined * field_.element_bytes;
    stripes_.resize(static_cast<size_t>(held_stripes((end - 1) / striping.bytes - first_ + 1)));
    load_.targets.resize(static_cast<size_t>(striping.targets));
    part_.resize(load_.targets.size());
  }

  void begin_writer() { serial_ = 0; }
  void end_writer() { load_.most_serial_bytes = std::max(load_.most_serial_bytes, serial_); }
  /// Elements of the field that stand one after the other in the file.
  void write(int rank, int64_t first, int64_t last);
  WriteLoad load(double scale);

 private:
  const Field &field_;
  const Striping &striping_;
  const int64_t first_;
  std::vector<StripeWrites> stripes_;
  std::vector<double> part_;  // of one write, by target
  WriteLoad load_;
  double serial_ = 0;
};

void Loading::write(int rank, int64_t first, int64_t last) {
  const int64_t begin = field_.offset_bytes + first * field_.element_bytes;
  const int64_t end = field_.offset_bytes + last * field_.element_bytes;
  const int64_t from = begin / striping_.bytes, to = (end - 1) / striping_.bytes;
  for (int64_t stripe = from; stripe <= to; ++stripe) {
    stripes_[static_cast<size_t>(stripe - first_)].add(rank);
    part_[static_cast<size_t>(stripe % striping_.targets)] +=
        real(std::min(end, (stripe + 1) * striping_.bytes) - std::max(begin, stripe * striping_.bytes));
  }
  double most = 0;
  for (int64_t stripe = from; stripe <= std::min(to, from + striping_.targets - 1); ++stripe) {
    const auto target = static_cast<size_t>(stripe % striping_.targets);
    load_.targets[target].requests += 1;
    load_.targets[target].bytes += part_[target];
    most = std::max(most, part_[target]);
    part_[target] = 0;
  }
  serial_ += most;
}

WriteLoad Loading::load(double scale) {
  for (size_t s = 0; s < stripes_.size(); ++s) {
    StripeWrites &stripe = stripes_[s];
    stripe.end_writer();
    if (stripe.writers < 2) continue;
    const double expected = stripe.all - stripe.squares / stripe.all;
    load_.hand_overs += expected;
    load_.least_hand_overs += stripe.writers - 1;
    load_.most_hand_overs += std::min(stripe.all - 1, 2 * (stripe.all - stripe.largest));
    const int64_t number = first_ + static_cast<int64_t>(s);
    load_.targets[static_cast<size_t>(number % striping_.targets)].hand_overs += expected;
  }
  for (TargetLoad &target : load_.targets)
    for (double *count : {&target.requests, &target.bytes, &target.hand_overs}) *count *= scale;
  for (double *count : {&load_.most_serial_bytes, &load_.hand_overs, &load_.least_hand_overs, &load_.most_hand_overs})
    *count *= scale;
  return std::move(load_);
}

/// Calls visit(first, last) for each stretch of the box that is contiguous in the field, up to element `end`.
template <class Visit>
void for_runs(const Box &box, const Box &whole, int64_t end, const Visit &visit) {
  RowCursor cursor(box, whole, 0, end);
  int64_t first = 0, last = 0;
  for (Row row; cursor.next(row);) {
    if (row.position != last) {
      if (last > first) visit(first, last);
      first = row.position;
    }
    last = row.position + row.elements;
  }
  if (last > first) visit(first, last);
}

/// Rows of all boxes of the field.
int64_t rows_of(const Sinks &sinks) {
  int64_t rows = 0;
  for (const Sink &sink : sinks) {
    const Box &box = sink.territory.box;
    rows += box.elements() / std::max<int64_t>(1, box.count[box.dims() - 1]);
  }
  return rows;
}

}  // namespace

int64_t held_stripes(int64_t stripes) {
  constexpr int64_t most = int64_t{1} << 24;
  if (stripes > most)
    throw Error(Status::config,
                "the field has " + std::to_string(stripes) + " stripes, and at most " + std::to_string(most) +
                    " are looked at one by one",
                "Ask for larger stripes");
  return stripes;
}

WriteLoad write_load_of(const Plan &plan, const Striping &striping) {
  const auto stage = static_cast<int>(plan.stages.size()) - 1;
  const Sinks &sinks = plan.stages.back().sinks;
  const Box whole = Box::whole(plan.field.shape);
  const int64_t elements = whole.elements();
  if (elements == 0 || sinks.empty()) return {std::vector<TargetLoad>(static_cast<size_t>(striping.targets))};
  int64_t examined = elements;
  if (const int64_t rows = plan.route.self ? rows_of(sinks) : 0; rows > most_rows) {
    const int64_t levels = std::max<int64_t>(1, plan.field.shape[0] * most_rows / rows);
    examined = elements / plan.field.shape[0] * levels;
  }
  std::vector<size_t> order(sinks.size());
  for (size_t s = 0; s < order.size(); ++s) order[s] = s;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return sinks[a].rank < sinks[b].rank; });
  Loading loading(plan, striping, examined);
  int rank = -1;
  for (const size_t s : order) {
    const Sink &sink = sinks[s];
    if (sink.rank != rank) loading.end_writer(), loading.begin_writer();
    rank = sink.rank;
    if (plan.route.self) {
      for_runs(sink.territory.box, whole, examined,
               [&](int64_t first, int64_t last) { loading.write(rank, first, last); });
      continue;
    }
    for (int round = 0; round < plan.rounds; ++round) {
      const Share share = plan.share(stage, static_cast<int>(s), round);
      if (share.elements() > 0) loading.write(rank, share.first, share.last);
    }
  }
  loading.end_writer();
  return loading.load(real(elements) / real(examined));
}

}  // namespace sv
