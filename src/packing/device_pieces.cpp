#include "packing/device_pieces.hpp"

#include <optional>
#include <vector>

#include "device/device.hpp"
#include "layout/box_parts.hpp"

namespace sv {

namespace {

/// Copies a box between a device and contiguous memory of the host: as few copies of rows as its strides permit.
class BoxCopy {
 public:
  /// `device`: strides of its memory in bytes.
  BoxCopy(const Index &count, const Index &device, int64_t element_bytes) : width_(element_bytes) {
    int64_t host_bytes = element_bytes;
    for (int d = count.n - 1; d >= 0; --d) {
      if (count[d] > 1) add({count[d], device[d], host_bytes});
      host_bytes *= count[d];
    }
    height_ = {1, width_, width_};
    if (dims_.empty() || !fits(dims_.front())) return;
    height_ = dims_.front();
    dims_.erase(dims_.begin());
  }

  void begin(const DeviceCopies &copies, std::byte *device, std::byte *host, Toward toward) const {
    begin_from(copies, std::ssize(dims_),
               {device, height_.device_bytes, host, height_.host_bytes, width_, height_.count}, toward);
  }

 private:
  struct Dim {
    int64_t count, device_bytes, host_bytes;
  };

  /// From the fastest dimension on.
  void add(const Dim &next) {
    const bool is_row = dims_.empty() && next.device_bytes == width_;
    const bool continues = !dims_.empty() && next.device_bytes == dims_.back().device_bytes * dims_.back().count;
    if (is_row)
      width_ *= next.count;
    else if (continues)
      dims_.back().count *= next.count;
    else
      dims_.push_back(next);
  }
  /// Whether one copy of rows moves the dimension: runtimes have a limit of the pitch, and take none below a row.
  bool fits(const Dim &dim) const {
    constexpr int64_t widest_pitch = INT32_MAX;
    return dim.device_bytes >= width_ && dim.device_bytes <= widest_pitch;
  }
  void begin_from(const DeviceCopies &copies, int64_t dims, DeviceRows rows, Toward toward) const {
    if (dims == 0) return copies.begin(rows, toward);
    const Dim &slowest = dims_[static_cast<size_t>(dims - 1)];
    for (int64_t i = 0; i < slowest.count; ++i) {
      begin_from(copies, dims - 1, rows, toward);
      rows.device += slowest.device_bytes;
      rows.host += slowest.host_bytes;
    }
  }

  int64_t width_;
  std::vector<Dim> dims_;  // those that are no rows, fastest first
  Dim height_;
};

/// The part of a piece that travels in one buffer.
class TravellingBox {
 public:
  TravellingBox(const Piece &piece, const Box &box, int64_t element_bytes)
      : box_(box),
        strides_(contiguous_strides(box.count, element_bytes)),
        copy_(box.count, piece.memory.stride_bytes, element_bytes),
        device_(piece.memory.first) {
    for (int d = 0; d < box.dims(); ++d) device_ += (box.start[d] - piece.box.start[d]) * piece.memory.stride_bytes[d];
  }
  void begin(const DeviceCopies &copies, std::byte *buffer, Toward toward) const {
    copy_.begin(copies, device_, buffer, toward);
  }
  Piece at(std::byte *buffer) const { return {box_, {buffer, strides_}}; }

 private:
  Box box_;
  Index strides_;
  BoxCopy copy_;
  std::byte *device_;
};

/// Calls visit(box) for the cells of a piece in a share, in their order, in boxes that fit into a buffer.
template <class Visit>
void for_buffers(const Piece &piece, const Share &share, int64_t element_bytes, const Visit &visit) {
  const auto most = [element_bytes] { return DeviceCopies::buffer_bytes / element_bytes; };
  for (const Box &box : boxes_in(share.box, share.first, share.last))
    for_box_parts(intersect(piece.box, box), 0, 0, most, visit);
}

}  // namespace

void for_pieces_from_device(const Piece &piece, const Share &share, int64_t element_bytes,
                            FunctionRef<void(const Piece &here)> take) {
  const DeviceCopies copies(*piece.memory.device);
  std::optional<TravellingBox> arrived;
  int buffer = 0;
  const auto take_arrived = [&] {  // from the other buffer
    if (arrived) take(arrived->at(copies.buffer(1 - buffer)));
  };
  for_buffers(piece, share, element_bytes, [&](const Box &box) {
    copies.wait();
    const TravellingBox next(piece, box, element_bytes);
    next.begin(copies, copies.buffer(buffer), Toward::host);
    take_arrived();
    arrived = next;
    buffer = 1 - buffer;
  });
  copies.wait();
  take_arrived();
}

void for_pieces_to_device(const Piece &piece, const Share &share, int64_t element_bytes,
                          FunctionRef<void(const Piece &here)> fill) {
  const DeviceCopies copies(*piece.memory.device);
  int buffer = 0;
  for_buffers(piece, share, element_bytes, [&](const Box &box) {
    const TravellingBox next(piece, box, element_bytes);
    std::byte *const here = copies.buffer(buffer);
    fill(next.at(here));
    copies.wait();
    next.begin(copies, here, Toward::device);
    buffer = 1 - buffer;
  });
  copies.wait();
}

}  // namespace sv
