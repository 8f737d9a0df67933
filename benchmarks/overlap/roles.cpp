#include "roles.hpp"

#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "janitor.hpp"
#include "methods/sverdrup.hpp"
#include "resident.hpp"
#include "rounds.hpp"

namespace sv_bench {

namespace {

// A barrier in which no rank spins.
void wait_asleep(MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  int done = MPI_Ibarrier(comm, &request) == MPI_SUCCESS ? 0 : -1;
  while (done == 0) {
    if (MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) done = -1;
    if (done == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (done < 0) throw std::runtime_error("MPI cannot wait for all ranks");
}

nlohmann::json largest(const Team &all, const Resident &mine, bool counts) {
  std::array<int64_t, 2> bytes{counts ? mine.bytes : -1, counts ? mine.shared_bytes : -1};
  MPI_Allreduce(MPI_IN_PLACE, bytes.data(), 2, MPI_INT64_T, MPI_MAX, all.comm);
  if (bytes[0] < 0) return nullptr;
  return {{"bytes", bytes[0]}, {"shared_bytes", bytes[1]}};
}

/// `mine` is null on ranks that take no part. All of Method's functions are collective over `all`.
class OfSome : public Method {
 public:
  OfSome(const Team &all, bool computes, int servers, std::unique_ptr<Method> mine)
      : Method(all), computes_(computes), servers_(servers), mine_(std::move(mine)) {}

  void run(const std::string &path) override {
    ResidentWatch watch;
    if (mine_ != nullptr) mine_->run(path);
    wait_asleep(team_.comm);
    const Resident now = watch.end();
    resident_ = {std::max(resident_.bytes, now.bytes), std::max(resident_.shared_bytes, now.shared_bytes)};
  }
  std::optional<Phases> phases() override { return computes_ ? mine_->phases() : Phases{}; }
  Traffic traffic() override { return computes_ ? mine_->traffic() : Traffic{}; }
  std::optional<bool> check(const std::string &path) override { return computes_ ? mine_->check(path) : std::nullopt; }
  void remove(const std::string &path) override {
    if (computes_) mine_->remove(path);
  }
  void finish() override {
    if (mine_ != nullptr) mine_->finish();
  }
  nlohmann::json more() override {
    nlohmann::json found = computes_ ? mine_->more() : nlohmann::json();
    int clients = computes_ ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &clients, 1, MPI_INT, MPI_SUM, team_.comm);
    found["clients"] = clients;
    found["servers"] = servers_;
    found["resident"] = {{"clients", largest(team_, resident_, computes_)},
                         {"servers", largest(team_, resident_, !computes_ && mine_ != nullptr)}};
    return found;
  }

 private:
  const bool computes_;
  const int servers_;
  const std::unique_ptr<Method> mine_;
  Resident resident_;
};

/// Of a rank that computes.
class Served : public Method {
 public:
  Served(const Roles &roles, const Workload *decomposition, InContext inner, const std::vector<std::string> &options)
      : Method(*roles.clients),
        given_(roles.given),
        decomposition_(decomposition),
        inner_(std::move(inner)),
        options_(options),
        summary_path_(roles.summary_path) {}

  void run(const std::string &path) override {
    const double begin = MPI_Wtime();
    const SverdrupContext context(given_, options_, decomposition_);
    start_ = MPI_Wtime() - begin;
    if (context.rank() != team_.rank) throw std::runtime_error("sv_init gives the ranks other roles than before");
    MPI_Barrier(team_.comm);  // so that no rank's start is part of the others' output
    inner_.use(context);
    inner_.method->run(path);
    context.finish();
    if (team_.rank == 0) keep_summary();
  }
  std::optional<Phases> phases() override {
    std::optional<Phases> phases = inner_.method->phases();
    if (phases) phases->start = start_;
    return phases;
  }
  Traffic traffic() override {
    if (team_.rank != 0 || !summary_) return {};
    return {{}, {}, summary_->at("messages").get<int64_t>()};
  }
  std::optional<bool> check(const std::string &path) override { return inner_.method->check(path); }
  void remove(const std::string &path) override { inner_.method->remove(path); }
  void finish() override { inner_.method->finish(); }
  nlohmann::json more() override {
    nlohmann::json found = inner_.method->more();
    found["summary"] = found["server_output_seconds"] = nullptr;
    if (team_.rank != 0 || !summary_) return found;
    found["summary"] = *summary_;
    found["server_output_seconds"] = median_of(server_seconds_);
    return found;
  }

 private:
  /// The summary that sv_finalize wrote after the servers had reported.
  void keep_summary() {
    nlohmann::json summary;
    std::ifstream(summary_path_) >> summary;
    unlink(summary_path_.c_str());
    const nlohmann::json &seconds = summary.at("servers").at("seconds");
    server_seconds_.push_back(seconds.at("receive").get<double>() + seconds.at("write").get<double>());
    if (!summary_) summary_ = std::move(summary);
  }

  const MPI_Comm given_;
  const Workload *const decomposition_;
  const InContext inner_;
  const std::vector<std::string> options_;
  const std::string summary_path_;
  double start_ = 0;
  std::optional<nlohmann::json> summary_;  // of the first run
  std::vector<double> server_seconds_;     // of every run: receiving and writing, the largest of a server
};

/// Of a rank that serves.
class Serving : public Method {
 public:
  Serving(const Roles &roles, const std::vector<std::string> &options)
      : Method(roles.all), given_(roles.given), options_(options) {}

  void run(const std::string &) override {
    const SverdrupContext context(given_, options_, nullptr);
    if (context.computes()) throw std::runtime_error("sv_init gives the ranks other roles than before");
    context.finish();
  }
  std::optional<bool> check(const std::string &) override { return {}; }
  void remove(const std::string &) override {}

 private:
  const MPI_Comm given_;
  const std::vector<std::string> options_;
};

}  // namespace

int clients_beside(int servers) {
  const Team world(MPI_COMM_WORLD);
  if (servers < world.ranks) return world.ranks - servers;
  throw std::invalid_argument("--servers " + std::to_string(servers) + " leaves no clients among " +
                              std::to_string(world.ranks) + " ranks");
}

Roles roles_of(MPI_Comm comm, int clients, int servers, const std::vector<std::string> &settings) {
  Team whole(comm);
  const std::string wish = std::to_string(clients) + " clients and " + std::to_string(servers) + " servers";
  if (clients + servers != whole.ranks)
    throw std::invalid_argument(wish + " need " + std::to_string(clients + servers) + " ranks, and there are " +
                                std::to_string(whole.ranks));
  // Not on the emulated device, whose calls are counted.
  int process = getpid();
  MPI_Bcast(&process, 1, MPI_INT, 0, comm);
  const std::string path = std::filesystem::temp_directory_path() / ("sv-bench-" + std::to_string(process) + ".json");
  if (whole.rank == 0) janitor().expect(path);
  std::vector<std::string> options{servers > 0 ? "async=servers:" + std::to_string(servers) : "async=none"};
  options.insert(options.end(), settings.begin(), settings.end());
  options.push_back("summary=" + path);
  const SverdrupContext probe(comm, options, nullptr);
  const bool computes = probe.computes();
  const int place = computes ? probe.rank() : whole.ranks + whole.rank;
  probe.finish();
  int computing = computes ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &computing, 1, MPI_INT, MPI_SUM, comm);
  if (computing != clients)
    throw std::invalid_argument(wish + " were asked for, but of " + std::to_string(whole.ranks) + " ranks " +
                                std::to_string(computing) + " compute");
  MPI_Comm all = MPI_COMM_NULL, model = MPI_COMM_NULL;
  if (MPI_Comm_split(comm, 0, place, &all) != MPI_SUCCESS ||
      MPI_Comm_split(comm, computes ? 0 : MPI_UNDEFINED, place, &model) != MPI_SUCCESS)
    throw std::runtime_error("MPI cannot divide the ranks into clients and servers");
  std::optional<Team> team;
  if (computes) team.emplace(model);
  if (team && team->rank == 0) unlink(path.c_str());
  return {comm, Team(all), team, clients, servers, options, path};
}

Peer peer_of_some(const Team &all, const std::string &name, const std::function<Peer()> &make) {
  Peer peer{name, false, "", {}};
  if (make) peer = make();
  if (!all.all(peer.missing.empty())) {
    if (peer.missing.empty()) peer.missing = "missing on another rank";
    return peer;
  }
  peer.make = [all, inner = peer.make]() -> std::unique_ptr<Method> {
    return std::make_unique<OfSome>(all, inner != nullptr, 0, inner ? inner() : nullptr);
  };
  return peer;
}

Peer peer_of_some(const Team &all, const Workload *workload, const std::string &name,
                  const std::function<Peer(const std::string &name, const Workload &workload)> &make) {
  if (workload == nullptr) return peer_of_some(all, name, {});
  return peer_of_some(all, name, [&] { return make(name, *workload); });
}

Peer served_peer(const Team &all, const std::string &name, const Roles *roles, const ServedMaker &maker,
                 const std::vector<std::string> &settings) {
  return {name, false, "", [all, roles, maker, settings]() -> std::unique_ptr<Method> {
            if (roles == nullptr) return std::make_unique<OfSome>(all, false, 0, nullptr);
            std::vector<std::string> options = roles->options;
            options.insert(options.end(), settings.begin(), settings.end());
            const bool computes = maker.make != nullptr;
            std::unique_ptr<Method> mine;
            if (computes)
              mine = std::make_unique<Served>(*roles, maker.decomposition, maker.make(options), options);
            else
              mine = std::make_unique<Serving>(*roles, options);
            return std::make_unique<OfSome>(all, computes, roles->n_servers, std::move(mine));
          }};
}

Peer served_peer(const Team &all, const std::string &name, const Roles *roles, const Workload *workload,
                 const std::vector<std::string> &settings) {
  ServedMaker maker;
  if (workload != nullptr)
    maker = {workload, [workload](const std::vector<std::string> &) {
               auto method = std::make_unique<SverdrupFiles>(*workload, false, Way::each);
               SverdrupFiles *const files = method.get();
               return InContext{std::move(method), [files](const SverdrupContext &context) { files->use(context); }};
             }};
  return served_peer(all, name, roles, maker, settings);
}

}  // namespace sv_bench
