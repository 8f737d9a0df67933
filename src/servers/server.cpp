#include "servers/server.hpp"

#include <algorithm>

#include "servers/command_executor.hpp"

namespace sv {

namespace {

constexpr int order_tag = 0;  // of a group's first server to the others: whose turn it is

}  // namespace

Server::Server(Link &link, const Settings &settings, Comm group, FileCalls &calls)
    : station_(link, settings, std::move(group), calls) {
  station_.while_waiting([this] { progress(); });
  for (int c = 0; c < std::ssize(link.crew().clients); ++c) components_.emplace_back(station_, c);
}

int64_t Server::progress_count() const {
  int64_t count = station_.carried + station_.writer.done();
  for (const Component &component : components_) count += component.landing.messages;
  return count;
}

/// Never blocks: letters, what arrives, what is to be sent on.
void Server::progress() {
  station_.outbox.progress();
  hear_of_loss();
  station_.link.check();  // leaves whatever gate this rank waits in: who is lost will not come to it
  for (Component &component : components_) component.progress(progress_count());
}

/// On nodes that have no models, nobody else would tell.
void Server::hear_of_loss() {
  while (const auto letter = take_letter(station_.link.comm(), MPI_ANY_SOURCE, lost_tag))
    station_.link.fail(Status::timeout, {reinterpret_cast<const char *>(letter->data()), letter->size()});
}

/// The first server of a group chooses whose command is next, where there are several components; nullptr: no more.
Component *Server::next_component() {
  const size_t components = components_.size();
  size_t chosen = 0;
  if (components > 1 && station_.group.front() != station_.link.rank()) {
    std::optional<Letter> letter;
    const auto is_told = [&] {
      letter = take_letter(station_.link.comm(), station_.group.front(), order_tag);
      return letter.has_value();
    };
    if (!station_.await_letters(is_told, "waits for its turn")) return nullptr;
    chosen = static_cast<size_t>(letter->front());
  } else {
    const auto ready = [&] {
      for (size_t i = 0; i < components; ++i) {
        chosen = (turn_ + i) % components;
        if (components_[chosen].stream.has_command()) return true;
      }
      return false;
    };
    if (!station_.await(ready, "waits for commands")) return nullptr;
    turn_ = chosen + 1;
    if (components > 1) station_.tell_others(order_tag, Letter(1, static_cast<std::byte>(chosen)));
  }
  Component &next = components_[chosen];
  return station_.await([&] { return next.stream.has_command(); }, "waits for a command") ? &next : nullptr;
}

std::optional<Error> Server::run() {
  for (Component &component : components_) component.landing.pages.begin();
  const auto failed = caught(station_.context.rank(), [&] {
    while (!std::all_of(components_.begin(), components_.end(),
                        [](const Component &each) { return each.stream.is_finished(); })) {
      Component *const component = next_component();
      if (component == nullptr) return;
      CommandExecutor(station_, *component).carry_out();
      if (has_ended()) return;
    }
    station_.await_letters([this] { return station_.outbox.waiting() == 0; }, "waits until its reports are taken");
  });
  if (has_ended()) {
    leave_orphans();
  } else if (failed) {
    throw Error(*failed);
  } else {
    station_.link.leave();
    station_.context.agree("the end of the servers", std::nullopt);
    station_.context.free();
  }
  return station_.lost;
}

/// The models have ended without saying so. What was committed is; files that are not complete stay so.
void Server::leave_orphans() {
  Link &link = station_.link;
  station_.orphaned = true;
  station_.drain();
  for (Component &component : components_)
    for (auto &[number, served] : component.files) station_.calls.abandon(*served.file);
  link.fail(Status::timeout, "server " + std::to_string(link.rank()) + " ends: rank " +
                                 std::to_string(link.gone_client()) +
                                 ", a model, has ended without sv_finalize. What was committed can be read");
  const std::string reason = link.reason();
  station_.lost = Error::told(Status::timeout, reason);
  for (const int server : link.crew().servers)
    if (server != link.rank()) station_.outbox.post(server, lost_tag, letter_of(reason));
  station_.outbox.progress();
  station_.outbox.abandon();
}

}  // namespace sv
