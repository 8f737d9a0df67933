#include "environment.hpp"

#include <sverdrup/sverdrup.h>
#include <sys/statfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "method.hpp"

namespace sv_bench {

namespace {

std::string library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string version(text, static_cast<size_t>(length));
  return version.substr(0, version.find_first_of(",\n"));
}

std::string file_system(const std::string &directory) {
  struct statfs status {};
  if (statfs(directory.c_str(), &status) != 0) return "unknown";
  switch (static_cast<unsigned long>(status.f_type)) {
    case 0x01021994:
      return "tmpfs";
    case 0xEF53:
      return "ext";
    case 0x58465342:
      return "xfs";
    case 0x9123683E:
      return "btrfs";
    case 0x794C7630:
      return "overlay";
    case 0x6969:
      return "nfs";
    case 0x0BD00BD0:
      return "lustre";
    case 0x65735546:
      return "fuse";
    default:
      return "type " + std::to_string(static_cast<unsigned long>(status.f_type));
  }
}

bool is_open_mpi() { return library_version().find("Open MPI") == 0; }

// The names of the MPI's control variables.
std::vector<std::string> control_variables() {
  int given = 0, count = 0;
  std::vector<std::string> names;
  // Open MPI takes the level that is requested here for the whole program, and reports it from then on.
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  if (MPI_T_init_thread(level, &given) != MPI_SUCCESS) return names;
  if (MPI_T_cvar_get_num(&count) != MPI_SUCCESS) count = 0;
  for (int k = 0; k < count; ++k) {
    char name[256], text[1];
    int length = sizeof name, text_length = sizeof text, verbosity = 0, bound_to = 0, scope = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_T_enum values = MPI_T_ENUM_NULL;
    if (MPI_T_cvar_get_info(k, name, &length, &verbosity, &type, &values, text, &text_length, &bound_to, &scope) ==
        MPI_SUCCESS)
      names.emplace_back(name);
  }
  MPI_T_finalize();
  return names;
}

// Open MPI does not report which component it chose. The available ones have control variables, once a file was opened:
// OMPIO wins, except on Lustre, where ROMIO does.
std::string open_mpi_component(const std::string &directory) {
  const std::string begin = "io_", end = "_priority";
  std::string romio;
  bool ompio = false;
  for (const std::string &name : control_variables()) {
    if (name.rfind(begin, 0) != 0 || name.size() <= begin.size() + end.size()) continue;
    if (name.compare(name.size() - end.size(), end.size(), end) != 0) continue;
    const std::string component = name.substr(begin.size(), name.size() - begin.size() - end.size());
    ompio = ompio || component == "ompio";
    if (component.rfind("romio", 0) == 0 && component.find('_') == std::string::npos) romio = component;
  }
  if (ompio && (romio.empty() || file_system(directory) != "lustre")) return "ompio";
  return romio.empty() ? "unknown" : romio;
}

nlohmann::json text_or_null(const std::string &text) { return text.empty() ? nlohmann::json() : nlohmann::json(text); }

}  // namespace

std::string mpi_io_component(MPI_Comm comm, const std::string &directory) {
  int run = getpid();  // as of Options
  if (MPI_Bcast(&run, 1, MPI_INT, 0, comm) != MPI_SUCCESS) throw std::runtime_error("MPI_Bcast fails");
  const std::string path = directory + "/sv-bench-" + std::to_string(run) + ".mpi-io";
  MPI_File file = MPI_FILE_NULL;
  const int mode = MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE;
  if (MPI_File_open(comm, path.c_str(), mode, MPI_INFO_NULL, &file) != MPI_SUCCESS)
    throw std::runtime_error("MPI_File_open cannot create a file in '" + directory + "'");
  const std::string component = is_open_mpi() ? open_mpi_component(directory) : "romio";
  if (MPI_File_close(&file) != MPI_SUCCESS) throw std::runtime_error("MPI_File_close fails in '" + directory + "'");
  return component;
}

nlohmann::json environment(const std::string &mpi_io, const std::string &directory) {
  utsname machine{};
  double load[1] = {-1};
  if (uname(&machine) != 0 || getloadavg(load, 1) != 1) load[0] = -1;
  nlohmann::json variables = nlohmann::json::object();
  for (char **entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::string name = text.substr(0, text.find('='));
    if (name.rfind("SV_SHIM", 0) == 0) continue;
    for (const char *prefix : {"SV_", "OMPI_MCA_io", "OMPI_MCA_btl", "ROMIO_", "PNETCDF_"}) {
      if (name.rfind(prefix, 0) == 0) variables[name] = text.substr(name.size() + 1);
    }
  }
  return {{"host", machine.nodename},
          {"system", std::string(machine.sysname) + " " + machine.release},
          {"cores", sysconf(_SC_NPROCESSORS_ONLN)},
          {"load_1min", load[0]},
          {"file_system", file_system(directory)},
          {"mpi", library_version()},
          {"mpi_io", mpi_io},
          {"sverdrup", sv_version()},
          {"pnetcdf", text_or_null(pnetcdf_version())},
          {"netcdf", text_or_null(netcdf_version())},
          {"variables", variables}};
}

}  // namespace sv_bench
