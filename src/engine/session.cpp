#include "engine/session.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "base/first_error.hpp"
#include "base/printable.hpp"
#include "config/configuration.hpp"
#include "engine/closing.hpp"
#include "engine/closing_behind.hpp"
#include "engine/commit.hpp"
#include "engine/durability.hpp"
#include "engine/ending.hpp"
#include "engine/series.hpp"
#include "file/home.hpp"
#include "file/suppress_deferred_errors.hpp"
#include "report/job_line.hpp"
#include "servers/file_calls.hpp"
#include "servers/server.hpp"
#include "servers/service.hpp"
#include "servers/write_behind_service.hpp"
#include "store/text_file.hpp"
#include "sverdrup/sverdrup.h"

namespace sv {

Session::~Session() = default;

Context &Session::context(const char *call) const {
  if (const Model *const model = std::get_if<Model>(&role_)) return *model->context;
  throw Error(Status::order, std::string(call) + ": this rank was a server, and the models have finalized",
              "Ask sv_is_model after sv_init: a server calls nothing but sv_finalize");
}

void Session::free() {
  Model *const model = std::get_if<Model>(&role_);
  Context *const context = model == nullptr ? nullptr : model->context.get();
  if (context != nullptr) context->servers = nullptr;
  if (model != nullptr) model->client.reset();         // and the thread that it may have
  if (model != nullptr) model->behind.reset();         // the same
  const bool is_alone = link_ && link_->has_failed();  // others may be gone
  if (link_) link_->free();
  if (is_alone) return;
  finish_model_comm();
  if (all_) all_->free();
  if (context != nullptr)
    context->free();
  else
    comm_.free();
  model_comm_.free();
}

void Session::end_step() {
  Context &context = this->context("sv_end_step");
  PhaseTimer timer(context.metrics, Phase::write);
  trace::Bracket ending(context.metrics.steps, trace::Doing::end_step);
  ending.step(context.disk.steps_ended());
  SuppressDeferredErrors suppressed(context);
  std::vector<File *> writing;
  const auto [closed_own, closed_served] = context.end_step();
  bool writes = closed_own || closed_served, served = closed_served;
  for (const auto &file : context.files) {
    const bool is_put = file->mode == Mode::data && file->ledger.has_uncommitted();
    writes = writes || is_put;
    served = served || (is_put && !file->home().writes_here());
    const bool lags = file->mode == Mode::data && file->on_disk.is_lagging();
    if (file->ledger.failed() || is_put || lags) writing.push_back(file.get());  // it may have failed while it was made
  }
  const auto [stops, done, complaint] = commit_step(context, writing, stop_.is_asked());
  advance_closing(context, done);
  context.disk.end_step();
  if (context.servers != nullptr) context.servers->end_step();
  if (stops) {
    context.stopping = true;
    close_all();
    if (context.servers != nullptr) flush(Level::written);
  }
  if (complaint) throw Error(*complaint);
  if (writes) choose_mode(served);
  suppressed.throw_first();
}

/// Collective. Throws what files have failed with that were written to their end.
void Session::choose_mode(bool served) {
  const auto &[context, client, service, behind] = std::get<Model>(role_);
  if (behind == nullptr || context->stopping || !behind->changes_mode(served)) return;
  settle_closing(*context, "sv_end_step");
  FirstError failed(context->rank());
  failed.attempt([&] { finish_behind(*context); });
  behind->turn();
  failed.check();
}

/// Collective. The first error is thrown when all have been tried. Closed files stay, for sv_close.
void Session::close_all() {
  const Context &context = this->context("sv_end_step");
  FirstError first(context.rank());
  const std::vector<std::shared_ptr<File>> all = context.files;
  for (const auto &file : all) {
    const auto &left = context.files;
    if (std::find(left.begin(), left.end(), file) == left.end()) continue;  // of a series, with which it went
    first.attempt([&] {
      if (file->mode != Mode::define) close(*file);
    });
  }
  first.check();
}

void Session::flush(Level level) {
  Context &context = this->context("sv_flush");
  PhaseTimer timer(context.metrics, Phase::write);
  const trace::Bracket flushing(context.metrics.steps, trace::Doing::flush);
  const std::string call = "sv_flush(" + std::to_string(static_cast<int>(level)) + ")";
  SuppressDeferredErrors suppressed(context);  // a file that has failed: the others come so far all the same
  context.agree(call, std::nullopt);
  if (context.servers != nullptr) context.servers->flush(call, level);
  FirstError failed(context.rank());
  failed.attempt([&] {
    if (level == Level::handed_over) return;
    settle_closing(context, call);
    catch_up(context);
    if (level == Level::on_disk) put_on_disk(context);
  });
  suppressed.throw_first();
  failed.check();
}

void Session::communicate(bool begins) {
  const Model *const model = std::get_if<Model>(&role_);
  if (model != nullptr && model->client != nullptr) model->client->communicate(begins);
}

Summary Session::summary() {
  const Model &model = std::get<Model>(role_);
  Context &context = *model.context;
  Metrics &metrics = context.metrics;
  metrics.total_seconds = wall_seconds() - start_seconds_;
  if (model.behind != nullptr) model.behind->count(metrics);
  for (const auto &file : context.files)
    if (file->has_home()) file->home().handle.count(metrics);
  Summary all;
  all.version = SV_VERSION;
  all.mpi = mpi_version();
  utsname host{};
  if (uname(&host) == 0) all.host = host.nodename;
  all.ranks = context.comm.size();
  all.nodes = context.topology().nodes();
  all.transport = context.node.shares_memory() ? (all.nodes > 1 ? "place and send" : "place") : "send";
  all.transport_reason = context.node.shares_memory() ? "ranks of a node share a window" : context.node.why_not();
  all.window_bytes_per_node = window_halves * context.node.half_bytes();
  all.settings_json = settings_json(settings_);
  if (metrics.model_seconds > 0 && model.client != nullptr)
    all.servers = {servers_, model.client->description()};  // they have reported
  const std::vector<double> numbers = to_numbers(metrics);
  const std::vector<double> gathered = context.comm.gather<double>(numbers, 0);
  all.per_rank = all_from_numbers(gathered);
  if (model.behind != nullptr) {
    all.behind = static_cast<int>(std::count_if(all.per_rank.begin(), all.per_rank.end(),
                                                [](const Metrics &each) { return each.behind_seconds > 0; }));
    all.mode = model.behind->mode();
  }
  all.error = context.first_failure();
  all.files = context.reports.listed();
  all.others = context.reports.others();
  for (const auto &file : context.files)
    if (file->mode != Mode::series) all.files.push_back(file->home().report());
  return all;
}

void Session::write_summary(const std::string &path) {
  Context &context = this->context("sv_write_summary");
  context.agree("sv_write_summary('" + path + "')", std::nullopt);
  settle_closing(context, "sv_write_summary");
  const Summary all = summary();
  context.agree("sv_write_summary, written", [&] {
    if (context.rank() == 0) write_text(path, to_json(all) + '\n', "the summary cannot be written");
  });
}

void Session::print_table() {
  const Summary all = summary();
  if (context("sv_finalize").rank() == 0) std::fputs(to_table(all).c_str(), stdout);
}

/// The end of a model's session, in stages. Each is attempted after failures of earlier ones; once the node is given
/// up, those that meet other ranks are left out.
struct Session::Ending {
  Session &session;
  Context &context = *std::get<Model>(session.role_).context;
  std::optional<Error> left_open{};  // of this rank
  FirstError first{};

  void meet();
  void settle_closed_files() { settle_closing(context, "sv_finalize"); }
  void count_ended_steps();
  void abandon_files();
  void agree_on_closed() { context.agree("sv_finalize, all closed", left_open); }
  void end_service();
  void write_summary();
  void print_table();
  void print_lines();
  void agree_on_end() { context.agree("sv_finalize, done", std::nullopt); }

  void run();
};

/// All ranks call sv_finalize. Where others made another call, they must not wait for this rank any more.
void Session::Ending::meet() {
  if (!context.files.empty())
    left_open = Error(Status::order, "the file was still open in sv_finalize and was abandoned", "Call sv_close")
                    .in_file(context.files.front()->path())
                    .on_rank(context.rank());
  const auto refused = caught(context.rank(), [&] { context.agree("sv_finalize", std::nullopt); });
  if (!refused) return;
  context.node.poison(refused->status(), refused->what());
  throw Error(*refused);
}

/// The steps that have ended count, though a file was left open.
void Session::Ending::count_ended_steps() {
  if (left_open) catch_up(context);
}

void Session::Ending::abandon_files() {
  for (const auto &file : context.closing) {  // where ranks have given up
    file->enter({});
    abandon(*file);
  }
  context.closing.clear();
  for (const auto &file : context.files) abandon(*file);
  context.files.clear();
}

void Session::Ending::end_service() {
  const auto &service = std::get<Model>(session.role_).service;
  if (service == nullptr) return;
  context.metrics.model_seconds = wall_seconds() - session.start_seconds_;
  service->finalize("sv_finalize");
}

void Session::Ending::write_summary() {
  if (!session.settings_.summary.empty()) session.write_summary(session.settings_.summary);
}

void Session::Ending::print_table() {
  if (session.settings_.table) session.print_table();
}

/// Prints three lines for a user who has asked for no report. Ranks with servers count no bytes themselves.
void Session::Ending::print_lines() {
  for (const char *asked : {"summary.table", "summary.file", "trace.folder"})
    if (session.settings_.from.contains(asked)) return;
  const Metrics &metrics = context.metrics;
  const auto seconds = [&metrics](Phase phase) { return metrics.seconds[static_cast<size_t>(phase)]; };
  const double opening = seconds(Phase::open) + seconds(Phase::read_meta) + seconds(Phase::close);
  const std::array mine{opening + seconds(Phase::write), opening,
                        metrics.waited_seconds + metrics.behind_waited_seconds,
                        static_cast<double>(metrics.written_bytes), static_cast<double>(metrics.writes)};
  const std::vector<double> all = context.comm.gather<double>(mine, 0);
  if (context.rank() != 0) return;
  const ServerRequest &servers = session.settings_.servers;
  JobCost cost{.run_seconds = wall_seconds() - session.start_seconds_,
               .is_asynchronous = !servers.is_none() || servers.writes_behind(),
               .combines = session.settings_.file.combine == Combine::step};
  for (size_t rank = 0; rank < all.size(); rank += mine.size()) {
    cost.bytes += static_cast<int64_t>(all[rank + 3]);
    cost.writes += static_cast<int64_t>(all[rank + 4]);
    if (all[rank] < cost.call_seconds) continue;
    cost.call_seconds = all[rank];
    cost.opening_seconds = all[rank + 1];
    cost.waiting_seconds = all[rank + 2];
  }
  const WrittenFiles &written = context.reports.written();
  if (session.servers_ > 0) cost.bytes = written.bytes, cost.writes = 0;
  for (const std::string &line : job_lines(written, cost))
    std::fprintf(stderr, "sverdrup: %s\n", printable(line).c_str());
}

void Session::Ending::run() {
  struct Attempt {
    void (Ending::*stage)();
    bool meets_others = true;
  };
  constexpr Attempt stages[] = {{&Ending::meet, false},       {&Ending::settle_closed_files},
                                {&Ending::count_ended_steps}, {&Ending::abandon_files, false},
                                {&Ending::agree_on_closed},   {&Ending::end_service},
                                {&Ending::write_summary},     {&Ending::print_table},
                                {&Ending::print_lines},       {&Ending::agree_on_end}};
  for (const auto &[stage, meets_others] : stages) {
    if (meets_others && context.node.is_poisoned()) continue;
    auto failed = caught(context.rank(), [&] { (this->*stage)(); });
    if (failed) context.note(*failed);
    first.note(std::move(failed));
  }
}

void Session::finalize() {
  if (const Serving *const serving = std::get_if<Serving>(&role_)) {
    free();
    if (serving->lost) throw Error(*serving->lost);
    return;
  }
  const auto &[context, client, service, behind] = std::get<Model>(role_);
  const Node &node = context->node;
  SuppressDeferredErrors suppressed(*context);
  Ending ending{*this};
  ending.run();
  FirstError &first = ending.first;
  first.note(suppressed.first());
  if (client != nullptr && node.is_poisoned())
    client->link().fail(Status::timeout, first ? first.error()->what() : "sv_finalize has failed");
  if (client != nullptr) client->leave();
  if (!node.is_poisoned()) free();
  first.check();
}

}  // namespace sv
