#include "names.hpp"

#include <cstdio>
#include <filesystem>
#include <stdexcept>

namespace sv_tools {

namespace {

namespace fs = std::filesystem;

/// Where the file will stand: what a symbolic link leads to, there or not.
std::string lead(const std::string &path) {
  fs::path place(path);
  std::error_code none;
  for (int links = 0; links < 40 && fs::is_symlink(fs::symlink_status(place, none)); ++links)
    place = place.parent_path() / fs::read_symlink(place, none);
  return place.string();
}

/// By what they are, and, where one of them is not there, by their names.
bool is_same(const std::string &a, const std::string &b) {
  std::error_code none;
  if (fs::equivalent(a, b, none)) return true;
  return fs::weakly_canonical(a, none) == fs::weakly_canonical(b, none);
}

}  // namespace

std::string piece_path(const std::string &set, int piece) {
  char number[16];
  std::snprintf(number, sizeof number, ".%04d", piece);
  return set + number;
}

std::vector<std::string> found_pieces(const std::string &set) {
  std::vector<std::string> pieces;
  std::error_code none;
  for (int piece = 0; fs::exists(piece_path(set, piece), none); ++piece) pieces.push_back(piece_path(set, piece));
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
    for (const char *addition : {".part", ".complete", ".header", ".journal", ".part.header"}) {
      if (!is_same(file, target + addition)) continue;
      throw std::runtime_error("'" + file + "' would be lost: whoever writes '" + out + "' begins with '" + target +
                               addition + "'. Give another name for OUT; sv-copy --rescue " + file +
                               " OUT saves what an interrupted run has left");
    }
  }
}

}  // namespace sv_tools
