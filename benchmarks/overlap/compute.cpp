#include "compute.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <stdexcept>
#include <thread>

namespace sv_bench {

namespace {

void sleep_until(double when) {
  const double left = when - MPI_Wtime();
  if (left > 0) std::this_thread::sleep_for(std::chrono::duration<double>(left));
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// In cells: of this rank's part of the grid, or of a square with as many cells as a rank has on average.
std::array<int64_t, 2> sides_of(const Workload &workload) {
  if (!workload.points) return {workload.grid->count[0], workload.grid->count[1]};
  const double cells = static_cast<double>(workload.points->all_cells()) / workload.team.ranks;
  const int64_t side = std::max<int64_t>(1, std::llround(std::sqrt(cells)));
  return {side, side};
}

}  // namespace

ComputeWish compute_wish(const std::string &text) {
  using Kind = ComputeWish::Kind;
  const CLI::ValidationError bad("--compute: give a time, as 200ms, spin:7.5s or halo:200ms, not '" + text + "'");
  ComputeWish wish;
  const size_t colon = text.find(':');
  if (colon != std::string::npos) {
    const std::string kind = text.substr(0, colon);
    if (kind != "sleep" && kind != "spin" && kind != "halo") throw bad;
    wish.kind = kind == "sleep" ? Kind::sleep : kind == "spin" ? Kind::spin : Kind::halo;
  }
  const std::string time = colon == std::string::npos ? text : text.substr(colon + 1);
  size_t used = 0;
  try {
    wish.seconds = std::stod(time, &used);
  } catch (const std::logic_error &) {
    throw bad;
  }
  const std::string unit = time.substr(used);
  if (unit == "ms") wish.seconds /= 1000;
  const bool known = unit == "ms" || unit == "s" || (unit.empty() && wish.seconds == 0);
  if (!known || !(wish.seconds >= 0 && wish.seconds < 3600)) throw bad;
  return wish;
}

void add_compute(CLI::App &app, ComputeWish &wish, const std::string &usual) {
  app.add_option_function<std::string>(
      "--compute", [&wish](const std::string &text) { wish = compute_wish(text); },
      "computing in each step: 200ms (sleeping), spin:200ms (processor time) or halo:200ms (" + usual + ")");
}

std::string text_of(const ComputeWish &wish) {
  const char *const kinds[] = {"sleep", "spin", "halo"};
  std::ostringstream text;
  text << kinds[static_cast<int>(wish.kind)] << ":" << wish.seconds << "s";
  return text.str();
}

TimedModel::TimedModel(const Workload &workload, const ComputeWish &wish, int px, int py)
    : workload_(workload), wish_(wish) {
  const int rank = workload.team.rank, x = rank % px, y = rank / px;
  const int64_t cells = Region{{}, workload.grid->count}.elements();
  int64_t values = 0;  // of a step and cell
  const auto [first, end] = workload.step(0);
  for (size_t a = first; a < end; ++a) values += workload.accesses()[a].elements() / cells;
  const auto [rows, columns] = sides_of(workload);
  const auto add = [this](bool there, int other, int64_t edge) {
    const std::vector<double> border(static_cast<size_t>(there ? edge : 0));
    if (there) neighbours_.push_back({other, border, border});
  };
  add(x > 0, rank - 1, values * rows);
  add(x + 1 < px, rank + 1, values * rows);
  add(y > 0, rank - px, values * columns);
  add(y + 1 < py, rank + px, values * columns);
  requests_.resize(2 * neighbours_.size());
}

void TimedModel::exchange() {
  bool good = true;
  const MPI_Comm comm = workload_.team.comm;
  for (size_t n = 0; n < neighbours_.size(); ++n) {
    Neighbour &other = neighbours_[n];
    const auto count = static_cast<int>(other.sent.size());
    good = good &&
           MPI_Irecv(other.received.data(), count, MPI_DOUBLE, other.rank, 0, comm, &requests_[2 * n]) == MPI_SUCCESS &&
           MPI_Isend(other.sent.data(), count, MPI_DOUBLE, other.rank, 0, comm, &requests_[2 * n + 1]) == MPI_SUCCESS;
  }
  const auto all = static_cast<int>(requests_.size());
  if (!good || MPI_Waitall(all, requests_.data(), MPI_STATUSES_IGNORE) != MPI_SUCCESS)
    throw std::runtime_error("MPI cannot exchange halos");
}

// The number of exchanges is the same on all ranks, however late one of them is.
double TimedModel::compute_between_exchanges(double begin, double seconds,
                                             const std::function<void(bool)> &communicates) {
  const double exchanges = std::max(1.0, std::ceil(seconds / wish_.between_exchanges - 1e-9));
  double communication = 0;
  for (int i = 1; i <= static_cast<int>(exchanges); ++i) {
    sleep_until(begin + communication + i * seconds / exchanges);
    communicates(true);
    const double since = MPI_Wtime();
    exchange();
    communication += MPI_Wtime() - since;
    communicates(false);
  }
  return communication;
}

void TimedModel::spin(double seconds) {
  const double until = processor_seconds() + seconds;
  while (processor_seconds() < until) {
    for (int i = 0; i < 10000; ++i) state_ = state_ * 0.999 + 1;
  }
}

Computed TimedModel::pass(double steps, const std::function<void(bool)> &communicates) {
  Computed computed;
  const double begin = MPI_Wtime(), seconds = steps * wish_.seconds;
  if (wish_.kind == ComputeWish::Kind::spin) spin(seconds);
  if (wish_.kind == ComputeWish::Kind::sleep) sleep_until(begin + seconds);
  if (wish_.kind == ComputeWish::Kind::halo)
    computed.communication = compute_between_exchanges(begin, seconds, communicates);
  computed.seconds = MPI_Wtime() - begin;
  return computed;
}

Computed TimedModel::compute(size_t step, const std::function<void(bool)> &communicates) {
  const double begin = MPI_Wtime();
  workload_.advance(step);
  Computed computed = pass(1, communicates);
  computed.seconds = MPI_Wtime() - begin;
  return computed;
}

}  // namespace sv_bench
