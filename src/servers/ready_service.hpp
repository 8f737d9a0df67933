// The service of a context with standby servers: each new file is written by them, or by the ranks of the model, in
// their calls or by threads behind them, by the measured cost. The session makes one if the settings keep
// ranks ready.
#pragma once

#include "servers/service.hpp"
#include "servers/write_behind_service.hpp"

namespace sv {

class ReadyService final : public Service {
 public:
  /// All must outlive it.
  ReadyService(Context &context, Client &client, WriteBehindService &own) : Service(context, client), own_(own) {}

  BackgroundWriter *behind() override { return own_.behind(); }
  std::string remark_on(const File &file) const override;
  std::shared_ptr<Home> home_of(File &file, const StoreMaker &maker, bool in_pieces) override;
  Agreed agree(const std::string &call, const std::optional<Error> &error, const GateInput &brought) override;
  void flush(const std::string &call, Level level) override;
  void end_step() override;

 protected:
  std::optional<Trouble> listen() override;

 private:
  WriteBehindService &own_;
};

}  // namespace sv
