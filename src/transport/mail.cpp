#include "transport/mail.hpp"

#include <utility>

namespace sv {

void Outbox::post(int rank, int tag, EncodedMessage message) {
  in_flight_.push_back({MPI_REQUEST_NULL, std::move(message)});
  Sent &sent = in_flight_.back();
  check_mpi(MPI_Issend(sent.message.data(), mpi_count(std::ssize(sent.message)), MPI_BYTE, rank, tag, comm_.get(),
                       &sent.request),
            "MPI_Issend");
}

void Outbox::progress() {
  std::erase_if(in_flight_, [](Sent &sent) { return is_done(sent.request); });
}

void Outbox::abandon() {
  for (Sent &sent : in_flight_) new EncodedMessage(std::move(sent.message));
  in_flight_.clear();
}

std::optional<EncodedMessage> take_message(const Comm &comm, int rank, int tag) {
  int found = 0, bytes = 0;
  MPI_Message matched = MPI_MESSAGE_NULL;
  MPI_Status status;
  check_mpi(MPI_Improbe(rank, tag, comm.get(), &found, &matched, &status), "MPI_Improbe");
  if (found == 0) return std::nullopt;
  check_mpi(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
  EncodedMessage message(static_cast<size_t>(bytes));
  check_mpi(MPI_Mrecv(message.data(), bytes, MPI_BYTE, &matched, MPI_STATUS_IGNORE), "MPI_Mrecv");
  return message;
}

}  // namespace sv
