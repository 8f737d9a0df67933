#include "engine/closing_behind.hpp"

#include <algorithm>

#include "delivery/background_writer.hpp"
#include "delivery/file_delivery.hpp"
#include "engine/commit.hpp"
#include "engine/durability.hpp"
#include "engine/ending.hpp"
#include "file/home.hpp"
#include "file/older_files.hpp"
#include "file/servers.hpp"
#include "file/suppress_deferred_errors.hpp"
#include "store/name_set.hpp"

namespace sv {

namespace {

/// Synchronises the writes of this rank's thread before the count, and before the publication.
void post_sync(File &file) {
  if (!file.home().handle.is_attached()) return;
  const bool owns = file.home().is_owner();
  delivery_of(file).with_store([&disk = file.context().disk, job = file.on_disk.job(), owns](Store &store) {
    if (job != nullptr) disk.syncer().finish(job);
    store.sync();
    if (owns) store.sync_name();
  });
}

/// All have written: counts the records and publishes the file.
void post_end(File &file) {
  FileDelivery &delivery = delivery_of(file);
  if (!file.home().is_owner()) {
    delivery.keep(caught(file.context().rank(), [&] { file.home().handle.detach(true); }));
    return;
  }
  delivery.with_store([on_disk = file.closing()->on_disk, records = file.schema().records](Store &store) {
    store.be_durable(on_disk);
    store.commit(records);
    store.detach();
    store.finish();
  });
}

/// The next thing that is to be done, and all ranks must have done before it goes on.
void ask(File &file) {
  file.closing()->number = file.context().disk.next_request();
  ask_writer(file.context(), file.closing()->number, {});
}

void give_up(File &file) {
  file.enter({});
  abandon(file);
}

void end_finished(File &file) {
  file.home().handle.was_detached();
  const int rank = file.context().rank();
  delivery_of(file).keep(caught(rank, [&] { remove_older(file); }));
  if (file.closing()->on_disk) file.on_disk.is_complete();
  end_complete(file, file.closing()->has_range_errors);
  file.enter({});
}

/// Whether it has come to its end.
bool advance(File &file, int64_t done) {
  if (!file.ledger.failed() && file.closing()->number > done) return false;
  if (file.ledger.failed()) {
    give_up(file);
  } else if (file.closing()->finishes) {
    end_finished(file);
  } else {
    file.closing()->finishes = true;
    post_end(file);
    ask(file);
    return false;
  }
  delivery_of(file).end();
  return true;
}

/// The values that ranks agree on when a file is handed over.
struct HandingOver {
  Any range_errors{};   // some rank has any
  Min<int64_t> done{};  // up to which request everything is written, on all ranks
  Any others{};         // ranks other than the owner have the file open
  auto members() { return std::tie(range_errors, done, others); }
};

}  // namespace

void hand_over(File &file) {
  constexpr size_t most_closing = 16;  // each holds a descriptor
  Context &context = file.context();
  const bool on_disk = syncs_commit(file, true);
  complete_data(file, "sv_close", true);
  const HandingOver mine{.range_errors = file.range_errors.any(),
                         .done = done_requests(context),
                         .others = file.home().handle.is_attached() && !file.home().is_owner()};
  const HandingOver agreed = agree(
      file, "sv_close('" + file.path() + "'), handed over", -1, [] {}, mine);
  if (file.ledger.failed()) throw Error(file.ledger.failure());  // as was reported meanwhile
  const int64_t done = std::min<int64_t>(agreed.done, context.disk.requests());
  end_commit(file);
  // Ranks that have only read have it open, too: they close it when their threads are done with it.
  file.enter(File::Closing{0, delivery_of(file).has_one_thread() && !agreed.others, on_disk, agreed.range_errors});
  if (on_disk) post_sync(file);
  if (file.closing()->finishes) post_end(file);
  ask(file);
  const int64_t durable = file.on_disk.durable_steps();  // steps that lag: the last commit brings them
  file.on_disk.forget();
  file.on_disk.is_behind(std::min(durable, context.disk.steps_ended()));
  for (const auto &each : context.files)
    if (each.get() == &file) context.closing.push_back(each);
  advance_closing(context, done);
  if (context.closing.size() > most_closing) settle_closing(context, "sv_close('" + file.path() + "')");
}

void advance_closing(Context &context, int64_t done) {
  auto &closing = context.closing;
  for (size_t i = 0; i < closing.size();) {
    const std::shared_ptr<File> file = closing[i];
    if (!advance(*file, done)) {
      ++i;
      continue;
    }
    closing.erase(closing.begin() + static_cast<std::ptrdiff_t>(i));
    context.disk.released(file->on_disk.durable_steps());
  }
}

void settle_closing(Context &context, const std::string &call) {
  const SuppressDeferredErrors suppressed(context);
  while (!context.closing.empty()) {  // bounded: each has at most two things left to do
    context.agree(call + ", closed files", [&] { await_writer(context); });
    advance_closing(context, context.disk.requests());
  }
}

namespace {

/// Whether something of a file of this name is to be done behind the calls, as this rank's file system sees names.
bool has_name(const std::vector<std::shared_ptr<File>> &files, const FileName &name) {
  return std::any_of(files.begin(), files.end(), [&name](const std::shared_ptr<File> &file) {
    if (!delivery_of(*file).is_asynchronous()) return false;
    // Or a piece of a set, or the file of any variable.
    return name.is_of_file(file->name()) || name.place().starts_with(file->place() + ".") ||
           !file->naming.variable_template.empty();
  });
}

}  // namespace

void settle_name(Context &context, const char *call, const FileName &name) {
  if (context.servers == nullptr) return;
  context.servers->settle(call, name);
  const auto is_behind = [](const std::shared_ptr<File> &file) { return delivery_of(*file).is_asynchronous(); };
  if (context.closing.empty() && std::none_of(context.files.begin(), context.files.end(), is_behind)) return;
  // Only a file system knows which names belong to one file, and ranks may see it differently: one of them asks.
  const bool waits = context.rank() == owner_rank && (has_name(context.closing, name) || has_name(context.files, name));
  const std::string text = std::string(call) + "('" + name.path() + "')";
  if (!context.agree(text + ", written before", std::nullopt, Any(waits))) return;
  const SuppressDeferredErrors suppressed(context);
  context.servers->flush(text, Level::written);
  settle_closing(context, text);
  catch_up(context);
}

}  // namespace sv
