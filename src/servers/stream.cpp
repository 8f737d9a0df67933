#include "servers/stream.hpp"

#include "servers/served.hpp"
#include "transport/hand_over.hpp"

namespace sv {

Stream::Stream(ServerContext &server_context, Landing &landing, const ServedFiles &files)
    : server_context_(server_context),
      landing_(landing),
      files_(files),
      lists_(server_context.link, landing.component, asks_for_primaries(server_context.settings)) {
  const Link &link = server_context.link;
  if (sender_of(link, landing.component, link.node(), is_synchronous(server_context.settings)) == link.rank())
    forwarder_ = std::make_unique<Forwarder>(link, landing.component, pace_of(server_context.settings));
}

void Stream::progress() {
  if (forwarder_ != nullptr) forwarder_->progress();
  if (finished_) return;
  const int component = landing_.component;
  while (auto message = take_message(server_context_.link.comm(), landing_.command_source, command_tag(component)))
    take_in(decoded(*message));
  lists_.progress();
  look_ahead();
}

/// Layouts are known from then on, as long as the models know them, too.
void Stream::take_in(Command command) {
  if (const auto *registered = std::get_if<RegisterLayout>(&command.what)) {
    layouts_[registered->id] = layout_of_numbers(registered->numbers.data(), server_context_.link.comm().size());
    lists_.expect(registered->id, layouts_[registered->id]);
    layouts_.erase(layouts_.begin(), layouts_.upper_bound(registered->id - most_layouts));
    return;
  }
  if (command.is<GetField>() || command.is<Flush>() || command.is<Finalize>()) ++unanswered;
  const MovedField *const field = command.field();
  std::shared_ptr<const Layout> layout = field == nullptr ? nullptr : layouts_.at(field->layout);
  if (!command.is<PutField>()) ++others_;
  entries_.push_back({std::move(command), std::move(layout)});
}

void Stream::look_ahead() {
  if (current_ != nullptr) current_->progress();
  if (barred_ || (current_ != nullptr && !current_->is_complete())) return;
  for (; ahead_ < entries_.size(); ++ahead_) {
    QueuedCommand &entry = entries_[ahead_];
    if (entry.command.is<EndStep>()) continue;
    if (!entry.command.is<PutField>() || !lists_.has_all_of(*entry.layout)) return;
    begin(entry);
    entry.arrival->progress();
    if (!entry.arrival->is_complete()) return;
  }
}

QueuedCommand Stream::take() {
  QueuedCommand entry = std::move(entries_.front());
  entries_.pop_front();
  if (ahead_ > 0) --ahead_;
  if (!entry.command.is<PutField>()) --others_;
  barred_ = !entry.command.is<PutField>() && !entry.command.is<EndStep>();
  return entry;
}

void Stream::done() {
  barred_ = false;
  current_ = nullptr;
}

void Stream::begin(QueuedCommand &put) {
  if (put.arrival == nullptr) put.arrival = std::make_unique<Arrival>(landing_, plan_of(put), put.field().first_round);
}

Arrival &Stream::arrival_of(QueuedCommand &put) {
  begin(put);
  current_ = put.arrival.get();
  return *current_;
}

/// Meanwhile no later put may take its place.
bool Stream::await_lists(const QueuedCommand &entry) {
  const bool barred = std::exchange(barred_, true);
  const bool here =
      server_context_.await_messages([&] { return lists_.has_all_of(*entry.layout); }, "waits for lists of points");
  barred_ = barred;
  return here;
}

bool Stream::await_all_lists() {
  return server_context_.await_messages([&] { return lists_.is_empty(); }, "waits for lists of points");
}

Plan Stream::plan_of(const QueuedCommand &entry) const {
  const MovedField &field = entry.field();
  return served_plan(*files_.at(entry.command.file).file,
                     {field.variable, field.record, entry.layout, field.first_axis}, server_context_.link,
                     server_context_.group, entry.command.is<PutField>() ? Direction::write : Direction::read);
}

}  // namespace sv
