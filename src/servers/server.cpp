#include "servers/server.hpp"

#include <algorithm>

#include "servers/command_executor.hpp"

namespace sv {

namespace {

constexpr int order_tag = 0;  // of a group's first server to the others: whose turn it is

}  // namespace

Server::Server(Link &link, const Settings &settings, Comm group, FileCalls &calls)
    : server_context_(link, settings, std::move(group), calls) {
  server_context_.while_waiting([this] { progress(); });
  for (int c = 0; c < std::ssize(link.crew().clients); ++c) components_.emplace_back(server_context_, c);
}

int64_t Server::progress_count() const {
  int64_t count = server_context_.carried + server_context_.writer.done();
  for (const Component &component : components_) count += component.landing.messages;
  return count;
}

/// Never blocks: commands, arriving data, data to be sent on.
void Server::progress() {
  server_context_.outbox.progress();
  hear_of_loss();
  server_context_.link.check();  // leaves the gate in which this rank waits: a lost rank will not come to it
  for (Component &component : components_) component.progress(progress_count());
}

/// On nodes without models, no other process would report it.
void Server::hear_of_loss() {
  while (const auto message = take_message(server_context_.link.comm(), MPI_ANY_SOURCE, lost_tag))
    server_context_.link.fail(Status::timeout, {reinterpret_cast<const char *>(message->data()), message->size()});
}

/// The first server of a group chooses whose command is next, where there are several components; nullptr: no more.
Component *Server::next_component() {
  const size_t components = components_.size();
  size_t chosen = 0;
  if (components > 1 && server_context_.group.front() != server_context_.link.rank()) {
    std::optional<EncodedMessage> message;
    const auto is_reported = [&] {
      message = take_message(server_context_.link.comm(), server_context_.group.front(), order_tag);
      return message.has_value();
    };
    if (!server_context_.await_messages(is_reported, "waits for its turn")) return nullptr;
    chosen = static_cast<size_t>(message->front());
  } else {
    const auto ready = [&] {
      for (size_t i = 0; i < components; ++i) {
        chosen = (turn_ + i) % components;
        if (components_[chosen].stream.has_command()) return true;
      }
      return false;
    };
    if (!server_context_.await(ready, "waits for commands")) return nullptr;
    turn_ = chosen + 1;
    if (components > 1) server_context_.announce(order_tag, EncodedMessage(1, static_cast<std::byte>(chosen)));
  }
  Component &next = components_[chosen];
  return server_context_.await([&] { return next.stream.has_command(); }, "waits for a command") ? &next : nullptr;
}

std::optional<Error> Server::run() {
  for (Component &component : components_) component.landing.pages.begin();
  const auto failed = caught(server_context_.context.rank(), [&] {
    while (!std::all_of(components_.begin(), components_.end(),
                        [](const Component &each) { return each.stream.is_finished(); })) {
      Component *const component = next_component();
      if (component == nullptr) return;
      CommandExecutor(server_context_, *component).carry_out();
      if (has_ended()) return;
    }
    server_context_.await_messages([this] { return server_context_.outbox.waiting() == 0; },
                                   "waits until its reports are taken");
  });
  if (has_ended()) {
    leave_orphans();
  } else if (failed) {
    throw Error(*failed);
  } else {
    server_context_.link.leave();
    server_context_.context.agree("the end of the servers", std::nullopt);
    server_context_.context.free();
  }
  return server_context_.lost;
}

/// The models have ended without finalizing. Committed records stay; incomplete files stay so.
void Server::leave_orphans() {
  Link &link = server_context_.link;
  server_context_.orphaned = true;
  server_context_.drain();
  for (Component &component : components_)
    for (auto &[number, served] : component.files) server_context_.calls.abandon(*served.file);
  link.fail(Status::timeout, "server " + std::to_string(link.rank()) + " ends: rank " +
                                 std::to_string(link.gone_client()) +
                                 ", a model, has ended without sv_finalize. Committed records can be read");
  const std::string reason = link.reason();
  server_context_.lost = Error::from_remote(Status::timeout, reason);
  for (const int server : link.crew().servers)
    if (server != link.rank()) server_context_.outbox.post(server, lost_tag, message_of(reason));
  server_context_.outbox.progress();
  server_context_.outbox.abandon();
}

}  // namespace sv
