#include "engine/values.hpp"

#include <algorithm>

#include "engine/combine.hpp"
#include "engine/fields.hpp"
#include "engine/growing.hpp"
#include "engine/orders.hpp"
#include "engine/recorded.hpp"
#include "file/file_trace.hpp"
#include "file/store_calls.hpp"
#include "transfer/facts.hpp"
#include "transfer/own_ranges.hpp"
#include "transfer/subarray.hpp"
#include "transfer/writing.hpp"

namespace sv {

void put(File &file, int variable, const Decomp *decomp, int64_t record, const Values &values) {
  const RequestArgs asked{.variable = variable,
                          .kind = RequestArgs::Kind::distributed,
                          .decomp = decomp,
                          .record = record,
                          .regions = {},
                          .values = values};
  if (record_put(file, "sv_put", asked)) return;
  put_field(file, variable, in_places(file, "sv_put", variable, record, decomp), record, values);
}

namespace {

/// Values that every rank has.
struct Replicated {
  const Values &values;
  const PackRow &row;
};

/// Each rank writes what it owns.
void put_own_ranges(File &file, const WrittenSlab &slab, const Replicated &put) {
  constexpr int64_t share_bytes = 1 << 20;
  make_room(file, slab.variable, slab.record);
  const Field field = file.home().places().field(slab.variable, slab.record);
  const Piece piece{Box::whole(field.shape), array_view(field.shape, put.values)};
  std::vector<std::byte> staging;
  for_own_ranges(file, slab.variable, slab.record, share_bytes, [&](const Share &share) {
    staging.resize(static_cast<size_t>(share.elements() * field.element_bytes));
    file.count_range_errors(slab.variable, pack(piece, share, put.row, Form::in_place, staging.data()));
    file.home().store().write(slab_of(slab.variable, slab.record, share), staging);
  });
}

/// The strategy for values of which every rank has all.
Strategy strategy_of_replicated(File &file, int variable) {
  const auto one_owner = [&file] { return file.home().owners.of_ranges.size() == 1 && file.home().pieces(0).empty(); };
  Facts facts = writing_facts(file, variable);
  facts.form = Facts::Form::replicated;
  facts.one_writer = facts.placed_here;
  facts.fits_gate = LazyFact::by(one_owner);
  const Strategy strategy = writing_strategy(facts);
  count_writing(file, strategy);
  return strategy;
}

/// The only owner writes in the gate that the call begins with.
void put_in_gate(File &file, const std::string &call, const WrittenSlab &slab, const Replicated &put) {
  const auto write = [&] { name_errors(file, slab.variable, [&] { put_own_ranges(file, slab, put); }); };
  const auto failed = file.context().agree_and_do(call, std::nullopt, {file.home().owners.of_ranges.front(), write});
  or_fail(file, [&] {
    if (failed) throw Error(*failed);
  });
  file.ledger.touch(slab.variable, slab.record);
}

/// Rank 0 hands the whole array to those who write it after the call.
void put_from_first(File &file, const std::string &call, const WrittenSlab &slab, const Replicated &put) {
  const Index shape = file.schema().slab_shape(file.variable(slab.variable));
  std::vector<Patch> whole{{0, Box::whole(shape), Index(shape.n, 0)}};
  FieldJob job{.file = file,
               .variable = slab.variable,
               .record = slab.record,
               .layout = std::make_shared<const Layout>(shape, file.context().comm.size(), whole, false),
               .route = std::make_shared<const Route>(file.home().route_of_ranges())};
  plan_writing(job);
  write_field(job, pieces_of_block(job.field, array_view(shape, put.values), put.row), call);
}

}  // namespace

void put_replicated(File &file, int variable, int64_t record, const Values &values) {
  const RequestArgs asked{
      .variable = variable, .kind = RequestArgs::Kind::replicated, .record = record, .regions = {}, .values = values};
  if (record_put(file, "sv_put_var", asked)) return;
  Context &context = file.context();
  PhaseTimer timer(context.metrics, Phase::write, subject_of(file, variable));
  PackRow row;
  const std::string call = call_text("sv_put_var", file, variable, record);
  const auto refused =
      file.located(variable, caught(context.rank(), [&] {
                     file.check_writable();
                     file.check_record(variable, record, false);
                     if (values.data == nullptr)
                       throw Error(Status::invalid, "no data (a null pointer)", "Every rank passes the whole variable");
                     row = pack_row(file, variable, values.type);
                     const Index shape = file.schema().slab_shape(file.variable(variable));
                     check_fits(file, variable, {Box::whole(shape), array_view(shape, values)}, row);
                   }));
  if (refused) context.agree(call, refused);  // throws
  const Strategy strategy = strategy_of_replicated(file, variable);
  if (strategy == Strategy::in_gate) return put_in_gate(file, call, {variable, record}, {values, row});
  if (strategy != Strategy::own_ranges) return put_from_first(file, call, {variable, record}, {values, row});
  context.agree(call, refused);
  const auto error = caught(context.rank(), [&] { put_own_ranges(file, {variable, record}, {values, row}); });
  conclude_writing(file, variable, record, error);
}

namespace {

/// A request as it travels.
std::vector<int64_t> numbers_of(const Strided &request) {
  std::vector<int64_t> numbers;
  for (int d = 0; d < request.dims(); ++d)
    for (const Index *part : {&request.start, &request.count, &request.stride}) numbers.push_back((*part)[d]);
  return numbers;
}

/// Collective. The requests of all ranks, by rank, which they have brought to the last gate, if it carries so much.
std::vector<Strided> gather_requests(const Context &context, const Strided &mine, std::span<const int64_t> numbers) {
  const bool carried = context.gate.carries(std::as_bytes(numbers).size());
  std::vector<int64_t> all;
  if (!carried) all = context.comm.all_gather<int64_t>(numbers);
  all.resize(numbers.size() * static_cast<size_t>(context.comm.size()));
  for (int rank = 0; carried && rank < context.comm.size(); ++rank)
    std::ranges::copy(
        context.gate.enclosed_by(rank),
        std::as_writable_bytes(std::span(all).subspan(static_cast<size_t>(rank) * numbers.size())).begin());
  std::vector<Strided> requests(static_cast<size_t>(context.comm.size()), mine);
  size_t at = 0;
  for (Strided &each : requests)
    for (int d = 0; d < mine.dims(); ++d)
      for (Index *part : {&each.start, &each.count, &each.stride}) (*part)[d] = all[at++];
  return requests;
}

/// Whether the sub-arrays of all ranks are one field of which each rank has few parts, with the record of the job: they
/// need no more meetings then than a field on a decomposition.
bool are_one_field(FieldJob &job, const std::vector<Strided> &requests) {
  constexpr int64_t most_patches = 1 << 15;  // of a layout, of all ranks
  if (job.file.settings().overlap == Overlap::allow) return false;
  if (job.file.variable(job.variable).has_records) {
    job.record = next_record(requests, 0);
    if (job.record < 0 || next_record(requests, job.record + 1) >= 0) return false;
  }
  return most_parts(requests, job.record) <= std::max<int64_t>(1, most_patches / std::ssize(requests));
}

void plan(FieldJob &job, const std::vector<Strided> &requests) {
  File &file = job.file;
  if (const auto common = find_common_cell(requests, file.context().rank()))
    throw Error(Status::layout, *common, "Put each cell once, or set 'overlap' to allow: then the higher rank wins");
  job.layout = layout_of(requests, file.schema().slab_shape(file.variable(job.variable)), job.record);
  job.route = std::make_shared<const Route>(file.home().route_of_ranges());
  plan_writing(job);
}

}  // namespace

void put_subarray(File &file, int variable, const Strided &request, const Values &values) {
  const RequestArgs asked{.variable = variable, .regions = RegionList(request), .values = values};
  grow_for(file, variable, request);
  if (record_put(file, "sv_put_vara", asked)) return;
  Context &context = file.context();
  PhaseTimer timer(context.metrics, Phase::write, subject_of(file, variable));
  PackRow row;
  const std::vector<int64_t> numbers = numbers_of(request);
  const auto refused = caught(context.rank(), [&] {
    file.check_writable();
    check_subarray(file, variable, request, true);
    if (values.data == nullptr && !request.empty())
      throw Error(Status::invalid, "no data (a null pointer) for a sub-array that is not empty", "Pass the values");
    row = pack_row(file, variable, values.type);
    check_fits(file, variable, {Box::whole(request.count), array_view(request.count, values)}, row);
  });
  context.agree_and_share(call_text("sv_put_vara", file, variable, -1), file.located(variable, refused),
                          std::as_bytes(std::span(numbers)));
  const std::vector<Strided> requests = gather_requests(context, request, numbers);
  FieldJob job{.file = file, .variable = variable, .record = -1};
  if (!are_one_field(job, requests)) return carry_out(file, "sv_put_vara", std::span(&asked, 1));
  const std::string call = "ownership of puts into " + file.name_of(variable);
  const auto error = file.located(variable, caught(context.rank(), [&] { plan(job, requests); }));
  if (error) context.agree(call, error);  // throws
  const MemoryView block = record_view(request, values, job.record);
  write_field(job, pieces_of_block(job.field, block, row), call);
}

}  // namespace sv
