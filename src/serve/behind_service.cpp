#include "serve/behind_service.hpp"

#include "file/beside.hpp"
#include "serve/behind_home.hpp"

namespace sv {

BehindService::BehindService(Context &context, const Settings &settings)
    : LateNews(context), behind_(std::make_shared<Behind>(context, settings.server_memory_bytes)) {
  if (settings.servers.kind == ServerRequest::Kind::automatic)
    choosing_.emplace(context, *behind_, settings.server_turns);
  context.servers = this;
  context.disk.served(INT64_MAX);  // nobody but these ranks tells what is on the disk
}

BehindService::~BehindService() { context_.servers = nullptr; }

std::string BehindService::why_not(const Settings &settings, bool may_have_threads) {
  if (may_have_threads) return "";
  return "servers = " + servers_text(settings.servers) +
         ", but MPI was initialised for a single thread: the calls write by themselves. Call "
         "MPI_Init_thread, and ask for MPI_THREAD_FUNNELED";
}

Agreed BehindService::agree(const std::string &call, const std::optional<Error> &error, const Agreed &values) {
  const Lent lent(hdf5());
  return LateNews::agree(call, error, values);
}

/// The thread makes no calls of MPI, as the libraries of plug-ins may.
std::shared_ptr<Home> BehindService::home_of(File &file, const StoreMaker &maker, bool in_pieces) {
  if (!maker.kind().may_have_thread || file.mode == Mode::read) return nullptr;
  behind_->prepare();
  const StoreMaker own = maker.for_thread(hdf5(), context_.settings.server_threads);
  if (in_pieces) return std::make_shared<BehindSetHome>(file, own, behind_, ++files_);
  return std::make_shared<BehindHome>(file, own, behind_, ++files_);
}

std::string BehindService::remark_on(const File &file) const {
  if (file.mode == Mode::read || file.behind != nullptr) return "";
  return "servers = " + servers_text(context_.settings.servers) + ", but the calls write this file: the store '" +
         file.home().maker.kind().name + "' calls MPI, and the thread must not";
}

bool BehindService::changes_way() { return choosing_ && (choosing_->step_ended() == Way::threads) != behind_->is_on; }

void BehindService::turn() {
  behind_->is_on = !behind_->is_on;
  ++changes_;
}

std::optional<WayReport> BehindService::way() const {
  if (!choosing_) return std::nullopt;
  return WayReport{behind_->is_on ? Way::threads : Way::calls, choosing_->why(), changes_};
}

void BehindService::count(Metrics &metrics) {
  behind_->finish();
  metrics.waited_seconds = behind_->waited_seconds();
  if (!behind_->writing().is_used()) return;
  metrics.behind_seconds = behind_->busy_seconds();
  metrics.behind_processor_seconds = behind_->processor_seconds();
}

void BehindService::flush(const std::string &call, Level level) {
  if (level == Level::handed_over) return;
  const Beside beside(context_);
  context_.agree(call + ", written", [this] { behind_->rest(); });
}

std::optional<Trouble> BehindService::listen() {
  for (const auto *files : {&context_.closing, &context_.files})
    for (const auto &file : *files) {
      if (!file->has_home() || file->ledger.failed()) continue;
      if (file->mode != Mode::data || file->behind == nullptr) continue;
      BehindFile *const later = file->behind;
      if (const auto failed = later->late()) return Trouble{later->number, *failed};
    }
  return std::nullopt;
}

}  // namespace sv
