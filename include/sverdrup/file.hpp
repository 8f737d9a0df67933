// Sverdrup in C++20: files, their definitions and requests. SPDX-License-Identifier: Apache-2.0
//
// sverdrup.hpp includes this header; its conventions hold.
#ifndef SVERDRUP_FILE_HPP
#define SVERDRUP_FILE_HPP

#include "variable.hpp"

namespace sverdrup {

// Of sv_inq_file_layout.
struct FileLayout {
  int64_t header_bytes, data_begin, record_bytes;
};

// Of sv_select_record.
struct SelectedRecord {
  int64_t record;
  bool wants_fixed;
};

struct BufferUse {
  int64_t bytes, used_bytes;
};

// One request of a list of sub-arrays; `Put` and `Get` are those for File::mput_vara and File::mget_vara.
template <bool is_get>
struct PartOf {
  template <Lasting Array>
  requires(!is_get || Target<Array>) PartOf(const Variable &variable, Index first, Index cells, Array &&array)
      : var(variable.id()),
        start(variable.padded(first)),
        count(variable.padded(cells)),
        memory(detail::expanded(detail::memory(array), cells)),
        wrong(variable.wrong_part(first, cells, memory)) {
    if (!wrong.empty()) memory.data = nullptr;
  }
  int var;
  Index start, count;
  detail::Memory memory;
  std::string wrong;  // why the list is refused
};
using PutPart = PartOf<false>;
using GetPart = PartOf<true>;

// One request of a list of distributed fields.
template <bool is_get>
struct FieldOf {
  template <Lasting Array>
  requires(!is_get || Target<Array>)
      FieldOf(const Variable &variable, const Decomposition &owners, Array &&array, int64_t of_record = no_record)
      : var(variable.id()),
        decomp(owners.handle()),
        record(of_record),
        memory(detail::memory(array)),
        wrong(variable.wrong_field(owners, memory, record)) {
    if (!wrong.empty()) memory.data = nullptr;
  }
  int var;
  const sv_decomp *decomp;
  int64_t record;
  detail::Memory memory;
  std::string wrong;  // why the list is refused
};
using PutField = FieldOf<false>;
using GetField = FieldOf<true>;

// A group of a file, and its attributes. All calls are local. Use it while its File exists.
class Group : public Attributed {
 public:
  [[nodiscard]] int id() const { return SV_GLOBAL - var_; }
  [[nodiscard]] std::string name() const { return text<sv_inq_grpname>(); }
  [[nodiscard]] std::string full_name() const { return text<sv_inq_grpname_full>(); }
  [[nodiscard]] Group parent() const {
    int grp = 0;
    detail::check(sv_inq_grp_parent(file_, id(), &grp));
    return {io_, file_, grp};
  }
  [[nodiscard]] Group group(const std::string &name) const {
    int grp = 0;
    detail::check(sv_inq_grpid(file_, id(), name.c_str(), &grp));
    return {io_, file_, grp};
  }
  [[nodiscard]] std::vector<Group> groups() const {
    std::vector<Group> all;
    for (const int grp : ids<sv_inq_grps>()) all.push_back({io_, file_, grp});
    return all;
  }
  // Ids, as File::variables and File::dimensions count them.
  [[nodiscard]] std::vector<int> variable_ids() const { return ids<sv_inq_grp_varids>(); }
  [[nodiscard]] std::vector<int> dimension_ids() const { return ids<sv_inq_grp_dimids>(); }
  Group def_grp(const std::string &name) const {
    int grp = 0;
    detail::check(sv_def_grp(file_, id(), name.c_str(), &grp));
    return {io_, file_, grp};
  }

 private:
  friend class File;
  Group(const detail::Shared &io, sv_file *file, int grp) : Attributed(io, file, SV_GROUP(grp)) {}
  template <auto call>
  [[nodiscard]] std::string text() const {
    char name[SV_MAX_NAME];
    detail::check(call(file_, id(), name));
    return name;
  }
  template <auto call>
  [[nodiscard]] std::vector<int> ids() const {
    int count = 0;
    detail::check(call(file_, id(), &count, nullptr));
    std::vector<int> all(static_cast<std::size_t>(count));
    detail::check(call(file_, id(), &count, all.data()));
    return all;
  }
};

// Made by Context::create and Context::open. It also has the file's own attributes.
class File : public Attributed {
 public:
  File(File &&other) noexcept : Attributed(other.io_, std::exchange(other.file_, nullptr), SV_GLOBAL) {}
  File &operator=(File &&) = delete;  // it would lose a file
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  ~File() = default;  // an open file remains with its context

  [[nodiscard]] sv_file *handle() const { return file_; }
  [[nodiscard]] bool is_open() const { return file_ != nullptr && io_->io != nullptr; }

  // ---- life (collective)

  void enddef() {
    ++io_->definitions;
    detail::check(sv_enddef(file_));
  }
  void redef() {
    ++io_->definitions;
    detail::check(sv_redef(file_));
  }
  void sync() { detail::check(sv_sync(file_)); }
  // These two free the file, also where they throw.
  void close() { detail::check(sv_close(std::exchange(file_, nullptr))); }
  void abort() { detail::check(sv_abort(std::exchange(file_, nullptr))); }
  // `date`: year, month, day, hour, minute, second.
  SelectedRecord select_record(const std::array<int, 6> &date, double time) {
    int64_t record = 0;
    int wants_fixed = 0;
    detail::check(sv_select_record(file_, date.data(), time, &record, &wants_fixed));
    return {record, wants_fixed != 0};
  }

  // The outermost group.
  [[nodiscard]] Group root() const { return {io_, file_, 0}; }

  // ---- definitions (local, except share_definitions)

  Dimension def_dim(const std::string &name, int64_t length) {
    int dim = -1;
    detail::check(sv_def_dim(file_, name.c_str(), length, &dim));
    return {dim, name, length};
  }
  Variable def_var(const std::string &name, int type, const std::vector<Dimension> &dimensions) {
    std::vector<int> dims;
    for (const Dimension &dimension : dimensions) dims.push_back(dimension.id);
    dims.push_back(0);  // of a scalar, C does not read it
    int var = -1;
    detail::check(sv_def_var(file_, name.c_str(), type, static_cast<int>(dimensions.size()), dims.data(), &var));
    return {io_, file_, var};
  }
  template <Value T>
  Variable def_var(const std::string &name, const std::vector<Dimension> &dimensions) {
    return def_var(name, type_of<T>(), dimensions);
  }
  Variable def_order(const Dimension &dimension, const std::string &name, const Decomposition &ordered) {
    int var = -1;
    detail::check(sv_def_order(file_, dimension.id, name.c_str(), ordered.handle(), &var));
    return {io_, file_, var};
  }
  void def_alignment(int64_t header_free, int64_t data_align, int64_t variable_align, int64_t fixed_free,
                     int64_t record_align) {
    detail::check(sv_def_alignment(file_, header_free, data_align, variable_align, fixed_free, record_align));
  }
  void def_varoffsets(const std::vector<int64_t> &offsets) {
    detail::check(sv_def_varoffsets(file_, static_cast<int>(offsets.size()), offsets.data()));
  }
  void share_definitions() { detail::check(sv_share_definitions(file_)); }
  void rename_dim(const Dimension &dimension, const std::string &name) {
    detail::check(sv_rename_dim(file_, dimension.id, name.c_str()));
  }

  // ---- inquiry (local)

  [[nodiscard]] Variable variable(const std::string &name) const {
    int var = -1;
    detail::check(sv_inq_varid(file_, name.c_str(), &var));
    return {io_, file_, var};
  }
  [[nodiscard]] std::vector<Variable> variables() const {
    int nvars = 0;
    detail::check(sv_inq(file_, nullptr, &nvars, nullptr, nullptr));
    std::vector<Variable> all;
    for (int var = 0; var < nvars; ++var) all.push_back(Variable(io_, file_, var));
    return all;
  }
  [[nodiscard]] Dimension dimension(const std::string &name) const {
    int dim = -1;
    detail::check(sv_inq_dimid(file_, name.c_str(), &dim));
    return dimension_of(dim);
  }
  [[nodiscard]] std::vector<Dimension> dimensions() const {
    int ndims = 0;
    detail::check(sv_inq(file_, &ndims, nullptr, nullptr, nullptr));
    std::vector<Dimension> all;
    for (int dim = 0; dim < ndims; ++dim) all.push_back(dimension_of(dim));
    return all;
  }
  [[nodiscard]] std::optional<Dimension> record_dimension() const {
    int dim = -1;
    detail::check(sv_inq(file_, nullptr, nullptr, nullptr, &dim));
    return dim < 0 ? std::nullopt : std::optional(dimension_of(dim));
  }
  [[nodiscard]] std::vector<Dimension> unlimited_dimensions() const {
    int count = 0;
    detail::check(sv_inq_unlimdims(file_, &count, nullptr));
    std::vector<int> dims(static_cast<std::size_t>(count));
    detail::check(sv_inq_unlimdims(file_, nullptr, dims.data()));
    std::vector<Dimension> all;
    for (const int dim : dims) all.push_back(dimension_of(dim));
    return all;
  }
  [[nodiscard]] int format() const { return number<sv_inq_format>(); }
  [[nodiscard]] int kind() const { return number<sv_inq_kind>(); }
  [[nodiscard]] std::string path() const {
    std::size_t length = 0;
    detail::check(sv_inq_path(file_, &length, nullptr));
    std::string text(length, '\0');
    detail::check(sv_inq_path(file_, nullptr, text.data()));
    return text;
  }
  [[nodiscard]] FileLayout layout() const {
    FileLayout layout{};
    detail::check(sv_inq_file_layout(file_, &layout.header_bytes, &layout.data_begin, &layout.record_bytes));
    return layout;
  }
  [[nodiscard]] int64_t range_errors() const {
    int64_t values = 0;
    detail::check(sv_inq_range_errors(file_, &values));
    return values;
  }

  // ---- requests. wait is collective; it sets the handles to SV_NO_REQUEST. `statuses` is empty, or has room for all.

  void wait(std::span<Request> requests, std::span<int> statuses = {}) { with<sv_wait>(requests, statuses); }
  void wait(Request &request) { wait(std::span(&request, 1)); }
  void wait_all() { detail::check(sv_wait(file_, SV_ALL, nullptr, nullptr)); }
  void begin_indep() { detail::check(sv_begin_indep(file_)); }  // collective
  void end_indep() { detail::check(sv_end_indep(file_)); }      // collective
  void wait_indep(std::span<Request> requests, std::span<int> statuses = {}) {
    with<sv_wait_indep>(requests, statuses);
  }
  void cancel(std::span<Request> requests, std::span<int> statuses = {}) { with<sv_cancel>(requests, statuses); }
  [[nodiscard]] int pending() const { return number<sv_inq_pending>(); }
  void attach_buffer(int64_t bytes) { detail::check(sv_attach_buffer(file_, bytes)); }
  void detach_buffer() { detail::check(sv_detach_buffer(file_)); }
  [[nodiscard]] BufferUse buffer() const {
    BufferUse use{};
    detail::check(sv_inq_buffer(file_, &use.bytes, &use.used_bytes));
    return use;
  }

  // ---- lists (collective): any variables of this file, and as many as this rank has

  void mput(std::span<const PutField> fields) { list_of_fields<sv_mput, sv_source>(fields); }
  void mget(std::span<const GetField> fields) { list_of_fields<sv_mget, sv_target>(fields); }
  void mput_vara(std::span<const PutPart> parts) { list_of_parts<sv_mput_vara, sv_source>(parts); }
  void mget_vara(std::span<const GetPart> parts) { list_of_parts<sv_mget_vara, sv_target>(parts); }

 private:
  friend class Context;
  File(const detail::Shared &io, sv_file *file) : Attributed(io, file, SV_GLOBAL) {}

  template <auto call>
  [[nodiscard]] int number() const {
    int value = 0;
    detail::check(call(file_, &value));
    return value;
  }
  [[nodiscard]] Dimension dimension_of(int dim) const {
    char name[SV_MAX_NAME];
    int64_t length = 0;
    detail::check(sv_inq_dim(file_, dim, name, &length));
    return {dim, name, length};
  }
  template <auto call>
  void with(std::span<Request> requests, std::span<int> statuses) {
    std::vector<int> own(std::max(requests.size(), statuses.size()));
    const int status = call(file_, static_cast<int>(requests.size()), requests.data(), own.data());
    std::copy_n(own.begin(), std::min(statuses.size(), requests.size()), statuses.begin());
    detail::check(status);
  }
  // The arrays of a list of requests, as C takes them.
  template <class Form>
  struct Lists {
    std::vector<int> vars;
    std::vector<Form> values;
    template <class Each>
    void add(const File &file, const Each &each) {
      if (!each.wrong.empty()) Variable(file.io_, file.file_, each.var).refuse(each.wrong);
      vars.push_back(each.var);
      values.push_back(each.memory);
    }
  };
  template <auto call, class Form, class Field>
  void list_of_fields(std::span<const Field> fields) {
    Lists<Form> lists;
    std::vector<const sv_decomp *> decomps;
    std::vector<int64_t> records;
    for (const Field &field : fields) {
      lists.add(*this, field);
      decomps.push_back(field.decomp);
      records.push_back(field.record);
    }
    detail::check(call(file_, static_cast<int>(fields.size()), lists.vars.data(), decomps.data(), records.data(),
                       lists.values.data()));
  }
  template <auto call, class Form, class Part>
  void list_of_parts(std::span<const Part> parts) {
    Lists<Form> lists;
    std::vector<const int64_t *> starts, counts;
    for (const Part &part : parts) {
      lists.add(*this, part);
      starts.push_back(part.start.data());
      counts.push_back(part.count.data());
    }
    detail::check(call(file_, static_cast<int>(parts.size()), lists.vars.data(), starts.data(), counts.data(),
                       lists.values.data()));
  }
};

}  // namespace sverdrup

#endif
