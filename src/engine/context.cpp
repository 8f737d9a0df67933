#include "engine/context.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <new>

#include "engine/commit.hpp"
#include "engine/file.hpp"
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
  }
  return std::nullopt;
}

/// One rank reads the configuration; every rank judges it, with its own environment and options.
void Context::load(const std::string &config, const std::vector<std::string> &options) {
  const Environment variables = environment();
  ConfigText text;
  auto error = caught(rank(), [&] {
    if (rank() == 0) text = read_config(config, variables);
  });
  comm_.broadcast(text.path, 0);
  comm_.broadcast(text.text, 0);
  if (!error) error = caught(rank(), [&] { settings_ = load_settings(text, variables, options); });
  // The gate needs the settings, so this one agreement is made by hand: the first rank with an error tells everybody.
  const int mine = error ? rank() : comm_.size();
  const std::vector<int> failed = comm_.all_gather<int>(std::span<const int>(&mine, 1));
  const int teller = *std::min_element(failed.begin(), failed.end());
  if (teller == comm_.size()) return;
  int status = error ? static_cast<int>(error->status()) : 0;
  std::string told = error ? error->what() : "";
  comm_.broadcast(&status, sizeof status, teller);
  comm_.broadcast(told, teller);
  comm_.free();
  throw Error::told(static_cast<Status>(status), told);
}

Context::Context(MPI_Comm comm, const std::string &config, const std::vector<std::string> &options)
    : start_seconds_(wall_seconds()) {
  comm_ = Comm::duplicate(comm);
  load(config, options);
  node_ = std::make_unique<Node>(
      comm_, NodeOptions{settings_.window_bytes, settings_.ranks_per_node, settings_.transport != Transport::send,
                         settings_.transport == Transport::place, settings_.watchdog_seconds});
  window_ = std::make_unique<Window>(*node_);
  gate_ = std::make_unique<Gate>(*node_);
  // What must be equal, is: sizes of windows and lists of settings decide the plan.
  agree("sv_init with settings " + settings_json(settings_), std::nullopt);
}

Context::~Context() = default;

Agreed Context::agree(const std::string &call, const std::function<void()> &local, const Agreed &values) {
  return agree(call, caught(rank(), local), values);
}

Agreed Context::agree(const std::string &call, const std::optional<Error> &error, const Agreed &values) {
  std::optional<Error> mine = error;
  if (refusal_) mine = Error(refusal_->status, call + ": " + refusal_->cause, refusal_->remedy).on_rank(rank());
  refusal_.reset();
  return gate_->agree(signature_of(call), call, mine ? &*mine : nullptr, values);
}

void Context::refuse(Status status, const std::string &cause, const std::string &remedy) {
  refusal_ = Refusal{status, cause, remedy};
}

Decomp *Context::define(const DecompRequest &request) {
  std::string call = "sv_def_decomp of grid";
  for (int d = 0; d < request.shape.n; ++d) call += (d == 0 ? " " : " x ") + std::to_string(request.shape[d]);
  for (const bool wraps : request.periodic) call += wraps ? " periodic" : " open";
  if (request.holes) call += " with holes";
  agree(call, [&] {
    for (int d = 0; d < request.shape.n; ++d)
      if (request.halo_low[d] < 0 || request.halo_high[d] < 0)
        throw Error(Status::invalid, "a halo of negative width in dimension " + std::to_string(d),
                    "Give the widths of the frame around the block, or no halo");
    patches_of(request.block, request.shape, request.periodic, rank());
  });

  std::vector<int64_t> mine;
  for (int d = 0; d < request.shape.n; ++d) {
    mine.push_back(request.block.start[d]);
    mine.push_back(request.block.count[d]);
  }
  const std::vector<int64_t> all = comm_.all_gather<int64_t>(mine);
  std::vector<Patch> patches;
  for (int r = 0; r < comm_.size(); ++r) {
    BlockRequest block{Index(request.shape.n, 0), Index(request.shape.n, 0)};
    for (int d = 0; d < request.shape.n; ++d) {
      block.start[d] = all[static_cast<size_t>((r * request.shape.n + d) * 2)];
      block.count[d] = all[static_cast<size_t>((r * request.shape.n + d) * 2 + 1)];
    }
    for (Patch &patch : patches_of(block, request.shape, request.periodic, r)) patches.push_back(patch);
  }
  auto layout = std::make_shared<const Layout>(request.shape, comm_.size(), std::move(patches), request.holes);
  agree(call + ", checked", [&] {
    if (const auto overlap = find_overlap(*layout, rank()))
      throw Error(Status::layout, *overlap, "Give every cell to one rank");
    if (!request.holes && layout->has_holes())
      throw Error(Status::layout, find_gap(*layout).value_or("cells that no rank owns"),
                  "Give every cell to a rank, or declare holes (SV_HOLES)");
  });
  decomps_.push_back(std::make_unique<Decomp>(
      Decomp{this, next_decomp_++, layout, request.block.count, request.halo_low, request.halo_high}));
  return decomps_.back().get();
}

void Context::forget(const Decomp *decomp) {
  std::erase_if(decomps_, [decomp](const auto &own) { return own.get() == decomp; });
}

File *Context::adopt(std::unique_ptr<File> file) {
  files_.push_back(std::move(file));
  return files_.back().get();
}

void Context::release(const File *file) {
  std::erase_if(files_, [file](const auto &own) { return own.get() == file; });
}

void Context::count(const Transfers &transfers) {
  metrics_.messages += transfers.sent();
  metrics_.message_bytes += transfers.sent_bytes();
}

void Context::end_step() {
  PhaseTimer timer(metrics_, Phase::write);
  std::vector<File *> writing;
  for (const auto &file : files_)
    if (file->mode() == Mode::data && file->has_uncommitted()) writing.push_back(file.get());
  commit(*this, writing, "sv_end_step");
}

Summary Context::summary() {
  metrics_.total_seconds = wall_seconds() - start_seconds_;
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
  const std::vector<double> numbers = to_numbers(metrics_);
  const std::vector<double> gathered = comm_.gather<double>(numbers, 0);
  all.per_rank = all_from_numbers(gathered);
  all.files = reports;
  for (const auto &file : files_) all.files.push_back(file->report());
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

void Context::finalize() {
  agree("sv_finalize", std::nullopt);
  std::optional<Error> left_open;
  for (const auto &file : files_) {
    left_open = Error(Status::order, "the file was still open in sv_finalize and was abandoned", "Call sv_close")
                    .in_file(file->path());
    file->abandon();
  }
  if (!settings_.summary.empty()) write_summary(settings_.summary);
  if (settings_.table) {
    const Summary all = summary();
    if (rank() == 0) std::fputs(to_table(all).c_str(), stdout);
  }
  agree("sv_finalize, done", std::nullopt);
  node_->free();
  comm_.free();
  if (left_open) throw *left_open;
}

}  // namespace sv
