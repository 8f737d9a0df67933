// Where sv_init fails on some ranks, all of them get the error, also those that would serve. After MPI_Finalize a call
// is an error, not the end of the process.
// run: ranks=4 limit=60
// run: ranks=4 limit=60 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
#include "support/test_file.hpp"
#include "support/verdict.hpp"

namespace {

using namespace svtest;

int init(MPI_Comm comm, const std::vector<std::string> &options, sv_context **io) {
  std::vector<const char *> texts;
  for (const std::string &option : options) texts.push_back(option.c_str());
  return sv_init(comm, nullptr, static_cast<int>(texts.size()), texts.data(), io);
}

/// More memory than there is: for the windows of models, and for those of servers, which need some for primaries.
void no_memory() {
  sv_context *io = nullptr;
  for (const char *servers : {"async=none", "async=servers:1", "async=servers:3"}) {
    const std::string description = std::string("windows that are too large, ") + servers;
    for (const char *how : {"transport=auto", "transport=place"})
      expect(description, {SV_ENOMEM, {"memory"}}, [&] {
        return init(MPI_COMM_WORLD, {"transport.window=1000GiB", how, servers}, &io);
      });
    require(io == nullptr, description + ": a context");
  }
  expect("rings that are too large", {SV_ENOMEM, {"async.memory"}}, [&] {
    return init(MPI_COMM_WORLD, {"async.memory=1000GiB", "async=servers:2"}, &io);
  });
}

void null_pointer() {
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  for (int wrong : {0, ranks - 1})
    for (const char *servers : {"async=none", "async=servers:1"}) {
      sv_context *io = nullptr;
      expect("no place for the context", {SV_EINVAL, {"'io'", "rank " + std::to_string(wrong)}}, [&] {
        return init(MPI_COMM_WORLD, {servers, "transport.window=1MiB"}, rank == wrong ? nullptr : &io);
      });
      require(io == nullptr, "a context, where one rank has none");
    }
}

void intercommunicator() {
  const int rank = rank_in(MPI_COMM_WORLD);
  MPI_Comm half = MPI_COMM_NULL, both = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 7, &both);
  sv_context *io = nullptr;
  expect("an intercommunicator", {SV_EINVAL, {"intercommunicator", "MPI_Intercomm_merge"}},
         [&] { return init(both, {"transport.window=1MiB"}, &io); });
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
}

// A remainder when MPI has ended, which cannot be freed.
sv_context *left = nullptr;
sv_file *left_file = nullptr;
sv_decomp *left_decomp = nullptr;

void leave_something() {
  const int rank = rank_in(MPI_COMM_WORLD);
  const int64_t cells = size_of(MPI_COMM_WORLD), first = rank, one = 1;
  left = start(MPI_COMM_WORLD, {"transport.window=1MiB"});
  SV_MUST(sv_def_decomp(left, 1, &cells, &first, &one, nullptr, &left_decomp));
  left_file = make_file(left, "left.nc", 0, {{"time", SV_UNLIMITED}, {"x", cells}}, {{"a", SV_INT, {"time", "x"}}});
}

void refused(int status, const std::string &call) {
  if (status == SV_EORDER && std::string(sv_message()).find("MPI_Finalize") != std::string::npos) return;
  std::fprintf(stderr, "FAILED: %s after MPI_Finalize: %s, %s\n", call.c_str(), sv_strerror(status), sv_message());
  std::exit(1);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  no_memory();
  null_pointer();
  intercommunicator();
  SV_MUST(sv_finalize(start(MPI_COMM_WORLD, {"async=servers:1", "transport.window=1MiB"})));  // all is well again
  leave_something();
  MPI_Finalize();
  const int value = 1;
  sv_context *io = nullptr;
  refused(sv_put(left_file, 0, left_decomp, 0, SV_INT, &value, nullptr), "sv_put");
  refused(sv_end_step(left), "sv_end_step");
  refused(sv_sync(left_file), "sv_sync");
  refused(sv_close(left_file), "sv_close");
  refused(sv_create(left, "new.nc", 0, &left_file), "sv_create");
  refused(sv_finalize(left), "sv_finalize");
  refused(sv_init(MPI_COMM_WORLD, nullptr, 0, nullptr, &io), "sv_init");
  return 0;
}
