// Writing behind, as the calls of a context see it: the files that are written so, and the errors of threads. The
// session makes one if the settings ask for it.
#pragma once

#include "delivery/background_writer.hpp"
#include "servers/choosing.hpp"
#include "servers/deferred_errors.hpp"

namespace sv {

class WriteBehindService final : public DeferredErrors {
 public:
  /// Collective. `ring_bytes`: of each node. `context` must outlive it, and `ready`: of ranks that are kept ready to
  /// serve, if there are some.
  WriteBehindService(Context &context, int64_t ring_bytes, const Client *ready);
  /// Why a context with these settings writes within its calls all the same; empty: it does not. `may_have_threads`: of
  /// all ranks.
  static std::string why_not(const Settings &settings, bool may_have_threads);

  BackgroundWriter *behind() override { return behind_.get(); }
  Agreed agree(const std::string &call, const std::optional<Error> &error, const GateInput &brought) override;
  std::string remark_on(const File &file) const override;
  std::shared_ptr<Home> home_of(File &file, const StoreMaker &maker, bool in_pieces) override;
  /// A file that is closed is complete.
  void settle(const char *, const FileName &) override {}
  void flush(const std::string &call, Level level) override;
  void end_step() override { behind_->end_step(); }

  /// Collective. Ends a step with puts; `served`: by servers, too. Its cost may change the way from the next step on:
  /// pending values must then be written before turn().
  bool changes_mode(bool served);
  /// Local; the same on all ranks, and nothing is under way.
  void turn();
  /// Local; the same on all ranks. A file begins that ranks kept ready could write: whether they do.
  bool is_served() { return choosing_ && choosing_->is_served(); }
  /// How its files are written, and why; nothing, where the settings say so. For the summary.
  std::optional<ModeReport> mode() const;

  /// Local. The work of this rank's thread so far, once it has finished.
  void count(Metrics &metrics);
  std::optional<Trouble> listen() override;

 protected:
  void mark_failed_everywhere(int64_t) override {}  // the file has failed
  int64_t durable_steps() const override { return INT64_MAX; }
  void on_timeout(const Error &) override {}

 private:
  const std::shared_ptr<BackgroundWriter> behind_;  // homes of files keep it, too
  std::optional<Choosing> choosing_;
};

}  // namespace sv
