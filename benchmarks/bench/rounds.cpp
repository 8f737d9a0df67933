#include "rounds.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <stdexcept>

#include "memory.hpp"
#include "preload.hpp"
#include "workload/input.hpp"
#include "workload/plain_file.hpp"

namespace sv_bench {

namespace {

struct Contestant {
  Result result;
  std::unique_ptr<Method> method;
  std::string path;  // of the file it writes, or reads
};

/// Synchronises the file of a method, or all files that it made of that name. By rank 0.
void sync_files(const Team &team, const std::string &path) {
  if (team.rank != 0) return;
  const std::filesystem::path whole(path);
  const std::string stem = whole.stem().string();
  const auto sync = [](const std::filesystem::path &file) {
    if (std::filesystem::is_regular_file(file)) PlainFile(file.string(), O_RDWR).sync();
  };
  for (const auto &entry : std::filesystem::directory_iterator(whole.parent_path())) {
    if (entry.path().filename().string().rfind(stem, 0) != 0) continue;
    if (!entry.is_directory()) {
      sync(entry.path());
      continue;
    }
    for (const auto &part : std::filesystem::recursive_directory_iterator(entry.path())) sync(part.path());
  }
}

double timed_run(const Team &team, Contestant &contestant, bool durable) {
  return timed(team, [&] {
    contestant.method->run(contestant.path);
    if (durable && !contestant.result.reads) sync_files(team, contestant.path);
  });
}

// Of the slowest rank in each.
void add_phases(const Team &team, Result &result, Method &method) {
  const std::optional<Phases> mine = method.phases();
  if (!mine) return;
  std::array<double, 9> most{mine->open,          mine->transfer, mine->close, mine->compute, mine->start,
                             mine->communication, mine->output,   mine->read,  mine->whole()};
  MPI_Allreduce(MPI_IN_PLACE, most.data(), static_cast<int>(most.size()), MPI_DOUBLE, MPI_MAX, team.comm);
  result.phases.push_back({most[0], most[1], most[2], most[3], most[4], most[5], most[6], most[7]});
  result.whole_seconds.push_back(most[8]);
  if (most[4] > 0) result.seconds.back() = most[8];  // a context that is made for this run only is no part of it
  std::array<double, 2> sums{mine->compute, mine->compute > 0 ? 1.0 : 0.0};
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_DOUBLE, MPI_SUM, team.comm);
  result.mean_compute_seconds.push_back(sums[1] > 0 ? sums[0] / sums[1] : 0);
}

void say(const Team &team, const std::string &text) {
  if (team.rank == 0) std::cerr << text << std::flush;
}

// The shim's counts of one run, completed and checked by the method's own.
void add_traffic(Result &result, Method &method, const std::optional<FileTraffic> &before,
                 const std::optional<FileTraffic> &after) {
  const Traffic own = method.traffic();
  Traffic &traffic = result.traffic;
  if (before && after) {
    traffic.writes = after->writes - before->writes;
    traffic.bytes =
        result.reads ? after->read_bytes - before->read_bytes : after->written_bytes - before->written_bytes;
    result.system_reads = after->reads - before->reads;
  }
  if (own.writes && traffic.writes && own.writes != traffic.writes)
    std::cerr << "\n"
              << result.name << " reports " << *own.writes << " writes, but " << *traffic.writes << " were seen\n";
  if (own.bytes) traffic.bytes = own.bytes;
  if (own.writes) traffic.writes = own.writes;
  if (own.messages) traffic.messages = own.messages;
}

void first_run(const Team &team, Contestant &contestant, bool durable) {
  Result &result = contestant.result;
  Method &method = *contestant.method;
  const std::optional<FileTraffic> before = file_traffic(team.comm);
  result.cold_seconds = timed_run(team, contestant, durable);
  const std::optional<FileTraffic> after = file_traffic(team.comm);
  add_traffic(result, method, before, after);
  result.verified = method.check(contestant.path);
  if (result.verified == false) throw std::runtime_error(result.name + ": the values are wrong");
  method.remove(contestant.path);
}

void run_rounds(const Team &team, std::vector<Contestant> &contestants, const Options &options) {
  count_calls(true);
  for (Contestant &contestant : contestants) first_run(team, contestant, options.durable);
  count_calls(false);
  for (int round = 0; round < options.repeat; ++round) {
    for (Contestant &contestant : contestants) {
      contestant.result.seconds.push_back(timed_run(team, contestant, options.durable));
      add_phases(team, contestant.result, *contestant.method);
      contestant.method->remove(contestant.path);
    }
    say(team, ".");
  }
  say(team, "\n");
  for (Contestant &contestant : contestants) {
    contestant.result.more = contestant.method->more();
    contestant.method->finish();
  }
}

std::string input_of(const Input &input, const Options &options) {
  return options.file(input.name.empty() ? "input" : "input." + input.name);
}

/// The files that methods read which have their own; returns their paths. Collective.
std::vector<std::string> make_inputs(const std::vector<Peer> &peers, const std::vector<Contestant> &contestants,
                                     const Options &options) {
  std::vector<std::string> made;
  for (const Peer &peer : peers) {
    const std::string path = input_of(peer.input, options);
    const bool is_read =
        std::any_of(contestants.begin(), contestants.end(), [&](const Contestant &each) { return each.path == path; });
    if (!peer.input.maker || !is_read || std::count(made.begin(), made.end(), path) > 0) continue;
    const std::unique_ptr<Method> maker = peer.input.maker();
    maker->run(path);
    maker->finish();
    made.push_back(path);
  }
  return made;
}

std::vector<Contestant> enlist(const std::vector<Peer> &peers, bool reads, const Options &options) {
  std::vector<Contestant> contestants;
  for (const Peer &peer : peers) {
    if (peer.reads != reads || !peer.missing.empty() || !options.selects(peer.name)) continue;
    Contestant contestant;
    contestant.result.name = peer.name;
    contestant.result.reads = reads;
    contestant.path = reads ? input_of(peer.input, options) : options.file(peer.name);
    contestant.method = peer.make();
    contestants.push_back(std::move(contestant));
  }
  return contestants;
}

}  // namespace

std::string input_path(const Options &options) { return options.file("input"); }

double median_phase(const Result &result, double Phases::*phase) {
  std::vector<double> seconds;
  for (const Phases &round : result.phases) seconds.push_back(round.*phase);
  return median_of(seconds);
}

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

namespace {

/// Whether all ranks are on one host, whose clock they share.
bool share_a_clock(const Team &team) {
  MPI_Comm host = MPI_COMM_NULL;
  int ranks = 0;
  MPI_Comm_split_type(team.comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  MPI_Comm_size(host, &ranks);
  MPI_Comm_free(&host);
  return ranks == team.ranks;
}

double seconds_of_clock() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

double timed(const Team &team, const std::function<void()> &run) {
  const bool one_clock = share_a_clock(team);
  MPI_Barrier(team.comm);
  const double begin = seconds_of_clock();
  run();
  const double end = seconds_of_clock();
  std::array<double, 3> most{-begin, end, end - begin};
  MPI_Allreduce(MPI_IN_PLACE, most.data(), static_cast<int>(most.size()), MPI_DOUBLE, MPI_MAX, team.comm);
  return one_clock ? most[0] + most[1] : most[2];
}

double Result::median() const { return median_of(seconds); }
double Result::min() const { return seconds.empty() ? 0 : *std::min_element(seconds.begin(), seconds.end()); }
double Result::max() const { return seconds.empty() ? 0 : *std::max_element(seconds.begin(), seconds.end()); }

double Result::drift() const {
  const auto half = static_cast<std::ptrdiff_t>(seconds.size() / 2);
  const double first = median_of({seconds.begin(), seconds.begin() + half});
  return first > 0 ? median_of({seconds.end() - half, seconds.end()}) / first : 1;
}

std::vector<Result> take_turns(const Team &team, const std::vector<Peer> &peers, bool reads, const Options &options,
                               const std::function<void()> &prepare) {
  std::vector<Contestant> contestants = enlist(peers, reads, options);
  if (contestants.empty()) return {};
  say(team, reads ? "reading " : "writing ");
  prepare();
  const std::vector<std::string> inputs = make_inputs(peers, contestants, options);
  run_rounds(team, contestants, options);
  MPI_Barrier(team.comm);
  for (const std::string &path : inputs)
    if (team.rank == 0) std::filesystem::remove_all(path);
  std::vector<Result> results;
  for (Contestant &contestant : contestants) results.push_back(std::move(contestant.result));
  return results;
}

std::vector<Result> measure_time(const Workload &workload, const std::vector<Peer> &peers, const Options &options) {
  const std::string input = input_path(options);
  // The first writer must not be slowed by pages that no process has used since the machine was started.
  std::vector<Result> results = take_turns(workload.team, peers, false, options, [&] {
    make_input(workload, input);
    remove_input(workload, input);
  });
  std::vector<Result> reading = take_turns(workload.team, peers, true, options, [&] { make_input(workload, input); });
  if (!reading.empty()) remove_input(workload, input);
  for (Result &result : reading) results.push_back(std::move(result));
  return results;
}

std::vector<Result> measure_memory(const Workload &workload, const std::vector<Peer> &peers, const Options &options) {
  const Team &team = workload.team;
  std::vector<Result> results;
  MemoryWatch watch(team.comm);
  for (const Peer &peer : peers) {
    if (!peer.missing.empty() || peer.reads || !options.selects(peer.name)) continue;
    const std::string path = options.file(peer.name);
    Result result;
    result.name = peer.name;
    watch.begin();
    const std::unique_ptr<Method> method = peer.make();
    for (int round = 0; round < options.repeat; ++round) {
      result.seconds.push_back(timed(team, [&] { method->run(path); }));
      method->remove(path);
    }
    const int64_t peak = watch.peak_bytes_beyond();
    result.memory = {watch.baseline_bytes(), peak, method->pool_bytes()};
    method->finish();
    results.push_back(result);
  }
  return results;
}

}  // namespace sv_bench
