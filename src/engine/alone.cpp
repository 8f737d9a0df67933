#include "engine/alone.hpp"

#include <algorithm>

#include "delivery/file_delivery.hpp"
#include "engine/commit.hpp"
#include "engine/file_parts.hpp"
#include "engine/recorded.hpp"
#include "file/home.hpp"
#include "transfer/alone.hpp"

namespace sv {

namespace {

/// A team that has the file open on every rank writes variables with offsets, if the store knows these.
bool lets_ranks_write(const File &file) {
  const Home &home = file.home();
  const bool is_open_here = file.mode == Mode::read || home.handle.is_attached();
  return home.places_here() || (home.maker.kind().exposes_offsets && home.writes_here() && is_open_here);
}

}  // namespace

void begin_indep(File &file) {
  agree(file, "sv_begin_indep('" + file.path() + "')", -1, [&] {
    if (file.mode != Mode::read) file.check_writable();
    if (file.alone() != nullptr)
      throw Error(Status::order, "ranks put and get by themselves already", "Call sv_end_indep before")
          .in_file(file.path());
    if (!lets_ranks_write(file) || !file.home().pieces(0).empty())
      throw Error(Status::unsupported, "servers, a library or some ranks write the file, or it is a set of files",
                  "Choose the store cdf or netcdf4, all ranks as writers, a route that writes one file, and "
                  "async.group: none")
          .in_file(file.path());
  });
  if (file.mode != Mode::read) {
    require_recorded(file);
    commit(file, "sv_begin_indep", false);
    or_fail(file, [&] {
      agree(file, "sv_begin_indep('" + file.path() + "'), written", -1, [&] { delivery_of(file).rest(); });
    });
  }
  file.enter(File::Alone{file.ledger.pending_records(), nullptr});
}

namespace {

void check_alone(const File &file) {
  if (file.mode == Mode::read || file.alone() != nullptr) return;
  throw Error(Status::order, "a rank puts or gets by itself", "Call sv_begin_indep before, on every rank")
      .in_file(file.path());
}

/// How many records there are with those that it puts.
int64_t checked_records(const File &file, const Request &request) {
  const int64_t records = file.alone() != nullptr ? file.alone()->records : 0;
  int64_t most = records;
  if (request.kind != RequestArgs::Kind::regions)
    throw Error(Status::order, "a request on a distributed or replicated field, by one rank", "Use sv_wait");
  if (request.direction == Direction::read || !file.variable(request.variable).has_records) return most;
  for (const Strided &each : request.regions)
    if (!each.empty()) most = std::max(most, each.start[0] + (each.count[0] - 1) * each.stride[0] + 1);
  if (most > records && file.settings().fill)
    throw Error(Status::unsupported, "a new record, which would be filled, by one rank",
                "Put it with the others, or set fill: false");
  return most;
}

/// In a file that a team has open, compressed chunks are of all ranks, and so are new records.
void check_places(File &file, const Request &request, int64_t records) {
  if (file.mode == Mode::read || file.home().places_here()) return;
  if (file.home().store().storing(request.variable).fills || records > file.alone()->records)
    throw Error(Status::order, "a rank puts or gets values by itself that are compressed, or of a new record",
                "Put and get them with the others");
}

void move(File &file, const Request &request) {
  check_now(file, request);
  const int64_t records = checked_records(file, request);
  check_places(file, request, records);
  try {
    if (request.direction == Direction::write && records > file.alone()->records) {
      file.alone()->records = records;
      if (file.home().places_here()) file.home().store().admit(records);  // which may be opened only now
    }
    move_alone(file, request);
  } catch (const Error &error) {
    const bool is_of_file = error.status() != Status::range && error.status() != Status::order;
    if (request.direction == Direction::write && is_of_file && !file.alone()->failure)
      file.alone()->failure = std::make_unique<Error>(error);
    throw;
  }
}

}  // namespace

void wait_indep(File &file, std::span<const int64_t> numbers, std::vector<std::optional<Error>> &outcomes) {
  check_alone(file);
  const int rank = file.context().rank();
  for (const int64_t number : numbers)
    outcomes.push_back(caught(rank, [&] {
      Request request = file.engine->pending.take(file, number);
      try {
        move(file, request);
      } catch (const Error &error) {
        file.engine->pending.give_back(request);
        throw *file.located(request.variable, error);
      }
      file.engine->pending.give_back(request);
    }));
}

}  // namespace sv
