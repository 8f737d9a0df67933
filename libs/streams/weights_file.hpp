// A file with the weights of a remapping, in the form of ESMF, or in that of SCRIP and CDO. Weights opens it, reads
// what it needs, and closes it. Collective; all ranks throw the same Failure, without a place.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sverdrup/sverdrup.h"

namespace sv::streams {

/// The weight of a source cell in a target cell; both are counted from 0.
struct Link {
  int64_t target, source;
  double weight;
};

enum class Side { source, target };
enum class CellFact { latitude, longitude, latitude_corners, longitude_corners, area, fraction };

class WeightsFile {
 public:
  WeightsFile(sv_context *io, const std::string &path);

  const std::string &path() const { return path_; }
  int64_t cells(Side side) const { return cells_[static_cast<size_t>(side)]; }
  /// Slowest dimension first; one dimension for a list of cells.
  const std::vector<int64_t> &shape(Side side) const { return shapes_[static_cast<size_t>(side)]; }
  int64_t links() const { return links_; }
  /// A global attribute; empty: there is none.
  std::string attribute(const char *name) const { return text(SV_GLOBAL, name); }
  bool has(Side side, CellFact fact) const { return variable_of(side, fact).has_value(); }
  /// Of a cell; 0: the file has no corners.
  int64_t vertices(Side side) const;

  /// Those with the numbers from `begin` to `end`, in the file's order.
  std::vector<Link> read_links(int64_t begin, int64_t end) const;
  /// Of the cells from `begin` to `end`, in degrees where they are angles. Empty on every rank: the file has none.
  std::vector<double> read(Side side, CellFact fact, int64_t begin, int64_t end) const;

 private:
  std::optional<int> variable(const char *name) const;
  std::optional<int> variable_of(Side side, CellFact fact) const;
  std::optional<int64_t> dimension(const char *name) const;
  void read_shape(Side side);
  std::vector<int64_t> lengths_of(int var) const;
  std::string text(int var, const char *name) const;
  void check(const std::vector<Link> &links, int64_t begin) const;
  template <class Value>
  std::vector<Value> read_numbers(int var, int64_t begin, int64_t end) const;

  struct Close {
    void operator()(sv_file *file) const { sv_close(file); }
  };
  sv_context *io_;
  std::string path_;
  std::unique_ptr<sv_file, Close> file_;
  bool is_esmf_ = false;
  int64_t cells_[2] = {0, 0}, links_ = 0;
  std::vector<int64_t> shapes_[2];
};

}  // namespace sv::streams
