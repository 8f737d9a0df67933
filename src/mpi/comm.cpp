#include "mpi/comm.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>
#include <utility>

#include "base/error.hpp"

namespace sv {

void check_mpi(int code, const char *what) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw Error(Status::mpi, std::string(what) + " failed: " + std::string(text, static_cast<size_t>(length)),
              "Check that all ranks and nodes of the job are alive");
}

bool is_done(MPI_Request &request) {
  int done = 0;
  check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
  return done != 0;
}

void await(MPI_Request &request) {
  using namespace std::chrono;
  constexpr int yields = 32;
  constexpr nanoseconds longest = milliseconds(1);
  const auto begun = steady_clock::now();
  for (int looks = 0; !is_done(request); ++looks) {
    if (looks < yields)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::min<nanoseconds>(longest, (steady_clock::now() - begun) / 16));
  }
}

int mpi_count(int64_t count) {
  if (count < 0 || count > std::numeric_limits<int>::max())
    throw Error(Status::limit, "a message of " + std::to_string(count) + " elements is more than MPI counts",
                "Make 'transport.window' smaller");
  return static_cast<int>(count);
}

Comm::Comm(MPI_Comm comm, bool returns_errors) : comm_(comm) {
  if (returns_errors) check_mpi(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check_mpi(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(comm_, &size_), "MPI_Comm_size");
}

Comm::Comm(Comm &&other) noexcept { *this = std::move(other); }

Comm &Comm::operator=(Comm &&other) noexcept {
  comm_ = std::exchange(other.comm_, MPI_COMM_NULL);
  rank_ = other.rank_;
  size_ = other.size_;
  return *this;
}

Comm Comm::duplicate_for_model(MPI_Comm comm) {
  MPI_Comm copy = MPI_COMM_NULL;
  check_mpi(MPI_Comm_dup(comm, &copy), "MPI_Comm_dup");
  return Comm(copy, false);
}

Comm Comm::duplicate(MPI_Comm comm) {
  MPI_Comm copy = MPI_COMM_NULL;
  check_mpi(MPI_Comm_dup(comm, &copy), "MPI_Comm_dup");
  return Comm(copy);
}

Comm Comm::split(int color) const {
  MPI_Comm part = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split(comm_, color, rank_, &part), "MPI_Comm_split");
  return Comm(part);
}

Comm Comm::split_shared(int most) const {
  MPI_Comm part = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &part), "MPI_Comm_split_type");
  Comm shared(part);
  if (most <= 0) return shared;
  Comm neighbours = shared.split(shared.rank() / most);
  shared.free();
  return neighbours;
}

void Comm::stir() const {
  constexpr int unused_tag = 32767;  // the largest that every MPI has
  int unused = 0;
  if (comm_ != MPI_COMM_NULL)
    check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, unused_tag, comm_, &unused, MPI_STATUS_IGNORE), "MPI_Iprobe");
}

void Comm::free() {
  if (comm_ != MPI_COMM_NULL) check_mpi(MPI_Comm_free(&comm_), "MPI_Comm_free");
}

void Comm::broadcast(void *data, int64_t bytes, int root) const {
  constexpr int64_t piece = 1 << 30;
  for (int64_t at = 0; at < bytes; at += piece)
    check_mpi(MPI_Bcast(static_cast<char *>(data) + at, mpi_count(std::min(piece, bytes - at)), MPI_BYTE, root, comm_),
              "MPI_Bcast");
}

/// Most texts are short: those need one message.
void Comm::broadcast(std::string &text, int root) const {
  struct {
    int64_t bytes;
    char begin[4096 - sizeof(int64_t)];
  } first{static_cast<int64_t>(text.size()), {}};
  text.copy(first.begin, sizeof first.begin);
  broadcast(&first, sizeof first, root);
  text.resize(static_cast<size_t>(first.bytes));
  const int64_t begin = std::min<int64_t>(first.bytes, sizeof first.begin);
  if (rank_ != root) std::copy_n(first.begin, begin, text.begin());
  broadcast(text.data() + begin, first.bytes - begin, root);
}

void Comm::all_gather_bytes(const void *mine, int64_t bytes, void *all) const {
  check_mpi(MPI_Allgather(mine, mpi_count(bytes), MPI_BYTE, all, mpi_count(bytes), MPI_BYTE, comm_), "MPI_Allgather");
}

void Comm::gather_bytes(const void *mine, int64_t bytes, void *all, int root) const {
  check_mpi(MPI_Gather(mine, mpi_count(bytes), MPI_BYTE, all, mpi_count(bytes), MPI_BYTE, root, comm_), "MPI_Gather");
}

/// Each rank first learns how many packets come, and receives them from any sender: it neither sends to ranks that
/// get no packet, nor waits for ranks that send none. No rank knows the number of the next exchange before all ranks
/// have received the packets of this one, so that they cannot mix.
std::vector<Packet> Comm::exchange(const std::vector<Packet> &outgoing) const {
  if (size_ == 1) return outgoing;
  constexpr int tag = 32764;  // of these messages only
  std::vector<int> to(static_cast<size_t>(size_), 0);
  for (const Packet &packet : outgoing) to[static_cast<size_t>(packet.rank)] = packet.bytes.empty() ? 0 : 1;
  int coming = 0;
  check_mpi(MPI_Reduce_scatter_block(to.data(), &coming, 1, MPI_INT, MPI_SUM, comm_), "MPI_Reduce_scatter_block");
  std::vector<MPI_Request> requests;
  for (const Packet &packet : outgoing)
    if (!packet.bytes.empty())
      check_mpi(MPI_Isend(packet.bytes.data(), mpi_count(std::ssize(packet.bytes)), MPI_BYTE, packet.rank, tag, comm_,
                          &requests.emplace_back(MPI_REQUEST_NULL)),
                "MPI_Isend");
  std::vector<Packet> incoming(static_cast<size_t>(coming));
  for (Packet &packet : incoming) {
    MPI_Status status;
    check_mpi(MPI_Probe(MPI_ANY_SOURCE, tag, comm_, &status), "MPI_Probe");
    int bytes = 0;
    check_mpi(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
    packet = {status.MPI_SOURCE, std::vector<std::byte>(static_cast<size_t>(bytes))};
    check_mpi(MPI_Recv(packet.bytes.data(), bytes, MPI_BYTE, packet.rank, tag, comm_, MPI_STATUS_IGNORE), "MPI_Recv");
  }
  check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  std::ranges::sort(incoming, {}, &Packet::rank);
  return incoming;
}

bool Comm::all_true(bool mine) const {
  int in = mine ? 1 : 0, out = 0;
  check_mpi(MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_MIN, comm_), "MPI_Allreduce");
  return out == 1;
}

void check_ready(MPI_Comm comm) {
  int begun = 0, over = 0;
  check_mpi(MPI_Initialized(&begun), "MPI_Initialized");
  check_mpi(MPI_Finalized(&over), "MPI_Finalized");
  if (begun == 0 || over != 0)
    throw Error(Status::order, "sv_init outside of MPI", "Call it between MPI_Init and MPI_Finalize");
  if (comm == MPI_COMM_NULL)
    throw Error(Status::invalid, "sv_init with MPI_COMM_NULL", "Call it on the ranks of the communicator only");
  int joins_two = 0;
  check_mpi(MPI_Comm_test_inter(comm, &joins_two), "MPI_Comm_test_inter");
  if (joins_two != 0)
    throw Error(Status::invalid, "sv_init with an intercommunicator",
                "Give it a communicator of all ranks, as MPI_Intercomm_merge makes one");
}

void require_mpi() {
  int over = 0;
  check_mpi(MPI_Finalized(&over), "MPI_Finalized");
  if (over != 0)
    throw Error(Status::order, "a call after MPI_Finalize", "Call sv_finalize, and all before it, before MPI_Finalize");
}

namespace {

int thread_level() {
  int level = MPI_THREAD_SINGLE;
  check_mpi(MPI_Query_thread(&level), "MPI_Query_thread");
  return level;
}

}  // namespace

bool may_have_threads() { return thread_level() != MPI_THREAD_SINGLE; }

bool may_call_from_threads() { return thread_level() == MPI_THREAD_MULTIPLE; }

double wall_seconds() { return MPI_Wtime(); }

std::string mpi_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  check_mpi(MPI_Get_library_version(text, &length), "MPI_Get_library_version");
  const std::string all(text, static_cast<size_t>(length));
  return all.substr(0, all.find_first_of(",\n"));
}

}  // namespace sv
