#include "judge.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "streams_run.hpp"

namespace svcrash {
namespace {

std::string piece_name(const std::string &set, int piece) {
  char number[16];
  std::snprintf(number, sizeof number, ".%04d", piece);
  return set + number;
}

Extent extent_of(const Reading &reading) { return {reading.version, reading.records}; }

/// Cells of a piece: rows of the grid, of one level after the other.
struct Part {
  int64_t first, cells, of;
  int64_t cell(int64_t i) const { return i / cells * of + first + i % cells; }
};

/// The first record (or -1: data without records) of which something is wrong, from `begin` on; `end` where all is
/// right.
class Truth {
 public:
  Truth(const Reading &reading, const FileStory &description, const Version &version, const Sizes &sizes)
      : reading_(reading), story_(description), version_(version), sizes_(sizes) {
    const int64_t rows = reading.rows < 0 ? sizes.ny : reading.rows;
    part_ = {reading.first_row * sizes.nx, rows * sizes.nx, sizes.ny * sizes.nx};
  }

  /// How many records, from the first on, are right; -1 where a fixed variable or an attribute is wrong.
  int64_t right_records() {
    if (!texts_are_right() || !fixed_is_right()) return -1;
    int64_t right = reading_.records;
    const auto of = [&](const char *name, int64_t per_record, auto value) {
      const std::vector<double> *found = values(name);
      const auto size = found == nullptr ? 0 : static_cast<int64_t>(found->size());
      if (found == nullptr || (size != per_record * reading_.records && reading_.end.empty())) {
        note(name, "has another shape, or is missing");
        right = -1;
      } else if (size < right * per_record) {
        note(name, "ends in record " + std::to_string(size / per_record) + ": " + reading_.end);
        right = size / per_record;
        is_reported_ = true;
      }
      for (int64_t i = 0; i < right * per_record; ++i)
        if ((*found)[static_cast<size_t>(i)] != value(i / per_record, i % per_record)) {
          note(name, "is wrong in record " + std::to_string(i / per_record));
          right = i / per_record;
          is_reported_ = false;
        }
    };
    const auto step = [&](int64_t record) { return story_.first + record; };
    const int64_t cells = part_.cells;
    of("time", 1,
       [&](int64_t r, int64_t) { return story_.of_streams ? middle_of(step(r)) : static_cast<double>(step(r)); });
    of("flag", 1, [&](int64_t r, int64_t) { return truth(version_, var_flag, step(r), 0); });
    of("small", 1, [&](int64_t r, int64_t) { return truth_small(version_, step(r)); });
    of("temp", sizes_.nz * cells,
       [&](int64_t r, int64_t i) { return truth(version_, var_temp, step(r), part_.cell(i)); });
    if (version_.added_from >= 0)
      of("added", cells, [&](int64_t r, int64_t i) {
        return r < version_.added_from ? added_fill : truth(version_, var_added, step(r), part_.cell(i));
      });
    return right;
  }
  const std::string &why() const { return why_; }
  /// The reader said so, rather than giving wrong values.
  bool is_reported() const { return is_reported_; }

 private:
  const std::vector<double> *values(const char *name) const {
    const auto found = reading_.values.find(name);
    return found == reading_.values.end() ? nullptr : &found->second;
  }
  void note(const std::string &name, const std::string &what) { why_ = name + " " + what; }
  bool texts_are_right() {
    for (size_t i = 0; i < reading_.texts.size(); ++i)
      if (reading_.texts[i] != truth_text(version_.number, static_cast<int>(i))) {
        note("attribute text_" + std::to_string(i), "is not that of version " + std::to_string(version_.number));
        return false;
      }
    return true;
  }
  bool fixed_is_right() {
    const std::vector<double> *depth = values("depth");
    bool right = depth != nullptr && static_cast<int64_t>(depth->size()) == part_.cells;
    for (int64_t i = 0; right && i < part_.cells; ++i)
      right = (*depth)[static_cast<size_t>(i)] == truth(version_, var_depth, 0, part_.cell(i));
    is_reported_ = depth != nullptr && depth->empty() && !reading_.end.empty();
    if (!right) note("depth", is_reported_ ? "is refused: " + reading_.end : "is wrong");
    return right;
  }

  const Reading &reading_;
  const FileStory &story_;
  const Version &version_;
  const Sizes &sizes_;
  Part part_{};
  std::string why_;
  bool is_reported_ = false;
};

}  // namespace

Scene::Problem Scene::problem_of(const Found &found, const Case &about, const Promises &promises) const {
  const FileStory &description = about.description;
  const Extent &floor = description.floor(about.crash);
  const bool all = about.strict || description.all_right(about.crash);
  if (!found.exists)
    return floor.version < 0 ? Problem{} : Problem{Fate::lost, "there is no file, but promised was " + text_of(floor)};
  if (floor.version < 0 && !all) return {};
  const Reading &reading = found.reading;
  if (!reading.opens || !reading.complaint.empty())
    return {Fate::refused, found.reader + " refuses it: " + reading.complaint + "; promised was " + text_of(floor)};
  const Extent extent = extent_of(reading);
  const std::string has = found.reader + " finds " + text_of(extent) + ", ";
  const auto version = description.versions.find(extent.version);
  if (version == description.versions.end()) return {Fate::wrong, has + "and there is no such version"};
  if (extent > description.begun) return {Fate::wrong, has + "but only this was begun: " + text_of(description.begun)};
  Truth truth(reading, description, version->second, promises.sizes);
  const int64_t right = truth.right_records();
  if (right < (all ? extent.records : std::min(floor.records, extent.records)))
    return {floor.version < 0 || right >= floor.records ? Fate::partial
            : truth.is_reported()                       ? Fate::refused
                                                        : Fate::wrong,
            has + "but " + truth.why()};
  const bool is_complete =
      std::find(description.complete.begin(), description.complete.end(), extent) != description.complete.end();
  if (description.published && !is_complete) return {Fate::wrong, has + "a published file that is not complete"};
  if (extent < floor) return {Fate::lost, has + "but promised was " + text_of(floor)};
  return {};
}

Scene::Problem Scene::marker_problem(bool marker, const Reading &reading, const Case &about) const {
  const FileStory &description = about.description;
  if (description.must_have_marker(about.crash) && !marker)
    return {Fate::lost, "the file is complete, but its marker is not there"};
  const bool all = about.strict || description.all_right(about.crash);
  if (!marker || !all || !reading.opens) return {};
  if (std::find(description.complete.begin(), description.complete.end(), extent_of(reading)) !=
      description.complete.end())
    return {};
  return {Fate::wrong, "a marker stands beside a file that is not complete: " + text_of(extent_of(reading))};
}

std::vector<Scene::Found> Scene::readings(const Image &image, const std::string &name, const Promises &promises) const {
  const std::string path = directory_ + "/" + name;
  const bool exists = has(image, name), is_group = exists && image.count(name) == 0;
  std::vector<Found> all{{exists, {}, "Sverdrup"}, {exists, {}, "netCDF-C"}};
  if (!exists) return all;
  Reading &ours = all[0].reading, &netcdf = all[1].reading;
  ours = ours_.read(path, promises.sizes.texts);
  // netCDF-C may read for minutes, into gigabytes, files that we refuse. It reads no Zarr in directories.
  if (!ours.opens || is_group) {
    all.pop_back();
    return all;
  }
  // Others need to read a header that was being changed only after it was repaired. Where a file cannot be opened for
  // appending, since it ends before the last record that it counts, it is read as it is.
  if (image.count(name + ".header") > 0 || image.count(name + ".journal") > 0) ours_.repair(path);
  netcdf = read_with_netcdf(path, promises.sizes.texts);
  if (netcdf.rows >= 0) {  // ours reads a piece as a file of its own
    ours.first_row = netcdf.first_row;
    ours.rows = netcdf.rows;
  }
  return all;
}

// A program that goes on: it opens the file, and writes the next record.
Scene::Problem Scene::problem_of_going_on(const std::string &name, const Reading &before, const Case &about,
                                          const Promises &promises) const {
  const FileStory &description = about.description;
  Version version = description.versions.at(before.version);
  const std::string path = directory_ + "/" + name;
  const std::string complaint =
      ours_.append(path, {version, before.records, description.first + before.records, promises.sizes});
  if (!complaint.empty()) return {Fate::refused, "a record cannot be added: " + complaint};
  const Extent wanted{before.version, before.records + 1};
  std::vector<Found> all{{true, ours_.read(path, promises.sizes.texts), "Sverdrup"}};
  if (!std::filesystem::is_directory(path))
    all.push_back({true, read_with_netcdf(path, promises.sizes.texts), "netCDF-C"});
  for (const Found &found : all) {
    Truth truth(found.reading, description, version, promises.sizes);
    if (found.reading.opens && extent_of(found.reading) == wanted && truth.right_records() == wanted.records) continue;
    return {Fate::wrong, "after a record was added, " + found.reader + " finds " + text_of(extent_of(found.reading)) +
                             ": " + found.reading.complaint + truth.why()};
  }
  return {};
}

Scene::Problem Scene::problem_of_streams(const Promises &promises) const {
  // Beyond all that the run can have written after it was saved.
  const int64_t from = promises.streams_from, end = from + 8, periods = end / steps_of_period;
  const std::string complaint = ours_.continue_streams(directory_, promises.sizes, {from, end});
  const Version version;
  const std::string how = "streams that continue from step " + std::to_string(from);
  if (!complaint.empty()) return {Fate::refused, how + ": " + complaint};
  for (int64_t first = 0; first < periods; first += periods_of_file) {
    const std::string name = series_name(first);
    FileStory description;
    description.of_streams = true;
    description.first = first;
    const Extent wanted{0, std::min(periods_of_file, periods - first)};
    const std::string path = directory_ + "/" + name;
    const Found all[] = {{true, ours_.read(path, promises.sizes.texts), "Sverdrup"},
                         {true, read_with_netcdf(path, promises.sizes.texts), "netCDF-C"}};
    for (const Found &found : all) {
      Truth truth(found.reading, description, version, promises.sizes);
      if (found.reading.opens && extent_of(found.reading) == wanted && truth.right_records() == wanted.records)
        continue;
      return {Fate::wrong, how + ": " + found.reader + " finds " + text_of(extent_of(found.reading)) + " in " + name +
                               ": " + found.reading.complaint + truth.why()};
    }
  }
  return {};
}

Judgement Scene::judge_file(const Image &image, const std::string &name, const Promises &promises, Crash crash) const {
  const FileStory &description = promises.files.at(name);
  Judgement judgement;
  const auto hear = [&](const Problem &strict, const Problem &promised, const std::string &file) {
    judgement.fate = std::max(judgement.fate, strict.fate);
    if (promised.fate != Fate::whole && judgement.violation.empty() && !description.is_unpromised(crash))
      judgement.violation = file + ": " + promised.why;
  };
  const Case strict{description, crash, true}, promised{description, crash, false};
  bool same = true;
  Extent first;
  Reading read;
  const auto judge_one = [&](const std::string &file, bool is_first) {
    const std::vector<Found> all = readings(image, file, promises);
    for (const Found &found : all)
      hear(problem_of(found, strict, promises), problem_of(found, promised, promises), file);
    const bool marker = image.count(file + ".complete") > 0;
    hear(marker_problem(marker, all[0].reading, strict), marker_problem(marker, all[0].reading, promised), file);
    const Extent extent = extent_of(all[0].reading);
    same = same && all[0].reading.opens && all[0].reading.end.empty() && (is_first || extent == first);
    first = extent;
    read = all[0].reading;
  };
  if (description.pieces == 0) {
    judge_one(name, true);
    if (description.of_streams || description.published || description.is_unpromised(crash) ||
        !description.all_right(crash) || !same || judgement.fate != Fate::whole)
      return judgement;
    const Problem after = problem_of_going_on(name, read, promised, promises);
    hear(after, after, name);
    return judgement;
  }
  for (int piece = 0; piece < description.pieces; ++piece) judge_one(piece_name(name, piece), piece == 0);
  // Pieces commit one by one: the set need not open while they differ, or one of them is cut off (docs/patterns.md),
  // but where it does it is right.
  Found set{same, ours_.read(directory_ + "/" + name, promises.sizes.texts), "Sverdrup"};
  set.exists = same || set.reading.opens;
  if (set.exists) hear(problem_of(set, strict, promises), problem_of(set, promised, promises), name);
  return judgement;
}

Judgement Scene::judge(const Image &image, const Promises &promises, Crash crash) const {
  Judgement all;
  for (const auto &[name, description] : promises.files) {
    const Judgement one = judge_file(image, name, promises, crash);
    all.fate = std::max(all.fate, one.fate);
    if (all.violation.empty()) all.violation = one.violation;
  }
  if (promises.streams_from < 0) return all;
  const Problem after = problem_of_streams(promises);
  all.fate = std::max(all.fate, after.fate);
  // Where a power loss may leave counted records without their data, a run may find one that it does not write again.
  const bool all_right = std::all_of(promises.files.begin(), promises.files.end(),
                                     [&](const auto &each) { return each.second.all_right(crash); });
  if (all.violation.empty() && (all_right || crash == Crash::kill)) all.violation = after.why;
  return all;
}

}  // namespace svcrash
