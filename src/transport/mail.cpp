#include "transport/mail.hpp"

#include <utility>

namespace sv {

void Outbox::post(int rank, int tag, Letter letter) {
  under_way_.push_back({MPI_REQUEST_NULL, std::move(letter)});
  Sent &sent = under_way_.back();
  check_mpi(MPI_Issend(sent.letter.data(), mpi_count(std::ssize(sent.letter)), MPI_BYTE, rank, tag, comm_.get(),
                       &sent.request),
            "MPI_Issend");
}

void Outbox::progress() {
  std::erase_if(under_way_, [](Sent &sent) { return is_done(sent.request); });
}

void Outbox::abandon() {
  for (Sent &sent : under_way_) new Letter(std::move(sent.letter));
  under_way_.clear();
}

std::optional<Letter> take_letter(const Comm &comm, int rank, int tag) {
  int found = 0, bytes = 0;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  check_mpi(MPI_Improbe(rank, tag, comm.get(), &found, &message, &status), "MPI_Improbe");
  if (found == 0) return std::nullopt;
  check_mpi(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
  Letter letter(static_cast<size_t>(bytes));
  check_mpi(MPI_Mrecv(letter.data(), bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE), "MPI_Mrecv");
  return letter;
}

}  // namespace sv
