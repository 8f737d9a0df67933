#include "file/make_home.hpp"

#include "backend/backend.hpp"
#include "base/error.hpp"
#include "file/file.hpp"
#include "file/servers.hpp"
#include "file/set_home.hpp"
#include "file/team_home.hpp"

namespace sv {

namespace {

StoreMaker maker_of(const File &file, const StoreKind &kind) {
  const Context &context = file.context();
  const ChosenPolicy policy = file.mode == Mode::read
                                  ? ChosenPolicy{}
                                  : write_policy(context.settings, file.settings(), file.place(), context.lanes);
  const WatchSettings watch{context.node.watchdog_seconds(), context.settings.watchdog_abort, context.node.progress()};
  return {kind, file.settings(), watch, policy, file.found};
}

/// `asks`: whether threads or servers may write it.
std::shared_ptr<Home> home_of(File &file, StoreMaker maker, bool in_pieces, bool asks) {
  Servers *const servers = file.context().servers;
  if (servers != nullptr && asks)
    if (std::shared_ptr<Home> others = servers->home_of(file, maker, in_pieces)) return others;
  if (in_pieces) return std::make_shared<SetHome>(file, std::move(maker));
  if (maker.kind().has_team) return std::make_shared<TeamHome>(file, std::move(maker));
  return std::make_shared<Home>(file, std::move(maker));
}

StoreMaker maker_of_opened(const File &file, bool named) {
  return maker_of(file, kind_of_opened(file.settings(), file.schema().format, named));
}

}  // namespace

std::shared_ptr<Home> home_of_new(File &file) {
  StoreMaker maker = maker_of(file, kind_for(file.settings(), file.schema().format));
  if (file.context().rank() == owner_rank && maker.kind().is_plug_in)
    backend(maker.kind().name);  // reports a missing plug-in now
  const bool divides = file.settings().route.divides_file();
  if (divides && !file.naming.variable_template.empty())
    throw Error(Status::config,
                "a file for each variable, and the route '" + file.settings().route.name + "', which divides each file",
                "Choose a route that writes one file, or leave 'layout' out");
  return home_of(file, std::move(maker), divides, true);
}

std::shared_ptr<Home> home_of_opened(File &file, bool named, bool in_pieces) {
  const bool asks = file.mode != Mode::read || file.settings().reading == Reading::servers;
  return home_of(file, maker_of_opened(file, named), in_pieces, asks);
}

std::shared_ptr<Home> home_of_failed(File &file) { return std::make_shared<Home>(file, maker_of_opened(file, false)); }

}  // namespace sv
