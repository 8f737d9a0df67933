#include "taken.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace sv_run {

namespace {

std::vector<std::string> fields_of(const std::string &line) {
  std::vector<std::string> fields;
  std::istringstream text(line);
  for (std::string field; std::getline(text, field, '\t');) fields.push_back(field);
  return fields;
}

std::string amount(int64_t bytes) {
  constexpr std::array units{"B", "kB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1000 && unit + 1 < units.size(); ++unit) value /= 1000;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  return text.data();
}

std::string line_of(const File &file) {
  std::ostringstream text;
  text << "  " << file.path << ": ";
  if (!file.reason.empty()) {
    text << "left to " << file.library << ": " << file.reason << '\n';
    return text.str();
  }
  if (file.openings > 1)
    text << "opened " << file.openings << " times, ";
  else
    text << file.ranks << (file.ranks == 1 ? " rank, " : " ranks, ");
  text << file.puts << " puts of " << amount(file.put_bytes) << ", " << file.gets << " gets of "
       << amount(file.got_bytes) << ", open for ";
  text.precision(3);
  text << file.seconds << " s";
  if (file.code != 0) text << ", closed with the error " << file.code;
  text << '\n';
  return text.str();
}

/// Programs of netCDF tell of each opening by itself.
void add(std::vector<File> &files, File file) {
  const auto same = std::find_if(files.begin(), files.end(), [&](const File &each) {
    return file.library == "netCDF" && each.library == file.library && each.path == file.path &&
           each.reason == file.reason;
  });
  if (same == files.end()) {
    files.push_back(std::move(file));
    return;
  }
  ++same->openings;
  same->puts += file.puts;
  same->gets += file.gets;
  same->put_bytes += file.put_bytes;
  same->got_bytes += file.got_bytes;
  same->seconds += file.seconds;
  if (file.code != 0) same->code = file.code;
}

}  // namespace

std::vector<File> files_in(const std::string &list) {
  std::vector<File> files;
  std::ifstream lines(list);
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> fields = fields_of(line);
    try {
      if (fields.size() == 5 && fields[0] == "left") {
        add(files, {fields[3], std::stoi(fields[1]), fields[2], fields[4]});
      } else if (fields.size() == 10 && fields[0] == "taken") {
        add(files, {fields[8], std::stoi(fields[1]), "", fields[9], std::stoll(fields[2]), std::stoll(fields[3]),
                    std::stoll(fields[4]), std::stoll(fields[5]), std::stod(fields[6]), std::stoi(fields[7])});
      }
    } catch (const std::exception &) {  // of a process that was killed while it wrote
    }
  }
  return files;
}

std::string summary(const std::vector<File> &files) {
  if (files.empty()) return "";
  const auto taken = std::count_if(files.begin(), files.end(), [](const File &each) { return each.reason.empty(); });
  std::string text =
      "sv-run: Sverdrup carried " + std::to_string(taken) + " of " + std::to_string(files.size()) + " files\n";
  for (const File &each : files) text += line_of(each);
  return text;
}

}  // namespace sv_run
