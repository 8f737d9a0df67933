#include "transfer/field_lines.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>

#include "file/home.hpp"
#include "transfer/own_ranges.hpp"
#include "transfer/own_stretches.hpp"

namespace sv {

StoredFields stored_fields(const File &file, int variable) {
  const bool records = file.variable(variable).has_records;
  const Places &places = file.home().places();
  const Field field = places.field(variable, records ? 0 : -1);
  return {Box::whole(field.shape), field.offset_bytes, records ? places.step_bytes(variable) : 0, field.element_bytes};
}

namespace {

struct LineOfRank {
  FieldLine line;
  int rank;
};

/// Bands of one variable.
void append_bands(const File &file, Direction direction, const std::vector<LineOfRank> &lines, int64_t depth,
                  std::vector<Band> &bands) {
  const auto variable = static_cast<int>(lines.front().line.variable);
  const StoredFields stored = stored_fields(file, variable);
  const Index shape = file.schema().slab_shape(file.variable(variable));
  std::vector<int64_t> edges;
  for (const LineOfRank &each : lines) {
    edges.push_back(each.line.first_record);
    edges.push_back(each.line.first_record + each.line.records);
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::vector<const LineOfRank *> open;
  size_t next = 0;
  std::shared_ptr<const Claims> claims;
  for (size_t i = 0; i + 1 < edges.size(); ++i) {
    std::erase_if(open,
                  [&](const LineOfRank *each) { return each->line.first_record + each->line.records <= edges[i]; });
    for (; next < lines.size() && lines[next].line.first_record == edges[i]; ++next) open.push_back(&lines[next]);
    if (open.empty()) continue;
    Segment reach{open.front()->line.first, open.front()->line.last};
    std::vector<int64_t> elements(static_cast<size_t>(file.context().comm.size()), 0);
    for (const LineOfRank *each : open) {
      reach = {std::min(reach.first, each->line.first), std::max(reach.last, each->line.last)};
      elements[static_cast<size_t>(each->rank)] += each->line.elements;
    }
    claims = std::make_shared<const Claims>(shape, elements, reach, depth);
    for (int64_t record = edges[i]; record < edges[i + 1]; ++record) {
      std::vector<std::byte> fill = fill_for(file, direction, variable, record, *claims);
      if (record > edges[i] && bands.back().fill == fill) {
        ++bands.back().records;
        continue;
      }
      bands.push_back({variable, record, 1, stored.base_bytes + record * stored.step_bytes, stored.step_bytes,
                       stored.element_bytes, claims, std::move(fill)});
    }
  }
}

}  // namespace

std::vector<FieldLine> lines_of(const File &file, const OwnRuns &own) {
  std::vector<FieldLine> lines;
  const auto dense = [&own](const FieldLine &line) {
    return !own.share_cells && line.elements == line.last - line.first ? 1 : 0;
  };
  std::unordered_map<int, StoredFields> variables;  // a file may have very many other variables
  const auto append = [&](FieldLine line) {
    line.is_dense = dense(line);
    if (!lines.empty()) {
      FieldLine &last = lines.back();
      if (last.variable == line.variable && last.first_record + last.records == line.first_record &&
          last.first == line.first && last.last == line.last && last.elements == line.elements) {
        ++last.records;
        return;
      }
    }
    lines.push_back(line);
  };
  FieldLine line{-1, 0, 1, 0, 0, 0, 0};
  int64_t begin = 0;
  StoredFields stored{};
  for (const OwnRun &run : own.runs) {
    const int variable = own.of[static_cast<size_t>(run.request)].variable;
    if (line.variable != variable) {
      const auto [known, is_new] = variables.try_emplace(variable);
      if (is_new) known->second = stored_fields(file, variable);
      stored = known->second;
    }
    if (line.variable != variable || (stored.step_bytes > 0 && run.offset_bytes >= begin + stored.step_bytes)) {
      if (line.variable >= 0) append(line);
      const int64_t record = stored.step_bytes > 0 ? (run.offset_bytes - stored.base_bytes) / stored.step_bytes : 0;
      begin = stored.base_bytes + record * stored.step_bytes;
      const int64_t first = (run.offset_bytes - begin) / stored.element_bytes;
      line = {variable, record, 1, first, first, 0, 0};
    }
    line.last = std::max(line.last, (run.offset_bytes - begin) / stored.element_bytes + run.elements);
    line.elements += run.elements;
  }
  if (line.variable >= 0) append(line);
  return lines;
}

bool are_complete(const std::vector<std::vector<FieldLine>> &of_ranks) {
  constexpr size_t few = 8;
  std::vector<FieldLine> all;
  for (const std::vector<FieldLine> &lines : of_ranks) {
    if (lines.size() > few) return false;
    all.insert(all.end(), lines.begin(), lines.end());
  }
  if (std::any_of(all.begin(), all.end(), [](const FieldLine &each) { return each.is_dense == 0; })) return false;
  const auto place = [](const FieldLine &line) { return std::tuple(line.variable, line.first_record, line.first); };
  std::sort(all.begin(), all.end(), [&](const FieldLine &a, const FieldLine &b) { return place(a) < place(b); });
  const auto apart = [](const FieldLine &a, const FieldLine &b) {
    const bool other_records = a.variable != b.variable || b.first_record >= a.first_record + a.records;
    return other_records || (a.first_record == b.first_record && a.records == b.records && b.first >= a.last);
  };
  return std::adjacent_find(all.begin(), all.end(), std::not_fn(apart)) == all.end();
}

std::optional<LongLines> long_lines(const File &file, const std::vector<std::vector<FieldLine>> &of_ranks) {
  const auto is_long = [&](const FieldLine &line) {
    return line.elements * size_of(file.variable(static_cast<int>(line.variable)).type) >= long_stretch_bytes;
  };
  const auto are_long = [&](const auto &lines) { return std::all_of(lines.begin(), lines.end(), is_long); };
  if (!std::all_of(of_ranks.begin(), of_ranks.end(), are_long)) return std::nullopt;
  const auto first = std::find_if(of_ranks.begin(), of_ranks.end(), [](const auto &lines) { return !lines.empty(); });
  if (first == of_ranks.end()) return std::nullopt;
  return LongLines{static_cast<int>(first - of_ranks.begin()), of_ranks[static_cast<size_t>(file.context().rank())]};
}

std::vector<Band> bands_of(const File &file, Direction direction, const std::vector<std::vector<FieldLine>> &of_ranks,
                           int64_t depth) {
  std::map<int64_t, std::vector<LineOfRank>> of_variables;
  for (size_t rank = 0; rank < of_ranks.size(); ++rank)
    for (const FieldLine &line : of_ranks[rank]) of_variables[line.variable].push_back({line, static_cast<int>(rank)});
  std::vector<Band> bands;
  for (auto &[variable, lines] : of_variables) {
    std::stable_sort(lines.begin(), lines.end(), [](const LineOfRank &a, const LineOfRank &b) {
      return a.line.first_record < b.line.first_record;
    });
    append_bands(file, direction, lines, depth, bands);
  }
  return bands;
}

std::vector<std::byte> fill_for(const File &file, Direction direction, int variable, int64_t record,
                                const Claims &claims) {
  const bool fills = direction == Direction::write && !claims.cover_all() && file.settings().fill &&
                     !file.ledger.touched(variable, record);
  return fills ? fill_in_file_order(file, variable) : std::vector<std::byte>();
}

}  // namespace sv
