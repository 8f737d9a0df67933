#include "run.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <optional>
#include <string>

namespace sv::grid {

namespace {

/// What `work` throws.
std::optional<Failure> failure_of(const std::function<void()> &work) {
  try {
    work();
    return std::nullopt;
  } catch (const Failure &failure) {
    return failure;
  } catch (const ReportedFailure &failure) {
    return Failure(failure.status, sv_message(), "");
  } catch (const std::bad_alloc &) {
    return Failure(SV_ENOMEM, "no memory to prepare the grid", "Use a node with more memory, or a coarser grid");
  } catch (const std::exception &error) {
    return Failure(SV_EINTERNAL, std::string("unexpected: ") + error.what(), "Please report it");
  }
}

}  // namespace

void must(int status) {
  if (status != SV_OK) throw ReportedFailure{status};
}

Run::Run(MPI_Comm comm) : comm_(comm) {
  const char *const options[] = {"async=none", "summary.table?=false"};
  must(sv_init(comm, nullptr, 2, options, &io_));
}

void Run::finish() {
  sv_context *const io = io_;
  io_ = nullptr;
  must(sv_finalize(io));
}

void Run::close() noexcept {
  if (io_ != nullptr) sv_finalize(io_);  // the error that led here is reported
  io_ = nullptr;
}

void Run::on_all(const std::function<void()> &work) {
  const auto failure = failure_of(work);
  if (failure) must(sv_refuse(io_, failure->status, failure->what(), failure->remedy.c_str()));
  must(sv_end_step(io_));  // every rank gets the error
}

void Run::on_root(const std::function<void()> &work) {
  std::optional<Failure> failure;
  if (is_root()) failure = failure_of(work);
  int failed = failure.has_value() ? 1 : 0;
  share(&failed, 1);
  if (failed == 0) return;
  on_all([&] {
    if (failure) throw *failure;
  });
}

void Run::closing(sv_file *file, const std::function<void()> &work) {
  try {
    work();
  } catch (...) {
    sv_close(file);  // the error that led here is reported
    throw;
  }
  must(sv_close(file));
}

bool Run::is_root() {
  int rank = 0;
  must_mpi(MPI_Comm_rank(comm_, &rank), "MPI_Comm_rank");
  return rank == 0;
}

void Run::share_bytes(void *bytes, size_t count) {
  constexpr size_t most = std::numeric_limits<int>::max();
  for (size_t done = 0; done < count; done += most)
    must_mpi(MPI_Bcast(static_cast<char *>(bytes) + done, static_cast<int>(std::min(most, count - done)), MPI_BYTE, 0,
                       comm_),
             "MPI_Bcast");
}

/// MPI's errors end the job, unless the communicator returns them.
void Run::must_mpi(int code, const char *call) {
  if (code == MPI_SUCCESS) return;
  on_all([&] {
    throw Failure(SV_EMPI, std::string(call) + " failed", "The communicator's error handler may report more");
  });
}

}  // namespace sv::grid
