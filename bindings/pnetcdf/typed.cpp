// vard: an MPI datatype says where the values are in the file, from the beginning of a variable on, perhaps in several
// variables and records. It becomes a list of boxes for each variable that it meets.
#include <array>

#include "access.hpp"
#include "convert.hpp"
#include "places.hpp"
#include "transfer.hpp"

namespace sv::pnetcdf {

namespace {

/// The program's memory, contiguous: its own, or a copy.
struct Values {
  MPI_Datatype type = MPI_DATATYPE_NULL;  // of each; null: the variable's
  int64_t width = 0, count = 0;
  std::byte *data = nullptr;
  std::unique_ptr<std::byte[]> copy;
};

MPI_Datatype datatype_of(int type) {
  const std::array all{MPI_DATATYPE_NULL, MPI_SIGNED_CHAR,   MPI_CHAR,
                       MPI_SHORT,         MPI_INT,           MPI_FLOAT,
                       MPI_DOUBLE,        MPI_UNSIGNED_CHAR, MPI_UNSIGNED_SHORT,
                       MPI_UNSIGNED,      MPI_LONG_LONG_INT, MPI_UNSIGNED_LONG_LONG};
  return all[static_cast<size_t>(type)];
}

/// How many values a datatype has; throws for one that is not made of `type` alone. 0 also for none.
int64_t values_in_file(MPI_Datatype file_type, int type) {
  int bytes = 0;
  if (file_type == MPI_DATATYPE_NULL || MPI_Type_size(file_type, &bytes) != MPI_SUCCESS || bytes == 0) return 0;
  int found = -1;
  int64_t values = 0;
  const int status = sv_inq_datatype(file_type, 1, &found, &values, nullptr);
  refuse_if(status != SV_OK, found == 0 ? NC_EMULTITYPES : NC_EUNSPTETYPE);
  refuse_if(found != type, NC_ETYPE_MISMATCH);
  return values;
}

Values values_in_memory(const Dataset &own, const Access &access, int type, int64_t in_file) {
  Values values{access.datatype, type_bytes(type), in_file, static_cast<std::byte *>(access.data), nullptr};
  if (access.datatype == MPI_DATATYPE_NULL) return values;
  refuse_if(access.items < 0, NC_ENEGATIVECNT);
  int found = -1, is_contiguous = 0;
  int64_t in_item = 0;
  const int status = sv_inq_datatype(access.datatype, access.items, &found, &in_item, &is_contiguous);
  refuse_if(status != SV_OK, found == 0 ? NC_EMULTITYPES : NC_EUNSPTETYPE);
  refuse_if((found == SV_CHAR) != (type == NC_CHAR), NC_ECHAR);
  refuse_if(in_item * access.items != in_file, NC_EIOMISMATCH);
  values.type = datatype_of(found);
  values.width = type_bytes(found);
  if (is_contiguous != 0) return values;
  values.copy = std::make_unique<std::byte[]>(static_cast<size_t>(in_file * values.width));
  values.data = values.copy.get();
  if (access.direction == Direction::put)
    must(sv_gather_items(own.io, access.data, access.items, access.datatype, values.data));
  return values;
}

std::vector<Cells> cells_of(Dataset &own, const Access &access) {
  int64_t runs = 0, begin = 0;
  must(sv_inq_datatype_runs(access.file_type, &runs, nullptr, nullptr));
  std::vector<int64_t> offsets(static_cast<size_t>(runs)), lengths(offsets.size());
  must(sv_inq_datatype_runs(access.file_type, &runs, offsets.data(), lengths.data()));
  must(sv_inq_varoffset(own.file, access.variable, &begin));
  const Places places(own);
  std::vector<Cells> cells;
  for (size_t i = 0; i < offsets.size(); ++i) places.find(begin + offsets[i], lengths[i], cells);
  return cells;
}

/// A request for the cells of one variable. Borrows them.
CheckedAccess checked_access_of(Dataset &own, const Access &whole, Cells &cells, const Values &values, int64_t done) {
  std::vector<MPI_Offset *> starts, counts;
  for (size_t box = 0; box < cells.boxes(); ++box) {
    starts.push_back(cells.numbers.data() + 2 * box * cells.dims);
    counts.push_back(starts.back() + cells.dims);
  }
  Access access = whole;
  access.kind = Kind::list;
  access.variable = cells.variable;
  access.number = static_cast<int>(starts.size());
  access.starts = starts.data();
  access.counts = counts.data();
  access.data = values.data + done * values.width;
  access.datatype = values.type;
  access.items = values.type == MPI_DATATYPE_NULL ? -1 : cells.cells;
  return {own, access};
}

}  // namespace

int transfer_typed(Dataset &own, const Access &access) {
  std::vector<Posted> posted;
  Values values;
  const int code = answered([&] {
    check_mode(own, access);
    const int type = own.variable(access.variable).type;
    const bool asks_nothing = access.datatype != MPI_DATATYPE_NULL && access.items == 0;
    if (asks_nothing && access.timing == Timing::alone) return NC_NOERR;
    const int64_t in_file = values_in_file(access.file_type, type);
    if (in_file == 0 || asks_nothing) return NC_NOERR;
    values = values_in_memory(own, access, type, in_file);
    std::vector<Cells> cells = cells_of(own, access);
    std::vector<CheckedAccess> asking;
    int64_t done = 0;
    for (Cells &each : cells) {
      asking.push_back(checked_access_of(own, access, each, values, done));
      done += each.cells;
    }
    posted.reserve(asking.size());
    for (CheckedAccess &each : asking) posted.push_back(each.post());
    return NC_NOERR;
  });
  const int ended = ask(own, access, std::move(posted), code);
  const bool moved = code == NC_NOERR && (ended == NC_NOERR || ended == NC_ERANGE);
  if (moved && values.copy && access.direction == Direction::get)
    must(sv_scatter_items(own.io, values.data, access.items, access.datatype, access.data));
  return ended;
}

}  // namespace sv::pnetcdf
