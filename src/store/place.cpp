// Where variables stand in the files of the classic formats.
#include <algorithm>
#include <string>
#include <vector>

#include "base/arithmetic.hpp"
#include "base/error.hpp"
#include "model/definition_checks.hpp"
#include "model/rules/classic.hpp"
#include "store/cdf_places.hpp"
#include "store/header_format.hpp"

namespace sv {
namespace {

[[noreturn]] void misdefined(const std::string &cause, const std::string &remedy) {
  throw Error(Status::define, cause, remedy);
}

/// Chooses the format where that is left to us, and checks its limits.
void settle_format(PlacedSchema &schema, const CdfPlaces &sizes) {
  if (!classic::governs(schema.format)) return;
  std::vector<int64_t> slab_bytes;
  slab_bytes.reserve(sizes.variables.size());
  for (const CdfPlaces::Place &each : sizes.variables) slab_bytes.push_back(each.slab_bytes);
  const classic::Sizes all{slab_bytes, sizes.record_bytes};
  if (schema.format == Format::automatic)
    schema.format = classic::smallest_format(schema, all);
  else
    classic::check_limits(schema, all);
}

/// The alignment in force where this one is asked for.
int64_t whole(int64_t alignment) { return align_up(std::max<int64_t>(4, alignment), 4); }

// Places one variable behind another.
class Placer {
 public:
  Placer(PlacedSchema &schema, const Placement &placement, int64_t begin)
      : schema_(schema), placement_(placement), offset_(begin) {}

  int64_t offset() const { return offset_; }
  /// The variables from `first` on, those with records or the others.
  void add(size_t first, bool records) {
    for (size_t v = first; v < schema_.variables.size(); ++v) {
      if (schema_.variables[v].has_records != records) continue;
      if (!records) align(placement_.variable_alignment);
      pass(v, schema_.places->variables[v].begin = offset_);
    }
  }
  /// The bytes from there on are not overwritten.
  void pass(size_t variable, int64_t begin) {
    if (!add_into(begin, schema_.places->variables[variable].slab_bytes) || begin > INT64_MAX / 2)
      throw Error(Status::limit, "the file is larger than 2^62 bytes", "Make its dimensions shorter")
          .in_variable(schema_.variables[variable].name);
    offset_ = std::max(offset_, begin);
  }
  /// Record 0, behind the fixed variables.
  void begin_records() {
    if (schema_.places->record_bytes > 0) {
      offset_ += placement_.fixed_reserve;
      align(placement_.record_alignment);
    }
    schema_.places->record_begin = offset_;
    add(0, true);
  }

 private:
  void align(int64_t alignment) { offset_ = align_up(offset_, whole(alignment)); }

  PlacedSchema &schema_;
  const Placement &placement_;
  int64_t offset_;
};

int64_t checked_header_length(const PlacedSchema &schema) {
  const int64_t bytes = header_length(schema);
  if (bytes > longest_header)
    throw Error(Status::limit, "the header takes " + std::to_string(bytes) + " bytes, more than 64 MiB",
                "Store long values in variables, not in attributes");
  return bytes;
}

void check_begins(const PlacedSchema &schema) {
  for (size_t v = 0; v < schema.variables.size(); ++v)
    classic::check_begin(schema.format, schema.variables[v], schema.places->variables[v].begin);
}

void place_as_given(PlacedSchema &schema, const std::vector<int64_t> &begins, int64_t header_bytes) {
  if (begins.size() != schema.variables.size())
    misdefined("the places of " + std::to_string(begins.size()) + " variables were given, of " +
                   std::to_string(schema.variables.size()),
               "Call sv_def_varoffsets when all are defined");
  try {
    place_at(schema, begins, header_bytes);
  } catch (const Error &error) {
    misdefined(std::string("the places that were given cannot be: ") + error.what(),
               "Leave room for the header of " + std::to_string(header_bytes) + " bytes, and for each variable");
  }
  check_begins(schema);
}

/// Where begins are given: whether all that stands in the file stays.
bool stands_as_before(const PlacedSchema &schema, const PlacedSchema &before) {
  const size_t known = before.variables.size();
  if (schema.places->header_bytes > before.places->data_begin) return false;
  if (before.records > 0 && schema.variables.size() > known) return false;
  const auto stays = [](const CdfPlaces::Place &old, const CdfPlaces::Place &now) { return old.begin == now.begin; };
  return std::equal(before.places->variables.begin(), before.places->variables.end(), schema.places->variables.begin(),
                    schema.places->variables.begin() + static_cast<std::ptrdiff_t>(known), stays);
}

}  // namespace

std::string in_words(const Placement &placement) {
  std::string begins;
  for (const int64_t begin : placement.begins) begins.append(" ").append(std::to_string(begin));
  if (!begins.empty()) return "places: variables begin at" + begins + "\n";
  return "places: data aligned to " + std::to_string(placement.data_alignment) + " behind " +
         std::to_string(placement.header_reserve) + " free bytes, variables to " +
         std::to_string(placement.variable_alignment) + ", records to " + std::to_string(placement.record_alignment) +
         " behind " + std::to_string(placement.fixed_reserve) + " free bytes\n";
}

void place_variables(PlacedSchema &schema, const Placement &placement) {
  schema.places.reset();
  check_definitions(schema);
  schema.mark_records();
  const CdfPlaces sizes = slab_sizes(schema);
  settle_format(schema, sizes);
  const int64_t header_bytes = checked_header_length(schema);
  if (!has_places(schema.format)) return;
  if (!placement.begins.empty()) return place_as_given(schema, placement.begins, header_bytes);
  CdfPlaces &places = schema.places.emplace(sizes);
  places.header_bytes = header_bytes;
  places.data_begin = align_up(header_bytes + placement.header_reserve, whole(placement.data_alignment));
  Placer placer(schema, placement, places.data_begin);
  placer.add(0, false);
  placer.begin_records();
  check_begins(schema);
}

bool place_again(PlacedSchema &schema, const PlacedSchema &before, const Placement &placement) {
  place_variables(schema, placement);
  if (!schema.places || !before.places) return false;
  if (!placement.begins.empty()) return stands_as_before(schema, before);
  CdfPlaces &places = *schema.places;
  const CdfPlaces &old = *before.places;
  if (places.header_bytes > old.data_begin) return false;
  places.data_begin = old.data_begin;
  places.record_begin = old.record_begin;
  const size_t known = before.variables.size();
  const bool stay = before.records == 0 || schema.variables.size() == known;
  Placer placer(schema, placement, old.data_begin);
  for (size_t v = 0; stay && v < known; ++v) {
    places.variables[v].begin = old.variables[v].begin;
    if (!schema.variables[v].has_records) placer.pass(v, old.variables[v].begin);
  }
  if (stay && before.records > 0) return true;
  placer.add(stay ? known : 0, false);
  placer.begin_records();
  check_begins(schema);
  return stay;
}

}  // namespace sv
