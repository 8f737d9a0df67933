#include "serve/server.hpp"

#include <algorithm>

#include "file/home.hpp"
#include "rounds/file_trace.hpp"
#include "transport/hand_over.hpp"

namespace sv {

namespace {

constexpr int order_tag = 0;  // of a group's first server to the others: whose turn it is

/// Of a context of servers: nothing is placed in its windows, but by primaries.
Settings server_settings(Settings settings) {
  if (!asks_for_primaries(settings)) settings.window_bytes = 1 << 20;
  settings.summary.clear();
  settings.table = false;
  return settings;
}

}  // namespace

Server::Server(Link &link, const Settings &settings, Comm group, FileCalls &calls)
    : link_(link),
      settings_(settings),
      calls_(calls),
      writer_(link.board().for_servers),
      writing_(writer_, link.steps()),
      outbox_(link.comm()) {
  const auto &groups = link.crew().groups;
  while (std::count(groups[static_cast<size_t>(group_)].begin(), groups[static_cast<size_t>(group_)].end(),
                    link.rank()) == 0)
    ++group_;
  context_ = std::make_unique<Context>(std::move(group), server_settings(settings),
                                       ContextOptions{.steps = link.steps(), .of_servers = true});
  context_->node.while_waiting([this] { progress(); });
  const bool synchronous = is_synchronous(settings);
  for (int c = 0; c < std::ssize(link.crew().clients); ++c) {
    Stream stream;
    stream.teller = link.crew().teller(c, link.rank(), link.topology());
    stream.landing = std::make_unique<Landing>(link, c, synchronous);
    stream.lists = std::make_unique<AwaitedLists>(link, c, asks_for_primaries(settings));
    if (sender_of(link, c, link.node(), synchronous) == link.rank())
      stream.forwarder = std::make_unique<Forwarder>(link, c, pace_of(settings));
    streams_.push_back(std::move(stream));
  }
}

int64_t Server::progress_count() const {
  int64_t count = carried_ + writer_.done();
  for (const Stream &stream : streams_) count += stream.landing->messages;
  return count;
}

/// Never blocks: letters, what arrives, what is to be sent on.
void Server::progress() {
  outbox_.progress();
  hear_of_loss();
  link_.check();  // leaves whatever gate this rank waits in: who is lost will not come to it
  for (int c = 0; c < std::ssize(streams_); ++c) {
    Stream &stream = streams_[static_cast<size_t>(c)];
    if (stream.forwarder != nullptr) stream.forwarder->progress();
    if (stream.finalized) continue;
    while (auto letter = take_letter(link_.comm(), stream.teller, command_tag(c))) take_in(stream, decoded(*letter));
    stream.lists->progress();
    look_ahead(c);
    keep_informed(c);
    relieve(stream);
    most_memory_ = std::max(most_memory_, stream.landing->release.held_bytes());
  }
}

/// On nodes that have no models, nobody else would tell.
void Server::hear_of_loss() {
  while (const auto letter = take_letter(link_.comm(), MPI_ANY_SOURCE, lost_tag))
    link_.fail(Status::timeout, {reinterpret_cast<const char *>(letter->data()), letter->size()});
}

/// Layouts are known from then on, as long as the models know them, too.
void Server::take_in(Stream &stream, Command command) {
  if (const auto *told = std::get_if<TellLayout>(&command.what)) {
    stream.layouts[told->id] = layout_of_numbers(told->numbers.data(), link_.comm().size());
    stream.lists->expect(told->id, stream.layouts[told->id]);
    stream.layouts.erase(stream.layouts.begin(), stream.layouts.upper_bound(told->id - most_layouts));
    return;
  }
  if (command.is<GetField>() || command.is<Flush>() || command.is<Finalize>()) ++stream.unanswered;
  const MovedField *const field = command.field();
  std::shared_ptr<const Layout> layout = field == nullptr ? nullptr : stream.layouts.at(field->layout);
  stream.entries.push_back({std::move(command), std::move(layout)});
}

/// Puts arrive before it is their turn to be written, up to the first command that changes what files are.
void Server::look_ahead(int component) {
  Stream &stream = streams_[static_cast<size_t>(component)];
  if (stream.current != nullptr) stream.current->progress();
  if (stream.barred || (stream.current != nullptr && !stream.current->is_complete())) return;
  for (Entry &entry : stream.entries) {
    if (entry.command.is<EndStep>()) continue;
    if (!entry.command.is<PutField>()) return;
    if (!stream.lists->has_all_of(*entry.layout)) return;
    if (entry.arrival == nullptr) entry.arrival = arrival_of(stream, entry);
    entry.arrival->progress();
    if (!entry.arrival->is_complete()) return;
  }
}

/// Models that wait for room get it.
void Server::relieve(const Stream &stream) {
  if (stream.landing->release.held_bytes() > link_.ring_bytes() / 4) writing_.relieve();
}

/// A model that waits is told that its servers are at work, however long that takes.
void Server::keep_informed(int component) {
  constexpr double share = 0.125;  // of the time limit
  Stream &stream = streams_[static_cast<size_t>(component)];
  if (stream.unanswered == 0 || link_.limit_seconds() <= 0) return;
  if (!Deadline(link_.limit_seconds() * share, stream.spoken).passed()) return;
  stream.spoken = moment_now();
  if (const int64_t now = progress_count(); std::exchange(stream.spoken_progress, now) != now)
    report(component, {.kind = Report::Kind::alive});
}

/// False when the models have ended.
bool Server::await(Link::Waiting waiting) {
  waiting.meanwhile = [this] { progress(); };
  if (!orphaned_) orphaned_ = !link_.await_clients(waiting);
  return !orphaned_;
}

bool Server::await(const std::function<bool()> &look, const char *doing, trace::Doing as) {
  return await({.look = look, .doing = doing, .as = as});
}

bool Server::await_letters(const std::function<bool()> &look, const char *doing) {
  return await({.look = look, .doing = doing, .as = trace::Doing::idle, .for_letters = true});
}

/// Until it knows whose points come, or go. Meanwhile no later put may take its place.
bool Server::await_lists(Stream &stream, const Entry &entry) {
  const bool barred = std::exchange(stream.barred, true);
  const bool here = await_letters([&] { return stream.lists->has_all_of(*entry.layout); }, "waits for lists of points");
  stream.barred = barred;
  return here;
}

/// The first server of a group chooses whose command is next, where there are several components; −1: no more.
int Server::next_component() {
  const auto has_command = [&](int c) { return !streams_[static_cast<size_t>(c)].entries.empty(); };
  const auto components = static_cast<int>(streams_.size());
  int chosen = 0;
  const std::vector<int> &group = link_.crew().groups[static_cast<size_t>(group_)];
  const bool leads = group.front() == link_.rank();
  if (components > 1 && !leads) {
    std::optional<Letter> letter;
    if (!await_letters([&] { return (letter = take_letter(link_.comm(), group.front(), order_tag)).has_value(); },
                       "waits for its turn"))
      return -1;
    chosen = static_cast<int>(letter->front());
  } else {
    const auto ready = [&] {
      for (int i = 0; i < components; ++i) {
        chosen = (turn_ + i) % components;
        if (has_command(chosen)) return true;
      }
      return false;
    };
    if (!await(ready, "waits for commands")) return -1;
    turn_ = chosen + 1;
    if (components > 1) tell_others(order_tag, Letter(1, static_cast<std::byte>(chosen)));
  }
  return await([&] { return has_command(chosen); }, "waits for a command") ? chosen : -1;
}

void Server::tell_others(int tag, const Letter &letter) {
  for (const int server : link_.crew().groups[static_cast<size_t>(group_)])
    if (server != link_.rank()) outbox_.post(server, tag, letter);
  link_.board().for_servers.ring();
}

std::optional<Error> Server::run() {
  const auto all_done = [this] {
    return std::all_of(streams_.begin(), streams_.end(), [](const Stream &stream) { return stream.finalized; });
  };
  const auto failed = caught(context_->rank(), [&] {
    while (!all_done()) {
      const int component = next_component();
      if (component < 0) return;
      Stream &stream = streams_[static_cast<size_t>(component)];
      Entry entry = std::move(stream.entries.front());
      stream.entries.pop_front();
      carry_out(component, std::move(entry));
      ++carried_;
      if (orphaned_ || link_.has_failed()) return;
    }
    await_letters([this] { return outbox_.waiting() == 0; }, "waits until its reports are taken");
  });
  if (orphaned_ || link_.has_failed()) {
    leave_orphans();
  } else if (failed) {
    throw Error(*failed);
  } else {
    link_.leave();
    context_->agree("the end of the servers", std::nullopt);
    context_->free();
  }
  return lost_;
}

/// The models have ended without saying so. What was committed is; files that are not complete stay so.
void Server::leave_orphans() {
  orphaned_ = true;
  drain();
  for (Stream &stream : streams_)
    for (auto &[number, served] : stream.files) calls_.abandon(*served->file);
  const int gone = link_.gone_client();
  link_.fail(Status::timeout, "server " + std::to_string(link_.rank()) + " ends: rank " + std::to_string(gone) +
                                  ", a model, has ended without sv_finalize. What was committed can be read");
  const std::string reason = link_.reason();
  lost_ = Error::told(Status::timeout, reason);
  for (const int server : link_.crew().servers)
    if (server != link_.rank()) outbox_.post(server, lost_tag, letter_of(reason));
  outbox_.progress();
  outbox_.abandon();
}

void Server::drain() {
  writing_.flush();
  if (await([this] { return writer_.is_idle(); }, "waits for its writer")) return;
  while (!writer_.is_idle()) sleep_until(link_.board().for_servers.strokes, 0, 0, 1);  // the models have ended
}

void Server::carry_out(int component, Entry entry) {
  Stream &stream = streams_[static_cast<size_t>(component)];
  stream.barred = !entry.command.is<PutField>() && !entry.command.is<EndStep>();
  context_->disk.at_step(stream.steps);
  stream.whole_steps = stream.steps;
  const auto failed = caught(context_->rank(), [&] { dispatch(component, entry); });
  stream.barred = false;
  stream.current = nullptr;
  tell_trouble(component);
  if (!failed) return;
  const auto about = stream.files.find(entry.command.file);
  if (about != stream.files.end() && about->second->told) return;
  report_trouble(component, entry.command.file, *failed);
}

void Server::dispatch(int component, Entry &entry) {
  Stream &stream = streams_[static_cast<size_t>(component)];
  const int64_t number = entry.command.file;
  const auto carry_out = [&]<class Kind>(const Kind &told) {
    if constexpr (std::is_same_v<Kind, CreateFile>) {
      create(stream, number, told);
    } else if constexpr (std::is_same_v<Kind, OpenFile>) {
      open(stream, number, told);
    } else if constexpr (std::is_same_v<Kind, RedefineFile>) {
      redefine(file_of(stream, number), told);
    } else if constexpr (std::is_same_v<Kind, PutField>) {
      put(stream, entry);
    } else if constexpr (std::is_same_v<Kind, GetField>) {
      get(component, entry);
    } else if constexpr (std::is_same_v<Kind, DefineFixed>) {
      define_fixed(file_of(stream, number), told);
    } else if constexpr (std::is_same_v<Kind, EndStep>) {
      end_step(stream);
    } else if constexpr (std::is_same_v<Kind, SyncFile>) {
      sync(file_of(stream, number));
    } else if constexpr (std::is_same_v<Kind, CloseFile>) {
      close(stream, number, told.completes);
    } else if constexpr (std::is_same_v<Kind, Flush>) {
      flush(component, told.level);
    } else if constexpr (std::is_same_v<Kind, Finalize>) {
      // Of layouts that it does not need, too.
      await_letters([&] { return stream.lists->is_empty(); }, "waits for lists of points");
      flush(component, Level::written);
      stream.finalized = true;
    } else {
      static_assert(std::is_same_v<Kind, TellLayout>);  // known since it came
    }
  };
  std::visit(carry_out, entry.command.what);
}

ServedFile &Server::file_of(Stream &stream, int64_t number) { return *stream.files.at(number); }

/// Told once of every file that has failed.
void Server::tell_trouble(int component) {
  for (auto &[number, served] : streams_[static_cast<size_t>(component)].files) {
    if (served->told || !served->file->ledger.failed()) continue;
    served->told = true;
    report_trouble(component, number, served->file->ledger.failure());
  }
}

void Server::report_trouble(int component, int64_t file, const Error &error) {
  const Stream &stream = streams_[static_cast<size_t>(component)];
  const std::string text = "server " + std::to_string(link_.rank()) + " (rank " + std::to_string(context_->rank()) +
                           " of its group), after step " + std::to_string(stream.whole_steps) + ": " + error.what();
  if (!lost_) lost_ = Error::told(error.status(), text);
  report(component,
         {.kind = Report::Kind::trouble, .file = file, .status = static_cast<int64_t>(error.status()), .text = text});
}

void Server::report(int component, Report report) {
  Stream &stream = streams_[static_cast<size_t>(component)];
  if (report.kind == Report::Kind::answer) --stream.unanswered;
  report.steps = stream.steps;
  report.durable_steps = std::min(stream.steps, stream.closed_durable_steps);
  for (const auto &[number, served] : stream.files)
    report.durable_steps = std::min(report.durable_steps, served->file->on_disk.durable_steps());
  outbox_.post(stream.teller, report_tag(component), encoded(report));
}

void Server::sync(ServedFile &served) {
  drain();
  const trace::Bracket committing(link_.steps(), trace::Doing::sync, subject_of(*served.file));
  calls_.sync(*served.file);
}

void Server::end_step(Stream &stream) {
  drain();
  trace::Bracket committing(link_.steps(), trace::Doing::sync);
  committing.step(stream.steps);
  std::vector<File *> files;
  for (auto &[number, served] : stream.files) {
    File &file = *served->file;
    const bool uncommitted = file.ledger.has_uncommitted() || file.on_disk.is_lagging();
    if (file.mode == Mode::data && !file.ledger.failed() && uncommitted) files.push_back(&file);
  }
  calls_.end_step(*context_, files);
  ++stream.steps;
  report(static_cast<int>(&stream - streams_.data()), {});
}

void Server::flush(int component, Level level) {
  drain();
  Stream &stream = streams_[static_cast<size_t>(component)];
  for (auto &[number, served] : stream.files)  // what fails here has failed the file, which is told
    if (served->file->on_disk.is_lagging())
      caught(context_->rank(), [&, file = served->file] { calls_.catch_up(*file); });
  tell_trouble(component);
  if (level == Level::on_disk) {
    const trace::Bracket synchronising(link_.steps(), trace::Doing::sync);
    for (auto &[number, served] : stream.files) {
      File &file = *served->file;
      if (file.mode != Mode::data || file.ledger.failed()) continue;
      caught(context_->rank(), [&] { calls_.put_on_disk(file); });  // it has failed then, which is told
    }
    const auto failed = caught(context_->rank(), [&] { calls_.put_closed_on_disk(*context_); });
    if (!failed) stream.closed_durable_steps = INT64_MAX;
    if (failed) report_trouble(component, 0, *failed);
    tell_trouble(component);
  }
  const Metrics &metrics = context_->metrics;
  for (auto &[number, served] : stream.files) served->file->home().handle.count(context_->metrics);
  report(component, {.kind = Report::Kind::answer,
                     .receive_seconds = stream.landing->receive_seconds,
                     .write_seconds = writer_.busy_seconds() + inline_seconds_,
                     .written_bytes = metrics.written_bytes,
                     .writes = metrics.writes,
                     .memory_bytes = most_memory_});
}

void Server::close(Stream &stream, int64_t number, bool completes) {
  drain();
  const auto found = stream.files.find(number);
  if (found == stream.files.end()) return;
  ServedFile &served = *found->second;
  const trace::Bracket closing(link_.steps(), trace::Doing::sync, subject_of(*served.file));
  if (completes && !served.file->ledger.failed())
    calls_.close(*served.file);
  else
    calls_.abandon(*served.file);
  tell_trouble(static_cast<int>(&stream - streams_.data()));
  stream.closed_durable_steps = std::min(stream.closed_durable_steps, served.file->on_disk.durable_steps());
  stream.files.erase(found);
}

}  // namespace sv
