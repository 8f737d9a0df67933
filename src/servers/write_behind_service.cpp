#include "servers/write_behind_service.hpp"

#include "delivery/behind_delivery.hpp"
#include "file/set_home.hpp"
#include "file/suppress_deferred_errors.hpp"

namespace sv {

WriteBehindService::WriteBehindService(Context &context, int64_t ring_bytes, const Client *ready)
    : DeferredErrors(context), behind_(std::make_shared<BackgroundWriter>(context, ring_bytes)) {
  if (context.settings.servers.chooses()) choosing_.emplace(context, *behind_, ready, context.settings.server_turns);
}

std::string WriteBehindService::why_not(const Settings &settings, bool may_have_threads) {
  if (may_have_threads) return "";
  const bool has_ready = !settings.servers.is_none();
  return "async.mode = " + async_mode_text(settings.servers) + ", but MPI was initialised for a single thread: " +
         (has_ready ? "the ranks that are kept ready always serve" : "the calls write by themselves") +
         ". Call MPI_Init_thread, and ask for MPI_THREAD_FUNNELED";
}

Agreed WriteBehindService::agree(const std::string &call, const std::optional<Error> &error, const GateInput &brought) {
  const Lent lent(hdf5());
  return DeferredErrors::agree(call, error, brought);
}

/// The thread makes no calls of MPI, as the libraries of plug-ins may.
std::shared_ptr<Home> WriteBehindService::home_of(File &file, const StoreMaker &maker, bool in_pieces) {
  if (!maker.kind().may_have_thread || file.mode == Mode::read) return nullptr;
  behind_->prepare();
  const StoreMaker own = maker.for_thread(hdf5(), context_.settings.server_threads);
  const std::shared_ptr<Home> home =
      in_pieces ? std::make_shared<SetHome>(file, own) : std::make_shared<Home>(file, own);
  if (!in_pieces) home->owners.by = WrittenBy::threads;
  home->before_use = [writer = behind_] { writer->rest(); };
  file.delivery = std::make_shared<BehindDelivery>(file, behind_, context_.number_file(), in_pieces);
  return home;
}

std::string WriteBehindService::remark_on(const File &file) const {
  if (file.mode == Mode::read || file.home().maker.kind().may_have_thread) return "";
  return "async.mode = " + async_mode_text(context_.settings.servers) + ", but the calls write this file: the store '" +
         file.home().maker.kind().name + "' calls MPI, and the thread must not";
}

bool WriteBehindService::changes_mode(bool served) {
  return choosing_ && (choosing_->step_ended(served) == OutputMode::threads) != behind_->is_on;
}

void WriteBehindService::turn() { behind_->is_on = !behind_->is_on; }

std::optional<ModeReport> WriteBehindService::mode() const {
  if (!choosing_) return std::nullopt;
  return choosing_->report();
}

void WriteBehindService::count(Metrics &metrics) {
  behind_->finish();
  metrics.behind_waited_seconds = behind_->waited_seconds();
  if (!behind_->writing().is_used()) return;
  metrics.behind_seconds = behind_->busy_seconds();
  metrics.behind_processor_seconds = behind_->processor_seconds();
}

void WriteBehindService::flush(const std::string &call, Level level) {
  if (level == Level::handed_over) return;
  const SuppressDeferredErrors suppressed(context_);
  context_.agree(call + ", written", [this] { behind_->rest(); });
}

std::optional<Trouble> WriteBehindService::listen() {
  for (const auto *files : {&context_.closing, &context_.files})
    for (const auto &file : *files) {
      if (file->ledger.failed() || file->mode != Mode::data) continue;
      if (const auto failed = file->delivery->error())
        return Trouble{file->served.number, Error(*failed).relative_to(file->name().directory())};
    }
  return std::nullopt;
}

}  // namespace sv
