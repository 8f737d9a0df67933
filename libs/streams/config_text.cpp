#include "config_text.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "failure.hpp"
#include "sharing.hpp"

namespace sv::streams {

namespace {

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

}  // namespace

void write_for_all(sv_context *io, const char *variable, const std::function<std::string()> &text) {
  std::string path;
  int problem = 0;
  if (const char *const named = is_first_rank(io) ? std::getenv(variable) : nullptr; named != nullptr) path = named;
  if (!path.empty()) problem = write_file(path, text());
  share(io, problem);
  if (problem == 0) return;
  share(io, path);
  throw Failure(SV_EACCESS, path + ": the file cannot be written: " + std::strerror(problem),
                std::string("Check the path in ") + variable);
}

ConfigText read_config_text(sv_context *io, const char *path) {
  int problem = 0;
  ConfigText made;
  if (is_first_rank(io)) {
    const char *const named = path != nullptr ? path : std::getenv("SV_CONFIG");
    if (named != nullptr) made.path = named;
    if (!made.path.empty()) problem = read_file(made.path, made.text);
  }
  share(io, made.path);
  share(io, made.text);
  share(io, problem);
  if (problem != 0)
    throw Failure(problem == ENOENT ? SV_ENOTFOUND : SV_EACCESS,
                  made.path + ": the configuration of streams cannot be read: " + std::strerror(problem),
                  "Check the path given to sv_open_streams, or SV_CONFIG");
  return made;
}

}  // namespace sv::streams
