#include "engine/closing.hpp"

#include <functional>

#include "engine/combine.hpp"
#include "engine/commit.hpp"
#include "engine/durability.hpp"
#include "file/beside.hpp"
#include "file/home.hpp"
#include "file/servers.hpp"
#include "requests/alone.hpp"
#include "rounds/behind.hpp"
#include "rounds/carrier.hpp"
#include "rounds/file_trace.hpp"

namespace sv {

namespace {

void detach(File &file) {
  rest(file);
  file.home().handle.detach(file.mode == Mode::data);
}

void end_life(File &file, const std::string &outcome) {
  file.ledger.close(outcome);
  leave_to_be_synced(file);
  file.home().handle.count(file.context().metrics);
  if (file.trace != nullptr) file.trace->closed();
}

/// What the summary tells about a file that was closed.
void keep_report(const File &file) {
  if (file.context().rank() == owner_rank) file.context().reports.keep(file.home().report());
}

}  // namespace

std::optional<Error> complete(File &file) {
  Context &context = file.context();
  Beside beside(context);
  std::optional<Error> complaint;
  const auto step = [&](const std::string &what, const std::function<void()> &action) {
    return agree(file, "sv_close('" + file.path() + "')" + what, -1, action, {file.misfits.any() ? 1 : 0})[0];
  };
  int64_t misfits = 0;
  try {
    step("", [&] {
      if (file.ledger.failed()) throw Error(file.ledger.failure());
      if (file.mode == Mode::define) throw Error(Status::order, "closed in define mode", "Call sv_enddef first");
    });
    end_alone(file);
    if (file.mode != Mode::define) complaint = complete_all(file);
    if (file.mode == Mode::data) commit(file, "sv_close", true);
    if (file.ledger.failed()) throw Error(file.ledger.failure());  // its servers have told meanwhile
    misfits = step(", detached", [&] { detach(file); });
    if (Carrier *const carrier = file.home().carrier())
      carrier->close(true);
    else if (file.mode == Mode::data)
      step(", finished", [&] {
        if (file.home().is_owner()) file.home().handle.store().finish();
      });
  } catch (const Error &error) {
    fail(file, error);
    abandon(file);
    if (context.servers != nullptr) context.servers->forget_news(error);
    throw;
  }
  end_life(file, "complete");
  if (misfits > 0) file.misfits.tell(gather_misfits(context.comm, file.misfits, file.schema()));
  if (file.settings().out_of_range == Misfit::clamp) warn_of(file.path(), file.misfits.told());
  keep_report(file);
  return complaint ? complaint : beside.news();
}

void abandon(File &file) noexcept {
  Ledger &ledger = file.ledger;
  if (ledger.is_closed()) return;
  const int rank = file.context().rank();
  std::string outcome = "abandoned";
  if (ledger.failed()) outcome += std::string(": ") + ledger.failure().what();
  const auto attempt = [&](const std::function<void()> &action) {
    if (const auto error = caught(rank, action)) outcome += std::string("; ") + error->what();
  };
  attempt([&] { detach(file); });
  if (file.home().is_owner() && file.mode != Mode::read) file.home().handle.store().abandon();
  if (file.mode != Mode::define)
    if (Carrier *const carrier = file.home().carrier()) attempt([&] { carrier->close(false); });
  caught(rank, [&] { end_life(file, outcome); });  // what its trace cannot tell, it does not
  keep_report(file);
}

}  // namespace sv
