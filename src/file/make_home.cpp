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
  const ChosenWay way =
      file.mode == Mode::read ? ChosenWay{} : write_way(context.settings, file.settings(), file.place(), context.lanes);
  const WatchSettings watch{context.node.watchdog_seconds(), context.settings.watchdog_abort, context.node.progress()};
  return {kind, file.settings(), watch, way, file.found};
}

}  // namespace

std::shared_ptr<Home> home_of_new(File &file) {
  Context &context = file.context();
  StoreMaker maker = maker_of(file, kind_for(file.settings(), file.schema().format));
  if (context.rank() == owner_rank && maker.kind().is_plug_in)
    backend(maker.kind().name);  // told now where it is not there
  const bool divides = file.settings().route.divides_file();
  if (divides && !file.variable_template.empty())
    throw Error(Status::config,
                "a file for each variable, and the route '" + file.settings().route.name + "', which divides each file",
                "Choose a route that writes one file, or leave 'layout' out");
  if (context.servers != nullptr)
    if (std::shared_ptr<Home> served = context.servers->home_of(file, maker, divides)) return served;
  if (divides) return std::make_shared<SetHome>(file, std::move(maker));
  if (maker.kind().has_team) return std::make_shared<TeamHome>(file, std::move(maker));
  return std::make_shared<Home>(file, std::move(maker));
}

namespace {

StoreMaker maker_of_opened(const File &file, bool named) {
  return maker_of(file, kind_of_opened(file.settings(), file.schema().format, named));
}

/// nullptr: there is none.
std::shared_ptr<Home> served_home_of(File &file, const StoreMaker &maker, bool in_pieces) {
  Servers *const servers = file.context().servers;
  const bool asks = file.mode != Mode::read || file.settings().reading == Reading::servers;
  return servers != nullptr && asks ? servers->home_of(file, maker, in_pieces) : nullptr;
}

}  // namespace

std::shared_ptr<Home> home_of_set(File &file, bool named) {
  StoreMaker maker = maker_of_opened(file, named);
  if (std::shared_ptr<Home> served = served_home_of(file, maker, true)) return served;
  return std::make_shared<SetHome>(file, std::move(maker));
}

std::shared_ptr<Home> home_of_one(File &file, bool named) {
  StoreMaker maker = maker_of_opened(file, named);
  if (std::shared_ptr<Home> served = served_home_of(file, maker, false)) return served;
  if (maker.kind().has_team) return std::make_shared<TeamHome>(file, std::move(maker));
  return std::make_shared<Home>(file, std::move(maker));
}

std::shared_ptr<Home> home_of_failed(File &file) { return std::make_shared<Home>(file, maker_of_opened(file, false)); }

}  // namespace sv
