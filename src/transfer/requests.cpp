#include "transfer/requests.hpp"

#include <algorithm>
#include <utility>

#include "file/conversion.hpp"
#include "file/file_trace.hpp"
#include "file/home.hpp"
#include "transfer/field_job.hpp"
#include "transfer/subarray.hpp"

namespace sv {

namespace {

/// This rank's part of a distributed field in the caller's array: its block; or its points, until place_points.
ValuesInMemory part_of_field(const File &file, const Request &request, const RequestArgs &asked) {
  Field field = file.home().places().field(request.variable, request.record);
  field.first_axis = request.first_axis;
  const FieldMemory memory = field_memory(field, *asked.decomp, asked.values);
  return {memory.shape, memory.block, false, {}};
}

/// Regions: one where the caller says, several one after the other.
ValuesInMemory regions_in_memory(const RequestArgs &asked) {
  const RegionList &regions = asked.regions;
  if (regions.size() == 1) return {{}, array_view(regions.at(0).count, asked.values), false, {}};
  ValuesInMemory memory{{}, {asked.values.data, {}, asked.values.device}, true, {}};
  if (regions.are_cells()) return memory;
  int64_t at = 0;
  for (const Strided &region : regions) {
    memory.offset_bytes.push_back(at);
    at += region.count.product() * size_of(asked.values.type);
  }
  return memory;
}

void check_distributed(const File &file, const RequestArgs &asked, Request &request) {
  if (asked.decomp == nullptr || asked.decomp->context != &file.context())
    throw Error(Status::invalid, "the decomposition is missing or of another context", "Use sv_def_decomp");
  request.layout = asked.decomp->layout;
  request.decomp = asked.decomp->id;
  request.in_places = asked.decomp->base != nullptr;
  request.first_axis = file.definitions.first_axis(asked.variable, *request.layout);
}

bool wants_values(const File &file, const Request &request) {
  if (request.kind == RequestArgs::Kind::replicated) return true;
  if (request.kind == RequestArgs::Kind::distributed) return request.layout->cells_of_rank(file.context().rank()) > 0;
  return request.regions.elements() > 0;
}

/// The same, with the names of the file and the variable in the error of `action`.
template <class Action>
auto named(const File &file, int variable, Action &&action) {
  try {
    return action();
  } catch (const Error &error) {
    throw *file.located(variable, error);
  }
}

}  // namespace

Request checked_request(const File &file, const RequestArgs &asked) {
  return named(file, asked.variable, [&] {
    const bool puts = asked.direction == Direction::write;
    puts ? file.check_writable() : check_readable(file);
    const Variable &variable = file.variable(asked.variable);
    Request request{.direction = asked.direction,
                    .variable = asked.variable,
                    .kind = asked.kind,
                    .layout = nullptr,
                    .record = asked.record,
                    .regions = asked.regions,
                    .type = asked.values.type,
                    .memory = {},
                    .copy = {}};
    if (asked.kind == RequestArgs::Kind::regions)
      check_regions(file, asked.variable, asked.regions, true);
    else
      file.check_record(asked.variable, asked.record, false);
    if (asked.kind == RequestArgs::Kind::distributed) check_distributed(file, asked, request);
    if (asked.kind == RequestArgs::Kind::distributed && puts && file.trace != nullptr)
      file.trace->put(*asked.decomp, nullptr);
    if (asked.values.data == nullptr && wants_values(file, request))
      throw Error(Status::invalid, "no data (a null pointer)", "Pass the values, or room for them");
    if (puts)
      pack_row(file, asked.variable, request.type);  // whether the types convert
    else
      unpack_row(file, asked.variable, request.type);
    if (asked.kind == RequestArgs::Kind::distributed) request.memory = part_of_field(file, request, asked);
    if (asked.kind == RequestArgs::Kind::regions) request.memory = regions_in_memory(asked);
    const Index shape = file.schema().slab_shape(variable);
    if (asked.kind == RequestArgs::Kind::replicated)
      request.memory = {shape, array_view(shape, asked.values), false, {}};
    return request;
  });
}

namespace {

/// Reads need committed records: the stores know no others.
void check_committed(const File &file, const Request &request) {
  if (!file.variable(request.variable).has_records) return;
  int64_t last = request.record;
  if (request.regions.are_cells()) {
    for (int64_t r = 0, step = request.regions.dims(); r < request.regions.size(); ++r)
      last = std::max(last, request.regions.starts()[static_cast<size_t>(r * step)]);
  } else {
    for (const Strided &region : request.regions)
      if (!region.empty()) last = std::max(last, region.start[0] + (region.count[0] - 1) * region.stride[0]);
  }
  if (last >= file.schema().records && file.alone() == nullptr)
    throw Error(Status::not_found,
                "record " + file.context().text_of_record(last) + " (from " +
                    std::to_string(file.context().options.first_record) + ") is not committed yet; there are " +
                    std::to_string(file.schema().records),
                "Read an earlier record, or end the step that writes it first");
}

}  // namespace

void check_now(const File &file, const Request &request) {
  named(file, request.variable, [&] {
    if (request.direction == Direction::read) {
      if (request.kind == RequestArgs::Kind::regions)
        check_regions(file, request.variable, request.regions, false);
      else
        file.check_record(request.variable, request.record, true);
      return check_committed(file, request);
    }
    file.check_writable();
    if (file.settings().out_of_range != RangeError::refuse || request.as_in_file) return;
    const PackRow row = pack_row(file, request.variable, request.type);
    for (int64_t b = 0; b < request.blocks(); ++b) {
      const MemoryBlock block = request.block(b);
      check_fits(file, request.variable, {Box::whole(block.shape), block.view}, row);
    }
  });
}

int64_t elements_of(const Request &request) {
  const bool regions = request.kind == RequestArgs::Kind::regions;
  return regions ? request.regions.elements() : request.memory.shape.product();
}

int64_t bytes_of(const Request &request) { return elements_of(request) * size_of(request.type); }

MemoryBlock Request::block(int64_t number) const {
  if (kind != RequestArgs::Kind::regions) return {memory.shape, memory.view};
  const int64_t element_bytes = size_of(type);
  const Index count = regions.at(number).count;
  std::byte *const first = memory.view.first;
  const int64_t offset = !memory.offset_bytes.empty() ? memory.offset_bytes[static_cast<size_t>(number)]
                         : memory.in_a_row            ? number * element_bytes
                                                      : 0;
  return {count,
          {first == nullptr ? nullptr : first + offset,
           memory.in_a_row ? contiguous_strides(count, element_bytes) : memory.view.stride_bytes, memory.view.device}};
}

CopyBlock CopyBuffer::take(int64_t bytes, int64_t most) {
  const auto found = free_.lower_bound(bytes);
  if (found != free_.end() && found->first / 2 <= bytes) {
    CopyBlock block{std::move(found->second), found->first};
    free_bytes_ -= found->first;
    free_.erase(found);
    return block;
  }
  while (!free_.empty() && free_bytes_ + bytes > most) {
    free_bytes_ -= free_.begin()->first;
    free_.erase(free_.begin());
  }
  return {std::unique_ptr<std::byte[]>(new std::byte[static_cast<size_t>(bytes)]), bytes};
}

void CopyBuffer::give_back(CopyBlock block) {
  if (block.bytes == nullptr) return;
  free_bytes_ += block.size;
  free_.emplace(block.size, std::move(block.bytes));
}

namespace {

/// Its values stand at `first` from now on, contiguous.
void become_a_row(Request &request, std::byte *first) {
  ValuesInMemory &memory = request.memory;
  const int64_t element_bytes = size_of(request.type);
  const bool regions = request.kind == RequestArgs::Kind::regions;
  if (!regions || request.regions.size() == 1) {
    memory.view = {first, contiguous_strides(regions ? request.regions.at(0).count : memory.shape, element_bytes)};
    return;
  }
  memory.view = {first, {}};
  memory.in_a_row = true;
  memory.offset_bytes.clear();
  if (request.regions.are_cells()) return;
  int64_t at = 0;
  for (const Strided &region : request.regions) {
    memory.offset_bytes.push_back(at);
    at += region.count.product() * element_bytes;
  }
}

/// As `row` does it, which gives values of this type.
void copy_by(const PackRow &row, Type type, Request &request, CopyBlock block) {
  std::byte *to = block.bytes.get();
  for (int64_t b = 0; b < request.blocks(); ++b) {
    const MemoryBlock each = request.block(b);
    const Box box = Box::whole(each.shape);
    if (box.empty()) continue;
    request.range_errors += pack({box, each.view}, {box, 0, box.elements()}, row, Form::compact, to);
    to += box.elements() * size_of(type);
  }
  request.type = type;
  become_a_row(request, block.bytes.get());
  request.copy = std::move(block);
}

}  // namespace

void copy_values(Request &request, CopyBlock block) {
  const Type type = request.type;
  copy_by(pack_row(type, type, ByteOrder::native), type, request, std::move(block));
}

void convert_values(const File &file, Request &request, CopyBlock block) {
  copy_by(row_of(file, request), file.variable(request.variable).type, request, std::move(block));
  request.as_in_file = true;
}

void hold_on_host(Request &request) {
  if (request.memory.view.device == nullptr) return;
  std::vector<MemoryBlock> blocks;
  for (int64_t b = 0; b < request.blocks(); ++b) blocks.push_back(request.block(b));
  request.host = std::make_unique<HostCopy>(std::move(blocks), request.type);
  become_a_row(request, request.host->data());
}

void return_to_device(const Request &request) {
  if (request.host != nullptr && request.direction == Direction::read) request.host->return_to_device();
}

PackRow row_of(const File &file, const Request &request) {
  if (request.as_in_file) return pack_row(request.type, request.type, ByteOrder::native);
  return pack_row(file, request.variable, request.type);
}

Piece piece_of(const Request &request, const Claim &claim, int64_t record) {
  const bool regions = request.kind == RequestArgs::Kind::regions;
  const MemoryView memory = regions ? request.block(claim.region).view : request.memory.view;
  Piece piece{claim.box, memory};
  const Index &start = claim.box.start;
  if (request.kind == RequestArgs::Kind::distributed) {
    const Patch patch = request.layout->patches_of_rank(claim.rank)[static_cast<size_t>(claim.region)];
    for (int d = 0; d < start.n; ++d) {
      const int on_grid = d - request.first_axis;
      const bool in_grid = on_grid >= 0 && on_grid < patch.box.dims();
      const int64_t local = in_grid ? start[d] - patch.box.start[on_grid] + patch.local[on_grid] : start[d];
      piece.memory.first += local * memory.stride_bytes[d];
    }
    return piece;
  }
  if (request.kind == RequestArgs::Kind::replicated) {
    for (int d = 0; d < start.n; ++d) piece.memory.first += start[d] * memory.stride_bytes[d];
    return piece;
  }
  const Strided region = request.regions.at(claim.region);
  const int records = region.dims() - start.n;  // 1 where the first dimension is that of the records
  if (records > 0) piece.memory.first += region.find(0, record) * memory.stride_bytes[0];
  piece.memory.stride_bytes = Index(start.n, 0);
  for (int d = 0; d < start.n; ++d) {
    piece.memory.stride_bytes[d] = memory.stride_bytes[d + records];
    piece.memory.first +=
        (start[d] - region.start[d + records]) / region.stride[d + records] * memory.stride_bytes[d + records];
  }
  return piece;
}

int64_t Pending::add(File &file, const RequestArgs &asked, bool buffered) {
  Request request = checked_request(file, asked);
  if (buffered) {
    const int64_t room = buffer_bytes(file) - used_bytes_, wanted = bytes_of(request);
    if (wanted > room)
      throw *file.located(request.variable,
                          Error(Status::no_memory,
                                "a buffered put of " + std::to_string(wanted) + " bytes, and the buffer has room for " +
                                    std::to_string(room) + " of " + std::to_string(buffer_bytes(file)),
                                "Call sv_wait before, attach a larger one, or enlarge 'combine.memory'")
                              .on_rank(file.context().rank()));
    copy_values(request, buffer_.take(wanted, room));
    used_bytes_ += wanted;
    file.context().metrics.buffered(used_bytes_);
  }
  named(file, request.variable, [&] { hold_on_host(request); });
  const int64_t number = file.context().number_request();
  waiting_.emplace(number, std::move(request));
  return number;
}

Request Pending::take(const File &file, int64_t number) {
  const auto found = waiting_.find(number);
  if (found == waiting_.end())
    throw Error(Status::invalid, "request " + std::to_string(number) + " is not pending",
                "It was waited for or cancelled before, or is of another file; each may be waited for once")
        .in_file(file.path())
        .on_rank(file.context().rank());
  Request request = std::move(found->second);
  waiting_.erase(found);
  if (request.copy.bytes != nullptr) used_bytes_ -= bytes_of(request);
  return request;
}

void Pending::cancel(const File &file, int64_t number) {
  Request request = take(file, number);
  give_back(request);
}

std::vector<int64_t> Pending::numbers() const {
  std::vector<int64_t> all;
  for (const auto &[number, request] : waiting_) all.push_back(number);
  return all;
}

int64_t Pending::buffer_bytes(const File &file) const {
  return attached_bytes_.value_or(file.settings().combine_buffer_bytes);
}

void Pending::attach_buffer(const File &file, int64_t bytes) {
  if (bytes <= 0) throw Error(Status::invalid, "a buffer of " + std::to_string(bytes) + " bytes", "Give it some");
  if (attached_bytes_)
    throw Error(Status::order, "a buffer is attached already", "Call sv_detach_buffer first").in_file(file.path());
  attached_bytes_ = bytes;
}

void Pending::detach_buffer(const File &file) {
  if (!attached_bytes_)
    throw Error(Status::order, "no buffer is attached", "Call sv_attach_buffer").in_file(file.path());
  if (used_bytes_ > 0)
    throw Error(Status::order, "the buffer still holds " + std::to_string(used_bytes_) + " bytes of puts that wait",
                "Call sv_wait first")
        .in_file(file.path());
  attached_bytes_.reset();
}

}  // namespace sv
