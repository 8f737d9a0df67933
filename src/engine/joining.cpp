// How a context begins: its settings, who serves, and (for those that do) its whole life.
#include <algorithm>
#include <cstring>
#include <functional>

#include "base/host.hpp"
#include "base/signature.hpp"
#include "base/warning.hpp"
#include "config/configuration.hpp"
#include "config/site.hpp"
#include "engine/serving.hpp"
#include "engine/session.hpp"
#include "model/listing.hpp"
#include "servers/ready_service.hpp"
#include "servers/server.hpp"

namespace sv {

namespace {

void compare_settings(const std::string &root, const std::string &mine, int root_rank) {
  const std::string difference = difference_of(root, mine, "rank " + std::to_string(root_rank), "this rank");
  if (!difference.empty())
    throw Error(Status::ranks, "ranks have different settings: " + difference,
                "Start every rank with the same configuration, environment and options");
}

/// Without what may differ between ranks.
std::string common_settings(Settings settings) {
  settings.component.clear();
  settings.from.erase("async.component");
  settings.warnings.clear();  // the environments of ranks on other nodes may have others' variables
  return settings_json(settings);
}

/// Texts in one, each behind its length.
std::string packed(const std::vector<std::string> &texts) {
  std::string all;
  for (const std::string &text : texts) all.append(std::to_string(text.size())).append(1, ' ').append(text);
  return all;
}

std::vector<std::string> unpacked(const std::string &all) {
  std::vector<std::string> texts;
  for (size_t at = 0; at < all.size();) {
    const size_t begin = all.find(' ', at) + 1, length = std::stoull(all.substr(at, begin - at));
    texts.push_back(all.substr(begin, length));
    at = begin + length;
  }
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

/// The sources of the settings.
struct Given {
  Environment variables;
  std::vector<std::string> options;
  ConfigText config, site;
};

/// Collective. Gives all ranks the sources of one.
Given broadcast_of(const Comm &comm, const Given &mine, int root) {
  std::string all;
  if (comm.rank() == root)
    all = packed({packed(assignments(mine.variables)), packed(mine.options), mine.config.path, mine.config.text,
                  mine.site.path, mine.site.text});
  comm.broadcast(all, root);
  const std::vector<std::string> parts = unpacked(all);
  return {variables_of(unpacked(parts[0])), unpacked(parts[1]), {parts[2], parts[3]}, {parts[4], parts[5]}};
}

/// Collective; without a gate, which needs settings and memory. The first rank with an error sends it to all, which
/// throw it.
void agree(const Comm &comm, const std::optional<Error> &error) {
  const int mine = error ? comm.rank() : comm.size();
  const std::vector<int> failed = comm.all_gather<int>(std::span<const int>(&mine, 1));
  const int command_source = *std::min_element(failed.begin(), failed.end());
  if (command_source == comm.size()) return;
  int status = error ? static_cast<int>(error->status()) : 0;
  std::string text = error ? error->what() : "";
  comm.broadcast(&status, sizeof status, command_source);
  comm.broadcast(text, command_source);
  throw Error::from_remote(static_cast<Status>(status), text);
}

/// Collective. Whether no rank has failed, and all have the same text.
bool all_have(const Comm &comm, const std::string &text, bool has_failed, int root) {
  struct Judged {
    int64_t has_failed;
    uint64_t signature;
    bool operator==(const Judged &) const = default;
  };
  const Judged mine{has_failed ? 1 : 0, signature_of(text)};
  const std::vector<Judged> all = comm.all_gather<Judged>(std::span<const Judged>(&mine, 1));
  const Judged good{0, all[static_cast<size_t>(root)].signature};
  return std::count(all.begin(), all.end(), good) == std::ssize(all);
}

/// The text of the sources of settings, besides a configuration.
std::string sources(const Environment &variables, const std::vector<std::string> &options) {
  return packed({packed(assignments(variables)), packed(options)});
}

/// Collective. Compares settings that must be equal: sizes of windows and lists of settings decide the plan. Settings
/// from the same `sources` (empty: they are known to be the same) are equal: otherwise they are compared as text, which
/// takes longer than all the rest. Throws the error of a rank, also of the comparison.
void compare(const Comm &comm, const std::string &sources, const std::function<std::string()> &print,
             std::optional<Error> error, int root) {
  if (sources.empty() && comm.all_true(!error)) return;
  if (sources.empty()) return agree(comm, error);
  if (all_have(comm, sources, error.has_value(), root)) return;
  const std::string settings = error ? "" : print();
  if (all_have(comm, settings, error.has_value(), root)) return;
  std::string of_root = settings;
  comm.broadcast(of_root, root);
  if (!error && !of_root.empty()) error = caught(comm.rank(), [&] { compare_settings(of_root, settings, root); });
  agree(comm, error);
}

/// Collective. The part of the machine profile about writing, which the settings may name: one rank reads it.
void broadcast_profile(const Comm &comm, Settings &settings, int root) {
  if (settings.machine.empty()) return;
  std::string text;
  std::optional<Error> error;
  if (comm.rank() == root) error = caught(root, [&] { text = read_machine_profile(settings.machine); });
  comm.broadcast(text, root);
  if (!error) error = caught(comm.rank(), [&] { settings.profile = read_write_profile(text, settings.machine); });
  agree(comm, error);
}

}  // namespace

/// The first message of each rank: usually all are equal, and no more is exchanged.
struct Session::Greeting {
  Caller caller;
  int32_t has_failed, has_config, may_have_threads;
  uint64_t sources, host;
};

/// Collective.
std::vector<Session::Greeting> Session::greet(const Greeting &mine) {
  std::vector<Greeting> all = comm_.all_gather<Greeting>(std::span<const Greeting>(&mine, 1));
  const auto of_all = [&](auto &&is_so) { return std::all_of(all.begin(), all.end(), is_so); };
  const Greeting &first = all.front();
  ranks_.alike = of_all([&](const Greeting &each) {
    return each.caller != Caller::server && each.has_failed == 0 && each.sources == first.sources;
  });
  ranks_.on_one_host = of_all([&](const Greeting &each) { return each.host == first.host && each.host != 0; });
  ranks_.may_have_threads = of_all([](const Greeting &each) { return each.may_have_threads != 0; });
  return all;
}

/// One rank reads the configuration and that of the site; every rank checks them, with its own environment and options.
/// Ranks that only serve have those of that rank. Their own configuration counts on all ranks if the models have none,
/// and their options come before those of the models. If all ranks of a model are alike and have no arguments, nothing
/// can fail or differ.
void Session::load(const Beginning &beginning) {
  const auto &[config, options, caller, problem] = beginning;
  Given mine{environment(), options, {}, {}};
  const bool reads =
      !config_path(config, mine.variables).empty() || (comm_.rank() == 0 && !site_config_path(mine.variables).empty());
  const std::vector<Greeting> ranks =
      greet({caller, problem ? 1 : 0, reads ? 1 : 0, may_have_threads() ? 1 : 0,
             signature_of(sources(mine.variables, options)), comm_.size() == 1 ? 0 : host_signature()});
  const auto first = [&](bool serves) {
    const auto found = std::find_if(ranks.begin(), ranks.end(), [serves](const Greeting &each) {
      return (each.caller == Caller::server) == serves;
    });
    return found == ranks.end() ? -1 : static_cast<int>(found - ranks.begin());
  };
  const auto any = [&](auto &&is_so) { return std::any_of(ranks.begin(), ranks.end(), is_so); };
  ranks_.first_record = any([](const Greeting &each) { return each.caller == Caller::c; }) ? 0 : 1;
  const bool has_config = any([](const Greeting &each) { return each.has_config != 0; });
  if (ranks_.alike && !has_config && mine.variables.empty() && options.empty()) return;
  const int root = std::max(first(false), 0), server = first(true);
  auto error = caught(comm_.rank(), [&] {
    if (problem) throw Error(*problem);
    if (first(false) < 0)
      throw Error(Status::config, "all ranks serve, and none computes",
                  "Start a model in the same job: mpiexec -n 2 sv-server : -n 14 MODEL");
    if (comm_.rank() == root) mine.config = read_config(config, mine.variables);
    if (comm_.rank() == root) mine.site = read_site_config(mine.variables);
    if (comm_.rank() == server && !config.empty()) mine.config = read_config(config, {});
  });
  const Given theirs = has_config || server >= 0 ? broadcast_of(comm_, mine, root) : Given{};
  const Given of_server = server >= 0 ? broadcast_of(comm_, mine, server) : Given{};
  if (caller == Caller::server) mine = theirs;
  mine.options.insert(mine.options.begin(), of_server.options.begin(), of_server.options.end());
  if (!error)
    error = caught(comm_.rank(), [&] {
      mine.config = theirs.config.path.empty() ? of_server.config : theirs.config;
      settings_ = load_settings(mine.config, mine.variables, mine.options, theirs.site);
      open_trace();
    });
  try {
    const auto print = [this] { return common_settings(settings_); };
    compare(comm_, ranks_.alike ? "" : sources(mine.variables, mine.options), print, error, root);
    broadcast_profile(comm_, settings_, root);
  } catch (const Error &) {  // the same one on every rank
    free();
    throw;
  }
  for (const std::string &warning : settings_.warnings)
    if (comm_.rank() == root) warn(warning);
}

Session::Session(MPI_Comm comm, const Beginning &beginning) : start_seconds_(wall_seconds()) {
  duplicating_.emplace(comm);  // while all the rest goes on
  comm_ = Comm::duplicate(comm);
  load(beginning);
  if (own_steps_ != nullptr) number_ranks();
  std::unique_ptr<Server> server;
  try {
    server = prepare(join(beginning.caller == Caller::server));
  } catch (const Error &) {  // the same one on every rank
    free();
    throw;
  }
  finish_model_comm();
  if (server != nullptr) serve(std::move(server));
}

/// Collective over all that were given to sv_init. Models and servers make what they need, each part by itself: then
/// all know whether it worked.
std::unique_ptr<Server> Session::prepare(Joined joined) {
  std::unique_ptr<Server> server;
  const auto make = [&] {
    Serving *const serving = std::get_if<Serving>(&role_);
    if (serving == nullptr) return prepare_model(joined);
    serving->calls = calls_of_servers();
    server = std::make_unique<Server>(*link_, settings_, std::move(joined.servers), *serving->calls);
  };
  if (link_ == nullptr) {
    make();
    return nullptr;
  }
  agree(*all_, caught(all_->rank(), make));
  // Servers may need this rank's data before they have room for those of the others.
  if (Model *const model = std::get_if<Model>(&role_); model != nullptr && model->client->sends_in_calls())
    model->context->node.while_waiting([model] { model->client->progress(); });
  return server;
}

/// Collective over the ranks of a model.
void Session::prepare_model(const Joined &joined) {
  auto &[context, client, service, behind] = std::get<Model>(role_);
  // A rank that waits for a server gives it up, by name, before the others give up the waiting rank.
  context = std::make_unique<Context>(std::move(comm_), settings_,
                                      ContextOptions{.steps = own_steps_.get(),
                                                     .patience = link_ == nullptr ? 1 : 1.5,
                                                     .first_record = ranks_.first_record,
                                                     .servers = servers_,
                                                     .on_one_host = ranks_.on_one_host});
  if (link_ != nullptr) context->node.progress().counts[1] = &link_->board().progress;
  if (link_ != nullptr) client = std::make_unique<Client>(*link_, settings_);
  if ((link_ == nullptr || joined.servers_ready) && settings_.servers.writes_behind()) {
    const std::string why_not = WriteBehindService::why_not(settings_, ranks_.may_have_threads);
    if (why_not.empty())
      behind = std::make_unique<WriteBehindService>(*context, joined.ring_bytes, client.get());
    else
      context->warn_once(why_not);
  }
  if (behind != nullptr && client != nullptr)
    service = std::make_unique<ReadyService>(*context, *client, *behind);
  else if (client != nullptr)
    service = std::make_unique<Service>(*context, *client);
  context->servers = client != nullptr ? static_cast<Servers *>(service.get()) : behind.get();
  if (client == nullptr) context->disk.served(INT64_MAX);  // only these ranks know the durable steps
}

/// A rank's description of itself before the servers are chosen.
struct Session::Tag {
  int32_t serves;
  char component[60];
};

/// Collective.
std::vector<Session::Tag> Session::tags(bool only_serves) const {
  Tag mine{only_serves ? 1 : 0, {}};
  copy_text(mine.component, sizeof mine.component, settings_.component);
  return comm_.all_gather<Tag>(std::span<const Tag>(&mine, 1));
}

/// The same on every rank.
Crew Session::crew(const std::vector<Tag> &tags, const Topology &topology) const {
  Crew crew;
  for (int rank = 0; rank < std::ssize(tags); ++rank)
    if (tags[static_cast<size_t>(rank)].serves != 0) crew.servers.push_back(rank);
  if (crew.servers.empty()) crew.servers = servers_of(settings_.servers, topology);
  crew.groups = groups_of(crew.servers, settings_.servers.groups);
  for (int rank = 0; rank < std::ssize(tags); ++rank) {
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

Session::Joined Session::join(bool only_serves) {
  Joined joined{{}, false, settings_.server_memory_bytes};
  // Equal programs have one name.
  const std::vector<Tag> all_tags =
      ranks_.alike && settings_.servers.is_none() ? std::vector<Tag>() : tags(only_serves);
  const bool is_alone = std::all_of(all_tags.begin(), all_tags.end(), [&](const Tag &tag) {
    return tag.serves == 0 && std::strcmp(tag.component, all_tags.front().component) == 0;
  });
  if (is_alone && settings_.servers.is_none()) {
    if (own_steps_ != nullptr) note_run(comm_);
    return joined;
  }
  const auto serves = [](const Tag &tag) { return tag.serves != 0; };
  joined.servers_ready = settings_.servers.are_ready && std::none_of(all_tags.begin(), all_tags.end(), serves);
  if (joined.servers_ready && ranks_.may_have_threads)
    joined.ring_bytes /= 2;  // servers and threads share what there is
  auto all = std::make_unique<Comm>(std::move(comm_));
  const bool share = settings_.transport != Transport::send;
  auto link = std::make_unique<Link>(*all, LinkOptions{joined.ring_bytes, settings_.ranks_per_node, share,
                                                       settings_.watchdog_seconds, own_steps_.get()});
  Crew made = crew(all_tags, link->topology());
  servers_ = static_cast<int>(made.servers.size());
  if (made.serves(all->rank())) role_.emplace<Serving>();
  if (own_steps_ != nullptr) note_run(*all);
  const int component = made.component_of(all->rank());
  if (servers_ == 0 && made.clients.size() == 1) {
    link->free();
    comm_ = std::move(*all);
    return joined;
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
  duplicating_->finish().free();
  duplicating_.reset();
  if (!is_model()) {
    joined.servers = std::move(part);
    return joined;
  }
  comm_ = std::move(part);
  model_comm_ = Comm::duplicate_for_model(comm_.get());
  return joined;
}

void Session::finish_model_comm() {
  if (duplicating_) model_comm_ = duplicating_->finish();
  duplicating_.reset();
}

void Session::serve(std::unique_ptr<Server> server) {
  const BlockSignals deaf;
  try {
    std::get<Serving>(role_).lost = server->run();
  } catch (const Error &error) {  // no rank waits for this server any more
    link_->fail(error.status(), "server " + std::to_string(link_->rank()) + ": " + error.what());
    throw;
  }
}

void serve(MPI_Comm comm, const Beginning &beginning) { Session(comm, beginning).finalize(); }

}  // namespace sv
