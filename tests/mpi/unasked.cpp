// A model that divides its grid among all ranks, while some of them serve, gets an error that names the call to use.
// run: ranks=4 limit=60
#include "support/check.hpp"

int main(int argc, char **argv) {
  using namespace svtest;
  MPI_Init(&argc, &argv);
  const int rank = rank_in(MPI_COMM_WORLD), ranks = size_of(MPI_COMM_WORLD);
  for (const int servers : {1, 2})
    for (const bool points : {false, true}) {
      sv_context *io = start(MPI_COMM_WORLD, {"async=servers:" + std::to_string(servers), "transport.window=1MiB"});
      const int64_t shape = 4 * ranks, first = 4 * rank, count = 4;
      std::vector<int64_t> cells;
      for (int64_t cell = first; cell < first + count; ++cell) cells.push_back(cell);
      sv_decomp *decomp = nullptr;
      // No rank asks sv_is_model.
      const int status = points ? sv_def_points(io, 1, &shape, count, cells.data(), 0, &decomp)
                                : sv_def_decomp(io, 1, &shape, &first, &count, nullptr, &decomp);
      const std::string text = sv_message();
      const bool serves = text.find("this rank was a server") != std::string::npos;
      require(status == (serves ? SV_EORDER : SV_ELAYOUT), text);
      const std::string many = servers == 1 ? "1 rank serves" : "2 ranks serve";
      for (const std::string &part :
           {std::string("no rank owns"), many, std::string("sv_is_model"), std::string("sv_model_comm")})
        require(serves || text.find(part) != std::string::npos, text + ": without '" + part + "'");
      SV_MUST(sv_finalize(io));
    }
  return MPI_Finalize();
}
