#include "backend/mpi_io/team.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "base/environment.hpp"
#include "mpi/comm.hpp"

namespace sv {

MpiIoTeam::MpiIoTeam(const Access &access) : access_(access), peers_(dynamic_cast<MpiPeers &>(*access_.peers)) {}

void MpiIoTeam::together(const std::function<void()> &local) const {
  try {
    peers_.together(local);
  } catch (...) {
    if (!alone()) forget_failure();
    throw;
  }
}

void MpiIoTeam::call(const std::string &what, const std::string &path, const std::function<void()> &made) const {
  try {
    const Watch watched = watch(what + " of '" + path + "'");
    errno = 0;
    made();
  } catch (Error &error) {
    error.in_file(path);
    if (!alone()) keep_failure(peers_.watch_settings(), peers_.rank(), error.what());
    throw;
  }
}

namespace {

constexpr const char *component_variable = "OMPI_MCA_io", *all_but_its_own = "^ompio";

/// An Open MPI without ROMIO has no component left when its own is kept away: it then opens no file at all.
bool opens_files() {
  MPI_File file = MPI_FILE_NULL;
  return MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) == MPI_SUCCESS &&
         MPI_File_close(&file) == MPI_SUCCESS;
}

}  // namespace

void MpiIoTeam::open(const std::string &what, const std::string &path, const std::function<void()> &made) const {
  call(what, path, [&] {
    try {
      made();
    } catch (const Error &) {
      if (access_.library_io || opens_files()) throw;
      const char *chosen = std::getenv(component_variable);
      throw Error(
          Status::io,
          what + ": MPI-IO opens no file at all: this MPI has no component that OMPI_MCA_io ('" +
              (chosen == nullptr ? all_but_its_own : chosen) + "') allows, so that it was probably built without ROMIO",
          "Set 'mpi_io: library', with OMPI_MCA_io unset, to take the component it has; or choose the store 'cdf'");
    }
  });
}

int64_t MpiIoTeam::most(int64_t mine) const {
  const int64_t most = peers_.most(mine);
  if (!alone()) forget_failure();
  return most;
}

namespace {

constexpr const char *sieving = "romio_ds_write";
constexpr const char *buffer_size = "cb_buffer_size";
constexpr const char *aggregators = "cb_config_list";

void set(MPI_Info info, const std::string &key, const std::string &value) {
  check_mpi(MPI_Info_set(info, key.c_str(), value.c_str()), "MPI_Info_set");
}

/// MPI ends the job for a value that is too long: its calls for hints have no communicator whose errors return.
void check_length(const std::string &key, const std::string &value) {
  if (value.size() < MPI_MAX_INFO_VAL) return;
  throw Error(Status::config,
              "the hint '" + key + "' has " + std::to_string(value.size()) +
                  " characters, but MPI's hints have less than " + std::to_string(MPI_MAX_INFO_VAL),
              "Shorten it");
}

Error wrong_aggregators(const std::string &value, const std::string &cause) {
  return Error(Status::config, std::string("the hint '") + aggregators + " = " + value + "': " + cause,
               "Give HOST:NUMBER for each host, separated by commas; '*:1' is one aggregator on each");
}

/// The hosts of a list of "HOST", "HOST:NUMBER" or "HOST:*"; '*' is any.
std::vector<std::string> hosts_in(const std::string &value) {
  std::vector<std::string> hosts;
  for (size_t begin = 0; begin <= value.size();) {
    const size_t end = std::min(value.find(',', begin), value.size());
    const std::string each = value.substr(begin, end - begin);
    const size_t colon = std::min(each.find(':'), each.size());
    const std::string number = colon < each.size() ? each.substr(colon + 1) : "1";
    const bool is_number =
        !number.empty() && number.size() < 10 && number.find_first_not_of("0123456789") == number.npos;
    if (colon == 0 || each.find(' ') != each.npos || !(number == "*" || is_number))
      throw wrong_aggregators(value, "'" + each + "' is neither HOST nor HOST:NUMBER");
    hosts.push_back(each.substr(0, colon));
    begin = end + 1;
  }
  return hosts;
}

/// Collective where several ranks open the file. ROMIO ends the job where the list has no host of theirs, or is none.
/// False where there is nothing to choose: one rank is its own aggregator.
bool check_aggregators(MPI_Comm comm, const Access &access) {
  const auto hint = std::find_if(access.hints.begin(), access.hints.end(),
                                 [](const auto &each) { return each.first == aggregators; });
  int ranks = 1;
  check_mpi(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
  if (hint == access.hints.end() || ranks == 1) return false;
  const std::vector<std::string> hosts = hosts_in(hint->second);
  char name[MPI_MAX_PROCESSOR_NAME + 1] = "";
  int length = 0;
  check_mpi(MPI_Get_processor_name(name, &length), "MPI_Get_processor_name");
  int is_there = std::any_of(hosts.begin(), hosts.end(), [&](const auto &host) { return host == "*" || host == name; });
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &is_there, 1, MPI_INT, MPI_MAX, comm), "MPI_Allreduce");
  if (is_there == 0) throw wrong_aggregators(hint->second, "no rank that opens the file runs on a host that it names");
  return true;
}

/// Open MPI reads the variable when MPI-IO is first used, which is here; its own component loses data on a full disk
/// (ADR 17). ROMIO remains, whose name contains a version that differs between releases of Open MPI.
void choose_romio() {
  static const bool chosen = [] {
    const SetMeanwhile component(component_variable, all_but_its_own);
    return opens_files();
  }();
  static_cast<void>(chosen);
}

}  // namespace

Info::Info(MPI_Comm comm, const Access &access) {
  if (!access.library_io) choose_romio();
  for (const auto &[key, value] : access.hints) check_length(key, value);
  const bool has_aggregators = check_aggregators(comm, access);
  check_mpi(MPI_Info_create(&info_), "MPI_Info_create");
  set(info_, sieving, "disable");
  for (const auto &[key, value] : access.hints)
    if (key != aggregators || has_aggregators) set(info_, key, value);
}

Info::~Info() { MPI_Info_free(&info_); }

bool sieves(MPI_Info in_force) {
  char value[MPI_MAX_INFO_VAL + 1] = "";
  int is_given = 0;
  check_mpi(MPI_Info_get(in_force, sieving, MPI_MAX_INFO_VAL, value, &is_given), "MPI_Info_get");
  return is_given != 0 && std::strcmp(value, "disable") != 0;
}

void ask_again(MPI_File file, const Access &access) {
  MPI_Info in_force = MPI_INFO_NULL;
  check_mpi(MPI_File_get_info(file, &in_force), "MPI_File_get_info");
  const bool lost = sieves(in_force);
  check_mpi(MPI_Info_free(&in_force), "MPI_Info_free");
  if (!lost) return;
  Access late = access;
  std::erase_if(late.hints, [](const auto &each) { return each.first != buffer_size; });
  const Info asked(MPI_COMM_SELF, late);
  check_mpi(MPI_File_set_info(file, asked.get()), "MPI_File_set_info");
}

namespace {

void inform_watch(MPI_File *, int *code, ...) {
  const int system = errno;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  if (MPI_Error_string(*code, text, &length) != MPI_SUCCESS) length = 0;
  try {
    note_inside(library_error({Status::io, "MPI-IO", std::string(text, static_cast<size_t>(length)), system}).what());
  } catch (const std::exception &) {
    return;  // without memory there is no message, and the caller returns the error all the same
  }
}

}  // namespace

/// Settings of no file are those of files that are opened.
ScopedFileErrorHandler::ScopedFileErrorHandler() {
  check_mpi(MPI_File_get_errhandler(MPI_FILE_NULL, &before_), "MPI_File_get_errhandler");
  check_mpi(MPI_File_create_errhandler(inform_watch, &handler_), "MPI_File_create_errhandler");
  check_mpi(MPI_File_set_errhandler(MPI_FILE_NULL, handler_), "MPI_File_set_errhandler");
}

ScopedFileErrorHandler::~ScopedFileErrorHandler() {
  MPI_File_set_errhandler(MPI_FILE_NULL, before_);
  MPI_Errhandler_free(&handler_);
  MPI_Errhandler_free(&before_);
}

namespace {

/// As far as MPI reports them. They are remarks: if a call fails, there are none, and the other ranks need no error.
Hints hints_of(MPI_File file) {
  MPI_Info info = MPI_INFO_NULL;
  if (MPI_File_get_info(file, &info) != MPI_SUCCESS || info == MPI_INFO_NULL) return {};
  Hints found;
  int keys = 0;
  bool known = MPI_Info_get_nkeys(info, &keys) == MPI_SUCCESS;
  for (int k = 0; known && k < keys; ++k) {
    char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
    int there = 0;
    known = MPI_Info_get_nthkey(info, k, key) == MPI_SUCCESS &&
            MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &there) == MPI_SUCCESS;
    if (known && there != 0) found.emplace_back(key, value);
  }
  known = MPI_Info_free(&info) == MPI_SUCCESS && known;
  return known ? found : Hints{};
}

Hints hints_in_force(const MpiIoTeam &team, const std::string &path) {
  const Info asked(team.comm(), team.access());
  const Watch watched = team.watch("MPI_File_open of '" + path + "'");
  MPI_File file = MPI_FILE_NULL;
  if (MPI_File_open(team.comm(), path.c_str(), MPI_MODE_RDONLY, asked.get(), &file) != MPI_SUCCESS) return {};
  const Hints found = hints_of(file);
  return MPI_File_close(&file) == MPI_SUCCESS ? found : Hints{};
}

}  // namespace

std::vector<std::string> hint_remarks(const MpiIoTeam &team, const std::string &path, const MPI_File *file) {
  std::vector<std::string> remarks;
  const Hints &asked = team.access().hints;
  if (asked.empty()) return remarks;
  const Hints found = file != nullptr ? hints_of(*file) : hints_in_force(team, path);
  for (const auto &[key, value] : asked) {
    const auto same =
        std::find_if(found.begin(), found.end(), [&wanted = key](const auto &one) { return one.first == wanted; });
    const std::string in_force = same != found.end() ? "in force: " + same->second
                                 : found.empty()     ? "this MPI does not report the value in force"
                                                     : "not taken";
    remarks.push_back("hint " + key + " = " + value + " (" + in_force + ")");
  }
  return remarks;
}

}  // namespace sv
