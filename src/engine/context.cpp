#include "engine/context.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <new>

#include "base/signature.hpp"
#include "config/configuration.hpp"
#include "engine/client.hpp"
#include "engine/commit.hpp"
#include "engine/file.hpp"
#include "engine/points.hpp"
#include "store/listing.hpp"
#include "sverdrup/sverdrup.h"

namespace sv {

std::optional<Error> caught(int rank, const std::function<void()> &action) {
  try {
    action();
  } catch (Error &error) {
    return error.on_rank(rank);
  } catch (const std::bad_alloc &) {
    return Error(Status::no_memory, "no memory", "Use more nodes, or a smaller 'window'").on_rank(rank);
  } catch (const std::exception &error) {
    return Error(Status::internal, std::string("unexpected: ") + error.what(), "Please report it").on_rank(rank);
  } catch (...) {
    return Error(Status::internal, "an exception without a name", "Please report it").on_rank(rank);
  }
  return std::nullopt;
}

void Context::make_node() {
  // Who waits for a server gives it up, by name, before the others give up who waits.
  const double patience = link_ == nullptr ? 1 : 1.5;
  node_ = std::make_unique<Node>(
      comm_, NodeOptions{settings_.window_bytes, settings_.ranks_per_node, settings_.transport != Transport::send,
                         settings_.transport == Transport::place, patience * settings_.watchdog_seconds});
  window_ = std::make_unique<Window>(*node_);
  gate_ = std::make_unique<Gate>(*node_);
  if (metrics_.steps == nullptr) return;
  const int own = metrics_.steps->rank();
  trace_ranks_ = comm_.all_gather<int>(std::span<const int>(&own, 1));
}

void Context::free() {
  client_.reset();                                     // and the thread that it may have
  const bool is_alone = link_ && link_->has_failed();  // others may be gone
  if (link_) link_->free();
  if (is_alone) return;
  if (all_) all_->free();
  if (node_) node_->free();
  teams_.free();
  comm_.free();
  model_comm_.free();
}

Context::~Context() = default;

Agreed Context::agree(const std::string &call, const std::function<void()> &local, const Agreed &values) {
  return agree(call, caught(rank(), local), values);
}

Agreed Context::agree(const std::string &call, const std::optional<Error> &error, const Agreed &values) {
  require_model(call);
  std::optional<Error> mine = take_refusal(call);
  if (!mine) mine = error;
  const trace::Bracket waits(metrics_.steps, trace::Doing::wait);
  if (client_ != nullptr) return agree_with_news(call, mine, values);
  return gate_->agree(signature_of(call), call, mine ? &*mine : nullptr, values);
}

void Context::require_model(const std::string &call) const {
  if (is_model_) return;
  throw Error(Status::order, call + ": this rank was a server, and the models have finalized",
              "Ask sv_is_model after sv_init: a server calls nothing but sv_finalize");
}

std::optional<Error> Context::take_refusal(const std::string &call) {
  const auto refusal = hold_refusal();
  if (!refusal) return std::nullopt;
  return Error(refusal->status, call + ": " + refusal->cause, refusal->remedy).on_rank(rank());
}

std::shared_ptr<const Layout> Context::layout(int decomp) const {
  const auto found = layouts_.find(decomp);
  return found == layouts_.end() ? nullptr : found->second.lock();
}

void Context::refuse(Status status, const std::string &cause, const std::string &remedy) {
  refusal_ = Refusal{status, cause, remedy};
}

namespace {

void check_halo(const DecompRequest &request) {
  for (int d = 0; d < request.shape.n; ++d)
    if (request.halo_low[d] < 0 || request.halo_high[d] < 0)
      throw Error(Status::invalid, "a halo of negative width in dimension " + std::to_string(d),
                  "Give the widths of the frame around the block, or no halo");
}

/// `all`: the start and count of every dimension, of every rank.
std::shared_ptr<const Layout> layout_of_all(const DecompRequest &request, const std::vector<int64_t> &all) {
  const int dims = request.shape.n, ranks = static_cast<int>(all.size()) / dims / 2;
  std::vector<Patch> patches;
  const int64_t *next = all.data();
  for (int rank = 0; rank < ranks; ++rank) {
    BlockRequest block{Index(dims, 0), Index(dims, 0)};
    for (int d = 0; d < dims; ++d) {
      block.start[d] = *next++;
      block.count[d] = *next++;
    }
    for (const Patch &patch : patches_of(block, request.shape, request.periodic, rank)) patches.push_back(patch);
  }
  return std::make_shared<const Layout>(request.shape, ranks, std::move(patches), request.holes);
}

}  // namespace

/// For models that divide their grid among all ranks, the servers too.
std::string Context::word_on_servers() const {
  if (servers_ == 0) return "";
  return ". " + std::to_string(servers_) + (servers_ == 1 ? " rank serves" : " ranks serve") +
         ", and cannot own cells: ask sv_is_model after sv_init, and divide the grid among the ranks of sv_model_comm";
}

Decomp *Context::define(const DecompRequest &request) {
  std::string call = "sv_def_decomp of grid";
  for (int d = 0; d < request.shape.n; ++d) call += (d == 0 ? " " : " x ") + std::to_string(request.shape[d]);
  for (const bool wraps : request.periodic) call += wraps ? " periodic" : " open";
  if (request.holes) call += " with holes";
  agree(call, [&] {
    check_grid(request.shape);
    check_halo(request);
    patches_of(request.block, request.shape, request.periodic, rank());
  });

  std::vector<int64_t> mine;
  for (int d = 0; d < request.shape.n; ++d) {
    mine.push_back(request.block.start[d]);
    mine.push_back(request.block.count[d]);
  }
  const std::vector<int64_t> all = comm_.all_gather<int64_t>(mine);
  std::shared_ptr<const Layout> layout;
  agree(call + ", checked", [&] {
    layout = layout_of_all(request, all);
    if (const auto overlap = find_overlap(*layout, rank()))
      throw Error(Status::layout, *overlap, "Give every cell to one rank");
    if (!request.holes && layout->has_holes())
      throw Error(Status::layout, find_gap(*layout).value_or("cells that no rank owns"),
                  "Give every cell to a rank, or declare holes (SV_HOLES)" + word_on_servers());
  });
  return adopt_decomp({this, next_decomp_++, layout, request.block.count, request.halo_low, request.halo_high});
}

Decomp *Context::define_points(const std::string &call, const PointsRequest &request) {
  double seconds = 0;
  const auto layout = make_points(*this, call, request, seconds);
  const Index none(request.shape.n, 0);
  return adopt_decomp({this, next_decomp_++, layout, none, none, none, seconds});
}

Decomp *Context::adopt_decomp(Decomp decomp) {
  decomps_.push_back(std::make_unique<Decomp>(std::move(decomp)));
  layouts_[decomps_.back()->id] = decomps_.back()->layout;
  return decomps_.back().get();
}

void Context::forget(const Decomp *decomp) {
  std::erase_if(decomps_, [decomp](const auto &own) { return own.get() == decomp; });
  std::erase_if(layouts_, [](const auto &each) { return each.second.expired(); });
}

void Context::keep_report(const File &file) {
  if (rank() == 0) reports_.keep(file.report());
}

File *Context::adopt(std::unique_ptr<File> file) {
  files_.push_back(std::move(file));
  return files_.back().get();
}

void Context::release(const File *file) {
  released_durable_steps_ = std::min(released_durable_steps_, file->durable_steps());
  std::erase_if(files_, [file](const auto &own) { return own.get() == file; });
}

void Context::require_unwritten(const std::string &path) const {
  const auto plain = [](const std::string &name) { return std::filesystem::path(name).lexically_normal(); };
  for (const auto &file : files_)
    if (file->is_written() && plain(file->path()) == plain(path))
      throw Error(Status::order, "a file of this name is being written",
                  "Call sv_close for it first, or use another name")
          .in_file(path);
}

void Context::count(const Transfers &transfers) {
  metrics_.messages += transfers.sent();
  metrics_.message_bytes += transfers.sent_bytes();
}

void Context::note(const Error &failure) {
  if (failure_.empty()) failure_ = failure.what();
}

void Context::end_step() {
  PhaseTimer timer(metrics_, Phase::write);
  trace::Bracket ending(metrics_.steps, trace::Doing::end_step);
  ending.step(steps_);
  Beside beside(*this);
  std::vector<File *> writing;
  for (const auto &file : files_) {
    const bool uncommitted = file->mode() == Mode::data && (file->has_uncommitted() || file->is_lagging());
    if (file->failed() || uncommitted) writing.push_back(file.get());  // it may have failed while it was made
  }
  const auto [stops, complaint] = commit_step(*this, writing, stop_.is_asked());
  ++steps_;
  if (client_ != nullptr) client_->end_step();
  if (stops) {
    stopping_ = true;
    close_all();
    if (client_ != nullptr) flush(Level::written);
  }
  if (complaint) throw Error(*complaint);
  beside.tell();
}

/// Collective. The first error is thrown when all have been tried. What was closed stays, for sv_close.
void Context::close_all() {
  std::optional<Error> first;
  std::vector<File *> all;
  for (const auto &file : files_) all.push_back(file.get());
  for (File *file : all) {
    const auto is_it = [file](const auto &own) { return own.get() == file; };
    if (std::none_of(files_.begin(), files_.end(), is_it)) continue;  // of a series, with which it went
    const auto failed = caught(rank(), [&] {
      if (file->mode() != Mode::define) file->close();
    });
    if (failed && !first) first = failed;
  }
  if (first) throw *first;
}

void Context::flush(Level level) {
  PhaseTimer timer(metrics_, Phase::write);
  const trace::Bracket flushing(metrics_.steps, trace::Doing::flush);
  const std::string call = "sv_flush(" + std::to_string(static_cast<int>(level)) + ")";
  Beside beside(*this);  // a file that has failed: the others come so far all the same
  agree(call, std::nullopt);
  if (client_ != nullptr) {
    agree(call + ", told", [&] { client_->flush(level); });
    if (level != Level::handed_over) {
      await_answers(call, std::nullopt);
      unsettled_.clear();
    }
  }
  std::optional<Error> failed;
  if (level != Level::handed_over) failed = caught(rank(), [this] { catch_up(); });
  if (level == Level::on_disk && !failed) failed = caught(rank(), [this] { put_on_disk(); });
  beside.tell();
  if (failed) throw Error(*failed);
}

Summary Context::summary() {
  metrics_.total_seconds = wall_seconds() - start_seconds_;
  for (const auto &file : files_) file->count_store();
  Summary all;
  all.version = SV_VERSION;
  all.mpi = mpi_version();
  utsname host{};
  if (uname(&host) == 0) all.host = host.nodename;
  all.ranks = comm_.size();
  all.nodes = topology().nodes();
  all.transport = node_->shares_memory() ? (all.nodes > 1 ? "place and send" : "place") : "send";
  all.transport_reason = node_->shares_memory() ? "ranks of a node share a window" : node_->why_not();
  all.window_bytes_per_node = window_halves * node_->half_bytes();
  all.settings_json = settings_json(settings_);
  if (metrics_.model_seconds > 0 && client_ != nullptr) all.servers = {servers_, client_->story()};  // they have told
  const std::vector<double> numbers = to_numbers(metrics_);
  const std::vector<double> gathered = comm_.gather<double>(numbers, 0);
  all.per_rank = all_from_numbers(gathered);
  all.error = failure_;
  all.files = reports_.told();
  all.others = reports_.others();
  for (const auto &file : files_)
    if (file->mode() != Mode::series) all.files.push_back(file->report());
  return all;
}

void Context::write_summary(const std::string &path) {
  agree("sv_write_summary('" + path + "')", std::nullopt);
  const Summary all = summary();
  agree("sv_write_summary, written", [&] {
    if (rank() != 0) return;
    std::ofstream out(path);
    out << to_json(all) << '\n';
    if (!out.flush())
      throw Error(Status::access, "the summary cannot be written", "Check that the directory exists").in_file(path);
  });
}

void Context::print_table() {
  const Summary all = summary();
  if (rank() == 0) std::fputs(to_table(all).c_str(), stdout);
}

void Context::finalize() {
  if (!is_model_) {
    free();
    if (lost_) throw *lost_;
    return;
  }
  Beside beside(*this);
  std::optional<Error> first;
  const auto attempt = [&](const std::function<void()> &action) {
    auto error = node_->is_poisoned() ? std::nullopt : caught(rank(), action);
    if (error) note(*error);
    if (error && !first) first = std::move(error);
  };
  std::optional<Error> left_open;
  if (!files_.empty())
    left_open = Error(Status::order, "the file was still open in sv_finalize and was abandoned", "Call sv_close")
                    .in_file(files_.front()->path())
                    .on_rank(rank());
  const auto refused = caught(rank(), [&] { agree("sv_finalize", std::nullopt); });
  // Where others made another call, they must not wait for this rank any more.
  if (refused) node_->poison(refused->status(), refused->what());
  if (refused) first = refused;
  for (const auto &file : files_) file->abandon();
  files_.clear();
  attempt([&] { agree("sv_finalize, all closed", left_open); });
  if (client_ != nullptr)
    attempt([&] {
      metrics_.model_seconds = wall_seconds() - start_seconds_;
      agree("sv_finalize, told", [&] { client_->finalize(); });
      await_answers("sv_finalize", std::nullopt);
      client_->count(metrics_);
    });
  if (!settings_.summary.empty()) attempt([&] { write_summary(settings_.summary); });
  if (settings_.table) attempt([&] { print_table(); });
  attempt([&] { agree("sv_finalize, done", std::nullopt); });
  const auto news = beside.news();
  if (!first) first = news;
  if (client_ != nullptr && node_->is_poisoned()) client_->fail(first ? first->what() : "sv_finalize has failed");
  if (client_ != nullptr) client_->leave();
  if (!node_->is_poisoned()) free();
  if (first) throw *first;
}

}  // namespace sv
