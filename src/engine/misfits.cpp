#include "engine/misfits.hpp"

#include "base/warning.hpp"
#include "engine/file.hpp"
#include "mpi/packets.hpp"

namespace sv {

namespace {

constexpr size_t text_bytes = 40;  // a number in words is shorter

/// What a rank tells about a variable.
struct Told {
  int64_t values = 0;
  int variable = 0;
  char first[text_bytes] = "";
};

std::vector<Told> told_by(const File &file) {
  std::vector<Told> all;
  for (const auto &[variable, count] : file.misfits().of_variable()) {
    if (count.values == 0) continue;
    all.push_back({count.values, variable, ""});
    count.first.text.copy(all.back().first, text_bytes - 1);
  }
  return all;
}

}  // namespace

std::vector<MisfitReport> gather_misfits(const File &file) {
  const Comm &comm = file.context().comm();
  const std::vector<Told> mine = told_by(file);
  std::vector<Packet> outgoing;
  if (!mine.empty()) outgoing.push_back(packet_of<Told>(0, mine));
  std::map<int, MisfitReport> of_variable;
  for (const Packet &packet : comm.exchange(outgoing))
    for (const Told &told : values_in<Told>(packet)) {
      const auto [at, is_first] = of_variable.try_emplace(told.variable);
      if (is_first) at->second = {file.variable(told.variable).name, 0, told.first, packet.rank};
      at->second.values += told.values;
    }
  std::vector<MisfitReport> all;
  for (const auto &[variable, report] : of_variable) all.push_back(report);
  return all;
}

void warn_of(const File &file, const std::vector<MisfitReport> &misfits) {
  if (file.settings().out_of_range != Misfit::clamp) return;
  for (const MisfitReport &each : misfits)
    warn("file '" + file.path() + "', variable '" + each.variable + "': " + std::to_string(each.values) +
         (each.values == 1 ? " value does" : " values do") +
         " not fit the type and became the nearest one that does (of NaN, the fill value): " + each.first +
         ", on rank " + std::to_string(each.first_rank) + (each.values == 1 ? "" : ", is the first") +
         ". Use a wider type, or set 'out_of_range' to error or fill");
}

}  // namespace sv
