// Sverdrup in C++20: variables, and their puts and gets. SPDX-License-Identifier: Apache-2.0
//
// sverdrup.hpp includes this header; its conventions hold.
#ifndef SVERDRUP_VARIABLE_HPP
#define SVERDRUP_VARIABLE_HPP

#include "attributes.hpp"

namespace sverdrup {

struct Dimension {
  int id = -1;
  std::string name;
  int64_t length = 0;
};

// The name of an integer.
struct EnumMember {
  std::string name;
  int64_t value = 0;
  bool operator==(const EnumMember &) const = default;
};

// How a variable is stored: sv_inq_var_chunking and the other calls of storage.h.
struct Storage {
  bool is_chunked = false;
  Index chunk;
  int deflate = 0, zstandard = 0;  // levels; 0: none
  bool shuffle = false, fletcher32 = false;
  int quantize_mode = SV_NOQUANTIZE, digits = 0;
  int error_kind = SV_ERROR_NONE;
  double error_bound = 0, largest_error = 0;
  int endian = SV_ENDIAN_NATIVE;
  std::vector<unsigned> filters;  // HDF5's numbers of all
};

// Puts and gets are collective; those whose name begins with i or b are local: they return a request, which File::wait
// carries out. The array of an iput or iget must exist until then.
class Variable : public Attributed {
 public:
  [[nodiscard]] int id() const { return var_; }

  // ---- definitions (local)

  template <Value T>
  void def_fill(T value) const {
    if (type_of<T>() != type())
      throw Error(Status::type, "variable '" + name() + "': the fill value has another type. Pass the variable's type");
    detail::check(sv_def_fill(file_, var_, &value));
  }
  // Cells that no rank writes get no fill value.
  void def_nofill(bool on) const { detail::check(sv_def_var_nofill(file_, var_, on ? 1 : 0)); }
  [[nodiscard]] bool is_nofill() const {
    int on = 0;
    detail::check(sv_inq_var_nofill(file_, var_, &on));
    return on != 0;
  }
  void def_packing(double scale_factor, double add_offset) const {
    detail::check(sv_def_packing(file_, var_, scale_factor, add_offset));
  }
  void use_packing(bool on) const { detail::check(sv_use_packing(file_, var_, on ? 1 : 0)); }
  void def_var_decomp_dim(int first_dim) const { detail::check(sv_def_var_decomp_dim(file_, var_, first_dim)); }
  void rename(const std::string &name) const { detail::check(sv_rename_var(file_, var_, name.c_str())); }

  // `lengths` may be empty: chunks of the library's choice.
  void def_chunking(const Index &lengths) const {
    const std::string wrong = lengths.empty() ? "" : wrong_rank(lengths, "the chunk");
    run(wrong, true,
        [&] { return sv_def_var_chunking(file_, var_, SV_CHUNKED, lengths.empty() ? nullptr : lengths.data()); });
  }
  void def_contiguous() const { detail::check(sv_def_var_chunking(file_, var_, SV_CONTIGUOUS, nullptr)); }
  void def_deflate(int level, bool shuffle = true) const {
    detail::check(sv_def_var_deflate(file_, var_, shuffle ? 1 : 0, level));
  }
  void def_zstandard(int level) const { detail::check(sv_def_var_zstandard(file_, var_, level)); }
  void def_fletcher32(bool on) const { detail::check(sv_def_var_fletcher32(file_, var_, on ? 1 : 0)); }
  void def_filter(unsigned id, std::span<const unsigned> parameters) const {
    detail::check(sv_def_var_filter(file_, var_, id, parameters.size(), parameters.data()));
  }
  // kind: SV_ERROR_ABSOLUTE, SV_ERROR_RELATIVE or SV_ERROR_INFORMATION.
  void def_error_bound(int kind, double bound) const {
    detail::check(sv_def_var_error_bound(file_, var_, kind, bound));
  }
  void def_quantize(int mode, int digits) const { detail::check(sv_def_var_quantize(file_, var_, mode, digits)); }
  void def_endian(int endian) const { detail::check(sv_def_var_endian(file_, var_, endian)); }

  // Names of integers: an enumeration of netCDF-4, elsewhere flag_values and flag_meanings.
  void def_enum(const std::string &type_name, const std::vector<EnumMember> &members) const {
    std::vector<const char *> names;
    std::vector<int64_t> values;
    for (const EnumMember &each : members) {
      names.push_back(each.name.c_str());
      values.push_back(each.value);
    }
    const int count = static_cast<int>(members.size());
    detail::check(sv_def_var_enum(file_, var_, type_name.c_str(), count, names.data(), values.data()));
  }

  // ---- inquiry (local)

  // The name of the enumeration; empty where attributes hold the names, or there are none.
  [[nodiscard]] std::string enum_name() const {
    char name[SV_MAX_NAME];
    detail::check(sv_inq_var_enum(file_, var_, name, nullptr));
    return name;
  }
  [[nodiscard]] std::vector<EnumMember> enum_members() const {
    int count = 0;
    detail::check(sv_inq_var_enum(file_, var_, nullptr, &count));
    std::vector<EnumMember> members;
    for (int member = 0; member < count; ++member) {
      char name[SV_MAX_NAME];
      int64_t value = 0;
      detail::check(sv_inq_var_enum_member(file_, var_, member, name, &value));
      members.push_back({name, value});
    }
    return members;
  }
  [[nodiscard]] std::string name() const {
    char name[SV_MAX_NAME];
    detail::check(sv_inq_var(file_, var_, name, nullptr, nullptr, nullptr, nullptr));
    return name;
  }
  [[nodiscard]] int type() const {
    int type = 0;
    detail::check(sv_inq_var(file_, var_, nullptr, &type, nullptr, nullptr, nullptr));
    return type;
  }
  [[nodiscard]] std::vector<Dimension> dimensions() const {
    int ndims = 0, dims[SV_MAX_DIMS];
    detail::check(sv_inq_var(file_, var_, nullptr, nullptr, &ndims, dims, nullptr));
    std::vector<Dimension> all;
    for (int dim = 0; dim < ndims; ++dim) {
      char name[SV_MAX_NAME];
      int64_t length = 0;
      detail::check(sv_inq_dim(file_, dims[dim], name, &length));
      all.push_back({dims[dim], name, length});
    }
    return all;
  }
  // With the record dimension, whose length is the number of records.
  [[nodiscard]] Index shape() const {
    Index lengths;
    for (const Dimension &dimension : dimensions()) lengths.push_back(dimension.length);
    return lengths;
  }
  // The fill value; `is_default` is set where the file does not define one.
  template <Value T>
  [[nodiscard]] T fill_value(bool *is_default = nullptr) const {
    if (type_of<T>() != type())
      throw Error(Status::type,
                  "variable '" + name() + "': its fill value has another type. Ask for the variable's type");
    T value{};
    int defined = 0;
    detail::check(sv_inq_fill(file_, var_, &defined, &value));
    if (is_default != nullptr) *is_default = defined == 0;
    return value;
  }
  [[nodiscard]] bool packing() const {
    int on = 0;
    detail::check(sv_inq_packing(file_, var_, &on));
    return on != 0;
  }
  [[nodiscard]] int64_t offset() const {
    int64_t offset = 0;
    detail::check(sv_inq_varoffset(file_, var_, &offset));
    return offset;
  }
  // After File::enddef, or of a file that was opened.
  [[nodiscard]] Storage storage() const {
    Storage found;
    int kind = 0, shuffle = 0, fletcher32 = 0;
    int64_t lengths[SV_MAX_DIMS];
    detail::check(sv_inq_var_chunking(file_, var_, &kind, lengths));
    found.is_chunked = kind == SV_CHUNKED;
    if (found.is_chunked) found.chunk.assign(lengths, lengths + shape().size());
    detail::check(sv_inq_var_deflate(file_, var_, &shuffle, &found.deflate));
    detail::check(sv_inq_var_zstandard(file_, var_, &found.zstandard));
    detail::check(sv_inq_var_fletcher32(file_, var_, &fletcher32));
    detail::check(sv_inq_var_quantize(file_, var_, &found.quantize_mode, &found.digits));
    detail::check(sv_inq_var_error_bound(file_, var_, &found.error_kind, &found.error_bound, &found.largest_error));
    detail::check(sv_inq_var_endian(file_, var_, &found.endian));
    std::size_t count = 0;
    found.filters.resize(SV_MAX_FILTERS);
    detail::check(sv_inq_var_filter_ids(file_, var_, &count, found.filters.data()));
    found.filters.resize(count);
    found.shuffle = shuffle != 0;
    found.fletcher32 = fletcher32 != 0;
    return found;
  }

  // ---- distributed fields: this rank's block, with its halo, or its points

  template <Source Array>
  void put(const Decomposition &decomp, const Array &array, int64_t record = no_record) const {
    field<sv_put>(decomp, detail::memory(array), record);
  }
  template <Target Array>
  void get(const Decomposition &decomp, Array &&array, int64_t record = no_record) const {
    field<sv_get>(decomp, detail::memory(array), record);
  }
  template <Lasting Array>
  Request iput(const Decomposition &decomp, Array &&array, int64_t record = no_record) const {
    return pending([&](Request *id) { field<sv_iput>(decomp, detail::memory(array), record, id); });
  }
  template <Source Array>
  Request bput(const Decomposition &decomp, const Array &array, int64_t record = no_record) const {
    return pending([&](Request *id) { field<sv_bput>(decomp, detail::memory(array), record, id); });
  }
  template <LastingTarget Array>
  Request iget(const Decomposition &decomp, Array &&array, int64_t record = no_record) const {
    return pending([&](Request *id) { field<sv_iget>(decomp, detail::memory(array), record, id); });
  }

  // ---- whole variables, or a whole record: the same on every rank

  template <Source Array>
  void put_var(const Array &array, int64_t record = no_record) const {
    whole<sv_put_var>(detail::memory(array), record);
  }
  template <Target Array>
  void get_var(Array &&array, int64_t record = no_record) const {
    whole<sv_get_var>(detail::memory(array), record);
  }
  template <Lasting Array>
  Request iput_var(Array &&array, int64_t record = no_record) const {
    return pending([&](Request *id) { whole<sv_iput_var>(detail::memory(array), record, id); });
  }
  template <Source Array>
  Request bput_var(const Array &array, int64_t record = no_record) const {
    return pending([&](Request *id) { whole<sv_bput_var>(detail::memory(array), record, id); });
  }
  template <LastingTarget Array>
  Request iget_var(Array &&array, int64_t record = no_record) const {
    return pending([&](Request *id) { whole<sv_iget_var>(detail::memory(array), record, id); });
  }

  // ---- a sub-array of this rank

  template <Source Array>
  void put_vara(const Index &start, const Index &count, const Array &array) const {
    part<sv_put_vara>(start, count, detail::memory(array));
  }
  template <Target Array>
  void get_vara(const Index &start, const Index &count, Array &&array) const {
    part<sv_get_vara>(start, count, detail::memory(array));
  }
  template <Lasting Array>
  Request iput_vara(const Index &start, const Index &count, Array &&array) const {
    return pending([&](Request *id) { part<sv_iput_vara>(start, count, detail::memory(array), id); });
  }
  template <Source Array>
  Request bput_vara(const Index &start, const Index &count, const Array &array) const {
    return pending([&](Request *id) { part<sv_bput_vara>(start, count, detail::memory(array), id); });
  }
  template <LastingTarget Array>
  Request iget_vara(const Index &start, const Index &count, Array &&array) const {
    return pending([&](Request *id) { part<sv_iget_vara>(start, count, detail::memory(array), id); });
  }

  // ---- a sub-array with a stride in the file

  template <Source Array>
  void put_vars(const Index &start, const Index &count, const Index &stride, const Array &array) const {
    strided<sv_put_vars>(start, count, stride, detail::memory(array));
  }
  template <Target Array>
  void get_vars(const Index &start, const Index &count, const Index &stride, Array &&array) const {
    strided<sv_get_vars>(start, count, stride, detail::memory(array));
  }
  template <Lasting Array>
  Request iput_vars(const Index &start, const Index &count, const Index &stride, Array &&array) const {
    return pending([&](Request *id) { strided<sv_iput_vars>(start, count, stride, detail::memory(array), id); });
  }
  template <Source Array>
  Request bput_vars(const Index &start, const Index &count, const Index &stride, const Array &array) const {
    return pending([&](Request *id) { strided<sv_bput_vars>(start, count, stride, detail::memory(array), id); });
  }
  template <LastingTarget Array>
  Request iget_vars(const Index &start, const Index &count, const Index &stride, Array &&array) const {
    return pending([&](Request *id) { strided<sv_iget_vars>(start, count, stride, detail::memory(array), id); });
  }

  // ---- several regions, whose values follow one another in one contiguous array

  template <Source Array>
  void put_varn(const std::vector<Index> &starts, const std::vector<Index> &counts, const Array &array) const {
    regions<sv_put_varn>(starts, counts, detail::memory(array));
  }
  template <Target Array>
  void get_varn(const std::vector<Index> &starts, const std::vector<Index> &counts, Array &&array) const {
    regions<sv_get_varn>(starts, counts, detail::memory(array));
  }
  template <Lasting Array>
  Request iput_varn(const std::vector<Index> &starts, const std::vector<Index> &counts, Array &&array) const {
    return pending([&](Request *id) { regions<sv_iput_varn>(starts, counts, detail::memory(array), id); });
  }
  template <Source Array>
  Request bput_varn(const std::vector<Index> &starts, const std::vector<Index> &counts, const Array &array) const {
    return pending([&](Request *id) { regions<sv_bput_varn>(starts, counts, detail::memory(array), id); });
  }
  template <LastingTarget Array>
  Request iget_varn(const std::vector<Index> &starts, const std::vector<Index> &counts, Array &&array) const {
    return pending([&](Request *id) { regions<sv_iget_varn>(starts, counts, detail::memory(array), id); });
  }

  // ---- strings, of a variable of type SV_STRING, in the order of its cells

  void put_var_strings(const std::vector<std::string> &values, int64_t record = no_record) const {
    const std::string wrong = wrong_count(values.size(), slabs(record));
    const std::vector<const char *> texts = detail::pointers(values);
    run(wrong, false, [&] { return sv_put_var_string(file_, var_, record, wrong.empty() ? texts.data() : nullptr); });
  }
  void put_vara_strings(const Index &start, const Index &count, const std::vector<std::string> &values) const {
    const Index first = padded(start), cells = padded(count);
    const std::string wrong = wrong_box(start, count) + wrong_count(values.size(), {count});
    const std::vector<const char *> texts = detail::pointers(values);
    run(wrong, false, [&] {
      return sv_put_vara_string(file_, var_, first.data(), cells.data(), wrong.empty() ? texts.data() : nullptr);
    });
  }
  [[nodiscard]] std::vector<std::string> get_var_strings(int64_t record = no_record) const {
    const std::vector<Index> shapes = slabs(record);
    return detail::taken(shapes.empty() ? 0 : detail::product(shapes.front()),
                         [&](char **values) { return sv_get_var_string(file_, var_, record, values); });
  }
  [[nodiscard]] std::vector<std::string> get_vara_strings(const Index &start, const Index &count) const {
    const Index first = padded(start), cells = padded(count);
    if (const std::string wrong = wrong_box(start, count); !wrong.empty()) refuse(wrong);
    return detail::taken(detail::product(count), [&](char **values) {
      return sv_get_vara_string(file_, var_, first.data(), cells.data(), values);
    });
  }

  // ---- without arrays (collective)

  void fill(int64_t record = no_record) const { detail::check(sv_fill_var(file_, var_, record)); }
  void copy_to(const Variable &to, int64_t record = no_record, int64_t to_record = no_record) const {
    detail::check(sv_copy_var(file_, var_, record, to.file_, to.var_, to_record));
  }

 private:
  friend class File;
  template <bool is_get>
  friend struct PartOf;
  template <bool is_get>
  friend struct FieldOf;
  using Attributed::Attributed;
  static constexpr const char *remedy = "Pass an array, start and count of one shape";

  // The next collective call fails on every rank, because of a wrong argument of this one.
  void refuse(const std::string &wrong) const {
    detail::check(sv_refuse(io_->io, SV_EINVAL, cause(wrong).c_str(), remedy));
  }
  [[nodiscard]] std::string cause(const std::string &wrong) const { return "variable '" + name() + "': " + wrong; }
  template <class Call>
  void run(const std::string &wrong, bool is_local, const Call &call) const {
    if (!wrong.empty() && is_local) throw Error(Status::invalid, cause(wrong) + ". " + remedy);
    if (!wrong.empty()) refuse(wrong);
    detail::check(call());
  }
  // C must not look into an array that does not fit.
  template <class Call>
  void run(const std::string &wrong, bool is_local, detail::Memory memory, const Call &call) const {
    if (!wrong.empty()) memory.data = nullptr;
    run(wrong, is_local, [&] { return call(memory); });
  }
  template <class Call>
  static Request pending(const Call &call) {
    Request id = SV_NO_REQUEST;
    call(&id);
    return id;
  }

  // The lengths without the record dimension; none if the variable and the call differ in having records, which the C
  // interface reports.
  [[nodiscard]] std::vector<Index> slabs(int64_t record) const {
    int record_dim = -1;
    detail::check(sv_inq(file_, nullptr, nullptr, nullptr, &record_dim));
    Index lengths;
    bool has_records = false;
    for (const Dimension &dimension : dimensions()) {
      if (dimension.id != record_dim) lengths.push_back(dimension.length);
      has_records = has_records || dimension.id == record_dim;
    }
    if (has_records != (record != no_record)) return {};
    return {lengths};
  }
  // The shapes that this rank's array may have: the grid's dimensions are at one of several places.
  [[nodiscard]] std::vector<Index> field_shapes(const Decomposition &decomp, int64_t record) const {
    const std::vector<Index> found = slabs(record);
    std::vector<Index> shapes;
    if (found.empty() || detail::product(decomp.extent()) == 0) return shapes;  // the array is ignored
    const Index &lengths = found[0], &grid = decomp.shape();
    for (std::size_t at = 0; at + grid.size() <= lengths.size(); ++at) {
      const auto first = lengths.begin() + static_cast<std::ptrdiff_t>(at);
      const auto end = first + static_cast<std::ptrdiff_t>(grid.size());
      if (!std::equal(grid.begin(), grid.end(), first)) continue;
      Index shape(lengths.begin(), first);
      shape.insert(shape.end(), decomp.extent().begin(), decomp.extent().end());
      shape.insert(shape.end(), end, lengths.end());
      shapes.push_back(std::move(shape));
    }
    return shapes;
  }
  [[nodiscard]] std::string wrong_rank(const Index &given, const char *what) const {
    const std::size_t ndims = dimensions().size();
    if (given.size() == ndims) return "";
    return std::string(what) + " has " + std::to_string(given.size()) + " numbers, and the variable " +
           std::to_string(ndims) + " dimensions";
  }
  // As many numbers as C reads, also of a call that fails.
  [[nodiscard]] Index padded(const Index &given) const {
    Index numbers = given;
    numbers.resize(std::max(given.size(), dimensions().size()) + 1);
    return numbers;
  }

  // A model puts arrays of one shape in every step: those of the last one that fitted need no look at the file.
  struct Fitting {
    uint64_t definitions = 0, decomp = 0;
    bool has_record = false;
    detail::Memory::Kind kind = detail::Memory::Kind::pointer;
    std::size_t rank = 0;
    detail::Lengths extents{};
    bool operator==(const Fitting &) const = default;
  };
  // Whether no length of the variable but that of its record dimension can change.
  [[nodiscard]] bool keeps_shape() const {
    int unlimited = 0, record_dim = -1;
    detail::check(sv_inq_unlimdims(file_, &unlimited, nullptr));
    detail::check(sv_inq(file_, nullptr, nullptr, nullptr, &record_dim));
    return unlimited == (record_dim < 0 ? 0 : 1);
  }
  [[nodiscard]] std::string wrong_field(const Decomposition &decomp, const detail::Memory &memory,
                                        int64_t record) const {
    if (memory.kind == detail::Memory::Kind::pointer) return "";
    const Fitting asked{io_->definitions, decomp.number_, record != no_record,
                        memory.kind,      memory.rank,    memory.extents};
    if (asked == fitting_) return "";
    std::string wrong = detail::misfit(memory, field_shapes(decomp, record), decomp.is_points());
    if (wrong.empty() && keeps_shape()) fitting_ = asked;
    return wrong;
  }
  [[nodiscard]] std::string wrong_box(const Index &start, const Index &count) const {
    return wrong_rank(start, "start") + wrong_rank(count, "count");
  }
  // Of strings; nothing where the shape is not known, which the C interface reports.
  [[nodiscard]] static std::string wrong_count(std::size_t given, const std::vector<Index> &shapes) {
    if (shapes.empty() || static_cast<int64_t>(given) == detail::product(shapes.front())) return "";
    return "there are " + std::to_string(given) + " strings for " + std::to_string(detail::product(shapes.front())) +
           " cells";
  }
  [[nodiscard]] std::string wrong_part(const Index &start, const Index &count, const detail::Memory &memory) const {
    const std::string wrong = wrong_box(start, count);
    return !wrong.empty() || detail::product(count) == 0 ? wrong : detail::misfit(memory, {count});
  }

  template <auto call, class... Id>
  void field(const Decomposition &decomp, const detail::Memory &memory, int64_t record, Id... id) const {
    run(wrong_field(decomp, memory, record), sizeof...(Id) > 0, memory, [&](const detail::Memory &own) {
      if constexpr (sizeof...(Id) > 0)
        return call(file_, var_, decomp.handle(), record, own, id...);
      else
        return call(file_, var_, decomp.handle(), record, own.type, own.data, own.memory_strides());
    });
  }
  template <auto call, class... Id>
  void whole(const detail::Memory &memory, int64_t record, Id... id) const {
    run(detail::misfit(memory, slabs(record)), sizeof...(Id) > 0, memory, [&](const detail::Memory &own) {
      if constexpr (sizeof...(Id) > 0)
        return call(file_, var_, record, own, id...);
      else
        return call(file_, var_, record, own.type, own.data, own.memory_strides());
    });
  }
  template <auto call, class... Id>
  void part(const Index &start, const Index &count, const detail::Memory &given, Id... id) const {
    const detail::Memory memory = detail::expanded(given, count);
    const Index first = padded(start), cells = padded(count);
    run(wrong_part(start, count, memory), sizeof...(Id) > 0, memory, [&](const detail::Memory &own) {
      if constexpr (sizeof...(Id) > 0)
        return call(file_, var_, first.data(), cells.data(), own, id...);
      else
        return call(file_, var_, first.data(), cells.data(), own.type, own.data, own.memory_strides());
    });
  }
  template <auto call, class... Id>
  void strided(const Index &start, const Index &count, const Index &stride, const detail::Memory &given,
               Id... id) const {
    const detail::Memory memory = detail::expanded(given, count);
    const Index first = padded(start), cells = padded(count), apart = padded(stride);
    run(wrong_part(start, count, memory) + wrong_rank(stride, "stride"), sizeof...(Id) > 0, memory,
        [&](const detail::Memory &own) {
          return call(file_, var_, first.data(), cells.data(), apart.data(), own, id...);
        });
  }
  template <auto call, class... Id>
  void regions(const std::vector<Index> &starts, const std::vector<Index> &counts, const detail::Memory &memory,
               Id... id) const {
    std::string wrong = starts.size() == counts.size() ? "" : "there are not as many starts as counts";
    if (memory.kind == detail::Memory::Kind::view) wrong = "regions take a contiguous array, not a view";
    std::vector<Index> numbers;
    int64_t values = 0;
    for (std::size_t each = 0; wrong.empty() && each < starts.size(); ++each) {
      wrong = wrong_rank(starts[each], "start") + wrong_rank(counts[each], "count");
      values += detail::product(counts[each]);
    }
    if (wrong.empty()) wrong = detail::misfit(memory, {{values}});
    std::vector<const int64_t *> first, cells;
    for (std::size_t each = 0; wrong.empty() && each < starts.size(); ++each) {
      first.push_back(starts[each].data());
      cells.push_back(counts[each].data());
    }
    run(wrong, sizeof...(Id) > 0, memory, [&](const detail::Memory &own) {
      const int n = static_cast<int>(first.size());
      if constexpr (sizeof...(Id) > 0)
        return call(file_, var_, n, first.data(), cells.data(), own, id...);
      else
        return call(file_, var_, n, first.data(), cells.data(), own.type, own.data);
    });
  }

  mutable Fitting fitting_;
};

}  // namespace sverdrup

#endif
