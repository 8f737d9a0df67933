#include "servers/server_context.hpp"

#include <algorithm>

#include "servers/served.hpp"

namespace sv {

namespace {

/// Of a context of servers: nothing is placed in its windows, but by primaries.
Settings server_settings(Settings settings) {
  if (!asks_for_primaries(settings)) settings.window_bytes = 1 << 20;
  settings.summary.clear();
  settings.table = false;
  return settings;
}

const std::vector<int> &group_of(const Link &link) {
  return *std::find_if(link.crew().groups.begin(), link.crew().groups.end(), [&](const std::vector<int> &group) {
    return std::find(group.begin(), group.end(), link.rank()) != group.end();
  });
}

}  // namespace

ServerContext::ServerContext(Link &its_link, const Settings &its_settings, Comm comm, FileCalls &its_calls)
    : link(its_link),
      settings(its_settings),
      calls(its_calls),
      group(group_of(link)),
      context(std::move(comm), server_settings(settings), {.steps = link.steps(), .of_servers = true}),
      ordering(link.board().for_servers),
      writer("sv-server", [this] { this->link.board().for_servers.ring(); }),
      writing(writer, link.steps(), &ordering),
      outbox(link.comm()) {
  context.node.progress().counts[1] = &link.board().progress;
}

void ServerContext::while_waiting(std::function<void()> progress) {
  progress_ = progress;
  context.node.while_waiting(std::move(progress));
}

bool ServerContext::await(Link::Waiting waiting) {
  waiting.meanwhile = progress_;
  if (!orphaned) orphaned = !link.await_clients(waiting);
  return !orphaned;
}

bool ServerContext::await(const std::function<bool()> &look, const char *doing, trace::Doing as) {
  return await({.look = look, .doing = doing, .as = as});
}

bool ServerContext::await_messages(const std::function<bool()> &look, const char *doing) {
  return await({.look = look, .doing = doing, .as = trace::Doing::idle, .for_messages = true});
}

void ServerContext::drain() {
  writing.flush();
  if (await([this] { return writer.is_idle(); }, "waits for its writer")) return;
  while (!writer.is_idle())
    sleep_until(link.board().for_servers.epoch, 0, 0, std::chrono::milliseconds(1));  // the models have ended
}

void ServerContext::announce(int tag, const EncodedMessage &message) {
  for (const int server : group)
    if (server != link.rank()) outbox.post(server, tag, message);
  link.board().for_servers.ring();
}

}  // namespace sv
