// The gate: ranks that come in any order agree or differ, fail, have one of them do something, which finds what nodes
// have sent to it, and read what the others have enclosed. The actions of all ranks are drawn from one series of random
// numbers, the times when they come from one of their own.
// run: ranks=1 limit=60
// run: ranks=2 limit=60 hosts=1
// run: ranks=5 limit=120 hosts=1
// run: ranks=5 limit=120 hosts=1 name=nodes args=2
// run: ranks=5 limit=120 hosts=1 name=alone args=1
#include "transport/gate.hpp"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace sv;

constexpr int turns = 3000;

[[noreturn]] void give_up(int turn, const std::string &description) {
  std::fprintf(stderr, "FAILED in turn %d: %s\n", turn, description.c_str());
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::_Exit(1);
}

/// In memory that all ranks share, also on pretended nodes: so they must be on one host.
struct Board {
  std::atomic<int> come;  // ranks, summed over turns
  std::atomic<int> done;  // the last turn in which a deed was done
};

Board *shared_board(const Comm &comm, MPI_Win &window) {
  void *base = nullptr;
  MPI_Aint bytes = comm.rank() == 0 ? sizeof(Board) : 0;
  int unit = 1;
  MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, comm.get(), &base, &window);
  MPI_Win_shared_query(window, 0, &bytes, &unit, &base);
  auto *const board = static_cast<Board *>(base);
  if (comm.rank() == 0) {
    board->come = 0;
    board->done = -1;
  }
  MPI_Barrier(comm.get());
  return board;
}

enum class Kind { plain, action, deed_fails, rank_fails, other_call, other_doer };

/// What happens in a turn: the same on all ranks.
struct Turn {
  Kind kind;
  int doer, odd;  // odd: the rank that fails or differs
};

Turn drawn(std::mt19937 &common, int ranks) {
  const auto below = [&](int end) { return static_cast<int>(common() % static_cast<unsigned>(end)); };
  Turn turn{static_cast<Kind>(below(6)), below(ranks), below(ranks)};
  if (turn.kind > Kind::rank_fails && ranks == 1) turn.kind = Kind::rank_fails;
  return turn;
}

std::vector<std::byte> enclosed_in(int turn, int rank) {
  const auto length = static_cast<size_t>((turn * 7 + rank * 131) % (enclosure_bytes + 1));
  return {length, static_cast<std::byte>(turn + rank)};
}

/// Words that travel, of any length for which a ballot has room besides the library's own.
std::string words_of(int turn, const char *begin) {
  return begin + std::string(static_cast<size_t>(turn * 37 % 1900), static_cast<char>('a' + turn % 26));
}
std::string call_of(int turn) { return words_of(turn % 5, "call "); }

/// What the ranks of a node send in a turn: at times nothing, at times more than a message that MPI sends at once.
std::vector<std::byte> sent_in(int turn, int node) {
  const auto length = static_cast<size_t>((turn * 5 + node * 31) % 9 * 700);
  return {length, static_cast<std::byte>(turn + 3 * node)};
}

class Trial {
 public:
  Trial(const Node &node, Gate &gate, Board &board)
      : comm_(node.comm()), node_(node), gate_(gate), board_(board), own_(17 + comm_.rank()) {}

  void pass(int number, const Turn &turn);

 private:
  void dawdle() {
    if (own_() % 8 == 0) usleep(static_cast<useconds_t>(own_() % 300));
  }
  void judge(int number, const Turn &turn, const std::string &failure) const;
  void look_at_enclosed(int number) const;
  void look_at_sent(int number) const;

  const Comm &comm_;
  const Node &node_;
  Gate &gate_;
  Board &board_;
  std::mt19937 own_;
};

void Trial::pass(int number, const Turn &turn) {
  const int rank = comm_.rank();
  const bool odd = rank == turn.odd;
  const bool acts = turn.kind != Kind::plain;
  RootAction action{turn.doer, [&] {
                      if (rank != turn.doer) give_up(number, "another rank does the deed");
                      if (board_.come != (number + 1) * comm_.size())
                        give_up(number, "the deed is done before all have come");
                      if (gate_.last()[1] != number + comm_.size() - 1)
                        give_up(number, "the deed does not see what is agreed");
                      look_at_sent(number);
                      board_.done = number;
                      if (turn.kind == Kind::deed_fails)
                        throw Error(Status::io, words_of(number, "the deed has failed"), "None");
                    }};
  const std::vector<std::byte> sent = sent_in(number, node_.index());
  if (node_.local_rank() == 0) action.sent = sent;
  if (turn.kind == Kind::other_doer && odd) action.rank = (turn.doer + 1) % comm_.size();
  const Error own_error(Status::invalid, words_of(number, "this rank has failed"), "None");
  const bool fails = turn.kind == Kind::rank_fails && odd;
  const std::vector<std::byte> enclosed = enclosed_in(number, rank);
  GateInput brought{.values = {-rank, number + rank}, .enclosed = enclosed, .about = 5};
  if (acts && !fails) brought.action = &action;
  dawdle();
  ++board_.come;
  std::string failure;
  try {
    gate_.agree(turn.kind == Kind::other_call && odd ? 2 : 1, call_of(number), fails ? &own_error : nullptr, brought);
  } catch (const Error &error) {
    failure = error.what();
  }
  judge(number, turn, failure);
  dawdle();
  look_at_enclosed(number);
}

void Trial::judge(int number, const Turn &turn, const std::string &failure) const {
  const bool done = board_.done == number;
  const auto expect = [&](bool should_be_done, const std::string &text) {
    if (failure.find(text) == std::string::npos || failure.empty() != text.empty())
      give_up(number, "'" + failure + "' in place of '" + text + "'");
    if (done != should_be_done) give_up(number, done ? "the deed was done" : "the deed was not done");
    if (gate_.deed_failed() != (turn.kind == Kind::deed_fails)) give_up(number, "whose failure it is, is wrong");
  };
  if (gate_.last()[0] != 0 || gate_.last()[1] != number + comm_.size() - 1) give_up(number, "the maxima are wrong");
  switch (turn.kind) {
    case Kind::plain:
      return expect(false, "");
    case Kind::action:
      return expect(true, "");
    case Kind::deed_fails:
      return expect(true, words_of(number, "the deed has failed"));
    case Kind::rank_fails:
      if (gate_.about() != 5) give_up(number, "what the error is about is lost");
      return expect(false, words_of(number, "this rank has failed"));
    default:
      return expect(false, "ranks made different calls");
  }
}

void Trial::look_at_enclosed(int number) const {
  for (int rank = 0; rank < comm_.size(); ++rank) {
    const std::vector<std::byte> expected = enclosed_in(number, rank);
    if (!std::ranges::equal(gate_.enclosed_by(rank), expected))
      give_up(number, "what a rank has enclosed is not there");
  }
}

void Trial::look_at_sent(int number) const {
  for (int node = 0; node < node_.topology().nodes(); ++node) {
    const std::vector<std::byte> expected = sent_in(number, node);
    if (node != node_.index() && !std::ranges::equal(gate_.sent_by(node), expected))
      give_up(number, "what a node has sent is not there");
  }
}

void run(int ranks_per_node) {
  Comm comm = Comm::duplicate(MPI_COMM_WORLD);
  MPI_Win window = MPI_WIN_NULL;
  Board *const board = shared_board(comm, window);
  {
    Node node(comm, {.window_bytes = 1 << 20,
                     .ranks_per_node = ranks_per_node,
                     .share_memory = true,
                     .must_share_memory = true,
                     .watchdog_seconds = 60});
    Gate gate(node);
    if (!gate.carries(enclosure_bytes)) give_up(-1, "what the gate can do is wrong");
    std::mt19937 common(4);
    Trial trial(node, gate, *board);
    for (int t = 0; t < turns; ++t) trial.pass(t, drawn(common, comm.size()));
    node.free();
  }
  MPI_Win_free(&window);
  comm.free();
}

/// A rank works for longer than the watchdog's limit before it enters the gate, and counts its work: the others
/// wait for it. If it is alone on its node, no rank sees that.
void wait_for_work(int ranks_per_node) {
  Comm comm = Comm::duplicate(MPI_COMM_WORLD);
  {
    Node node(comm, {.window_bytes = 1 << 20,
                     .ranks_per_node = ranks_per_node,
                     .share_memory = true,
                     .must_share_memory = true,
                     .watchdog_seconds = 2});
    Gate gate(node);
    for (const int worker : std::set<int>{1, comm.size() - 1}) {
      const bool is_seen =
          comm.size() > 1 && (node.topology().nodes() == 1 || worker % std::max(ranks_per_node, 1) != 0);
      for (int piece = 0; is_seen && comm.rank() == worker && piece < 7; ++piece) {
        usleep(400000);
        node.progress().count();
      }
      gate.agree(1, "after work", nullptr);
    }
    node.free();
  }
  comm.free();
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  try {
    run(argc > 1 ? std::atoi(argv[1]) : 0);
    wait_for_work(argc > 1 ? std::atoi(argv[1]) : 0);
  } catch (const std::exception &error) {
    give_up(-1, error.what());
  }
  MPI_Finalize();
}
