#include "servers/ready_service.hpp"

#include "file/file.hpp"
#include "file/home.hpp"

namespace sv {

std::string ReadyService::remark_on(const File &file) const {
  return file.home().writes_here() ? own_.remark_on(file) : "";
}

/// A file that names a group of servers is always for them.
std::shared_ptr<Home> ReadyService::home_of(File &file, const StoreMaker &maker, bool in_pieces) {
  const FileSettings &settings = file.settings();
  const bool may_be_served = !in_pieces && settings.server_group.group != GroupRequest::none;
  const bool must_be = settings.server_group.group > 0 || file.mode == Mode::read;
  if (may_be_served && (must_be || own_.is_served()))
    if (auto served = Service::home_of(file, maker, in_pieces)) return served;
  return own_.home_of(file, maker, in_pieces);
}

/// As threads need it of every gate.
Agreed ReadyService::agree(const std::string &call, const std::optional<Error> &error, const GateInput &brought) {
  const Lent lent(hdf5());
  return Service::agree(call, error, brought);
}

void ReadyService::flush(const std::string &call, Level level) {
  own_.flush(call, level);
  Service::flush(call, level);
}

void ReadyService::end_step() {
  own_.end_step();
  Service::end_step();
}

std::optional<Trouble> ReadyService::listen() {
  auto trouble = Service::listen();
  return trouble ? trouble : own_.listen();
}

}  // namespace sv
