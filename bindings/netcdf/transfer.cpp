// Puts and gets, whose arguments are refused in netCDF's order and with its codes.
#include <algorithm>
#include <climits>
#include <vector>

#include "../of_thread.hpp"
#include "access.hpp"
#include "convert.hpp"

namespace sv::netcdf {

namespace {

/// The cells of one call, with everything that the caller may leave out.
struct Cells {
  std::vector<size_t> start, count;
  std::vector<ptrdiff_t> stride, map;  // map: in values
};

/// A dimension of cells that are to be moved, in bytes.
struct Step {
  int64_t count, file_step, memory_step;
};

/// Cells behind the end of a dimension. Any numbers, whose sum need not be one.
bool reach_beyond(size_t start, size_t count, size_t length) { return start > length || count > length - start; }

/// Used again by every call of a thread, so that small calls allocate nothing.
class Transfer {
 public:
  int carry_out(Dataset &own, const Access &access) {
    own_ = &own;
    access_ = &access;
    variable_ = nullptr;
    const bool by_type = access_->kind == Kind::block && access_->type == NC_NAT;
    if (access_->kind == Kind::whole || by_type || needs_shape()) look_up();
    resolve();
    if (access_->kind == Kind::strided) return strided();
    if (access_->kind == Kind::mapped) return mapped();
    return block(cells_.start.data(), cells_.count.data(), access_->data);
  }

 private:
  bool needs_shape() const {
    return access_->start == nullptr || (access_->count == nullptr && access_->kind != Kind::one) ||
           (access_->stride == nullptr && access_->kind >= Kind::strided);
  }
  size_t rank() const { return variable_->dims.size(); }
  bool has_records() const { return variable_->has_records; }
  size_t length(size_t d) const { return own_->length_of(variable_->dims[d]); }
  bool is_record(size_t d) const { return d == 0 && has_records(); }

  void look_up() { variable_ = &own_->variable(access_->variable); }
  void resolve();
  void choose_types();
  void check_edge(size_t d) const;
  void check_block(const size_t *start, const size_t *count);
  int strided();
  int mapped();
  void check_strided();
  bool is_inside() const;
  int one_by_one();
  int block(const size_t *start, const size_t *count, void *data);
  void grow(const Cells &cells);
  int move(const Cells &cells, void *data);
  void find_steps(const Cells &cells);
  bool move_run(int64_t offset, std::byte *data, const Step &run);

  Dataset *own_ = nullptr;
  const Access *access_ = nullptr;
  const Variable *variable_ = nullptr;
  Cells cells_, block_;  // the request; the part that is moved at once
  std::vector<Step> along_;
  std::vector<int64_t> at_;
  Type memory_{}, stored_{};
  std::vector<std::byte> room_;
};

/// As far as the variable is known: a wrong number is refused later, after other things.
void Transfer::resolve() {
  const auto &variables = own_->schema().variables;
  if (access_->variable < 0 || access_->variable >= std::ssize(variables)) return;
  variable_ = &variables[static_cast<size_t>(access_->variable)];
  const size_t n = rank();
  refuse_if(n > 0 && access_->start == nullptr && access_->kind != Kind::whole, NC_EINVALCOORDS);
  cells_.start.assign(n, 0);
  if (access_->start != nullptr && access_->kind != Kind::whole)
    cells_.start.assign(access_->start, access_->start + n);
  cells_.count.assign(n, 1);
  if (access_->kind != Kind::one)
    for (size_t d = 0; d < n; ++d)
      cells_.count[d] = access_->count != nullptr && access_->kind != Kind::whole ? access_->count[d] : length(d);
  cells_.stride.assign(n, 1);
  if (access_->stride != nullptr) cells_.stride.assign(access_->stride, access_->stride + n);
  cells_.map.assign(n, 1);
  if (access_->imap != nullptr) cells_.map.assign(access_->imap, access_->imap + n);
  for (size_t d = n; access_->imap == nullptr && d-- > 0;)
    cells_.map[d] = d + 1 == n ? 1 : cells_.map[d + 1] * static_cast<ptrdiff_t>(cells_.count[d + 1]);
}

void Transfer::choose_types() {
  refuse_if(access_->type != NC_NAT && (access_->type == NC_CHAR) != (variable_->type == Type::text), NC_ECHAR);
  // Types that no classic file has are refused when there are values to move.
  memory_ = access_->type == NC_NAT || !is_type(access_->type) ? variable_->type : static_cast<Type>(access_->type);
  stored_ = type_in_file(variable_->type, memory_, own_->is_cdf5());
}

void Transfer::check_block(const size_t *start, const size_t *count) {
  refuse_if(access_->is_put && !own_->file->is_writable(), NC_EPERM);
  refuse_if(own_->file->is_defining(), NC_EINDEFINE);
  refuse_if(access_->variable == NC_GLOBAL, NC_EGLOBAL);
  look_up();
  choose_types();
  if (rank() > 0 && has_records()) {
    const uint64_t most = own_->is_cdf5() ? uint64_t{INT64_MAX} : uint64_t{UINT32_MAX};
    refuse_if(start[0] > most, NC_EINVALCOORDS);
    const bool beyond = start[0] > length(0) || (start[0] == length(0) && count[0] > 0);
    refuse_if(!own_->file->is_writable() && beyond, NC_EINVALCOORDS);  // in other files it is NC_EEDGE
  }
  for (size_t d = 0; d < rank(); ++d) {
    if (is_record(d)) continue;
    refuse_if(start[d] > length(d) || (start[d] == length(d) && count[d] > 0), NC_EINVALCOORDS);
  }
  for (size_t d = 0; d < rank(); ++d)
    refuse_if((!is_record(d) || !access_->is_put) && reach_beyond(start[d], count[d], length(d)), NC_EEDGE);
}

int Transfer::block(const size_t *start, const size_t *count, void *data) {
  check_block(start, count);
  const size_t n = rank();
  if (access_->kind == Kind::block && access_->type != NC_NAT && !is_type(access_->type) && !has_records()) {
    bool is_stretch = true;  // netCDF moves it by one read or write, which refuses the type though nothing is moved
    for (size_t d = 1; d < n; ++d) is_stretch = is_stretch && count[d] == length(d);
    refuse_if(is_stretch, NC_EBADTYPE);
  }
  block_.start.assign(start, start + n);
  block_.count.assign(count, count + n);
  block_.stride.assign(n, 1);
  block_.map.assign(n, 1);
  for (size_t d = n; d-- > 1;) block_.map[d - 1] = block_.map[d] * static_cast<ptrdiff_t>(count[d]);
  return move(block_, data);
}

/// Of cells that are moved one by one; new records may be put.
void Transfer::check_edge(size_t d) const {
  if (access_->is_put && is_record(d)) return;
  const size_t start = cells_.start[d], count = cells_.count[d];
  refuse_if(start > length(d) || (start == length(d) && count > 0), NC_EINVALCOORDS);
  refuse_if(reach_beyond(start, count, length(d)), NC_EEDGE);
}

void Transfer::check_strided() {
  for (size_t d = 0; d < rank(); ++d) {
    check_edge(d);
    refuse_if(cells_.stride[d] <= 0 || cells_.stride[d] >= INT_MAX, NC_ESTRIDE);
  }
}

int Transfer::strided() {
  look_up();
  choose_types();
  if (rank() == 0) return block(nullptr, nullptr, access_->data);
  check_strided();
  const bool any = std::find(cells_.count.begin(), cells_.count.end(), 0U) == cells_.count.end();
  const bool plain = std::all_of(cells_.stride.begin(), cells_.stride.end(), [](ptrdiff_t each) { return each == 1; });
  if (!any && !(plain && access_->is_put)) return NC_NOERR;
  if (plain) return block(cells_.start.data(), cells_.count.data(), access_->data);
  return one_by_one();
}

int Transfer::mapped() {
  look_up();
  choose_types();
  if (rank() == 0) return block(nullptr, nullptr, access_->data);
  for (const ptrdiff_t each : cells_.stride) refuse_if(each == 0 || each >= INT_MAX || each < 0, NC_ESTRIDE);
  const bool plain = std::all_of(cells_.stride.begin(), cells_.stride.end(), [](ptrdiff_t each) { return each == 1; });
  if (plain && access_->imap == nullptr) return block(cells_.start.data(), cells_.count.data(), access_->data);
  for (size_t d = rank(); d-- > 0;) check_edge(d);
  if (std::find(cells_.count.begin(), cells_.count.end(), 0U) != cells_.count.end()) return NC_NOERR;
  return one_by_one();
}

bool Transfer::is_inside() const {
  for (size_t d = 0; d < rank(); ++d) {
    const size_t last = cells_.start[d] + (cells_.count[d] - 1) * static_cast<size_t>(cells_.stride[d]);
    if (last >= length(d) && !(access_->is_put && is_record(d))) return false;
    if (last >= UINT32_MAX && !own_->is_cdf5()) return false;
  }
  return true;
}

/// netCDF moves each cell by a call of its own: cells are moved even if others fail.
int Transfer::one_by_one() {
  const std::vector<size_t> ones(rank(), 1);
  if (is_inside()) {
    check_block(cells_.start.data(), ones.data());
    return move(cells_, access_->data);
  }
  int code = NC_NOERR;
  std::vector<size_t> at(rank(), 0), cell(rank());
  for (bool more = true; more;) {
    ptrdiff_t value = 0;
    for (size_t d = 0; d < rank(); ++d) {
      cell[d] = cells_.start[d] + at[d] * static_cast<size_t>(cells_.stride[d]);
      value += static_cast<ptrdiff_t>(at[d]) * cells_.map[d];
    }
    const int one = answered([&] {
      return block(cell.data(), ones.data(), static_cast<std::byte *>(access_->data) + value * size_of(memory_));
    });
    if (one != NC_NOERR && (code == NC_NOERR || one != NC_ERANGE)) code = one;
    size_t d = rank();
    while (d > 0 && ++at[d - 1] == cells_.count[d - 1]) at[--d] = 0;
    more = d > 0;
  }
  return code;
}

/// Without dimensions of one cell, and with those joined that follow each other in the file and in memory.
void Transfer::find_steps(const Cells &cells) {
  std::vector<Step> &found = along_;
  found.clear();
  int64_t bytes = size_of(variable_->type);
  for (size_t d = rank(); d-- > 0;) {
    const int64_t apart = is_record(d) ? own_->schema().places->record_bytes : bytes;
    const Step step{static_cast<int64_t>(cells.count[d]), apart * cells.stride[d], cells.map[d] * size_of(memory_)};
    bytes *= static_cast<int64_t>(is_record(d) ? 1 : length(d));
    if (step.count == 1) continue;
    if (!found.empty() && found.back().file_step * found.back().count == step.file_step &&
        found.back().memory_step * found.back().count == step.memory_step)
      found.back().count *= step.count;
    else
      found.push_back(step);
  }
  const int64_t width = size_of(variable_->type);
  if (found.empty() || found.front().file_step != width) found.insert(found.begin(), {1, width, size_of(memory_)});
}

void Transfer::grow(const Cells &cells) {
  const size_t more = cells.count[0] == 0 ? 0 : (cells.count[0] - 1) * static_cast<size_t>(cells.stride[0]) + 1;
  const auto records = static_cast<int64_t>(cells.start[0] + more);
  if (records > own_->schema().records) own_->check_fill(0, true);
  own_->file->grow(records);
}

int Transfer::move(const Cells &cells, void *data) {
  if (access_->is_put) own_->file->check();
  if (access_->is_put && has_records()) grow(cells);
  int64_t values = 1, offset = own_->schema().place(access_->variable).begin, bytes = size_of(variable_->type);
  for (size_t d = rank(); d-- > 0;) {
    values *= static_cast<int64_t>(cells.count[d]);
    offset += static_cast<int64_t>(cells.start[d]) * (is_record(d) ? own_->schema().places->record_bytes : bytes);
    bytes *= static_cast<int64_t>(is_record(d) ? 1 : length(d));
  }
  const int64_t moved = values * size_of(variable_->type);
  access_->is_put ? own_->account.put(moved) : own_->account.get(moved);
  if (values == 0) return NC_NOERR;
  refuse_if(access_->type != NC_NAT && !is_type(access_->type), NC_EBADTYPE);
  refuse_if(data == nullptr, NC_EINVAL);
  find_steps(cells);
  at_.assign(along_.size(), 0);
  bool good = true;
  auto *const memory = static_cast<std::byte *>(data);
  for (bool more = true; more;) {
    int64_t file = offset, place = 0;
    for (size_t s = 1; s < along_.size(); ++s) {
      file += at_[s] * along_[s].file_step;
      place += at_[s] * along_[s].memory_step;
    }
    good &= move_run(file, memory + place, along_[0]);
    size_t s = 1;
    while (s < along_.size() && ++at_[s] == along_[s].count) at_[s++] = 0;
    more = s < along_.size();
  }
  return good ? NC_NOERR : NC_ERANGE;
}

bool Transfer::move_run(int64_t offset, std::byte *data, const Step &run) {
  const int64_t width = size_of(stored_);
  bool good = true;
  if (access_->is_put) {
    const ToFile convert = to_file(memory_, stored_);
    own_->file->put(offset, run.count * width, width, [&](std::byte *to, int64_t at, int64_t bytes) {
      good &= convert(data + at / width * run.memory_step, run.memory_step, to, bytes / width);
    });
    return good;
  }
  const FromFile convert = from_file(stored_, memory_);
  constexpr int64_t most = 128 << 10;
  for (int64_t done = 0; done < run.count; done += most) {
    const int64_t n = std::min(most, run.count - done);
    room_.resize(static_cast<size_t>(n * width));
    own_->file->get(offset + done * width, room_);
    good &= convert(room_.data(), data + done * run.memory_step, run.memory_step, n);
  }
  return good;
}

}  // namespace

int transfer(Dataset &own, const Access &access) { return of_thread<Transfer>().carry_out(own, access); }

}  // namespace sv::netcdf
