// Calls that move values: they are checked as PnetCDF checks them, and become requests of Sverdrup. A collective call
// is the request of this rank and a wait: so ranks may put different things, or nothing, in one call, and an error in
// the arguments of one rank is its own.
#include "transfer.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "access.hpp"
#include "convert.hpp"

namespace sv::pnetcdf {

namespace {

bool waits(const Access &access) { return access.timing == Timing::posted || access.timing == Timing::buffered; }

}  // namespace

void check_mode(const Dataset &own, const Access &access) {
  refuse_if(access.direction == Direction::put && !own.is_writable, NC_EPERM);
  if (waits(access)) return;
  refuse_if(own.mode == Mode::define, NC_EINDEFINE);
  const bool alone = access.timing == Timing::alone;
  refuse_if(!alone && own.mode == Mode::independent, NC_EINDEP);
  refuse_if(alone && own.mode == Mode::collective, NC_ENOTINDEP);
}

namespace {

bool is_predefined(MPI_Datatype type) {
  const std::array known{
      MPI_CHAR,  MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_SHORT,         MPI_UNSIGNED_SHORT,     MPI_INT,
      MPI_FLOAT, MPI_DOUBLE,      MPI_UNSIGNED,      MPI_LONG_LONG_INT, MPI_UNSIGNED_LONG_LONG, MPI_LONG};
  return std::find(known.begin(), known.end(), type) != known.end();
}

/// A sub-array of a variable that is no scalar, in PnetCDF's order of checks.
class Bounds {
 public:
  Bounds(const Dataset &own, const Shape &shape, Direction direction)
      : shape_(shape), is_get_(direction == Direction::get), is_cdf5_(own.format == NC_FORMAT_CDF5) {
    lengths_ = shape.lengths;
    if (shape.has_records) lengths_[0] = own.records();
  }

  void check(const MPI_Offset *start, const MPI_Offset *count, const MPI_Offset *stride, bool needs_count) const {
    refuse_if(start == nullptr || start[0] < 0, NC_EINVALCOORDS);
    refuse_if(shape_.has_records && !is_cdf5_ && start[0] > NC_MAX_UINT, NC_EINVALCOORDS);
    for (size_t d = first(); d < lengths_.size(); ++d) {
      const MPI_Offset cells = count == nullptr ? 1 : count[d];
      refuse_if(start[d] < 0 || start[d] > lengths_[d] || (start[d] == lengths_[d] && cells > 0), NC_EINVALCOORDS);
    }
    refuse_if(count == nullptr && needs_count, NC_EEDGE);
    if (count == nullptr) return;
    refuse_if(shape_.has_records && count[0] < 0, NC_ENEGATIVECNT);
    for (size_t d = first(); d < lengths_.size(); ++d)
      check_edge(start[d], count[d], stride == nullptr ? 1 : stride[d], d);
    for (size_t d = 0; stride != nullptr && d < lengths_.size(); ++d) refuse_if(stride[d] <= 0, NC_ESTRIDE);
  }

 private:
  // A put may extend the records.
  size_t first() const { return shape_.has_records && !is_get_ ? 1 : 0; }
  void check_edge(MPI_Offset start, MPI_Offset count, MPI_Offset stride, size_t d) const {
    refuse_if(count < 0, NC_ENEGATIVECNT);
    refuse_if(count > lengths_[d] - start, NC_EEDGE);
    refuse_if(count > 1 && stride > (lengths_[d] - 1 - start) / (count - 1), NC_EEDGE);
  }

  const Shape &shape_;
  const bool is_get_, is_cdf5_;
  std::vector<int64_t> lengths_;
};

void check_list(const Access &access, const Shape &shape, const Bounds &bounds) {
  if (access.number == 0) return;
  if (shape.lengths.empty()) return refuse_if(access.number != 1, NC_EINVAL);
  refuse_if(access.starts == nullptr, NC_ENULLSTART);
  for (int i = 0; i < access.number; ++i) {
    refuse_if(access.starts[i] == nullptr, NC_ENULLSTART);
    bounds.check(access.starts[i], access.counts == nullptr ? nullptr : access.counts[i], nullptr, false);
  }
}

void check_choice(const Dataset &own, const Access &access, const Shape &shape) {
  const Bounds bounds(own, shape, access.direction);
  if (access.kind == Kind::list) return check_list(access, shape, bounds);
  if (shape.lengths.empty() || access.kind == Kind::whole) return;
  const bool one = access.kind == Kind::one;
  bounds.check(access.start, one ? nullptr : access.count, access.stride, !one);
}

}  // namespace

/// What the values are in memory: the type of Sverdrup, and how many there are in `items` items.
struct Memory {
  int type;
  int64_t values;  // -1: as many as there are cells
  bool is_contiguous;
};

namespace {

Memory memory_of(const Dataset &own, const Access &access, const Shape &shape) {
  if (access.datatype == MPI_DATATYPE_NULL) return {shape.type, -1, true};
  refuse_if(access.items == -1 && !is_predefined(access.datatype), NC_EINVAL);
  refuse_if(access.items < -1, NC_ENEGATIVECNT);
  int type = -1, contiguous = 0;
  int64_t values = 0;
  const int status =
      sv_inq_datatype(access.datatype, std::max<MPI_Offset>(1, access.items), &type, &values, &contiguous);
  refuse_if(status != SV_OK, type == 0 ? NC_EMULTITYPES : NC_EUNSPTETYPE);
  refuse_if((type == SV_CHAR) != (shape.type == NC_CHAR), NC_ECHAR);
  // Files without unsigned types keep unsigned bytes in those that have a sign.
  if (type == SV_UBYTE && shape.type == NC_BYTE && own.format != NC_FORMAT_CDF5) type = SV_BYTE;
  return {type, access.items == -1 ? -1 : values * access.items, contiguous != 0};
}

const int64_t *numbers(const MPI_Offset *given) {
  return reinterpret_cast<const int64_t *>(given);
}  // of the same size

}  // namespace

CheckedAccess::CheckedAccess(Dataset &own, const Access &access) : own_(own) {
  const Shape &shape = own.variable(access.variable);
  own.check_defined(access.variable);
  refuse_if(access.timing == Timing::buffered && own.buffer_bytes == 0, NC_ENULLABUF);
  if (access.datatype != MPI_DATATYPE_NULL && is_predefined(access.datatype))
    refuse_if((access.datatype == MPI_CHAR) != (shape.type == NC_CHAR), NC_ECHAR);
  check_choice(own, access, shape);
  const Memory memory = memory_of(own, access, shape);
  wanted_.variable = access.variable;
  wanted_.is_put = access.direction == Direction::put;
  wanted_.is_copied = access.timing == Timing::buffered;
  wanted_.type = memory.type;
  wanted_.data = access.data;
  access.kind == Kind::list ? choose_list(access, shape) : choose_block(access, shape);
  refuse_if(memory.values >= 0 && memory.values != wanted_.cells, NC_EIOMISMATCH);
  const bool mapped = access.kind == Kind::mapped && access.imap != nullptr && !shape.lengths.empty();
  const bool narrowing = wanted_.is_put ? narrows(memory.type, shape.type) : narrows(shape.type, memory.type);
  if (wanted_.is_put && narrowing && memory.is_contiguous && !mapped)
    code_ = all_fit(memory.type, access.data, shape.type, wanted_.cells) ? NC_NOERR : NC_ERANGE;
  else if (wanted_.cells > 0 && (mapped || narrowing || !memory.is_contiguous))
    stage(access, memory, shape);
}

void CheckedAccess::choose_block(const Access &access, const Shape &shape) {
  const size_t dims = shape.lengths.size();
  zeros_.assign(dims + 1, 0);
  counts_.assign(dims + 1, 1);
  wanted_.start = access.kind == Kind::whole || dims == 0 ? zeros_.data() : numbers(access.start);
  if (access.kind == Kind::whole) {
    std::copy(shape.lengths.begin(), shape.lengths.end(), counts_.begin());
    if (shape.has_records) counts_[0] = own_.records();
  } else if (access.kind != Kind::one && dims > 0) {
    std::copy(access.count, access.count + dims, counts_.begin());
  }
  wanted_.count = counts_.data();
  if (dims > 0) wanted_.stride = numbers(access.stride);
  wanted_.cells = 1;
  for (size_t d = 0; d < dims; ++d) wanted_.cells *= counts_[d];
}

void CheckedAccess::choose_list(const Access &access, const Shape &shape) {
  const size_t dims = shape.lengths.size(), n = static_cast<size_t>(access.number);
  zeros_.assign(dims + 1, 0);
  counts_.assign(dims + 1, 1);
  wanted_.number = access.number;
  for (size_t i = 0; i < n; ++i) {
    starts_.push_back(dims == 0 ? zeros_.data() : numbers(access.starts[i]));
    const bool all_one = dims == 0 || access.counts == nullptr || access.counts[i] == nullptr;
    rows_.push_back(all_one ? counts_.data() : numbers(access.counts[i]));
    int64_t cells = 1;
    for (size_t d = 0; d < dims; ++d) cells *= rows_.back()[d];
    wanted_.cells += cells;
  }
  wanted_.starts = starts_.data();
  wanted_.counts = rows_.data();
}

void CheckedAccess::stage(const Access &access, const Memory &memory, const Shape &shape) {
  Staged made;
  made.type = shape.type;
  made.cells = wanted_.cells;
  made.values = std::make_unique<std::byte[]>(static_cast<size_t>(made.cells * type_bytes(made.type)));
  made.data = access.data;
  made.memory_type = memory.type;
  if (access.kind == Kind::mapped && access.imap != nullptr) {
    made.count.assign(wanted_.count, wanted_.count + shape.lengths.size());
    made.map.assign(access.imap, access.imap + shape.lengths.size());
  }
  if (!memory.is_contiguous) {
    made.items = access.items;
    made.datatype = OwnDatatype(access.datatype);
  }
  if (wanted_.is_put) code_ = fetch(own_.io, made);
  wanted_.type = made.type;
  wanted_.data = made.values.get();
  staged_ = std::move(made);
}

Posted CheckedAccess::post() {
  Posted posted;
  posted.is_put = wanted_.is_put;
  const int64_t bytes = wanted_.cells * type_bytes(wanted_.type);
  if (wanted_.is_copied) {
    refuse_if(own_.requests.buffered_bytes + bytes > own_.buffer_bytes, NC_EINSUFFBUF);
    posted.bytes = bytes;
  }
  wanted_.is_put ? own_.account.put(bytes) : own_.account.get(bytes);
  if (own_.mode == Mode::define)
    posted.kept.emplace(wanted_, own_.variable(wanted_.variable).lengths.size());
  else
    must(submit(own_.file, wanted_, &posted.request));
  own_.requests.buffered_bytes += posted.bytes;
  posted.staged = std::move(staged_);
  posted.code = code_;
  return posted;
}

namespace {

/// Codes that no collective call goes on with: all ranks have them.
bool is_fatal(int code) {
  return code == NC_EPERM || code == NC_EINDEFINE || code == NC_EINDEP || code == NC_ENOTINDEP;
}

int post(Dataset &own, const Access &access) {
  if (access.request != nullptr) *access.request = NC_REQ_NULL;
  check_mode(own, access);
  CheckedAccess asking(own, access);
  if (asking.is_empty()) return NC_NOERR;  // no caller waits for it
  Posted posted = asking.post();
  const int code = std::exchange(posted.code, NC_NOERR);  // this call returns it, not the wait
  const int number = own.requests.add(std::move(posted));
  if (access.request != nullptr) *access.request = number;
  return code;
}

std::vector<Posted *> pointers_to(std::vector<Posted> &posted) {
  std::vector<Posted *> all;
  for (Posted &each : posted) all.push_back(&each);
  return all;
}

}  // namespace

int ask(Dataset &own, const Access &access, std::vector<Posted> posted, int code) {
  if (code != NC_NOERR) {
    for (Posted &each : posted) give_up(own, each);
    posted.clear();
  }
  if (access.timing == Timing::alone) return code != NC_NOERR ? code : carry_out(own, pointers_to(posted));
  if (is_fatal(code) || (code != NC_NOERR && own.ranks == 1)) return code;
  if (access.direction == Direction::get) show_records(own, true);
  const int ended = carry_out(own, pointers_to(posted));
  if (access.direction == Direction::put) own.may_have_new_records = true;
  return code != NC_NOERR ? code : ended;
}

int transfer(Dataset &own, const Access &access) {
  if (waits(access)) return post(own, access);
  std::vector<Posted> posted;
  const int code = answered([&] {
    check_mode(own, access);
    posted.push_back(CheckedAccess(own, access).post());
    return NC_NOERR;
  });
  return ask(own, access, std::move(posted), code);
}

namespace {

template <class Number>
Number at(const Number *all, int i, Number none) {
  return all == nullptr ? none : all[i];
}

/// The i-th of a call on several variables.
Access part_of(const Access &many, int i) {
  Access one = many;
  one.variable = many.variables[i];
  one.start = at<MPI_Offset *>(many.starts, i, nullptr);
  one.count = at<MPI_Offset *>(many.counts, i, nullptr);
  one.stride = at<MPI_Offset *>(many.strides, i, nullptr);
  one.imap = at<MPI_Offset *>(many.imaps, i, nullptr);
  one.data = many.buffers[i];
  if (many.datatypes != nullptr) {
    one.datatype = many.datatypes[i];
    one.items = many.item_counts[i];
  }
  return one;
}

}  // namespace

int transfer_many(Dataset &own, const Access &access) {
  std::vector<Posted> posted;
  const int code = answered([&] {
    std::vector<CheckedAccess> asking;
    for (int i = 0; i < access.number; ++i) {
      const Access one = part_of(access, i);
      check_mode(own, one);
      asking.emplace_back(own, one);
    }
    posted.reserve(asking.size());
    for (CheckedAccess &each : asking) posted.push_back(each.post());
    return NC_NOERR;
  });
  return ask(own, access, std::move(posted), code);
}

}  // namespace sv::pnetcdf
