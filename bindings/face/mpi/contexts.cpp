#include "contexts.hpp"

#include <cstdlib>
#include <cstring>
#include <deque>
#include <vector>

#include "base/mutex.hpp"

namespace sv::face {

namespace {

struct Kept {
  Context context;
  const ContextOptions *options;
};

struct Contexts {
  Mutex mutex;
  std::deque<Kept> all SV_GUARDED_BY(mutex);  // it only grows, until MPI ends
};

/// Never destroyed: destructors of the program may still end MPI.
Contexts &contexts() {
  static auto *const one = new Contexts;
  return *one;
}

/// Before MPI ends: files that the program left open are closed, as their data are the real library's file by then,
/// too. All ranks do so in the same order, in which they made them.
int end_all(MPI_Comm, int, void *, void *) {
  std::deque<Kept> ending;
  {
    const MutexLock lock(contexts().mutex);
    ending.swap(contexts().all);
  }
  for (const Kept &each : ending) each.options->close_all();
  for (const Kept &each : ending) sv_finalize(each.context.io);
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
const char *servers() { return asks_for_threads() ? "async=threads" : "async=none"; }

}  // namespace

bool asks_for_threads() {
  for (const char *const variable : {"SV_ASYNC", "SV_ASYNC_MODE"})
    if (const char *const mode = std::getenv(variable)) return std::strcmp(mode, "threads") == 0;
  return false;
}

const Context *context_of(MPI_Comm comm, const ContextOptions &options, std::string &reason) {
  Contexts &known = contexts();
  {
    const MutexLock lock(known.mutex);
    for (const Kept &each : known.all) {
      int how = MPI_UNEQUAL;
      if (each.options != &options) continue;
      MPI_Comm_compare(each.context.comm, comm, &how);
      if (how == MPI_IDENT || how == MPI_CONGRUENT) return &each.context;
    }
  }
  std::vector<const char *> all(options.options.begin(), options.options.end());
  all.push_back(servers());
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  const std::string writers = "writers=" + std::to_string(ranks);
  if (options.all_write) all.push_back(writers.c_str());
  Context made;
  const int status = sv_init(comm, nullptr, static_cast<int>(all.size()), all.data(), &made.io);
  if (status != SV_OK) {
    reason = std::string("Sverdrup cannot begin: ") + sv_message();
    return nullptr;
  }
  sv_model_comm(made.io, &made.comm);
  MPI_Comm_size(made.comm, &made.ranks);
  const MutexLock lock(known.mutex);
  if (known.all.empty()) end_with_mpi();
  return &known.all.emplace_back(Kept{made, &options}).context;
}

}  // namespace sv::face
