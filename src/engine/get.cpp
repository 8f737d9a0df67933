#include "base/first_error.hpp"
#include "engine/values.hpp"

#include <algorithm>
#include <cstring>

#include "delivery/file_delivery.hpp"
#include "engine/combine.hpp"
#include "engine/fields.hpp"
#include "engine/orders.hpp"
#include "engine/recorded.hpp"
#include "file/file_trace.hpp"
#include "packing/host_copy.hpp"
#include "packing/memory_view.hpp"
#include "transfer/subarray.hpp"
#include "transfer/writing.hpp"

namespace sv {

namespace {

/// Reads rows of cells that do not follow one another: stretches of bounded size, of which the cells are picked.
/// `block`: the caller's part.
void read_picked(SlabReading &reading, const Strided &request, const MemoryView &block,
                 std::vector<std::byte> &staging) {
  constexpr int64_t gap_bytes = 4096;  // less is read through
  const int last = request.dims() - 1;
  const int64_t bytes = size_of(reading.file.variable(reading.variable).type);
  const int64_t stride = request.stride[last], distance = stride * bytes;
  const int64_t step = distance > gap_bytes ? 1 : staging_bytes / distance;
  Index rows = request.count;
  rows[last] = 1;
  for (int64_t row = 0; row < rows.product(); ++row) {
    const Patch part = part_of(request, rows, row, 0);
    for (int64_t first = 0; first < request.count[last]; first += step) {
      const int64_t cells = std::min(step, request.count[last] - first);
      Patch stretch = part;
      stretch.box.start[last] += first * stride;
      stretch.box.count[last] = (cells - 1) * stride + 1;
      stretch.local[last] = first;
      const int64_t length = stretch.box.elements();
      staging.resize(static_cast<size_t>(length * bytes));
      reading.store().read(slab_of(reading.variable, reading.record, {stretch.box, 0, length}), staging);
      for (int64_t i = 1; i < cells; ++i)
        std::memmove(staging.data() + i * bytes, staging.data() + i * distance, static_cast<size_t>(bytes));
      const Piece target = piece_of(block, stretch.box, stretch.local);
      reading.took(reading.row(staging.data(), target.memory.first, block.stride_bytes[last], cells));
    }
  }
}

/// One slab of a request.
void read_strided(SlabReading &reading, const Strided &request, const MemoryView &block,
                  std::vector<std::byte> &staging) {
  const int last = request.dims() - 1;
  if (last >= 0 && request.stride[last] > 1 && request.count[last] > 1)
    return read_picked(reading, request, block, staging);
  const Index divisions = divisions_of(request);
  for (int64_t number = 0; number < divisions.product(); ++number) {
    const Patch part = part_of(request, divisions, number, 0);
    read_piece(reading, piece_of(block, part.box, part.local), staging);
  }
}

/// Whether what the request has of each record is one small box.
bool has_small_records(const Strided &request, int64_t element_bytes) {
  constexpr int64_t small_bytes = 16 << 10;
  const Strided inside = request.without_record();
  const int last = inside.dims() - 1;
  const bool is_picked = last >= 0 && inside.stride[last] > 1 && inside.count[last] > 1;
  return !is_picked && divisions_of(inside).product() == 1 && inside.count.product() * element_bytes <= small_bytes;
}

/// Those of many records by one call of the store, and converted together.
void read_small_records(SlabReading &reading, const Strided &request, const MemoryView &block) {
  constexpr int64_t most_records = 4096;
  const Strided inside = request.without_record();
  const Box box = part_of(inside, divisions_of(inside), 0, 0).box;
  const auto bytes = static_cast<size_t>(box.elements() * size_of(reading.file.variable(reading.variable).type));
  const int64_t most = std::min(most_records, staging_bytes / static_cast<int64_t>(bytes));
  std::vector<std::byte> staging;
  std::vector<SlabPart> parts;
  for (int64_t first = 0; first < request.count[0]; first += std::ssize(parts)) {
    Piece piece{Box::whole(request.count), block};
    piece.box.count[0] = std::min(most, request.count[0] - first);
    piece.memory.first += first * block.stride_bytes[0];
    staging.resize(static_cast<size_t>(piece.box.count[0]) * bytes);
    parts.clear();
    for (int64_t r = 0; r < piece.box.count[0]; ++r) {
      const int64_t record = request.start[0] + (first + r) * request.stride[0];
      parts.push_back({slab_of(reading.variable, record, {box, 0, box.elements()}),
                       std::span(staging).subspan(static_cast<size_t>(r) * bytes, bytes), false});
    }
    reading.store().read_many(parts);
    const Share all{piece.box, 0, piece.box.elements()};
    reading.took(unpack(piece, all, reading.row, Form::in_place, staging.data()));
  }
}

void read_all(SlabReading &reading, const Strided &request, const Values &values) {
  if (request.empty()) return;
  if (const auto host = host_copy(request.count, values)) {  // of a device
    read_all(reading, request, {values.type, host->data()});
    return host->return_to_device();
  }
  std::vector<std::byte> staging;
  const Variable &variable = reading.file.variable(reading.variable);
  if (!variable.has_records) return read_strided(reading, request, record_view(request, values, -1), staging);
  if (has_small_records(request, size_of(variable.type)))
    return read_small_records(reading, request, record_view(request, values, -1));
  for (int64_t r = 0; r < request.count[0]; ++r) {
    reading.record = request.start[0] + r * request.stride[0];
    read_strided(reading, request.without_record(), record_view(request, values, reading.record), staging);
  }
}

/// Whether no rank needs another one, or a server, to read its own part.
bool is_read_by_each(File &file) {
  const Readers readers = file.home().readers();
  return readers != Readers::owners_only && readers != Readers::servers;
}

/// Rank 0 reads a share that all will get. The others only where the store wants collective calls.
void read_for_all(const SlabReading &reading, const Share &share, std::span<std::byte> values, bool failed) {
  File &file = reading.file;
  const bool reads = file.context().rank() == 0;
  const Slab slab = slab_of(reading.variable, reading.record, share);
  if (file.home().readers() != Readers::owners_only) {
    if (reads && !failed) file.home().lone_reader().read(slab, values);
    return;
  }
  const Calls calls{Direction::read, reading.variable, reads ? 1 : 0, failed};
  const auto error = make_calls(file, calls, [&](int64_t call) {
    file.home().store().read(call < 0 ? empty_slab(file, reading.variable) : slab,
                             call < 0 ? std::span<std::byte>{} : values);
  });
  if (error) throw Error(*error);
}

}  // namespace

void get(File &file, int variable, const Decomp *decomp, int64_t record, const Values &values) {
  require_recorded(file);
  get_field(file, variable, in_places(file, "sv_get", variable, record, decomp), record, values);
}

void get_subarray(File &file, int variable, const Strided &request, const Values &values) {
  require_recorded(file);
  delivery_of(file).settle();
  Context &context = file.context();
  PhaseTimer timer(context.metrics, Phase::read, subject_of(file, variable));
  SlabReading reading{file, variable, -1};
  const std::string call = call_text("sv_get_vara", file, variable, -1);
  const auto refused = caught(context.rank(), [&] {
    check_reading(reading, values, !request.empty());
    check_subarray(file, variable, request, false);
  });
  // No rank waits for others to read, and one gate reports everything.
  if (file.mode == Mode::read && is_read_by_each(file)) {
    if (refused) context.agree(call, file.located(variable, refused));  // throws
    return conclude_reading(reading, caught(context.rank(), [&] { read_all(reading, request, values); }), call);
  }
  context.agree(call, file.located(variable, refused));
  define_fixed(file, {variable});
  if (!is_read_by_each(file)) {
    const RequestArgs asked{
        .direction = Direction::read, .variable = variable, .regions = RegionList(request), .values = values};
    return carry_out(file, "sv_get_vara", std::span(&asked, 1));
  }
  conclude_reading(reading, caught(context.rank(), [&] { read_all(reading, request, values); }));
}

namespace {

/// No rank can open the file: each asks the servers for the whole of it.
void get_replicated_from_servers(File &file, int variable, int64_t record, const Values &values) {
  const RequestArgs asked{.direction = Direction::read,
                          .variable = variable,
                          .kind = RequestArgs::Kind::replicated,
                          .record = record,
                          .regions = {},
                          .values = values};
  carry_out(file, "sv_get_var", std::span(&asked, 1));
}

}  // namespace

void get_replicated(File &file, int variable, int64_t record, const Values &values) {
  require_recorded(file);
  if (file.has_home() && file.home().readers() == Readers::servers)
    return get_replicated_from_servers(file, variable, record, values);
  delivery_of(file).settle();
  Context &context = file.context();
  PhaseTimer timer(context.metrics, Phase::read, subject_of(file, variable));
  SlabReading reading{file, variable, record};
  std::vector<std::byte> staging;
  agree(file, call_text("sv_get_var", file, variable, record), variable, [&] {
    check_reading(reading, values, true);
    file.check_record(variable, record, true);
    staging.resize(static_cast<size_t>(staging_bytes));
  });
  define_fixed(file, {variable});

  const Field field = file.home().places().field(variable, record);
  const Piece piece{Box::whole(field.shape), array_view(field.shape, values)};
  const int64_t elements = piece.box.elements(), step = staging_bytes / field.element_bytes;
  FirstError failed(context.rank());
  for (int64_t first = 0; first < elements; first += step) {
    const Share share{piece.box, first, std::min(first + step, elements)};
    const std::span<std::byte> part =
        std::span(staging).first(static_cast<size_t>(share.elements() * field.element_bytes));
    failed.attempt([&] { read_for_all(reading, share, part, static_cast<bool>(failed)); });
    context.comm.broadcast(part.data(), static_cast<int64_t>(part.size()), 0);
    reading.took(unpack(piece, share, reading.row, Form::in_place, part.data()));
  }
  conclude_reading(reading, failed.error());
}

}  // namespace sv
