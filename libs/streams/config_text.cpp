#include "config_text.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "failure.hpp"

namespace sv::streams {

namespace {

void must_mpi(int code, const char *call) {
  if (code != MPI_SUCCESS)
    throw Failure(SV_EMPI, std::string(call) + " failed", "The communicator's error handler may report more");
}

void share(MPI_Comm comm, std::string &text) {
  auto length = static_cast<int>(text.size());
  must_mpi(MPI_Bcast(&length, 1, MPI_INT, 0, comm), "MPI_Bcast");
  text.resize(static_cast<size_t>(length));
  must_mpi(MPI_Bcast(text.data(), length, MPI_CHAR, 0, comm), "MPI_Bcast");
}

/// Returns errno of a file that cannot be read, or 0.
int read_file(const std::string &path, std::string &text) {
  errno = 0;
  std::ifstream in(path);
  std::ostringstream all;
  if (in) all << in.rdbuf();
  text = all.str();
  if (in && in.peek() == std::ifstream::traits_type::eof()) return 0;
  return errno != 0 ? errno : EIO;
}

/// Returns errno of a file that cannot be written, or 0.
int write_file(const std::string &path, const std::string &text) {
  errno = 0;
  std::ofstream out(path);
  out << text;
  out.close();  // network file systems report a full disk only then
  if (out) return 0;
  return errno != 0 ? errno : EIO;
}

struct Ranks {
  explicit Ranks(sv_context *io) {
    must(sv_model_comm(io, &comm));
    must_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  }
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0;
};

}  // namespace

void write_for_all(sv_context *io, const char *variable, const std::function<std::string()> &text) {
  const Ranks ranks(io);
  std::string path;
  int problem = 0;
  if (const char *const named = ranks.rank == 0 ? std::getenv(variable) : nullptr; named != nullptr) path = named;
  if (!path.empty()) problem = write_file(path, text());
  must_mpi(MPI_Bcast(&problem, 1, MPI_INT, 0, ranks.comm), "MPI_Bcast");
  if (problem == 0) return;
  share(ranks.comm, path);
  throw Failure(SV_EACCESS, path + ": the file cannot be written: " + std::strerror(problem),
                std::string("Check the path in ") + variable);
}

ConfigText read_config_text(sv_context *io, const char *path) {
  const auto [comm, rank] = Ranks(io);
  int problem = 0;
  ConfigText made;
  if (rank == 0) {
    const char *const named = path != nullptr ? path : std::getenv("SV_CONFIG");
    if (named != nullptr) made.path = named;
    if (!made.path.empty()) problem = read_file(made.path, made.text);
  }
  share(comm, made.path);
  share(comm, made.text);
  must_mpi(MPI_Bcast(&problem, 1, MPI_INT, 0, comm), "MPI_Bcast");
  if (problem != 0)
    throw Failure(problem == ENOENT ? SV_ENOTFOUND : SV_EACCESS,
                  made.path + ": the configuration of streams cannot be read: " + std::strerror(problem),
                  "Check the path given to sv_open_streams, or SV_CONFIG");
  return made;
}

}  // namespace sv::streams
