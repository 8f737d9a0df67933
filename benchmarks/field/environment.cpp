#include "environment.hpp"

#include <sverdrup/sverdrup.h>
#include <sys/statfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "peer.hpp"

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
    default:
      return "type " + std::to_string(static_cast<unsigned long>(status.f_type));
  }
}

nlohmann::json text_or_null(const std::string &text) { return text.empty() ? nlohmann::json() : nlohmann::json(text); }

}  // namespace

std::string mpi_io_component(MPI_Comm comm, const std::string &directory) {
  const std::string path = directory + "/sv-bench.mpi-io";
  MPI_File file = MPI_FILE_NULL;
  const int mode = MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE;
  if (MPI_File_open(comm, path.c_str(), mode, MPI_INFO_NULL, &file) != MPI_SUCCESS)
    throw std::runtime_error("MPI_File_open cannot create a file in '" + directory + "'");
  MPI_Info info = MPI_INFO_NULL;
  int keys = 0;
  MPI_File_get_info(file, &info);
  if (info != MPI_INFO_NULL) MPI_Info_get_nkeys(info, &keys);
  bool romio = false;
  for (int k = 0; k < keys; ++k) {
    char key[MPI_MAX_INFO_KEY + 1];
    MPI_Info_get_nthkey(info, k, key);
    romio = romio || std::strncmp(key, "romio_", 6) == 0;
  }
  if (info != MPI_INFO_NULL) MPI_Info_free(&info);
  if (MPI_File_close(&file) != MPI_SUCCESS) throw std::runtime_error("MPI_File_close fails in '" + directory + "'");
  if (romio) return "romio";
  return library_version().find("Open MPI") == 0 ? "ompio" : "unknown";
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
