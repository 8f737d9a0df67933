#include "engine/closing.hpp"

#include <functional>

#include "engine/closing_behind.hpp"
#include "engine/combine.hpp"
#include "engine/commit.hpp"
#include "engine/ending.hpp"
#include "file/beside.hpp"
#include "file/home.hpp"
#include "file/servers.hpp"
#include "requests/alone.hpp"
#include "rounds/behind.hpp"
#include "rounds/carrier.hpp"

namespace sv {

namespace {

using Action = std::function<void()>;

Agreed step_of_closing(File &file, const std::string &what, const Action &action) {
  return agree(file, "sv_close('" + file.path() + "')" + what, -1, action, {file.misfits.any() ? 1 : 0});
}

/// Everything but the data, within the call. Returns whether some rank has misfits.
bool finish(File &file) {
  if (file.mode == Mode::data) commit(file, "sv_close", true);
  if (file.ledger.failed()) throw Error(file.ledger.failure());  // its servers have told meanwhile
  const int64_t misfits = step_of_closing(file, ", detached", [&] { detach(file); })[0];
  if (Carrier *const carrier = file.home().carrier())
    carrier->close(true);
  else if (file.mode == Mode::data)
    step_of_closing(file, ", finished", [&] {
      if (file.home().is_owner()) file.home().handle.store().finish();
    });
  return misfits > 0;
}

}  // namespace

std::optional<Error> complete(File &file) {
  Context &context = file.context();
  Beside beside(context);
  std::optional<Error> complaint;
  bool misfits = false;
  try {
    step_of_closing(file, "", [&] {
      if (file.ledger.failed()) throw Error(file.ledger.failure());
      if (file.mode == Mode::define) throw Error(Status::order, "closed in define mode", "Call sv_enddef first");
    });
    end_alone(file);
    if (file.mode != Mode::define) complaint = complete_all(file);
    if (file.mode == Mode::data && file.ledger.has_uncommitted())
      (file.home().writes_here() ? context.closed.own : context.closed.served) = true;
    if (behind_of(file) != nullptr)
      hand_over(file);
    else
      misfits = finish(file);
  } catch (const Error &error) {
    fail(file, error);
    abandon(file);
    if (context.servers != nullptr) context.servers->forget_news(error);
    throw;
  }
  if (behind_of(file) == nullptr) end_complete(file, misfits);
  return complaint ? complaint : beside.news();
}

}  // namespace sv
