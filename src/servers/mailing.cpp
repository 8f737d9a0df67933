#include "servers/mailing.hpp"

#include <algorithm>

namespace sv {

namespace {

constexpr size_t most_messages = 256;  // that a server has not taken yet
constexpr size_t eager_bytes = 2048;   // a letter that goes without help of the sender

std::vector<int> servers_commanded_by(const Link &link) {
  std::vector<int> mine;
  for (const int server : link.crew().servers)
    if (link.crew().command_source(link.crew().component_of(link.rank()), server, link.topology()) == link.rank())
      mine.push_back(server);
  return mine;
}

}  // namespace

Mailing::Mailing(Link &link, HandOver &hand_over)
    : component(link.crew().component_of(link.rank())),
      mine(servers_commanded_by(link)),
      link_(link),
      hand_over_(hand_over),
      outbox_(link.comm()) {}

void Mailing::progress() {
  outbox_.progress();
  hand_over_.progress();
}

/// Waits for messages that are too large to travel alone: nothing would send them while the model computes.
void Mailing::post(int server, int tag, const EncodedMessage &message) {
  outbox_.post(server, tag, message);
  const size_t most = message.size() > eager_bytes ? 0 : most_messages;
  if (outbox_.waiting() <= most) return;
  link_.board().for_servers.ring();
  link_.await_servers({.look = [&] { return outbox_.waiting() <= most; },
                       .meanwhile = [this] { progress(); },
                       .progress = [this] { return -static_cast<int64_t>(outbox_.waiting()); },
                       .doing = "waits until server " + std::to_string(server) + " receives its commands",
                       .whom = {server},
                       .for_messages = true});
}

void Mailing::attempt(const std::function<void()> &action) const {
  if (link_.has_failed()) return;
  if (const auto failed = caught(link_.rank(), action)) link_.fail(Status::timeout, failed->what());
}

void Mailing::to_group(int group, const Command &command) {
  attempt([&] {
    EncodedMessage message;
    for (const int server : link_.crew().groups[static_cast<size_t>(group)]) {
      if (std::find(mine.begin(), mine.end(), server) == mine.end()) continue;
      if (message.empty()) message = encoded(command);
      post(server, command_tag(component), message);
    }
    // Puts can wait until the step ends; and who is woken takes the cores from ranks that pack.
    if (!command.is<PutField>() && !command.is<RegisterLayout>()) link_.board().for_servers.ring();
  });
}

void Mailing::to_all(const Command::What &what) {
  for (int group = 0; group < std::ssize(link_.crew().groups); ++group) to_group(group, {what});
}

void Mailing::leave() {
  if (link_.has_failed())
    for (const int server : mine) outbox_.post(server, lost_tag, message_of(link_.reason()));
  outbox_.progress();
  outbox_.abandon();
}

}  // namespace sv
