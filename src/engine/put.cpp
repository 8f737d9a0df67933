#include "engine/values.hpp"

#include <algorithm>

#include "engine/combine.hpp"
#include "engine/fields.hpp"
#include "engine/orders.hpp"
#include "requests/subarray.hpp"
#include "rounds/behind.hpp"
#include "rounds/file_trace.hpp"
#include "rounds/own_ranges.hpp"
#include "rounds/store_calls.hpp"
#include "rounds/writing.hpp"

namespace sv {

void put(File &file, int variable, const Decomp *decomp, int64_t record, const Values &values) {
  const Asked asked{.variable = variable,
                    .kind = Asked::Kind::distributed,
                    .decomp = decomp,
                    .record = record,
                    .regions = {},
                    .values = &values};
  if (record_put(file, "sv_put", asked)) return;
  put_field(file, variable, in_places(file, "sv_put", variable, record, decomp), record, values);
}

namespace {

/// To those who write it later, the first rank brings all of it.
void put_by_first(File &file, int variable, int64_t record, const Values &values, const PackRow &row) {
  const Index shape = file.schema().slab_shape(file.variable(variable));
  std::vector<Patch> whole{{0, Box::whole(shape), Index(shape.n, 0)}};
  FieldJob job{.file = file,
               .variable = variable,
               .record = record,
               .layout = std::make_shared<const Layout>(shape, file.context().comm.size(), whole, false),
               .route = std::make_shared<const Route>(file.home().route_of_ranges())};
  plan_writing(job);
  write_field(job, pieces_of_block(job.field, array_view(shape, values), row));
}

/// What every rank has.
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
    file.count_misfits(slab.variable, pack(piece, share, put.row, Form::in_place, staging.data()));
    file.home().store().write(slab_of(slab.variable, slab.record, share), staging);
  });
}

/// Whether one rank owns all of it, and may write in the gate that the call begins with. The same on all ranks.
bool is_written_by_one(File &file) {
  if (!file.has_home() || !file.home().places_here() || behind_of(file) != nullptr) return false;
  const std::vector<int> &owners = file.home().owners.of_ranges;
  return file.home().pieces(0).empty() && owners.size() == 1;
}

void put_by_one(File &file, const std::string &call, const std::optional<Error> &refused, const WrittenSlab &slab,
                const Replicated &put) {
  const auto write = [&] {
    const auto failed = caught(file.context().rank(), [&] { put_own_ranges(file, slab, put); });
    if (failed) throw *file.located(slab.variable, failed);
  };
  const auto failed = file.context().agree_and_do(call, refused, {file.home().owners.of_ranges.front(), write});
  or_fail(file, [&] {
    if (failed) throw Error(*failed);
  });
  file.ledger.touch(slab.variable, slab.record);
}

}  // namespace

void put_replicated(File &file, int variable, int64_t record, const Values &values) {
  const Asked asked{
      .variable = variable, .kind = Asked::Kind::replicated, .record = record, .regions = {}, .values = &values};
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
  if (is_written_by_one(file)) return put_by_one(file, call, refused, {variable, record}, {values, row});
  context.agree(call, refused);
  if (!file.home().writes_here() || behind_of(file) != nullptr)
    return put_by_first(file, variable, record, values, row);
  const auto error = caught(context.rank(), [&] { put_own_ranges(file, {variable, record}, {values, row}); });
  conclude_writing(file, variable, record, error);
}

namespace {

struct SubarrayJob {
  File &file;
  int variable;
  std::vector<Strided> requests;  // of all ranks
  PackRow row;
};

void plan_parts(const SubarrayJob &job, const PartRange &parts, FieldJob &field) {
  const File &file = job.file;
  const Index shape = file.schema().slab_shape(file.variable(job.variable));
  field.layout = layout_of(job.requests, shape, field.record, parts);
  field.route = std::make_shared<const Route>(job.file.home().route_of_ranges());
  plan_writing(field);
}

/// Parts of one record (or of a variable without records) of the sub-arrays. `block`: this rank's part.
void put_parts(const SubarrayJob &job, int64_t record, const PartRange &parts, const MemoryView &block) {
  File &file = job.file;
  FieldJob field{.file = file, .variable = job.variable, .record = record};
  agree(file, "the sub-arrays of " + file.name_of(job.variable), job.variable, [&] { plan_parts(job, parts, field); });
  write_field(field, pieces_of_block(field.field, block, job.row));
}

void put_record(const SubarrayJob &job, int64_t record, const MemoryView &block) {
  const int64_t parts = most_parts(job.requests, record);
  const int64_t step = parts_at_once(job.requests);
  for (int64_t first = 0; first < parts; first += step) put_parts(job, record, {first, first + step}, block);
}

/// One field of which each rank has few parts: planned before the gate that tells whether ranks share cells (`error`),
/// and, where it is little, written in it. False, on all ranks: it is not such a field.
bool put_at_once(const SubarrayJob &job, const Strided &request, const Values &values,
                 const std::optional<Error> &error) {
  File &file = job.file;
  const bool has_records = file.variable(job.variable).has_records;
  const int64_t record = has_records ? next_record(job.requests, 0) : -1;
  if (has_records && (record < 0 || next_record(job.requests, record + 1) >= 0)) return false;
  const int64_t parts = most_parts(job.requests, record);
  if (parts > parts_at_once(job.requests)) return false;
  const std::string call = "who puts what of " + file.name_of(job.variable);
  FieldJob field{.file = file, .variable = job.variable, .record = record};
  const auto failed = caught(file.context().rank(), [&] { plan_parts(job, {0, parts}, field); });
  if (failed) file.context().agree(call, error ? error : file.located(job.variable, failed));  // throws
  const auto pieces = pieces_of_block(field.field, record_view(request, values, record), job.row);
  if (write_at_once(field, pieces, call, error)) return true;
  file.context().agree(call, error);
  write_field(field, pieces);
  return true;
}

/// Whether they are better combined: records of a file whose places we know, of cells that follow one another.
bool are_many_fields(const File &file, int variable, const std::vector<Strided> &requests) {
  if (!file.variable(variable).has_records || !file.home().combines()) return false;
  const bool dense = std::all_of(requests.begin(), requests.end(), [](const Strided &each) {
    return std::all_of(each.stride.v.begin() + 1, each.stride.v.begin() + each.stride.n,
                       [](int64_t stride) { return stride == 1; });
  });
  const int64_t first = next_record(requests, 0);
  return dense && first >= 0 && next_record(requests, first + 1) >= 0;
}

}  // namespace

void put_subarray(File &file, int variable, const Strided &request, const Values &values) {
  const Asked asked{.variable = variable, .regions = RegionList(request), .values = &values};
  if (record_put(file, "sv_put_vara", asked)) return;
  Context &context = file.context();
  PhaseTimer timer(context.metrics, Phase::write, subject_of(file, variable));
  PackRow row;
  std::vector<int64_t> numbers = numbers_of(request);
  const auto refused = caught(context.rank(), [&] {
    file.check_writable();
    check_subarray(file, variable, request, true);
    if (values.data == nullptr && !request.empty())
      throw Error(Status::invalid, "no data (a null pointer) for a sub-array that is not empty", "Pass the values");
    row = pack_row(file, variable, values.type);
    check_fits(file, variable, {Box::whole(request.count), array_view(request.count, values)}, row);
  });
  context.agree_and_tell(call_text("sv_put_vara", file, variable, -1), file.located(variable, refused),
                         std::as_bytes(std::span(numbers)));

  const SubarrayJob job{file, variable, gather_requests(context, request), row};
  const bool allowed = file.settings().overlap == Overlap::allow;
  bool meet = false;
  const auto error = caught(context.rank(), [&] {
    const auto common = find_common_cell(job.requests, context.rank());
    meet = common.has_value();
    if (meet && !allowed)
      throw Error(Status::layout, *common, "Put each cell once, or set 'overlap' to allow: then the higher rank wins");
  });
  if (!allowed && put_at_once(job, request, values, file.located(variable, error))) return;
  const Agreed anywhere =
      context.agree("who puts what of " + file.name_of(variable), file.located(variable, error), {meet ? 1 : 0});
  if (anywhere[0] != 0 || are_many_fields(file, variable, job.requests))
    return carry_out(file, "sv_put_vara", std::span(&asked, 1));
  if (!file.variable(variable).has_records) return put_record(job, -1, record_view(request, values, -1));
  for (int64_t record = next_record(job.requests, 0); record >= 0; record = next_record(job.requests, record + 1))
    put_record(job, record, record_view(request, values, record));
}

}  // namespace sv
