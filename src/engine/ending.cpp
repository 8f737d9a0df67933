#include "engine/ending.hpp"

#include <functional>

#include "delivery/file_delivery.hpp"
#include "engine/durability.hpp"
#include "file/divided.hpp"
#include "file/file_trace.hpp"
#include "file/home.hpp"

namespace sv {

namespace {

void end_life(File &file, const std::string &outcome) {
  file.ledger.close(outcome);
  leave_to_be_synced(file);
  file.home().handle.count(file.context().metrics);
  if (file.trace != nullptr) file.trace->closed();
}

/// If hosts see other hosts' writes late, one rank of each host requests the size of the file again, so that any later
/// reader on this host finds it whole.
void look_anew(File &file) {
  Home &home = file.home();
  const Context &context = file.context();
  const bool is_one_file = home.pieces(0).empty() && !home.maker.kind().is_folder;
  if (!home.owners.surroundings.late || file.mode != Mode::data || !home.writes_here() || !is_one_file) return;
  const Topology &topology = context.topology();
  if (topology.ranks_of[topology.node_of[context.rank()]].front() != context.rank()) return;
  // If this fails, the size is found a moment later.
  for (const auto &[path, names_it] : written_files(file, {})) caught(context.rank(), [&] { sync_file(path); });
}

/// Keeps the report of a closed file for the summary.
void keep_report(const File &file) {
  if (file.context().rank() == owner_rank) file.context().reports.keep(file.home().report());
}

}  // namespace

/// When this returns, or throws, no rank uses the store any more, even if others are gone.
void detach(File &file) {
  delivery_of(file).drain();
  file.home().handle.detach(file.mode == Mode::data);
}

void end_complete(File &file, bool range_errors) {
  look_anew(file);
  end_life(file, "complete");
  if (range_errors)
    file.range_errors.keep_summed(gather_range_errors(file.context().comm, file.range_errors, file.schema()));
  if (file.settings().out_of_range == RangeError::clamp) warn_of(file.path(), file.range_errors.summed());
  keep_report(file);
}

void abandon(File &file) noexcept {
  Ledger &ledger = file.ledger;
  if (ledger.is_closed() || file.closing() != nullptr) return;
  const int rank = file.context().rank();
  std::string outcome = "abandoned";
  if (ledger.failed()) outcome += std::string(": ") + ledger.failure().what();
  const auto attempt = [&](const std::function<void()> &action) {
    if (const auto error = caught(rank, action)) outcome += std::string("; ") + error->what();
  };
  attempt([&] { detach(file); });
  if (file.home().is_owner() && file.mode != Mode::read) file.home().handle.store().abandon();
  if (file.mode != Mode::define) attempt([&] { delivery_of(file).close(false); });
  caught(rank, [&] { end_life(file, outcome); });  // an incomplete trace is no error
  keep_report(file);
}

}  // namespace sv
