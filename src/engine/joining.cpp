// How a context begins: its settings, who serves, and (for those that do) its whole life.
#include <algorithm>
#include <cstring>

#include "base/warning.hpp"
#include "config/configuration.hpp"
#include "engine/serving.hpp"
#include "engine/session.hpp"
#include "serve/behind_service.hpp"
#include "serve/server.hpp"
#include "serve/service.hpp"
#include "store/listing.hpp"

namespace sv {

namespace {

void compare_settings(const std::string &root, const std::string &mine, int root_rank) {
  const std::string difference = difference_of(root, mine, "rank " + std::to_string(root_rank), "this rank");
  if (!difference.empty())
    throw Error(Status::order, "ranks have different settings: " + difference,
                "Start every rank with the same configuration, environment and options");
}

/// Without what may differ between ranks.
std::string common_settings(Settings settings) {
  settings.component.clear();
  settings.from.erase("component");
  settings.warnings.clear();  // the environments of ranks on other nodes may have others' variables
  return settings_json(settings);
}

/// Texts in one, each with its end.
std::string joined(const std::vector<std::string> &texts) {
  std::string all;
  for (const std::string &text : texts) all.append(text).append(1, '\0');
  return all;
}

std::vector<std::string> parted(const std::string &all) {
  std::vector<std::string> texts;
  for (size_t at = 0; at < all.size(); at += texts.back().size() + 1) texts.emplace_back(all.c_str() + at);
  return texts;
}

std::vector<std::string> assignments(const Environment &variables) {
  std::vector<std::string> texts;
  for (const auto &[name, value] : variables) texts.push_back(name + "=" + value);
  return texts;
}

Environment variables_of(const std::vector<std::string> &texts) {
  Environment variables;
  for (const std::string &text : texts) variables[text.substr(0, text.find('='))] = text.substr(text.find('=') + 1);
  return variables;
}

/// What one rank has, on all of them.
std::vector<std::string> told(const Comm &comm, const std::vector<std::string> &texts, int root) {
  std::string all = joined(texts);
  comm.broadcast(all, root);
  return parted(all);
}

ConfigText told(const Comm &comm, ConfigText config, int root) {
  comm.broadcast(config.path, root);
  comm.broadcast(config.text, root);
  return config;
}

/// Collective; where there is no gate, which needs settings and memory. The first rank with an error tells everybody.
std::optional<Error> agreed(const Comm &comm, const std::optional<Error> &error) {
  const int mine = error ? comm.rank() : comm.size();
  const std::vector<int> failed = comm.all_gather<int>(std::span<const int>(&mine, 1));
  const int teller = *std::min_element(failed.begin(), failed.end());
  if (teller == comm.size()) return std::nullopt;
  int status = error ? static_cast<int>(error->status()) : 0;
  std::string told = error ? error->what() : "";
  comm.broadcast(&status, sizeof status, teller);
  comm.broadcast(told, teller);
  return Error::told(static_cast<Status>(status), told);
}

}  // namespace

/// One rank reads the configuration; every rank judges it, with its own environment and options. Ranks that only serve
/// have those of that rank. What they were given themselves counts on all ranks: their configuration where the models
/// have none, their options before those of the models.
void Session::load(const Beginning &beginning) {
  const auto &[config, options, caller, problem] = beginning;
  const bool only_serves = caller == Caller::server;
  const std::vector<Caller> callers = comm_.all_gather<Caller>(std::span<const Caller>(&caller, 1));
  const auto first = [&](bool serves) {
    const auto found = std::find_if(callers.begin(), callers.end(),
                                    [serves](Caller each) { return (each == Caller::server) == serves; });
    return found == callers.end() ? -1 : static_cast<int>(found - callers.begin());
  };
  first_record_ = std::count(callers.begin(), callers.end(), Caller::c) == 0 ? 1 : 0;
  const int root = std::max(first(false), 0), server = first(true);
  Environment variables = environment();
  const std::vector<std::string> their_variables = told(comm_, assignments(variables), root),
                                 their_options = told(comm_, options, root);
  if (only_serves) variables = variables_of(their_variables);
  std::vector<std::string> all_options = server < 0 ? std::vector<std::string>{} : told(comm_, options, server);
  const std::vector<std::string> &own_options = only_serves ? their_options : options;
  all_options.insert(all_options.end(), own_options.begin(), own_options.end());
  ConfigText text;
  auto error = caught(comm_.rank(), [&] {
    if (beginning.problem) throw Error(*beginning.problem);
    if (first(false) < 0)
      throw Error(Status::order, "all ranks serve, and none computes",
                  "Start a model in the same job: mpiexec -n 2 sv-server : -n 14 MODEL");
    if (comm_.rank() == root) text = read_config(beginning.config, variables);
    if (comm_.rank() == server && !beginning.config.empty()) text = read_config(beginning.config, {});
  });
  ConfigText of_server = server < 0 ? ConfigText{} : told(comm_, text, server);
  text = told(comm_, text, root);
  if (text.path.empty()) text = std::move(of_server);
  if (!error) error = caught(comm_.rank(), [&] { settings_ = load_settings(text, variables, all_options); });
  if (!error) error = caught(comm_.rank(), [&] { open_trace(); });
  // What must be equal, is: sizes of windows and lists of settings decide the plan.
  const std::string mine_json = error ? "" : common_settings(settings_);
  std::string root_json = mine_json;
  comm_.broadcast(root_json, root);
  if (!error && !root_json.empty()) error = caught(comm_.rank(), [&] { compare_settings(root_json, mine_json, root); });
  const auto failed = agreed(comm_, error);
  if (!failed) {
    for (const std::string &warning : settings_.warnings)
      if (comm_.rank() == root) warn(warning);
    return;
  }
  free();
  throw Error(*failed);
}

Session::Session(MPI_Comm comm, const Beginning &beginning) : start_seconds_(wall_seconds()) {
  comm_ = Comm::duplicate(comm);
  load(beginning);
  if (own_steps_ != nullptr) number_ranks();
  std::unique_ptr<Server> server;
  try {
    server = prepare(join(comm, beginning.caller == Caller::server));
  } catch (const Error &) {  // the same one on every rank
    free();
    throw;
  }
  if (server != nullptr) serve(std::move(server));
}

/// Collective over all that were given to sv_init. Models and servers make what they need, each part by itself: then
/// all know whether it worked.
std::unique_ptr<Server> Session::prepare(Comm group) {
  std::unique_ptr<Server> server;
  const auto make = [&] {
    if (!is_model_) {
      calls_ = calls_of_servers();
      server = std::make_unique<Server>(*link_, settings_, std::move(group), *calls_);
      return;
    }
    // Who waits for a server gives it up, by name, before the others give up who waits.
    context_ = std::make_unique<Context>(std::move(comm_), settings_,
                                         ContextOptions{.steps = own_steps_.get(),
                                                        .patience = link_ == nullptr ? 1 : 1.5,
                                                        .first_record = first_record_,
                                                        .servers = servers_});
    if (link_ == nullptr) return write_behind();
    client_ = std::make_unique<Client>(*link_, settings_);
    service_ = std::make_unique<Service>(*context_, *client_);
    context_->servers = service_.get();
  };
  if (link_ == nullptr) {
    make();
    return nullptr;
  }
  const auto failed = caught(all_->rank(), make);
  if (const auto first = agreed(*all_, failed)) throw Error(*first);
  // Servers may need what this rank sends before they have room for what the others bring.
  if (client_ != nullptr && client_->sends_in_calls()) context_->node.while_waiting([this] { client_->progress(); });
  return server;
}

/// Collective, where no rank serves.
void Session::write_behind() {
  if (settings_.servers.kind != ServerRequest::Kind::threads) return;
  if (const std::string why = BehindService::why_not(context_->comm); !why.empty()) return context_->warn_once(why);
  behind_ = std::make_unique<BehindService>(*context_, settings_);
}

/// The same on every rank.
Crew Session::crew(bool only_serves, const Topology &topology) const {
  struct Tag {
    int32_t serves;
    char component[60];
  };
  Tag mine{only_serves ? 1 : 0, {}};
  copy_text(mine.component, sizeof mine.component, settings_.component);
  const std::vector<Tag> tags = comm_.all_gather<Tag>(std::span<const Tag>(&mine, 1));
  Crew crew;
  for (int rank = 0; rank < comm_.size(); ++rank)
    if (tags[static_cast<size_t>(rank)].serves != 0) crew.servers.push_back(rank);
  if (crew.servers.empty()) crew.servers = servers_of(settings_.servers, topology);
  crew.groups = groups_of(crew.servers, settings_.servers.groups);
  for (int rank = 0; rank < comm_.size(); ++rank) {
    if (crew.serves(rank)) continue;
    const std::string name = tags[static_cast<size_t>(rank)].component;
    const auto known = std::find(crew.components.begin(), crew.components.end(), name);
    if (known == crew.components.end()) {
      crew.components.push_back(name);
      crew.clients.emplace_back();
      crew.clients.back().push_back(rank);
    } else {
      crew.clients[static_cast<size_t>(known - crew.components.begin())].push_back(rank);
    }
  }
  return crew;
}

Comm Session::join(MPI_Comm model, bool only_serves) {
  auto all = std::make_unique<Comm>(std::move(comm_));
  const bool share = settings_.transport != Transport::send;
  auto link = std::make_unique<Link>(*all, LinkOptions{settings_.server_memory_bytes, settings_.ranks_per_node, share,
                                                       settings_.watchdog_seconds, own_steps_.get()});
  comm_ = std::move(*all);
  Crew made = crew(only_serves, link->topology());
  *all = std::move(comm_);
  servers_ = static_cast<int>(made.servers.size());
  is_model_ = !made.serves(all->rank());
  if (own_steps_ != nullptr) note_run(*all);
  const int component = made.component_of(all->rank());
  if (servers_ == 0 && made.clients.size() == 1) {
    link->free();
    comm_ = std::move(*all);
    model_comm_ = Comm::duplicate_for_model(model);
    return {};
  }
  int color = component;
  for (int g = 0; g < std::ssize(made.groups); ++g)
    if (std::count(made.groups[static_cast<size_t>(g)].begin(), made.groups[static_cast<size_t>(g)].end(), all->rank()))
      color = static_cast<int>(made.clients.size()) + g;
  if (servers_ > 0) link->man(std::move(made));
  Comm part = all->split(color);
  all_ = std::move(all);
  if (servers_ > 0)
    link_ = std::move(link);
  else
    link->free();
  if (!is_model_) return part;
  comm_ = std::move(part);
  model_comm_ = Comm::duplicate_for_model(comm_.get());
  return {};
}

void Session::serve(std::unique_ptr<Server> server) {
  const DeafToStops deaf;
  try {
    lost_ = server->run();
  } catch (const Error &error) {  // nobody waits for this server any more
    link_->fail(error.status(), "server " + std::to_string(link_->rank()) + ": " + error.what());
    throw;
  }
}

void serve(MPI_Comm comm, const std::string &config, const std::vector<std::string> &options) {
  Session(comm, {config, options, Caller::server}).finalize();
}

}  // namespace sv
