#include "rounds.hpp"

#include <algorithm>
#include <iostream>
#include <stdexcept>

#include "memory.hpp"
#include "peers/pread.hpp"
#include "preload.hpp"

namespace sv_bench {

namespace {

double timed_run(const Block &block, Method &method, const std::string &path) {
  return timed(block, [&] { method.run(path); });
}

void say(const Block &block, const std::string &text) {
  if (block.rank == 0) std::cerr << text << std::flush;
}

// What the shim saw of one run, completed and checked by what the method knows itself.
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
              << result.name << " tells " << *own.writes << " writes, but " << *traffic.writes << " were seen\n";
  if (own.bytes) traffic.bytes = own.bytes;
  if (own.writes) traffic.writes = own.writes;
  if (own.messages) traffic.messages = own.messages;
}

struct Contestant {
  Result result;
  std::unique_ptr<Method> method;
  std::string path;  // of the file it writes, or reads
};

void first_run(const Block &block, Contestant &contestant) {
  Result &result = contestant.result;
  Method &method = *contestant.method;
  MPI_Barrier(block.comm);
  const std::optional<FileTraffic> before = file_traffic();
  MPI_Barrier(block.comm);
  result.cold_seconds = timed_run(block, method, contestant.path);
  const std::optional<FileTraffic> after = file_traffic();
  MPI_Barrier(block.comm);
  add_traffic(result, method, before, after);
  result.verified = method.check(contestant.path);
  if (result.verified == false) throw std::runtime_error(result.name + ": the values are wrong");
  method.remove(contestant.path);
}

void run_rounds(const Block &block, std::vector<Contestant> &contestants, int repeat) {
  count_calls(true);
  for (Contestant &contestant : contestants) first_run(block, contestant);
  count_calls(false);
  for (int round = 0; round < repeat; ++round) {
    for (Contestant &contestant : contestants) {
      contestant.result.seconds.push_back(timed_run(block, *contestant.method, contestant.path));
      contestant.method->remove(contestant.path);
    }
    say(block, ".");
  }
  say(block, "\n");
  for (Contestant &contestant : contestants) contestant.method->finish();
}

std::vector<Contestant> enlist(const Block &block, const std::vector<Peer> &peers, bool reads, const Options &options) {
  std::vector<Contestant> contestants;
  for (const Peer &peer : peers) {
    if (peer.reads != reads || !peer.missing.empty() || !options.selects(peer.name, peer.store)) continue;
    Contestant contestant;
    contestant.result.name = peer.name;
    contestant.result.reads = reads;
    contestant.path = options.directory + "/sv-bench." + (reads ? "input" : peer.name) + ".nc";
    contestant.method = peer.make(block, {options.settings});
    contestants.push_back(std::move(contestant));
  }
  return contestants;
}

}  // namespace

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double timed(const Block &block, const std::function<void()> &run) {
  MPI_Barrier(block.comm);
  const double begin = MPI_Wtime();
  run();
  double seconds = MPI_Wtime() - begin;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, block.comm);
  return seconds;
}

double Result::median() const { return median_of(seconds); }
double Result::min() const { return seconds.empty() ? 0 : *std::min_element(seconds.begin(), seconds.end()); }
double Result::max() const { return seconds.empty() ? 0 : *std::max_element(seconds.begin(), seconds.end()); }

double Result::drift() const {
  const auto half = static_cast<std::ptrdiff_t>(seconds.size() / 2);
  const double first = median_of({seconds.begin(), seconds.begin() + half});
  return first > 0 ? median_of({seconds.end() - half, seconds.end()}) / first : 1;
}

std::vector<Result> measure_time(const Block &block, const std::vector<Peer> &peers, const Options &options) {
  std::vector<Result> results;
  for (const bool reads : {false, true}) {
    std::vector<Contestant> contestants = enlist(block, peers, reads, options);
    if (contestants.empty()) continue;
    say(block, reads ? "reading " : "writing ");
    const std::string &path = contestants.front().path;
    make_input(block, path);
    // The first to write must not be the one who finds pages that nobody has used since the machine was started.
    if (!reads) remove_input(block, path);
    run_rounds(block, contestants, options.repeat);
    if (reads) remove_input(block, path);
    for (Contestant &contestant : contestants) results.push_back(std::move(contestant.result));
  }
  return results;
}

std::vector<Result> measure_memory(const Block &block, const std::vector<Peer> &peers, const Options &options) {
  std::vector<Result> results;
  MemoryWatch watch(block.comm);
  for (const Peer &peer : peers) {
    if (!peer.missing.empty() || peer.reads || !options.selects(peer.name, peer.store)) continue;
    const std::string path = options.directory + "/sv-bench." + peer.name + ".nc";
    Result result;
    result.name = peer.name;
    watch.begin();
    const std::unique_ptr<Method> method = peer.make(block, {options.settings});
    for (int round = 0; round < options.repeat; ++round) {
      result.seconds.push_back(timed_run(block, *method, path));
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
