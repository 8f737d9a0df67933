#include "definitions.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>

#include "calls.hpp"
#include "convert.hpp"

namespace sv::pnetcdf {

namespace {

std::vector<Extent> extents_of(Dataset &own) {
  std::vector<Extent> extents;
  for (int v = 0; v < own.variable_count(); ++v) {
    const Shape &shape = own.variable(v);
    int64_t bytes = type_bytes(shape.type);
    for (size_t d = shape.has_records ? 1 : 0; d < shape.lengths.size(); ++d) bytes *= shape.lengths[d];
    extents.push_back({shape.has_records, (bytes + 3) / 4 * 4});
  }
  return extents;
}

int64_t header_bytes_of(const Dataset &own) {
  int64_t bytes = 0;
  must(sv_inq_file_layout(own.file, &bytes, nullptr, nullptr));
  return bytes;
}

/// Local. Until PnetCDF 1.12. `before`: of the definitions before.
void place(Dataset &own, const Room &room, const Layout &before) {
  const std::vector<Extent> extents = extents_of(own);
  int64_t fixed_bytes = 0;
  constexpr int64_t enough = NC_MAX_INT64 / 4;
  for (const Extent &each : extents)
    if (!each.has_records) fixed_bytes = std::min(enough, fixed_bytes + std::min(enough, each.bytes));
  own.alignments.choose(room, fixed_bytes);
  report_alignments(own.alignments, own.hints);
  const int64_t farthest = own.format == NC_FORMAT_CLASSIC ? NC_MAX_INT : NC_MAX_INT64;
  own.layout = before;
  own.layout.place(extents, header_bytes_of(own), room, own.alignments, farthest);
  must(sv_def_alignment(own.file, 0, 4, 4, 0, 4));  // of a file without variables, too
  const std::vector<int64_t> &begins = own.layout.begins;
  must(sv_def_varoffsets(own.file, static_cast<int>(begins.size()), begins.data()));
}

/// Local. Since PnetCDF 1.13, whose releases treat a file that is defined again differently.
void align(const Dataset &own, const Room &room) {
  const Alignments &hints = own.alignments;
  const int64_t own_choice = own.old_variables < 0 ? 512 : 4;
  const auto first_of = [](std::initializer_list<int64_t> given) {
    return *std::find_if(given.begin(), given.end(), [](int64_t bytes) { return bytes > 0; });
  };
  must(sv_def_alignment(own.file, room.header_free, first_of({hints.data, hints.variable, room.data_align, own_choice}),
                        4, room.fixed_free, first_of({hints.record, room.record_align, 4})));
}

/// What decides where the values of a variable are in memory and in the file.
struct Defined {
  std::string name;
  Shape shape;
};

std::vector<Defined> defined_here(Dataset &own) {
  std::vector<Defined> all;
  for (int v = 0; v < own.variable_count(); ++v) {
    char name[SV_MAX_NAME];
    must(sv_inq_var(own.file, v, name, nullptr, nullptr, nullptr, nullptr));
    all.push_back({name, own.variable(v)});
  }
  return all;
}

/// The code that PnetCDF has for a difference.
int code_between(const Defined &one, const Defined &other) {
  if (one.name != other.name) return NC_EMULTIDEFINE_VAR_NAME;
  if (one.shape.type != other.shape.type) return NC_EMULTIDEFINE_VAR_TYPE;
  if (one.shape.lengths.size() != other.shape.lengths.size()) return NC_EMULTIDEFINE_VAR_NDIMS;
  if (one.shape.has_records != other.shape.has_records) return NC_EMULTIDEFINE_VAR_DIMIDS;
  const size_t first = one.shape.has_records ? 1 : 0;  // the number of records is no definition
  const auto begin = one.shape.lengths.begin() + static_cast<std::ptrdiff_t>(first);
  const bool same =
      std::equal(begin, one.shape.lengths.end(), other.shape.lengths.begin() + static_cast<std::ptrdiff_t>(first));
  return same ? NC_NOERR : NC_EMULTIDEFINE_DIM_SIZE;
}

/// Collective. The definitions of rank 0 take the place of this rank's.
void take_definitions(Dataset &own) {
  const std::vector<Defined> mine = defined_here(own);
  must(sv_share_definitions(own.file));
  own.forget_shapes();
  must(sv_inq(own.file, nullptr, nullptr, nullptr, &own.record_dim_));
  const std::vector<Defined> all = defined_here(own);
  own.differing.assign(all.size(), NC_NOERR);
  for (size_t v = 0; v < std::min(mine.size(), all.size()); ++v) own.differing[v] = code_between(mine[v], all[v]);
  int rank = 0;
  MPI_Comm_rank(own.comm, &rank);
  std::vector<signed char> fills(all.size());  // those of rank 0: the others add nothing
  if (rank == 0) std::copy(own.fills.begin(), own.fills.end(), fills.begin());
  MPI_Allreduce(MPI_IN_PLACE, fills.data(), static_cast<int>(fills.size()), MPI_SIGNED_CHAR, MPI_MAX, own.comm);
  own.fills.assign(fills.begin(), fills.end());
}

/// Collective. New variables that are filled; of those with records, the records that there are.
void fill_new(Dataset &own) {
  for (int v = std::max(own.old_variables, 0); v < own.variable_count(); ++v) {
    if (!own.fills[static_cast<size_t>(v)]) continue;
    const bool has_records = own.variable(v).has_records;
    const int64_t slabs = has_records ? own.records() : 1;
    for (int64_t slab = 0; slab < slabs; ++slab) must(sv_fill_var(own.file, v, has_records ? slab : SV_NO_RECORD));
  }
}

int end_define(Dataset &own, const Room &room) {
  refuse_if(own.mode != Mode::define, NC_ENOTINDEFINE);
  const Layout before = own.layout;
  const int code = end_definitions(own, [&] { is_before_1_13 ? place(own, room, before) : align(own, room); });
  if (code != NC_NOERR) {
    own.layout = before;
    return code;
  }
  own.mode = Mode::collective;
  own.forget_shapes();
  fill_new(own);
  own.old_variables = own.variable_count();
  return NC_NOERR;
}

}  // namespace

void find_layout(Dataset &own) {
  if (!is_before_1_13) return;
  std::vector<int64_t> begins(static_cast<size_t>(own.variable_count()));
  for (size_t v = 0; v < begins.size(); ++v)
    if (sv_inq_varoffset(own.file, static_cast<int>(v), &begins[v]) != SV_OK) return;  // it is divided into files
  own.layout = Layout::of_file(extents_of(own), std::move(begins), header_bytes_of(own));
}

int end_definitions(Dataset &own, const std::function<void()> &place) {
  place();
  const int status = sv_enddef(own.file);
  if (status != SV_EDEFINE || own.ranks == 1) return code_of(status);
  const std::string difference = sv_message();
  // Of other wrong definitions, all ranks have the same, and the same error comes again.
  if (const int code = answered([&] {
        take_definitions(own);
        return NC_NOERR;
      });
      code != NC_NOERR)
    return code_of(status);
  place();
  const int code = code_of(sv_enddef(own.file));
  if (code == NC_NOERR) own.account.note = difference + ". The definitions of rank 0 were used";
  return code;
}

int enddef(Dataset &own) { return end_define(own, {}); }

int _enddef(Dataset &own, MPI_Offset header_free, MPI_Offset data_align, MPI_Offset fixed_free,
            MPI_Offset record_align) {
  refuse_if(own.mode != Mode::define, NC_ENOTINDEFINE);
  refuse_if(header_free < 0 || data_align < 0 || fixed_free < 0 || record_align < 0, NC_EINVAL);
  // No variable of CDF-1 can begin behind it. Refused before the engine sees it, so that the program may ask for less.
  refuse_if(own.format == NC_FORMAT_CLASSIC && own.variable_count() > 0 && header_free > NC_MAX_INT, NC_EVARSIZE);
  return end_define(own, {header_free, data_align, fixed_free, record_align});
}

}  // namespace sv::pnetcdf
