#include "contexts.hpp"

#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>

#include "calls.hpp"

namespace sv::pnetcdf {

namespace {

/// Never destroyed: destructors of the program may still end MPI.
std::deque<Context> &contexts() {
  static auto *const all = new std::deque<Context>;
  return *all;
}
std::mutex changing;  // of the list: it only grows, until MPI ends

/// Before MPI ends: files that the program left open are closed, as their data are PnetCDF's file by then, too. All
/// ranks do so in the same order, in which they made them.
int end_all(MPI_Comm, int, void *, void *) {
  for (Dataset *const each : datasets()) answered([&] { return close(*each); });
  for (const Context &each : contexts()) sv_finalize(each.io);
  contexts().clear();
  return MPI_SUCCESS;
}

/// MPI_Finalize begins with the attributes of MPI_COMM_SELF (MPI 3.1, section 8.7.1).
void end_with_mpi() {
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_all, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
  MPI_Comm_free_keyval(&key);
}

/// All ranks of the program compute: none can serve.
const char *servers() {
  const char *const wanted = std::getenv("SV_SERVERS");
  return wanted != nullptr && std::strcmp(wanted, "threads") == 0 ? "servers=threads" : "servers=0";
}

}  // namespace

const Context *context_of(MPI_Comm comm, std::string &reason) {
  {
    const std::scoped_lock lock(changing);
    for (const Context &each : contexts()) {
      int how = MPI_UNEQUAL;
      MPI_Comm_compare(each.comm, comm, &how);
      if (how == MPI_IDENT || how == MPI_CONGRUENT) return &each;
    }
  }
  // What PnetCDF does, and what its files are.
  const char *const options[] = {"store=cdf",  "format=auto",       "combine=off", "overlap=allow",
                                 "fill=false", "out_of_range=fill", servers()};
  Context made;
  const int status = sv_init(comm, nullptr, static_cast<int>(std::size(options)), options, &made.io);
  if (status != SV_OK) {
    reason = std::string("Sverdrup cannot begin: ") + sv_message();
    return nullptr;
  }
  sv_model_comm(made.io, &made.comm);
  MPI_Comm_size(made.comm, &made.ranks);
  const std::scoped_lock lock(changing);
  if (contexts().empty()) end_with_mpi();
  return &contexts().emplace_back(made);
}

}  // namespace sv::pnetcdf
