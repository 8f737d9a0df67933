#include "store/file_name.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <cstdint>
#include <filesystem>

#include "store/access_rights.hpp"
#include "store/directory.hpp"

namespace sv {
namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40;                    // as many as the system follows
constexpr int64_t longest_addition = 15;          // ".refs.json.part": of all that is added to a name
constexpr int64_t usual_longest_file_name = 255;  // if the file system does not report it
constexpr int64_t possible_everywhere = 128;      // of a name, with all that is added: no need to ask

/// The rule of Linux' protected_symlinks, which holds wherever the system itself follows a link.
void check_owner(const fs::path &link, const std::string &path) {
  struct stat own {
  }, around{};
  if (::lstat(link.c_str(), &own) != 0 || ::stat(directory_of(link).c_str(), &around) != 0) return;
  const bool of_everybody = (around.st_mode & S_ISVTX) != 0 && (around.st_mode & S_IWOTH) != 0;
  if (!of_everybody || own.st_uid == ::geteuid() || own.st_uid == around.st_uid) return;
  throw Error(Status::access, "'" + link.string() + "' is a symbolic link of another user, in a shared directory",
              "Write into a directory of your own")
      .in_file(path);
}

void check_length(const std::string &target, const std::string &path) {
  const auto length = static_cast<int64_t>(target.size() - (target.rfind('/') + 1));  // npos + 1 is 0
  const auto most_here = [&] {
    const long known = ::pathconf(directory_of(target).c_str(), _PC_NAME_MAX);
    return (known > 0 ? known : usual_longest_file_name) - longest_addition;
  };
  const int64_t most = length + longest_addition <= possible_everywhere ? length : most_here();
  if (length > most)
    throw Error(Status::invalid,
                "the name has " + std::to_string(length) + " bytes; " + std::to_string(most) +
                    " are possible here, since while it is written, up to " + std::to_string(longest_addition) +
                    " are added ('.part', '.header', '.refs.json')",
                "Give the file a shorter name")
        .in_file(path);
  if (static_cast<int64_t>(target.size()) + longest_addition < PATH_MAX) return;
  throw Error(Status::invalid,
              "the path has " + std::to_string(target.size()) + " bytes; " +
                  std::to_string(PATH_MAX - longest_addition - 1) + " are possible",
              "Change into a directory nearer to the file, and give the path from there")
      .in_file(path);
}

}  // namespace

std::string target_of(const std::string &path, bool writing) {
  fs::path place(path);
  for (int links = 0; links < most_links; ++links) {
    std::array<char, PATH_MAX> text{};
    const ssize_t length = ::readlink(place.c_str(), text.data(), text.size());
    if (length < 0) return place.string();  // no link, or unreadable: the later opening reports that
    if (writing) check_owner(place, path);
    place = fs::path(directory_of(place)) / fs::path(std::string(text.data(), static_cast<size_t>(length)));
  }
  throw Error(Status::access, "symbolic links that lead to each other", "Remove them").in_file(path);
}

Presence check_place(const std::string &path, const std::string &target, bool folder) {
  const Presence there = presence_itself(target);
  if (there == Presence::directory && !folder)
    throw Error(Status::access, "a directory has this name", "Choose another name").in_file(path);
  if (there == Presence::other)
    throw Error(Status::access, "a pipe or a device has this name", "Choose another name").in_file(path);
  return there;
}

Error taken_name(const std::string &path, const std::string &place) {
  return Error(Status::exists, "something else has got its name while it was written",
               "The written data are in '" + place + "': rename that file")
      .in_file(path);
}

NewPlace check_new_file(const std::string &path, bool exclusive, bool folder) {
  check_length(path, path);
  std::string target = target_of(path, true);
  if (target != path) check_length(target, path);
  const Presence there = check_place(path, target, folder);
  if (exclusive && (there != Presence::absent || target != path))
    throw Error(Status::exists, "the file exists", "Remove it, or create without SV_NOCLOBBER").in_file(path);
  if (there == Presence::file || there == Presence::directory) check_may_replace(path, target);
  return {std::move(target), there};
}

}  // namespace sv
