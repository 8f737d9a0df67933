#include "mask.hpp"

#include <algorithm>
#include <sstream>

#include "base/error.hpp"
#include "input.hpp"

namespace sv_plan {

namespace {

using sv::Error;
using sv::Status;

constexpr size_t most_mask_blocks = 1000000;

[[noreturn]] void refuse(const std::string &path, const std::string &cause, const std::string &remedy) {
  throw Error(Status::config, cause, remedy).in_file(path);
}

/// Lines without blanks; empty ones left out.
std::vector<std::string> lines_of(const std::string &path) {
  std::istringstream file(input_text(path, "the mask", "Check the path given with --mask"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    std::erase_if(line, [](unsigned char c) { return std::isspace(c) != 0; });
    if (!line.empty()) lines.push_back(line);
  }
  if (lines.empty()) refuse(path, "the mask is empty", "Give a line of 0 and 1 for each row of blocks");
  return lines;
}

Mask picture(const std::string &path, const std::vector<std::string> &lines) {
  if (lines.size() > most_mask_blocks / lines.front().size())
    refuse(path, "the mask has more than " + std::to_string(most_mask_blocks) + " blocks", "Give fewer");
  Mask mask{static_cast<int>(lines.front().size()), static_cast<int>(lines.size()), {}};
  for (size_t i = lines.size(); i-- > 0;) {
    const std::string &line = lines[i];
    if (line.size() != lines.front().size())
      refuse(path,
             "row " + std::to_string(i + 1) + " of the mask has " + std::to_string(line.size()) +
                 " blocks, row 1 has " + std::to_string(lines.front().size()),
             "Give every row as many");
    const size_t strange = line.find_first_not_of("01");
    if (strange != std::string::npos)
      refuse(path, "row " + std::to_string(i + 1) + " of the mask holds '" + line[strange] + "'",
             "Give 0 for land and 1 for a block with a rank");
    for (const char c : line) mask.has_rank.push_back(c == '1');
  }
  return mask;
}

/// "3,5"; nothing else.
bool read_pair(const std::string &line, int &x, int &y) {
  std::istringstream in(line);
  char comma = 0, more = 0;
  return static_cast<bool>(in >> x >> comma >> y) && comma == ',' && !(in >> more);
}

Mask table(const std::string &path, const std::vector<std::string> &lines) {
  int px = 0, py = 0;
  if (!read_pair(lines[1], px, py) || px < 1 || py < 1 || px > 1000000 / py)
    refuse(path, "the second line of the mask table is '" + lines[1] + "'", "Give px,py there");
  Mask mask = unmasked(px, py);
  if (lines[0] != std::to_string(lines.size() - 2))
    refuse(path, "the mask table announces " + lines[0] + " blocks and lists " + std::to_string(lines.size() - 2),
           "Give their number in the first line");
  for (size_t l = 2; l < lines.size(); ++l) {
    int i = 0, j = 0;
    if (!read_pair(lines[l], i, j) || i < 1 || j < 1 || i > px || j > py)
      refuse(path, "'" + lines[l] + "' is no block of " + std::to_string(px) + "," + std::to_string(py),
             "Give i,j from 1,1 on");
    mask.has_rank[static_cast<size_t>((j - 1) * px + i - 1)] = false;
  }
  return mask;
}

}  // namespace

int Mask::ranks() const { return static_cast<int>(std::count(has_rank.begin(), has_rank.end(), true)); }

Mask unmasked(int px, int py) { return {px, py, std::vector<bool>(static_cast<size_t>(px) * py, true)}; }

Mask read_mask(const std::string &path) {
  const std::vector<std::string> lines = lines_of(path);
  const bool is_table = lines.size() > 1 && lines[1].find(',') != std::string::npos;
  const Mask mask = is_table ? table(path, lines) : picture(path, lines);
  if (mask.ranks() == 0) refuse(path, "every block of the mask is land", "Give 1 for blocks with a rank");
  return mask;
}

}  // namespace sv_plan
