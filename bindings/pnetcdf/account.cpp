#include "account.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <initializer_list>

namespace sv::pnetcdf {

namespace {

const char *list_of_files() {
  const char *const named = std::getenv("SV_RUN_FILES");
  return named != nullptr && *named != '\0' ? named : nullptr;
}

/// A line of fields, which tabs separate. Other programs of the run may write lines at the same time: one call, at the
/// end.
void append(std::initializer_list<std::string> fields) {
  std::string line;
  for (const std::string &field : fields) {
    if (!line.empty()) line.push_back('\t');
    for (const char c : field) line.push_back(c == '\t' || c == '\n' ? ' ' : c);
  }
  line.push_back('\n');
  const int list = ::open(list_of_files(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (list < 0) return;
  [[maybe_unused]] const ssize_t written = ::write(list, line.data(), line.size());
  ::close(list);
}

}  // namespace

void tell_taken(MPI_Comm comm, const std::string &path, const Account &account, int code) {
  if (list_of_files() == nullptr) return;
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  std::array<int64_t, 4> sums{account.puts, account.gets, account.put_bytes, account.got_bytes};
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : sums.data(), sums.data(), 4, MPI_INT64_T, MPI_SUM, 0, comm);
  if (rank != 0) return;
  append({"taken", std::to_string(ranks), std::to_string(sums[0]), std::to_string(sums[1]), std::to_string(sums[2]),
          std::to_string(sums[3]), std::to_string(MPI_Wtime() - account.opened), std::to_string(code), path});
}

void tell_left(MPI_Comm comm, const std::string &path, const std::string &reason) {
  if (list_of_files() == nullptr) return;
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  if (rank == 0) append({"left", std::to_string(ranks), reason, path});
}

}  // namespace sv::pnetcdf
