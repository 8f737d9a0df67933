#include <dlfcn.h>

#include <cstring>
#include <mutex>

#include "tracer/mpi.hpp"
#include "tracer/open_files.hpp"

namespace sv::profile {
namespace {

thread_local const char *innermost = nullptr;

// An object of OpenMPI: that of the whole program comes before the library's own, since a program may hold the object
// itself (by a copy relocation), which the library then uses too.
Word object(const void *function, const char *name) {
  void *const global = dlsym(RTLD_DEFAULT, name);
  return reinterpret_cast<Word>(global != nullptr ? global : sibling_of(function, name));
}

// The handles of the ABIs: ompi_mpi_* of OpenMPI are the objects that they point to; mpi.h of MPICH; MPI 5.0,
// section 20.3.
void find_constants(const void *function, MpiLibrary &mpi) {
  Dl_info where;
  const bool known = mpi.comm_size != nullptr && dladdr(reinterpret_cast<const void *>(mpi.comm_size), &where) != 0;
  if (known && std::strstr(where.dli_fname, "libmpi_abi") != nullptr) {
    mpi.comm_world = 0x101;
    mpi.datatype_null = 0x200;
    mpi.info_null = 0x130;
  } else if (sibling_of(function, "ompi_mpi_comm_world") != nullptr) {
    mpi.comm_world = object(function, "ompi_mpi_comm_world");
    mpi.datatype_null = object(function, "ompi_mpi_datatype_null");
    mpi.info_null = object(function, "ompi_mpi_info_null");
  } else {
    mpi.numbers = true;
    mpi.comm_world = 0x44000000;
    mpi.datatype_null = 0x0c000000;
    mpi.info_null = 0x1c000000;
  }
}

MpiLibrary found_through(const void *function) {
  MpiLibrary mpi;
  find_sibling(mpi.comm_size, function, "PMPI_Comm_size");
  find_sibling(mpi.comm_rank, function, "PMPI_Comm_rank");
  find_sibling(mpi.type_size, function, "PMPI_Type_size");
  find_sibling(mpi.type_size_long, function, "PMPI_Type_size_x");
  find_sibling(mpi.initialized, function, "PMPI_Initialized");
  find_sibling(mpi.file_get_info, function, "PMPI_File_get_info");
  find_sibling(mpi.info_get_nkeys, function, "PMPI_Info_get_nkeys");
  find_sibling(mpi.info_get_nthkey, function, "PMPI_Info_get_nthkey");
  find_sibling(mpi.info_get, function, "PMPI_Info_get");
  find_sibling(mpi.info_free, function, "PMPI_Info_free");
  find_constants(function, mpi);
  return mpi;
}

}  // namespace

const MpiLibrary &mpi_library(const void *function) {
  static const MpiLibrary library = found_through(function);
  return library;
}

int64_t MpiLibrary::ranks(Word communicator) const {
  int ranks = -1;
  return comm_size != nullptr && comm_size(communicator, &ranks) == 0 ? ranks : -1;
}

int64_t MpiLibrary::rank(Word communicator) const {
  int rank = -1;
  return comm_rank != nullptr && comm_rank(communicator, &rank) == 0 ? rank : -1;
}

int64_t MpiLibrary::type_bytes(Word datatype) const {
  if (same(datatype, datatype_null)) {
    return 0;
  }
  int64_t bytes = -1;
  if (type_size_long != nullptr) {
    return type_size_long(datatype, &bytes) == 0 ? bytes : -1;
  }
  int few = -1;
  return type_size != nullptr && type_size(datatype, &few) == 0 ? few : -1;
}

MpiCall::MpiCall(TracedName &function, const void *real, bool only_within)
    : library_(mpi_library(real)), outer_(innermost) {
  if (outer_ == nullptr || std::strcmp(outer_, function.name()) != 0) {
    call_.emplace(function, only_within);
    if (*call_) {
      describe_world(call_->recorder(), library_);
    }
  }
  innermost = function.name();
}

MpiCall::~MpiCall() { innermost = outer_; }

void describe_world(trace::Recorder &recorder, const MpiLibrary &library) {
  trace::Header &header = recorder.header();
  int initialized = 0;
  if ((header.flags.load(std::memory_order_relaxed) & trace::initialized_mpi) != 0 || library.initialized == nullptr ||
      library.initialized(&initialized) != 0 || initialized == 0) {
    return;
  }
  header.rank = static_cast<int32_t>(library.rank(library.comm_world));
  header.ranks = static_cast<int32_t>(library.ranks(library.comm_world));
  header.mpi_start_ns = recorder.now_ns();
  header.flags |= trace::initialized_mpi;
}

}  // namespace sv::profile
