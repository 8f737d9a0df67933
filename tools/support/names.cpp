#include "names.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

namespace sv_tools {

namespace {

namespace fs = std::filesystem;

/// The path of the file after symbolic links, whether it exists or not.
std::string lead(const std::string &path) {
  fs::path place(path);
  std::error_code none;
  for (int links = 0; links < 40 && fs::is_symlink(fs::symlink_status(place, none)); ++links)
    place = place.parent_path() / fs::read_symlink(place, none);
  return place.string();
}

/// Compares the files, and, if one of them does not exist, their names.
bool is_same(const std::string &a, const std::string &b) {
  std::error_code none;
  if (fs::equivalent(a, b, none)) return true;
  return fs::weakly_canonical(a, none) == fs::weakly_canonical(b, none);
}

}  // namespace

std::vector<std::string> found_pieces(const std::string &set) {
  constexpr size_t fewest_digits = 4;
  const fs::path path(set);
  const std::string begin = path.filename().string() + '.';
  std::vector<std::string> pieces;
  std::error_code none;
  const fs::path parent = path.has_parent_path() ? path.parent_path() : ".";
  for (const fs::directory_entry &each : fs::directory_iterator(parent, none)) {
    const std::string name = each.path().filename().string();
    if (name.size() < begin.size() + fewest_digits || !name.starts_with(begin)) continue;
    if (name.find_first_not_of("0123456789", begin.size()) != std::string::npos) continue;
    pieces.push_back((path.parent_path() / name).string());
  }
  std::ranges::sort(pieces);
  return pieces;
}

void check_apart(const std::string &in, const std::string &out) {
  std::error_code none;
  check_apart(fs::exists(in, none) ? std::vector{in} : found_pieces(in), out);
}

void check_apart(const std::vector<std::string> &files, const std::string &out) {
  const std::string target = lead(out);
  for (const std::string &file : files) {
    if (is_same(file, out) || is_same(file, target))
      throw std::runtime_error("'" + file + "' would be copied onto itself. Give another name for OUT");
    for (const char *addition : {".part", ".complete", ".header", ".journal", ".part.header", ".gone"}) {
      if (!is_same(file, target + addition)) continue;
      throw std::runtime_error("'" + file + "' would be lost: writing '" + out +
                               "' removes it or writes over it. Give another name for OUT; sv-copy --rescue " + file +
                               " OUT saves what an interrupted run has left");
    }
  }
}

void check_free(const std::string &out) {
  if (fs::exists(fs::symlink_status(out))) throw std::runtime_error("'" + out + "' exists. Remove it, or say --force");
}

}  // namespace sv_tools
