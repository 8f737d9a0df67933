#include "taken.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <unordered_map>
#include <utility>

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
  if (!file.note.empty()) text << "    " << file.note << '\n';
  return text.str();
}

void add_openings(File &to, const File &file) {
  to.openings += file.openings;
  to.puts += file.puts;
  to.gets += file.gets;
  to.put_bytes += file.put_bytes;
  to.got_bytes += file.got_bytes;
  to.seconds += file.seconds;
  if (file.code != 0) to.code = file.code;
}

/// netCDF programs report each opening by itself. `known`: the positions of files that may be reported again.
void add(std::vector<File> &files, std::unordered_map<std::string, size_t> &known, File file) {
  if (file.library == "netCDF") {
    const auto [same, is_new] = known.try_emplace(file.path + '\t' + file.reason, files.size());
    if (!is_new) return add_openings(files[same->second], file);
  }
  files.push_back(std::move(file));
}

/// The summary of files that are not listed one by one: the handled ones together, the others for each reason.
std::string rest_of(const std::vector<File> &files) {
  File taken;
  int64_t number = 0;
  std::map<std::string, int64_t> left;
  for (const File &each : files) {
    if (!each.reason.empty()) {
      ++left["left to " + each.library + ": " + each.reason];
      continue;
    }
    ++number;
    add_openings(taken, each);
  }
  std::ostringstream text;
  if (number > 0)
    text << "  and " << number << " more: " << taken.puts << " puts of " << amount(taken.put_bytes) << ", "
         << taken.gets << " gets of " << amount(taken.got_bytes)
         << (taken.code != 0 ? ", some closed with the error " + std::to_string(taken.code) : "") << '\n';
  for (const auto &[reason, files_left] : left) text << "  and " << files_left << " more " << reason << '\n';
  return text.str();
}

}  // namespace

std::vector<File> files_in(const std::string &list) {
  std::vector<File> files;
  std::unordered_map<std::string, size_t> known;
  std::ifstream lines(list);
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> fields = fields_of(line);
    try {
      if (fields.size() == 5 && fields[0] == "left") {
        add(files, known, {fields[3], std::stoi(fields[1]), fields[2], fields[4]});
      } else if ((fields.size() == 10 || fields.size() == 11) && fields[0] == "taken") {
        File file{fields[8],
                  std::stoi(fields[1]),
                  "",
                  fields[9],
                  std::stoll(fields[2]),
                  std::stoll(fields[3]),
                  std::stoll(fields[4]),
                  std::stoll(fields[5]),
                  std::stod(fields[6]),
                  std::stoi(fields[7])};
        if (fields.size() == 11) file.note = fields[10];
        add(files, known, std::move(file));
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
  constexpr int most_lines = 20;  // of files that were taken over, and as many of the others
  std::array<int, 2> lines{};
  std::vector<File> rest;
  for (const File &each : files) {
    if (++lines[each.reason.empty()] <= most_lines)
      text += line_of(each);
    else
      rest.push_back(each);
  }
  return text + rest_of(rest);
}

}  // namespace sv_run
