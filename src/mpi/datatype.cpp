#include "mpi/datatype.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "mpi/comm.hpp"

namespace sv {

Datatype::Datatype(MPI_Datatype datatype) : datatype_(datatype) {
  if (datatype == MPI_DATATYPE_NULL)
    throw Error(Status::invalid, "the MPI datatype is MPI_DATATYPE_NULL",
                "Pass MPI_DOUBLE and so on, or a derived one");
  form_ = form_of(datatype);
}

namespace {

constexpr int64_t most_bytes = std::numeric_limits<int>::max();

}  // namespace

// MPI has no call that asks. This one packs nothing, and its arguments are checked.
void Datatype::check_committed(MPI_Comm comm) const {
  char nothing = 0;
  int position = 0, kind = MPI_SUCCESS;
  const int code = MPI_Pack(&nothing, 0, datatype_, &nothing, 0, &position, comm);
  if (code == MPI_SUCCESS) return;
  check_mpi(MPI_Error_class(code, &kind), "MPI_Error_class");
  if (kind != MPI_ERR_TYPE) check_mpi(code, "MPI_Pack");
  throw Error(Status::invalid, "the MPI datatype is not committed", "Call MPI_Type_commit first");
}

void Datatype::check_copyable() const {
  if (form_.extents.size_bytes > most_bytes)
    throw Error(Status::limit, "an item of the MPI datatype has " + std::to_string(form_.extents.size_bytes) + " bytes",
                "MPI copies at most 2147483647 at once: use a smaller datatype, and more items");
}

int64_t Datatype::items_per_call() const { return most_bytes / std::max<int64_t>(1, form_.extents.size_bytes); }

// OpenMPI, MPICH and those made from them pack the values and nothing else; `position` shows it.
void Datatype::gather(const void *from, int64_t items, std::byte *to, MPI_Comm comm) const {
  const int64_t most = items_per_call();
  for (int64_t i = 0; i < items; i += most) {
    const int64_t now = std::min(most, items - i);
    const int bytes = mpi_count(now * form_.extents.size_bytes);
    int position = 0;
    check_mpi(MPI_Pack(static_cast<const std::byte *>(from) + i * form_.extents.extent_bytes, mpi_count(now), datatype_,
                       to + i * form_.extents.size_bytes, bytes, &position, comm),
              "MPI_Pack");
    if (position != bytes) throw Error(Status::mpi, "MPI_Pack adds to the values", "Use contiguous memory");
  }
}

void Datatype::scatter(const std::byte *from, int64_t items, void *to, MPI_Comm comm) const {
  const int64_t most = items_per_call();
  for (int64_t i = 0; i < items; i += most) {
    const int64_t now = std::min(most, items - i);
    int position = 0;
    check_mpi(
        MPI_Unpack(from + i * form_.extents.size_bytes, mpi_count(now * form_.extents.size_bytes), &position,
                   static_cast<std::byte *>(to) + i * form_.extents.extent_bytes, mpi_count(now), datatype_, comm),
        "MPI_Unpack");
  }
}

}  // namespace sv
