#include "engine/read.hpp"

#include <algorithm>

#include "assemble/memory_view.hpp"
#include "engine/subarray.hpp"
#include "engine/write.hpp"

namespace sv {

namespace {

constexpr int64_t staging_bytes = 1 << 20;  // small enough to stay in the cache between reading and converting

/// One slab (a variable, or a record of it) that this rank reads by itself.
struct Reading {
  File &file;
  int variable;
  int64_t record;
  UnpackRow row;
};

/// Reads the cells of `piece`, in bounded memory.
void read_piece(const Reading &reading, const Piece &piece, std::vector<std::byte> &staging) {
  const int64_t bytes = size_of(reading.file.variable(reading.variable).type);
  const int64_t elements = piece.box.elements(), step = std::max<int64_t>(1, staging_bytes / bytes);
  Store &store = reading.file.attached_store();
  for (int64_t first = 0; first < elements; first += step) {
    const Share share{piece.box, first, std::min(first + step, elements)};
    staging.resize(static_cast<size_t>(share.elements() * bytes));
    store.read({reading.variable, std::max<int64_t>(reading.record, 0), share.box, share.first, share.last}, staging);
    reading.file.context().metrics().out_of_range +=
        unpack_in_place(piece, share, bytes, reading.row, staging.data());
  }
}

/// Passes the gate at the end of a call in which each rank read by itself.
void conclude(const Reading &reading, std::optional<Error> error) {
  File &file = reading.file;
  if (error) error->in_variable(file.variable(reading.variable).name).in_file(file.path());
  file.context().agree("end of reading '" + file.path() + "'", error);
}

/// The checks every reading call makes.
UnpackRow check(const File &file, int variable, const Values &values, bool has_cells) {
  file.check_readable();
  const Variable &each = file.variable(variable);
  if (values.data == nullptr && has_cells)
    throw Error(Status::invalid, "no room for the values (a null pointer)", "Pass an array").in_variable(each.name);
  return unpack_row(each.type, values.type, ByteOrder::big);
}

}  // namespace

void get(File &file, int variable, const Decomp *decomp, int64_t record, const Values &values) {
  Context &context = file.context();
  PhaseTimer timer(context.metrics(), Phase::read);
  Reading reading{file, variable, record, nullptr};
  Field field;
  auto error = caught(context.rank(), [&] {
    file.check_readable();
    file.check_record(variable, record, true);
    if (decomp == nullptr || decomp->context != &context)
      throw Error(Status::invalid, "the decomposition is missing or of another context", "Use sv_def_decomp");
    reading.row = check(file, variable, values, decomp->layout->cells_of_rank(context.rank()) > 0);
    field = file.field(variable, record);
    field.first_axis = file.first_axis(variable, *decomp->layout);
  });
  if (error) error->in_file(file.path());
  const std::string on = " on decomposition " + std::to_string(decomp == nullptr ? -1 : decomp->id);
  context.agree(call_text("sv_get", file, variable, record) + on, error);
  conclude(reading, caught(context.rank(), [&] {
             const MemoryView block = block_view(field, *decomp, values);
             std::vector<std::byte> staging;
             for (const Patch &patch : decomp->layout->patches_of_rank(context.rank()))
               read_piece(reading, patch_piece(field, patch, block), staging);
           }));
}

void get_subarray(File &file, int variable, const Box &request, const Values &values) {
  Context &context = file.context();
  PhaseTimer timer(context.metrics(), Phase::read);
  Reading reading{file, variable, -1, nullptr};
  auto error = caught(context.rank(), [&] {
    reading.row = check(file, variable, values, !request.empty());
    check_subarray(file, variable, request, false);
  });
  if (error) error->in_file(file.path());
  context.agree(call_text("sv_get_vara", file, variable, -1), error);
  conclude(reading, caught(context.rank(), [&] {
             if (request.empty()) return;
             std::vector<std::byte> staging;
             if (!file.variable(variable).has_records)
               return read_piece(reading, {request, array_view(request.count, values)}, staging);
             for (int64_t r = 0; r < request.count[0]; ++r) {
               reading.record = request.start[0] + r;
               read_piece(reading, {without_record(request), record_view(request, values, reading.record)}, staging);
             }
           }));
}

void get_replicated(File &file, int variable, int64_t record, const Values &values) {
  Context &context = file.context();
  PhaseTimer timer(context.metrics(), Phase::read);
  Reading reading{file, variable, record, nullptr};
  auto error = caught(context.rank(), [&] {
    reading.row = check(file, variable, values, file.schema().slab_elements(file.variable(variable)) > 0);
    file.check_record(variable, record, true);
  });
  if (error) error->in_file(file.path());
  context.agree(call_text("sv_get_var", file, variable, record), error);

  const Field field = file.field(variable, record);
  const Piece piece{Box::whole(field.shape), array_view(field.shape, values)};
  const int64_t elements = piece.box.elements(), step = std::max<int64_t>(1, staging_bytes / field.element_bytes);
  std::vector<std::byte> staging(static_cast<size_t>(std::min(step, elements) * field.element_bytes));
  for (int64_t first = 0; first < elements; first += step) {
    const Share share{piece.box, first, std::min(first + step, elements)};
    const int64_t bytes = share.elements() * field.element_bytes;
    if (context.rank() == 0 && !error)
      error = caught(0, [&] {
        file.attached_store().read({variable, std::max<int64_t>(record, 0), share.box, share.first, share.last},
                                   std::span(staging).first(static_cast<size_t>(bytes)));
      });
    context.comm().broadcast(staging.data(), bytes, 0);
    context.metrics().out_of_range += unpack_in_place(piece, share, field.element_bytes, reading.row, staging.data());
  }
  conclude(reading, error);
}

}  // namespace sv
