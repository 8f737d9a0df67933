// Compares the files of a case of faults_victim with the promises, by value, with netCDF-C:
//
//   faults_judge      a line of standard input for each case: FOLDER KIND STATUS COMMITTED; a line of output: "OK ..."
//   or "BAD ..."
//
// After success the files are complete and right. After an error, published names hold the older file, nothing, or the
// new file whole; other files hold every committed record, and right values in counted ones. A commit that was
// interrupted is completed first, as Sverdrup does in opening the file.
#include <netcdf.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "store/journal.hpp"
#include "truth.hpp"

namespace {

using namespace svtest::faults;

struct Bad : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void nc(int status, const std::string &what) {
  if (status != NC_NOERR) throw Bad(what + ": netCDF-C says " + nc_strerror(status));
}

/// Closed in any case.
class File {
 public:
  explicit File(const std::string &path) : path_(path) {
    if (sv::presence_of(path) == sv::Presence::file) {
      sv::PositionalFile writer(path, sv::PositionalFile::Mode::update);
      sv::complete_commit(writer, path);
    }
    nc(nc_open(path.c_str(), NC_NOWRITE, &id_), path);
  }
  File(const File &) = delete;
  ~File() { nc_close(id_); }
  bool has(const char *name) const {
    int var = -1;
    return nc_inq_varid(id_, name, &var) == NC_NOERR;
  }
  size_t length(const char *name) const {
    int dim = -1;
    size_t length = 0;
    nc(nc_inq_dimid(id_, name, &dim), path_ + ", dimension " + name);
    nc(nc_inq_dimlen(id_, dim, &length), path_ + ", dimension " + name);
    return length;
  }
  std::vector<double> values(const char *name, const std::vector<size_t> &start,
                             const std::vector<size_t> &count) const {
    int var = -1;
    size_t cells = 1;
    for (const size_t each : count) cells *= each;
    std::vector<double> values(cells);
    nc(nc_inq_varid(id_, name, &var), path_ + ", " + name);
    nc(nc_get_vara_double(id_, var, start.data(), count.data(), values.data()), path_ + ", " + name);
    return values;
  }
  /// A slab of `levels` levels is the truth of `step`; step -1: fill values.
  void check(const char *name, const std::vector<size_t> &start, const std::vector<size_t> &count, int64_t step,
             int64_t shift) const {
    const std::vector<double> found = values(name, start, count);
    for (size_t i = 0; i < found.size(); ++i) {
      const double right = step < 0 ? fill : value_of(static_cast<int64_t>(i), step, shift);
      if (found[i] == right) continue;
      std::ostringstream description;
      description << path_ << ", " << name << ", record " << start.front() << ", cell " << i << ": " << found[i]
                  << " instead of " << right;
      throw Bad(description.str());
    }
  }

 private:
  std::string path_;
  int id_ = -1;
};

constexpr size_t cz = nz, cy = ny, cx = nx;

/// All that a file holds: records are those of the steps from `first` on. Returns how many there are.
int64_t check_file(const std::string &path, int64_t first, bool timed = true) {
  const File file(path);
  const size_t records = file.length("time");
  if (records > 0) file.check("depth", {0, 0}, {cy, cx}, 0, depth_shift);
  for (size_t r = 0; r < records; ++r) {
    const int64_t step = first + static_cast<int64_t>(r);
    file.check("temp", {r, 0, 0, 0}, {1, cz, cy, cx}, step, temp_shift);
    if (timed && file.values("time", {r}, {1})[0] != static_cast<double>(step)) throw Bad(path + ": the time is wrong");
    if (file.has("added")) file.check("added", {r, 0, 0}, {1, cy, cx}, step < old_records ? -1 : step, added_shift);
  }
  return static_cast<int64_t>(records);
}

struct Left {
  std::string folder, kind;
  int status = 0;
  int64_t committed = 0;
  bool succeeded() const { return status == 0; }
};

bool is_old(const std::string &path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line == "an older file";
}

/// The older file was a whole one, with other records.
std::string check_replaced(const Left &left) {
  const std::string path = left.folder + "/f.nc";
  if (!std::filesystem::exists(path)) throw Bad("the older file is gone");
  const int64_t found = check_file(path, 0);
  if (found != steps && (left.succeeded() || found != old_records))
    throw Bad("a part of the file under its final name, or the older file after success");
  return found == steps ? "the new file" : "the older file";
}

std::string check_published(const Left &left) {
  const std::string path = left.folder + "/f.nc";
  if (is_old(path)) {
    if (left.succeeded()) throw Bad("success, but the older file is still there");
    return "the older file";
  }
  if (!std::filesystem::exists(path)) throw Bad("the older file is gone");
  if (check_file(path, 0) != steps) throw Bad("a part of the file under its final name");
  return "the new file";
}

/// Pieces are published one by one: each is whole, or not there.
std::string check_set(const Left &left) {
  int64_t cells = 0, pieces = 0;
  for (const auto &entry : std::filesystem::directory_iterator(left.folder)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind("f.nc.", 0) != 0 || name.find_first_not_of("0123456789", 5) != std::string::npos) continue;
    const File file(entry.path().string());
    if (file.length("time") != static_cast<size_t>(steps)) throw Bad(name + " has other records");
    const size_t y = file.length("y"), x = file.length("x");
    const std::vector<double> ys = file.values("y", {0}, {y}), xs = file.values("x", {0}, {x});
    cells += static_cast<int64_t>(y * x);
    ++pieces;
    for (size_t step = 0; step < static_cast<size_t>(steps); ++step) {
      const std::vector<double> found = file.values("temp", {step, 0, 0, 0}, {1, cz, y, x});
      for (size_t i = 0; i < found.size(); ++i) {
        const auto cell = static_cast<int64_t>((i / (y * x)) * cy * cx) + static_cast<int64_t>(ys[i / x % y]) * nx +
                          static_cast<int64_t>(xs[i % x]);
        if (found[i] != value_of(cell, static_cast<int64_t>(step), temp_shift)) throw Bad(name + ": temp is wrong");
      }
    }
  }
  if (left.succeeded() && cells != ny * nx)
    throw Bad("success, but the pieces hold " + std::to_string(cells) + " cells");
  return std::to_string(pieces) + " pieces";
}

std::string check_series(const Left &left) {
  int64_t found = 0;
  for (int64_t first = 0; first < steps + 1; first += day_steps) {
    const std::string path = left.folder + "/f_0" + std::to_string(1 + first / day_steps) + ".nc";
    if (std::filesystem::exists(path)) found = std::max(found, first + check_file(path, first));
    const int64_t promised = std::min(left.succeeded() ? steps + 1 : left.committed, first + day_steps);
    if (first < promised && (!std::filesystem::exists(path) || first + check_file(path, first) < promised))
      throw Bad(path + ": fewer than " + std::to_string(promised) + " records after success or commits");
  }
  return std::to_string(found) + " records";
}

std::string check_growing(const Left &left) {
  const std::string path = left.folder + "/f.nc";
  const bool went_on = left.kind == "appended" || left.kind == "moved" || left.kind == "stayed";
  const int64_t all = steps + (went_on ? old_records : 0);
  const int64_t promised = left.succeeded() ? all : std::max(left.committed, went_on ? old_records : 0);
  if (!std::filesystem::exists(path)) {
    if (promised > 0) throw Bad("the file is gone, with " + std::to_string(promised) + " records");
    return "no file";
  }
  const int64_t found = check_file(path, 0);
  if (found < promised) throw Bad(std::to_string(found) + " records of " + std::to_string(promised));
  if (found > all) throw Bad("more records than were put");
  return std::to_string(found) + " records";
}

/// In a growing set with a file for each variable, committed data are in all files. Without the first file there is
/// no set.
std::string check_divided(const Left &left) {
  const std::string first = left.folder + "/f_depth.nc";
  const int64_t promised = left.succeeded() ? steps : left.committed;
  if (!std::filesystem::exists(first)) {
    if (promised > 0) throw Bad("the first file is gone, with " + std::to_string(promised) + " records");
    return "no set";
  }
  const File depth(first), temp(left.folder + "/f_temp.nc");
  depth.check("depth", {0, 0}, {cy, cx}, 0, depth_shift);
  const auto found = static_cast<int64_t>(temp.length("time"));
  if (found < promised || found > steps) throw Bad(std::to_string(found) + " records of " + std::to_string(promised));
  for (size_t r = 0; r < static_cast<size_t>(found); ++r) {
    const auto step = static_cast<int64_t>(r);
    temp.check("temp", {r, 0, 0, 0}, {1, cz, cy, cx}, step, temp_shift);
    if (temp.values("time", {r}, {1})[0] != static_cast<double>(step)) throw Bad("the time is wrong");
  }
  return std::to_string(found) + " records in all files";
}

std::string check(const Left &left) {
  if (left.kind == "divided") return check_divided(left);
  if (left.kind == "published") return check_published(left);
  if (left.kind == "replaced") return check_replaced(left);
  if (left.kind == "set") return check_set(left);
  if (left.kind == "series") return check_series(left);
  return check_growing(left);
}

}  // namespace

int main() {
  for (Left left; std::cin >> left.folder >> left.kind >> left.status >> left.committed;) {
    try {
      const std::string found = check(left);  // may throw: before any word of the answer
      std::cout << "OK " << found << std::endl;
    } catch (const std::exception &error) {
      std::cout << "BAD " << error.what() << std::endl;
    }
  }
}
