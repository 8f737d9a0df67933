#include "backend/mpi_peers.hpp"

#include <utility>

namespace sv {

/// Where ranks have failed, no rank may be there to receive: then the numbers stay for MPI.
MpiPeers::~MpiPeers() {
  static auto &kept = *new std::list<Sent>;
  for (auto each = sent_.begin(); each != sent_.end();) {
    int done = 0;
    const auto next = std::next(each);
    if (MPI_Test(&each->request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done == 0)
      kept.splice(kept.end(), sent_, each);
    each = next;
  }
}

void MpiPeers::agree(const std::optional<Error> &error) {
  // The lowest rank that failed, and the data of its text.
  int first = error ? rank() : size();
  const Watch watched = watch("an agreement of the writers");
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm_, &request), "MPI_Iallreduce");
  await(request);
  if (first == size()) return;
  std::string text = error ? error->what() : "";
  int message[2] = {error ? static_cast<int>(error->status()) : 0, static_cast<int>(text.size())};
  check_mpi(MPI_Bcast(message, 2, MPI_INT, first, comm_), "MPI_Bcast");
  text.resize(static_cast<size_t>(message[1]));
  check_mpi(MPI_Bcast(text.data(), message[1], MPI_CHAR, first, comm_), "MPI_Bcast");
  throw Error::from_remote(static_cast<Status>(message[0]), text);
}

int64_t MpiPeers::largest(int64_t mine) {
  int64_t values[2] = {mine, mine < 0 ? 1 : 0};
  const Watch watched = watch("an agreement of the writers");
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, values, 2, MPI_INT64_T, MPI_MAX, comm_), "MPI_Allreduce");
  return values[1] != 0 ? 0 : values[0];
}

void MpiPeers::broadcast(std::vector<int64_t> &numbers) {
  if (alone()) return;
  const Watch watched = watch("the owner's description of the file");
  auto count = std::ssize(numbers);
  MPI_Request request = MPI_REQUEST_NULL;  // the owner may have much to do before
  check_mpi(MPI_Ibcast(&count, 1, MPI_INT64_T, 0, comm_, &request), "MPI_Ibcast");
  await(request);
  numbers.resize(static_cast<size_t>(count));
  constexpr int64_t step = int64_t{1} << 24;  // MPI counts have 32 bits
  for (int64_t at = 0; at < count; at += step)
    check_mpi(MPI_Bcast(numbers.data() + at, static_cast<int>(std::min(step, count - at)), MPI_INT64_T, 0, comm_),
              "MPI_Bcast");
}

void MpiPeers::send(int to, int tag, std::vector<int64_t> numbers) {
  std::erase_if(sent_, [](Sent &each) { return is_done(each.request); });
  sent_.push_back({std::move(numbers), MPI_REQUEST_NULL});
  Sent &made = sent_.back();
  check_mpi(
      MPI_Isend(made.numbers.data(), static_cast<int>(made.numbers.size()), MPI_INT64_T, to, tag, comm_, &made.request),
      "MPI_Isend");
}

std::vector<int64_t> MpiPeers::receive(int from, int tag) {
  const Watch watched = watch("the placing of chunks");
  MPI_Status status;
  int count = 0;
  check_mpi(MPI_Probe(from, tag, comm_, &status), "MPI_Probe");
  check_mpi(MPI_Get_count(&status, MPI_INT64_T, &count), "MPI_Get_count");
  std::vector<int64_t> numbers(static_cast<size_t>(count));
  check_mpi(MPI_Recv(numbers.data(), count, MPI_INT64_T, from, tag, comm_, MPI_STATUS_IGNORE), "MPI_Recv");
  return numbers;
}

}  // namespace sv
