// Puts and gets: they are checked in the order of netCDF-4 and with its codes, and become requests of the file's
// engine.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>

#include "../face/conversion.hpp"
#include "../face/types.hpp"
#include "access.hpp"
#include "backend/chunked/quantize.hpp"
#include "deciding.hpp"
#include "real.hpp"

namespace sv::netcdf4 {

namespace {

/// Strings are pointers, which move as numbers of their width.
template <class Visit>
auto as_type(nc_type type, Visit &&visit) {
  static_assert(sizeof(char *) == sizeof(uint64_t));
  return face::as_type(type == NC_STRING ? NC_UINT64 : type, NC_EBADTYPE, visit);
}

int64_t width_of(nc_type type) {
  return as_type(type, [](auto like) { return static_cast<int64_t>(sizeof like); });
}

/// Converts rows of the innermost dimension between the memory of a program and contiguous values.
struct Rows {
  std::vector<int64_t> count, map;  // map: of the program's memory, in values
  int64_t cells;

  /// Calls visit(first value in memory, first contiguous value, values, values from one to the next in memory).
  template <class Visit>
  void each(Visit &&visit) const {
    const size_t dims = count.size();
    const int64_t row = dims == 0 ? 1 : count.back();
    for (int64_t done = 0; done < cells; done += row) {
      int64_t place = 0, before = done / row;
      for (size_t d = dims == 0 ? 0 : dims - 1; d-- > 0; before /= count[d]) place += before % count[d] * map[d];
      visit(place, done, row, dims == 0 ? 1 : map.back());
    }
  }
};

/// One put or get, checked. Borrows the memory of the program.
class Checked {
 public:
  /// `access`: with the place of the variable among the file's. Throws what netCDF says to wrong arguments.
  Checked(const Dataset &own, const Access &access);

  int64_t bytes() const { return rows_.cells * width_of(shape_.type); }
  /// The request to the engine, with the values in the order and type of the file; nullptr: no cells. Borrowed.
  Request *request();
  /// After a get: values go to where the program wants them. Returns NC_ERANGE where some do not fit.
  int deliver();
  /// What the program hears of the values that it puts.
  int code_of_values() const { return code_; }

 private:
  void check_bounds(const Dataset &own, const Access &access);
  bool converts() const { return memory_ != shape_.type; }
  bool is_contiguous() const;
  void gather();
  void stage();

  const Shape &shape_;
  const bool is_classic_;
  nc_type memory_;
  std::byte *data_;
  Rows rows_;
  Request request_;
  int code_ = NC_NOERR;
};

/// Reads a list that the caller may leave out.
template <class Number>
std::vector<int64_t> listed(const Number *given, size_t dims, int64_t otherwise) {
  return given == nullptr ? std::vector<int64_t>(dims, otherwise) : std::vector<int64_t>(given, given + dims);
}

Checked::Checked(const Dataset &own, const Access &access)
    : shape_(own.shapes[static_cast<size_t>(access.variable)]),
      is_classic_(own.is_classic()),
      memory_(access.type == NC_NAT ? shape_.type : access.type),
      data_(static_cast<std::byte *>(access.data)) {
  const size_t dims = shape_.dims.size();
  request_.variable = access.variable;
  request_.is_put = access.is_put;
  refuse_if(dims > 0 && access.start == nullptr && access.kind != Kind::whole, NC_EINVALCOORDS);
  refuse_if(memory_ != shape_.type && (memory_ == NC_CHAR || shape_.type == NC_CHAR), NC_ECHAR);
  request_.start = access.kind == Kind::whole ? std::vector<int64_t>(dims, 0) : listed(access.start, dims, 0);
  request_.stride = listed(access.stride, dims, 1);
  rows_.count = listed(access.kind == Kind::one ? nullptr : access.count, dims, 1);
  if (access.kind != Kind::one && (access.count == nullptr || access.kind == Kind::whole))
    for (size_t d = 0; d < dims; ++d) rows_.count[d] = own.length_of(shape_, d);
  check_bounds(own, access);
  rows_.cells = std::accumulate(rows_.count.begin(), rows_.count.end(), int64_t{1}, std::multiplies<>());
  rows_.map = listed(access.imap, dims, 1);
  for (size_t d = dims; access.imap == nullptr && d-- > 1;) rows_.map[d - 1] = rows_.map[d] * rows_.count[d];
  refuse_if(rows_.cells > 0 && data_ == nullptr, NC_EINVAL);
  refuse_if(shape_.is_enum && access.type != NC_NAT, NC_EBADTYPE);
  refuse_if((memory_ == NC_STRING) != (shape_.type == NC_STRING), NC_EBADTYPE);
  width_of(memory_);
}

void Checked::check_bounds(const Dataset &own, const Access &access) {
  const size_t dims = shape_.dims.size();
  for (size_t d = 0; access.stride != nullptr && d < dims; ++d) refuse_if(access.stride[d] <= 0, NC_ESTRIDE);
  // A put of no cells reaches no edge; a get may.
  const bool is_nothing = access.is_put && std::find(rows_.count.begin(), rows_.count.end(), 0) != rows_.count.end();
  for (size_t d = 0; d < dims; ++d) {
    const int64_t length = own.length_of(shape_, d), start = request_.start[d], stride = request_.stride[d];
    if (shape_.lengths[d] == unlimited_length && access.is_put) {
      refuse_if(start < 0 || rows_.count[d] < 0, NC_EINVALCOORDS);
      const int64_t end = start + (rows_.count[d] - 1) * stride + 1;
      const bool is_longer = !is_nothing && end > length;
      refuse_if(is_longer && !own.engine->may_extend(request_.variable), NC_ECANTEXTEND);
      continue;
    }
    const int64_t count = rows_.count[d];
    refuse_if(start < 0 || start > length || (start == length && count > 0), NC_EINVALCOORDS);
    refuse_if(count < 0 || (!is_nothing && count > 0 && (count - 1) > (length - 1 - start) / stride), NC_EEDGE);
  }
}

bool Checked::is_contiguous() const {
  int64_t values = 1;
  for (size_t d = rows_.count.size(); d-- > 0; values *= rows_.count[d])
    if (rows_.map[d] != values && rows_.count[d] > 1) return false;
  return true;
}

/// Of the program's values, in the order and type of the file.
void Checked::gather() {
  const int64_t width = width_of(shape_.type);
  const bool good = as_type(memory_, [&](auto from) {
    return as_type(shape_.type, [&](auto to) {
      bool all = true;
      const auto bytes = static_cast<int64_t>(sizeof from);
      rows_.each([&](int64_t place, int64_t done, int64_t count, int64_t apart) {
        all &= convert<decltype(from), decltype(to)>(data_ + place * bytes, apart * bytes,
                                                     request_.staged.get() + done * width, width, count);
      });
      return all;
    });
  });
  // In the classic model, a byte has no sign of its own.
  const bool keeps_bits = is_classic_ && memory_ == NC_UBYTE && shape_.type == NC_BYTE;
  if (!good && !keeps_bits) code_ = NC_ERANGE;
}

/// Values that the program has otherwise than the file: in another type, in an order of its own, or not quantized.
void Checked::stage() {
  const bool is_ordered = !converts() && is_contiguous(), quantizes = request_.is_put && shape_.quantization.amount > 0;
  if (is_ordered && !quantizes) return;
  request_.staged = std::make_unique_for_overwrite<std::byte[]>(static_cast<size_t>(bytes()));
  if (!request_.is_put) return;
  if (!is_ordered) gather();
  // As netCDF does: BitGroom counts the values of a call, and not those of a chunk.
  if (quantizes)
    quantize({is_ordered ? data_ : request_.staged.get(), static_cast<size_t>(bytes())},
             {request_.staged.get(), static_cast<size_t>(bytes())}, static_cast<Type>(shape_.type), shape_.quantization,
             std::as_bytes(std::span(&shape_.fill, 1)));
}

int Checked::deliver() {
  if (request_.staged == nullptr || request_.is_put) return NC_NOERR;
  const int64_t width = width_of(shape_.type);
  const bool good = as_type(shape_.type, [&](auto from) {
    return as_type(memory_, [&](auto to) {
      bool all = true;
      const auto bytes = static_cast<int64_t>(sizeof to);
      rows_.each([&](int64_t place, int64_t done, int64_t count, int64_t apart) {
        all &= convert<decltype(from), decltype(to)>(request_.staged.get() + done * width, width, data_ + place * bytes,
                                                     apart * bytes, count);
      });
      return all;
    });
  });
  return good ? NC_NOERR : NC_ERANGE;
}

Request *Checked::request() {
  if (rows_.cells == 0) return nullptr;
  stage();
  request_.count = rows_.count;
  request_.values = request_.staged ? request_.staged.get() : data_;
  return &request_;
}

/// NetCDF ends definitions by itself at a put, and keeps which variables were put: a put of no cells does both in the
/// definitions. Of a scalar, it is one cell, which no call reads.
void note_put(Dataset &own, int group, int variable) {
  const int place = place_of(own.shapes, group, variable);
  own.is_put.resize(std::max(own.is_put.size(), own.shapes.size()));  // a file in memory has no shapes yet
  if (place >= 0 && own.is_put[static_cast<size_t>(place)]) return;
  if (place >= 0) own.is_put[static_cast<size_t>(place)] = true;
  const std::vector<size_t> zeros(NC_MAX_VAR_DIMS, 0);
  const uint64_t value = 0;
  expect(real::put_vara(own.caller)(own.there + group, variable, zeros.data(), zeros.data(), &value));
}

/// The file is defined, and it is decided who has it, before its first values.
void leave_define_mode(Dataset &own, int group, const Access &access) {
  refuse_if(own.is_defining && own.is_classic(), NC_EINDEFINE);
  if (access.is_put)
    note_put(own, group, access.variable);
  else if (own.is_defining)
    expect(real::enddef(own.caller)(own.there));
  own.is_defining = false;
  if (own.is_changed) settle_definitions(own);
}

struct Size {
  double values, room;  // in bytes
};

/// Of a put or get of the program: its values, and of the first put the room that HDF5 gives the variable then. The
/// size of strings is not known.
Size measured(const Dataset &own, int group, const Access &access, bool is_first) {
  int dims = 0, numbers[NC_MAX_VAR_DIMS], storage = NC_CHUNKED;
  size_t chunk[NC_MAX_VAR_DIMS];
  nc_type type = NC_NAT;
  expect(real::inq_var(own.caller)(own.there + group, access.variable, nullptr, &type, &dims, numbers, nullptr));
  if (is_first) expect(real::inq_var_chunking(own.caller)(own.there + group, access.variable, &storage, chunk));
  const bool is_whole = access.kind == Kind::whole || (access.kind != Kind::one && access.count == nullptr);
  const double width =
      type <= NC_UINT64 ? static_cast<double>(width_of(type)) : std::numeric_limits<double>::infinity();
  Size size{width, width};
  for (int d = 0; d < dims; ++d) {
    size_t length = 0;
    // It takes long where the dimension is unlimited, as it may be with chunks: HDF5 is asked for all variables.
    if (is_whole || storage != NC_CHUNKED)
      expect(real::inq_dim(own.caller)(own.there + group, numbers[d], nullptr, &length));
    if (access.kind != Kind::one) size.values *= static_cast<double>(is_whole ? length : access.count[d]);
    if (is_first) size.room *= static_cast<double>(storage == NC_CHUNKED ? chunk[d] : length);
  }
  return size;
}

constexpr double most_bytes_of_small = 4 << 20;

/// Whether a small existing file grows with this put, as far as sizes are known.
bool grows(Dataset &own, const RealCall &real, const Access &access) {
  if (!own.is_small || !access.is_put || own.is_defining) return false;
  const double bytes = measured(own, real.group(), access, false).values;
  if (std::isfinite(bytes)) own.bytes_in_memory += bytes;
  return own.bytes_in_memory > most_bytes_of_small;
}

/// By the library. A put ends definitions by itself.
int transfer_there(Dataset &own, const RealCall &real, bool is_put) {
  const int code = real(own.there);
  if (is_put && code == NC_NOERR) own.is_defining = false;
  return code;
}

/// Carries it out where a new file with these values is still small: the real library has them. Otherwise nothing, as
/// for variables in groups.
std::optional<int> transfer_in_memory(Dataset &own, const RealCall &real, const Access &access) {
  if (!own.is_in_memory() || real.group() != 0) return std::nullopt;
  const auto v = static_cast<size_t>(access.variable);
  own.is_put.resize(std::max(own.is_put.size(), v + 1));
  const Size size = measured(own, 0, access, access.is_put && !own.is_put[v]);
  const double growth = std::max(size.values, own.is_put[v] ? 0 : size.room);
  if (access.is_put && own.bytes_in_memory + growth > most_bytes_of_small) return std::nullopt;
  refuse_if(own.is_defining && own.is_classic(), NC_EINDEFINE);
  // It ends definitions by itself. After nc_enddef, no variable could be given a fill value.
  const int code = real(own.there);
  if (code != NC_NOERR && code != NC_ERANGE) return code;
  own.is_defining = false;
  own.is_defined = true;
  const auto bytes = static_cast<int64_t>(size.values);
  access.is_put ? own.account.put(bytes) : own.account.get(bytes);
  if (!access.is_put) return code;
  own.is_put[v] = true;
  own.bytes_in_memory += growth;
  return code;
}

/// By the library, for Sverdrup's summary.
int get_there(Dataset &own, const RealCall &real, double bytes) {
  const int code = real(own.there);
  if (code == NC_NOERR && std::isfinite(bytes)) own.account.get(static_cast<int64_t>(bytes));
  return code;
}

}  // namespace

int transfer(Dataset &own, const RealCall &real, const Access &access) {
  if (grows(own, real, access)) adopt(own);
  if (own.owner == Owner::library) return transfer_there(own, real, access.is_put);
  refuse_if(access.variable < 0, NC_ENOTVAR);
  // NetCDF counts the variables of a file, and its attributes, in much more time.
  expect(real::inq_vardimid(own.caller)(own.there + real.group(), access.variable, nullptr));
  note_read(own, real.group(), access.variable);
  refuse_if(access.is_put && own.is_read_only, NC_EHDFERR);
  if (own.is_read_only) {
    const double bytes = measured(own, real.group(), access, false).values;  // not of strings, which the library gets
    if (!std::isfinite(bytes) || !own.engine->reads(bytes, own.there, own.shapes) ||
        place_of(own.shapes, real.group(), access.variable) < 0)
      return get_there(own, real, bytes);
  }
  if (const std::optional<int> code = transfer_in_memory(own, real, access)) return *code;
  leave_define_mode(own, real.group(), access);
  if (own.owner == Owner::library) return real(own.there);
  Access of_file = access;
  of_file.variable = place_of(own.shapes, real.group(), access.variable);
  std::optional<Checked> checked;
  Request *request = nullptr;
  const int refused = answered([&] {
    request = checked.emplace(own, of_file).request();
    return NC_NOERR;
  });
  const int code = own.engine->transfer(of_file.variable, access.is_put, request);
  if (refused != NC_NOERR || code != NC_NOERR) return refused != NC_NOERR ? refused : code;
  if (request == nullptr) return NC_NOERR;
  access.is_put ? own.account.put(checked->bytes()) : own.account.get(checked->bytes());
  const int delivered = checked->deliver();
  return delivered != NC_NOERR ? delivered : checked->code_of_values();
}

}  // namespace sv::netcdf4
