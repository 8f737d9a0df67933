#include "servers/command_executor.hpp"

#include <algorithm>

#include "file/file_trace.hpp"
#include "file/home.hpp"
#include "plan/serving.hpp"
#include "servers/served.hpp"

namespace sv {

CommandExecutor::CommandExecutor(ServerContext &server_context, Component &component)
    : server_context_(server_context), component_(component), entry_(component.stream.take()) {}

/// Reports errors here once.
void CommandExecutor::carry_out() {
  server_context_.context.disk.at_step(component_.steps);
  component_.whole_steps = component_.steps;
  const auto failed = caught(server_context_.context.rank(),
                             [&] { std::visit([this](const auto &command) { on(command); }, entry_.command.what); });
  component_.stream.done();
  component_.report_failures();
  ++server_context_.carried;
  const auto about = component_.files.find(entry_.command.file);
  const bool reported = about != component_.files.end() && about->second.reported;
  if (failed && !reported) component_.report_trouble(entry_.command.file, *failed);
  if (server_context_.lost || !server_context_.writer.failure()) return;
  server_context_.lost = server_context_.writer.failure();
  component_.report_trouble(0, *server_context_.lost);
}

/// All servers of the group that own something, by the plan of the clients.
FileSettings CommandExecutor::settings_for(const std::string &path) const {
  FileSettings made = server_context_.settings.for_file(path);
  made.route = {"ranges", 0, 0, {Writers::Kind::count, served_owners(made.route, server_context_.group.size())}};
  made.combine = Combine::off;
  made.chunks.threads = server_context_.settings.server_threads;
  return made;
}

/// Keeps a file that cannot be made or opened: its puts arrive, and are dropped.
void CommandExecutor::keep(std::shared_ptr<File> file) {
  component_.files.try_emplace(entry_.command.file, entry_.command.file, std::move(file));
}

void CommandExecutor::on(const CreateFile &command) {
  server_context_.drain();
  const trace::Bracket making(server_context_.link.steps(), trace::Doing::sync);
  FileSettings settings = settings_for(command.path);
  settings.format = command.format;
  settings.kind = command.kind;
  keep(server_context_.calls.create(server_context_.context, settings, command));
}

void CommandExecutor::on(const OpenFile &command) {
  server_context_.drain();
  const trace::Bracket opening(server_context_.link.steps(), trace::Doing::sync);
  keep(server_context_.calls.open(server_context_.context, settings_for(command.path), command));
}

void CommandExecutor::on(const RedefineFile &command) {
  server_context_.drain();
  const trace::Bracket redefining(server_context_.link.steps(), trace::Doing::sync, subject_of(file()));
  server_context_.calls.redefine(file(), command);
}

void CommandExecutor::on(const DefineFixed &command) {
  server_context_.drain();
  if (!file().ledger.failed()) server_context_.calls.define_fixed(file(), command.variables);
}

void CommandExecutor::on(const EndStep &) {
  server_context_.drain();
  trace::Bracket committing(server_context_.link.steps(), trace::Doing::sync);
  committing.step(component_.steps);
  std::vector<File *> files;
  for (auto &[number, served] : component_.files) {
    File &file = *served.file;
    const bool uncommitted = file.ledger.has_uncommitted() || file.on_disk.is_lagging();
    if (file.mode == Mode::data && !file.ledger.failed() && uncommitted) files.push_back(&file);
  }
  server_context_.calls.end_step(server_context_.context, files);
  component_.end_step();
}

void CommandExecutor::on(const SyncFile &) {
  server_context_.drain();
  const trace::Bracket committing(server_context_.link.steps(), trace::Doing::sync, subject_of(file()));
  server_context_.calls.sync(file());
}

/// The models know. One that is not made yet comes empty, and nothing is put into it.
void CommandExecutor::on(const FailFile &command) {
  server_context_.drain();
  const auto found = component_.files.find(entry_.command.file);
  if (found == component_.files.end()) return;
  found->second.reported = true;
  fail(*found->second.file, Error::from_remote(static_cast<Status>(command.status), command.text), Failed::another);
}

void CommandExecutor::on(const CloseFile &command) {
  server_context_.drain();
  const auto found = component_.files.find(entry_.command.file);
  if (found == component_.files.end()) return;
  File &file = *found->second.file;
  const trace::Bracket closing(server_context_.link.steps(), trace::Doing::sync, subject_of(file));
  if (command.completes && !file.ledger.failed())
    server_context_.calls.close(file);
  else
    server_context_.calls.abandon(file);
  component_.report_failures();
  component_.closed_durable_steps = std::min(component_.closed_durable_steps, file.on_disk.durable_steps());
  component_.files.erase(found);
}

/// An error here has failed a file, which is reported.
void CommandExecutor::put_on_disk() {
  const trace::Bracket synchronising(server_context_.link.steps(), trace::Doing::sync);
  for (auto &[number, served] : component_.files)
    if (File &file = *served.file; file.mode == Mode::data && !file.ledger.failed())
      caught(server_context_.context.rank(), [&] { server_context_.calls.put_on_disk(file); });
  const auto failed = caught(server_context_.context.rank(),
                             [&] { server_context_.calls.put_closed_on_disk(server_context_.context); });
  if (!failed) component_.closed_durable_steps = INT64_MAX;
  if (failed) component_.report_trouble(0, *failed);
  component_.report_failures();
}

void CommandExecutor::on(const Flush &command) {
  server_context_.drain();
  for (auto &[number, served] : component_.files)  // an error here has failed the file, which is reported
    if (File &file = *served.file; file.on_disk.is_lagging())
      caught(server_context_.context.rank(), [&] { server_context_.calls.catch_up(file); });
  component_.report_failures();
  if (command.level == Level::on_disk) put_on_disk();
  Metrics &metrics = server_context_.context.metrics;
  for (auto &[number, served] : component_.files) served.file->home().handle.count(metrics);
  component_.answer({.written_bytes = metrics.written_bytes,
                     .direct_bytes = metrics.direct_bytes,
                     .writes = metrics.writes,
                     .memory_bytes = server_context_.most_held_bytes});
}

void CommandExecutor::on(const Finalize &) {
  component_.stream.await_all_lists();  // of layouts that it does not need, too
  on(Flush{Level::written});
  component_.stream.finish();
}

}  // namespace sv
