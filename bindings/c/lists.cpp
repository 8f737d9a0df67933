// sverdrup.h, combining: lists of puts and gets in one collective call.
#include <array>
#include <functional>

#include "arguments.hpp"
#include "device/device.hpp"
#include "engine/combine.hpp"
#include "engine/recorded.hpp"
#include "engine/values.hpp"
#include "mpi/datatype.hpp"

using namespace sv;
using namespace sv::c;

namespace {

/// A call with a list of `n` puts or gets, and the arrays it was given, by name.
struct List {
  const char *call;
  Direction direction;
  int n;
  const int *variables;
  std::array<std::pair<const void *, const char *>, 6> arrays{};
  bool ordinary = false;  // one put, that all ranks make: recorded where the file combines the puts of a step
};

void check_list(const List &list) {
  if (list.n < 0) throw Error(Status::invalid, std::to_string(list.n) + " requests", "Pass how many there are, or 0");
  for (const auto &[pointer, name] : list.arrays)
    if (list.n > 0 && name != nullptr) require(pointer, name);
}

/// The request of each entry of a list. An error names its place.
std::vector<RequestArgs> asked_of(const File &of, const List &list, const std::function<RequestArgs(int)> &ask) {
  check_list(list);
  std::vector<RequestArgs> asked;
  for (int i = 0; i < list.n; ++i) {
    const int variable = list.variables[i];
    auto error = of.located(variable, caught(of.context().rank(), [&] { asked.push_back(ask(i)); }));
    if (error) throw Error(error->in_request(i, list.n));
    asked.back().direction = list.direction;
    asked.back().variable = variable;
  }
  return asked;
}

/// Collective. Carries a list out; `ask` returns its i-th request.
void combine(sv_file *handle, const List &list, const std::function<RequestArgs(File *, int)> &ask) {
  File *const of = file(handle);
  if (!list.ordinary) require_recorded(*of);
  const std::vector<RequestArgs> asked =
      checked(of, SV_GLOBAL, list.call, [&] { return asked_of(*of, list, [&](int i) { return ask(of, i); }); });
  if (list.ordinary && record_put(*of, list.call, asked.front())) return;
  carry_out(*of, list.call, asked);
}

/// The i-th values of a list, in either direction; NULL of none.
class ListValues {
 public:
  ListValues(const sv_source *sources) : sources_(sources) {}
  ListValues(const sv_target *targets) : targets_(targets) {}
  const void *list() const { return sources_ != nullptr ? static_cast<const void *>(sources_) : targets_; }
  Values at(int i) const { return values_of(sources_ != nullptr ? sources_[i] : source_of(targets_[i])); }

 private:
  const sv_source *sources_ = nullptr;
  const sv_target *targets_ = nullptr;
};

struct Regions {
  const int64_t *const *starts, *const *counts;
};

List list_of(const char *call, Direction direction, int n, const int *vars, const Regions &regions) {
  return {call, direction, n, vars, {{{vars, "vars"}, {regions.starts, "starts"}, {regions.counts, "counts"}}}};
}

int combine_regions(sv_file *handle, List list, const Regions &regions, const ListValues &values) {
  list.arrays[3] = {values.list(), "values"};
  return guarded([&] {
    require(handle, "file");
    combine(handle, list, [&](File *of, int i) {
      return of_region(request_of(of, list.variables[i], regions.starts[i], regions.counts[i], nullptr), values.at(i));
    });
  });
}

struct Fields {
  const sv_decomp *const *decomps;
  const int64_t *records;
};

int combine_fields(sv_file *handle, List list, const Fields &fields, const ListValues &values) {
  list.arrays = {
      {{list.variables, "vars"}, {fields.decomps, "decomps"}, {fields.records, "records"}, {values.list(), "values"}}};
  return guarded([&] {
    require(handle, "file");
    combine(handle, list, [&](File *, int i) { return of_field(fields.decomps[i], fields.records[i], values.at(i)); });
  });
}

/// Memory that a datatype of MPI describes.
struct Items {
  Datatype datatype;
  int64_t count;
  const void *data;
};

/// `comm`: one whose errors are returned.
Items items_of(const void *data, int64_t count, MPI_Datatype datatype, int64_t cells, MPI_Comm comm) {
  const Items items{Datatype(datatype), count, data};
  items.datatype.check_committed(comm);
  const int64_t values = items.datatype.values();
  if (count < 0 || (values == 0 ? cells != 0 : cells % values != 0 || cells / values != count))
    throw Error(Status::invalid,
                std::to_string(count) + " items of " + std::to_string(values) + " values, for a sub-array of " +
                    std::to_string(cells) + " cells",
                "Make them as many");
  return items;
}

/// The values as the engine takes them: where they lie, if they are a row; otherwise in `staging`, a copy,
/// since nothing else knows where MPI puts them.
Values values_in(const Items &items, std::vector<std::byte> &staging) {
  const DatatypeForm &form = items.datatype.form();
  if (form.is_row(items.count)) {
    // MPI_BOTTOM, from where addresses count, is a null pointer, to which nothing may be added.
    const uintptr_t first = reinterpret_cast<uintptr_t>(items.data) + static_cast<uintptr_t>(*form.row_begin);
    auto *const data = reinterpret_cast<std::byte *>(first);
    return {form.type, data, nullptr, Device::of(data)};
  }
  if (Device::of(items.data) != nullptr)
    throw Error(Status::unsupported, "values on a device that a datatype does not make contiguous",
                "Use sv_mput_vara or sv_mget_vara with memory_strides, or a copy on the host");
  items.datatype.check_copyable();
  staging.resize(static_cast<size_t>(items.count * form.extents.size_bytes));
  return {form.type, staging.data(), nullptr};
}

/// `Described`: sv_mpi_source or sv_mpi_target.
template <class Described>
int combine_items(sv_file *handle, List list, const Regions &regions, const Described *memory) {
  list.arrays[3] = {memory, "values"};
  return guarded([&] {
    require(handle, "file");
    const MPI_Comm comm = file(handle)->context().comm.get();
    std::vector<Items> items;
    std::vector<std::vector<std::byte>> staging(static_cast<size_t>(list.n < 0 ? 0 : list.n));
    combine(handle, list, [&](File *of, int i) {
      const Strided region = request_of(of, list.variables[i], regions.starts[i], regions.counts[i], nullptr);
      const int64_t cells = region.empty() ? 0 : Box{region.start, region.count}.elements();
      items.push_back(items_of(memory[i].data, memory[i].count, memory[i].datatype, cells, comm));
      std::vector<std::byte> &copy = staging[static_cast<size_t>(i)];
      const Values values = values_in(items.back(), copy);
      if (list.direction == Direction::write && !copy.empty())
        items.back().datatype.gather(items.back().data, items.back().count, copy.data(), comm);
      return of_region(region, values);
    });
    if (list.direction == Direction::write) return;
    for (size_t i = 0; i < items.size(); ++i)
      if (!staging[i].empty())
        items[i].datatype.scatter(staging[i].data(), items[i].count, const_cast<void *>(items[i].data), comm);
  });
}

/// `n` regions of one variable.
struct Many {
  int variable, n;
  const int64_t *const *starts, *const *counts;
};

int combine_many(sv_file *handle, const List &list, const Many &many, int type, const void *data) {
  return guarded([&] {
    require(handle, "file");
    combine(handle, list, [&](File *of, int) {
      RequestArgs asked = of_regions(of, many.variable, many.n, many.starts, many.counts);
      asked.values = values_of(type, data, nullptr);
      return asked;
    });
  });
}

}  // namespace

extern "C" {

int sv_mput_vara(sv_file *handle, int n, const int *vars, const int64_t *const *starts, const int64_t *const *counts,
                 const sv_source *values) {
  const Regions regions{starts, counts};
  return combine_regions(handle, list_of("sv_mput_vara", Direction::write, n, vars, regions), regions, values);
}

int sv_mput_vara_mpi(sv_file *handle, int n, const int *vars, const int64_t *const *starts,
                     const int64_t *const *counts, const sv_mpi_source *values) {
  const Regions regions{starts, counts};
  return combine_items(handle, list_of("sv_mput_vara_mpi", Direction::write, n, vars, regions), regions, values);
}

int sv_mcopy(sv_file *from, sv_file *to, int n, const int *from_vars, const int64_t *from_records, const int *to_vars,
             const int64_t *to_records) {
  return guarded([&] {
    require(from, "from");
    require(to, "to");
    const List list{
        "sv_mcopy",
        Direction::write,
        n,
        to_vars,
        {{{from_vars, "from_vars"}, {from_records, "from_records"}, {to_vars, "to_vars"}, {to_records, "to_records"}}}};
    File &target = *file(to);
    require_recorded(*file(from));
    require_recorded(target);
    const auto slabs = checked(&target, SV_GLOBAL, list.call, [&] {
      check_list(list);
      std::vector<CopiedSlab> each;
      for (int i = 0; i < n; ++i) each.push_back({from_vars[i], from_records[i], to_vars[i], to_records[i]});
      return each;
    });
    copy(*file(from), target, list.call, slabs);
  });
}

int sv_mput(sv_file *handle, int n, const int *vars, const sv_decomp *const *decomps, const int64_t *records,
            const sv_source *values) {
  return combine_fields(handle, {"sv_mput", Direction::write, n, vars, {}}, {decomps, records}, values);
}

int sv_mget_vara(sv_file *handle, int n, const int *vars, const int64_t *const *starts, const int64_t *const *counts,
                 const sv_target *values) {
  const Regions regions{starts, counts};
  return combine_regions(handle, list_of("sv_mget_vara", Direction::read, n, vars, regions), regions, values);
}

int sv_mget_vara_mpi(sv_file *handle, int n, const int *vars, const int64_t *const *starts,
                     const int64_t *const *counts, const sv_mpi_target *values) {
  const Regions regions{starts, counts};
  return combine_items(handle, list_of("sv_mget_vara_mpi", Direction::read, n, vars, regions), regions, values);
}

int sv_mget(sv_file *handle, int n, const int *vars, const sv_decomp *const *decomps, const int64_t *records,
            const sv_target *values) {
  return combine_fields(handle, {"sv_mget", Direction::read, n, vars, {}}, {decomps, records}, values);
}

int sv_put_varn(sv_file *handle, int var, int n, const int64_t *const *starts, const int64_t *const *counts, int type,
                const void *data) {
  return combine_many(handle, {"sv_put_varn", Direction::write, 1, &var, {}, true}, {var, n, starts, counts}, type,
                      data);
}

int sv_get_varn(sv_file *handle, int var, int n, const int64_t *const *starts, const int64_t *const *counts, int type,
                void *data) {
  return combine_many(handle, {"sv_get_varn", Direction::read, 1, &var, {}}, {var, n, starts, counts}, type, data);
}
}
