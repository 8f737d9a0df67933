// Puts and gets: they are checked in the order of netCDF-4 and with its codes, and become requests of Sverdrup. A
// collective call is the request of this rank and a wait, so that an error in the arguments of one rank is its own.
#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>

#include "../face/conversion.hpp"
#include "../face/types.hpp"
#include "access.hpp"
#include "deciding.hpp"
#include "real.hpp"

namespace sv::netcdf4 {

namespace {

template <class Visit>
auto as_type(nc_type type, Visit &&visit) {
  return face::as_type(type, NC_EBADTYPE, visit);
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
  /// Throws what netCDF says to wrong arguments.
  Checked(const Dataset &own, const Access &access);

  bool is_empty() const { return rows_.cells == 0; }
  int64_t bytes() const { return rows_.cells * width_of(shape_.type); }
  /// Local. Records a request of Sverdrup.
  int submit(sv_file *file, sv_request *request);
  /// Collective, for a put that may lengthen dimensions other than the record dimension.
  int put_growing(sv_file *file);
  /// Local, after a get: values go to where the program wants them. Returns NC_ERANGE where some do not fit.
  int deliver();
  /// What the program hears of the values that it puts.
  int code_of_values() const { return code_; }

 private:
  const std::byte *values();
  void check_bounds(const Dataset &own, const Access &access);
  bool converts() const { return memory_ != shape_.type; }
  bool is_contiguous() const;
  void stage();

  const Shape &shape_;
  const int variable_;
  const bool is_put_;
  nc_type memory_;
  std::byte *data_;
  std::vector<int64_t> start_, stride_;
  Rows rows_;
  std::unique_ptr<std::byte[]> staged_;
  int code_ = NC_NOERR;
};

/// Reads a list that the caller may leave out.
template <class Number>
std::vector<int64_t> listed(const Number *given, size_t dims, int64_t otherwise) {
  return given == nullptr ? std::vector<int64_t>(dims, otherwise) : std::vector<int64_t>(given, given + dims);
}

Checked::Checked(const Dataset &own, const Access &access)
    : shape_(own.shapes[static_cast<size_t>(access.variable)]),
      variable_(access.variable),
      is_put_(access.is_put),
      memory_(access.type == NC_NAT ? shape_.type : access.type),
      data_(static_cast<std::byte *>(access.data)) {
  const size_t dims = shape_.dims.size();
  refuse_if(dims > 0 && access.start == nullptr && access.kind != Kind::whole, NC_EINVALCOORDS);
  refuse_if(memory_ != shape_.type && (memory_ == NC_CHAR || shape_.type == NC_CHAR), NC_ECHAR);
  start_ = access.kind == Kind::whole ? std::vector<int64_t>(dims, 0) : listed(access.start, dims, 0);
  stride_ = listed(access.stride, dims, 1);
  rows_.count = listed(access.kind == Kind::one ? nullptr : access.count, dims, 1);
  if (access.kind != Kind::one && (access.count == nullptr || access.kind == Kind::whole))
    for (size_t d = 0; d < dims; ++d) rows_.count[d] = own.length_of(shape_, d);
  check_bounds(own, access);
  rows_.cells = std::accumulate(rows_.count.begin(), rows_.count.end(), int64_t{1}, std::multiplies<>());
  rows_.map = listed(access.imap, dims, 1);
  for (size_t d = dims; access.imap == nullptr && d-- > 1;) rows_.map[d - 1] = rows_.map[d] * rows_.count[d];
  refuse_if(rows_.cells > 0 && data_ == nullptr, NC_EINVAL);
  width_of(memory_);
}

void Checked::check_bounds(const Dataset &own, const Access &access) {
  const size_t dims = shape_.dims.size();
  for (size_t d = 0; access.stride != nullptr && d < dims; ++d) refuse_if(access.stride[d] <= 0, NC_ESTRIDE);
  const bool is_nothing = std::find(rows_.count.begin(), rows_.count.end(), 0) != rows_.count.end();
  for (size_t d = 0; d < dims; ++d) {
    const int64_t length = own.length_of(shape_, d);
    if (shape_.lengths[d] == SV_UNLIMITED && is_put_) {
      refuse_if(start_[d] < 0 || rows_.count[d] < 0, NC_EINVALCOORDS);
      const int64_t end = start_[d] + (rows_.count[d] - 1) * stride_[d] + 1;
      const bool is_longer = !is_nothing && end > length;
      refuse_if(is_longer && !own.is_collective(variable_), NC_ECANTEXTEND);
      continue;
    }
    const int64_t count = rows_.count[d];
    refuse_if(start_[d] < 0 || start_[d] > length || (start_[d] == length && count > 0), NC_EINVALCOORDS);
    refuse_if(count < 0 || (!is_nothing && count > 0 && (count - 1) > (length - 1 - start_[d]) / stride_[d]), NC_EEDGE);
  }
}

bool Checked::is_contiguous() const {
  int64_t values = 1;
  for (size_t d = rows_.count.size(); d-- > 0; values *= rows_.count[d])
    if (rows_.map[d] != values && rows_.count[d] > 1) return false;
  return true;
}

/// Values that the program has otherwise than the file: in another type, or in an order of its own.
void Checked::stage() {
  if (!converts() && is_contiguous()) return;
  const int64_t width = width_of(shape_.type);
  staged_ = std::make_unique<std::byte[]>(static_cast<size_t>(rows_.cells * width));
  if (!is_put_) return;
  const bool good = as_type(memory_, [&](auto from) {
    return as_type(shape_.type, [&](auto to) {
      bool all = true;
      const auto bytes = static_cast<int64_t>(sizeof from);
      rows_.each([&](int64_t place, int64_t done, int64_t count, int64_t apart) {
        all &= convert<decltype(from), decltype(to)>(data_ + place * bytes, apart * bytes, staged_.get() + done * width,
                                                     width, count);
      });
      return all;
    });
  });
  if (!good) code_ = NC_ERANGE;
}

int Checked::deliver() {
  if (staged_ == nullptr || is_put_) return NC_NOERR;
  const int64_t width = width_of(shape_.type);
  const bool good = as_type(shape_.type, [&](auto from) {
    return as_type(memory_, [&](auto to) {
      bool all = true;
      const auto bytes = static_cast<int64_t>(sizeof to);
      rows_.each([&](int64_t place, int64_t done, int64_t count, int64_t apart) {
        all &= convert<decltype(from), decltype(to)>(staged_.get() + done * width, width, data_ + place * bytes,
                                                     apart * bytes, count);
      });
      return all;
    });
  });
  return good ? NC_NOERR : NC_ERANGE;
}

const std::byte *Checked::values() {
  stage();
  return staged_ ? staged_.get() : data_;
}

int Checked::submit(sv_file *file, sv_request *request) {
  auto *const at = const_cast<std::byte *>(values());
  return is_put_ ? sv_iput_vars(file, variable_, start_.data(), rows_.count.data(), stride_.data(), shape_.type, at,
                                nullptr, request)
                 : sv_iget_vars(file, variable_, start_.data(), rows_.count.data(), stride_.data(), shape_.type, at,
                                nullptr, request);
}

int Checked::put_growing(sv_file *file) {
  return sv_put_vars(file, variable_, start_.data(), rows_.count.data(), stride_.data(), shape_.type, values(),
                     nullptr);
}

/// Collective, for ranks that put nothing.
int put_nothing(const Dataset &own, int variable) {
  const std::vector<int64_t> zeros(own.shapes[static_cast<size_t>(variable)].dims.size() + 1, 0);
  return sv_put_vars(own.file, variable, zeros.data(), zeros.data(), nullptr,
                     own.shapes[static_cast<size_t>(variable)].type, nullptr, nullptr);
}

/// Carries out this rank's request, if it has one. Collective, or for this rank alone.
int carry_out(const Dataset &own, Checked *asked) {
  sv_request request = SV_NO_REQUEST;
  int status = SV_OK, recorded = SV_OK;
  if (asked != nullptr) recorded = asked->submit(own.file, &request);
  const int n = request == SV_NO_REQUEST ? 0 : 1;
  const int all =
      own.is_independent ? sv_wait_indep(own.file, n, &request, &status) : sv_wait(own.file, n, &request, &status);
  const int code = code_of(recorded != SV_OK ? recorded : status);
  return code != NC_NOERR ? code : code_of(all);
}

/// Collective. `asked`: nullptr where this rank has wrong arguments, or no cells.
int move_together(Dataset &own, const Access &access, Checked *asked) {
  put_together(own);
  if (!access.is_put && own.may_have_new_records) {
    must(sv_sync(own.file));
    own.may_have_new_records = false;
  }
  const auto variable = static_cast<size_t>(access.variable);
  int code = NC_NOERR;
  if (access.is_put && own.shapes[variable].grows_inside)
    code = code_of(asked != nullptr ? asked->put_growing(own.file) : put_nothing(own, access.variable));
  else
    code = carry_out(own, asked);
  if (access.is_put) {
    own.may_have_new_records = true;
    own.is_put[variable] = true;
  }
  put_by_themselves(own);
  return code;
}

/// The file is defined, and it is decided who has it, before its first values.
void leave_define_mode(Dataset &own) {
  if (own.is_defining) {
    refuse_if(own.is_classic(), NC_EINDEFINE);
    expect(real::enddef(own.caller)(own.there));
    own.is_defining = false;
  }
  if (own.is_changed) settle_definitions(own);
}

}  // namespace

int transfer(Dataset &own, const RealCall &real, const Access &access) {
  if (own.owner == Owner::library) return real(own.there);
  int variables = 0;
  expect(real::inq(own.caller)(own.there, nullptr, &variables, nullptr, nullptr));
  refuse_if(access.variable < 0 || access.variable >= variables, NC_ENOTVAR);
  leave_define_mode(own);
  if (own.owner == Owner::library) return real(own.there);
  std::optional<Checked> checked;
  const int refused = answered([&] {
    checked.emplace(own, access);
    return NC_NOERR;
  });
  Checked *const asked = checked && !checked->is_empty() ? &*checked : nullptr;
  if (!own.is_collective(access.variable) && asked == nullptr) return refused;
  const int code = own.is_collective(access.variable) ? move_together(own, access, asked) : carry_out(own, asked);
  if (refused != NC_NOERR || code != NC_NOERR) return refused != NC_NOERR ? refused : code;
  if (asked == nullptr) return NC_NOERR;
  access.is_put ? own.account.put(asked->bytes()) : own.account.get(asked->bytes());
  const int delivered = asked->deliver();
  return delivered != NC_NOERR ? delivered : asked->code_of_values();
}

}  // namespace sv::netcdf4
