// In which order points stand along the dimensions of a file: the orders that were given, those that are found in the
// file, and the decompositions that put points in their places.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "file/file.hpp"
#include "model/schema.hpp"

namespace sv {

/// Of a file, or of all files of a series: dimensions and variables are known by their ids. The same on all ranks.
class Orders {
 public:
  /// Local. Along `dim`, points have the order of `ordered`, which the variable contains.
  void give(int dim, int variable, const Decomp &ordered);
  /// Local. Looks for the variables that contain orders; again, after definitions have changed.
  void find(const Schema &schema);
  bool any() const { return !variables_.empty(); }
  bool given() const { return !given_.empty(); }
  bool has(int dim) const { return variables_.count(dim) > 0; }

  /// Collective. Writes the order variables that were given and have this id or a higher one.
  void write(File &file, int first_variable) const;
  /// Local. The decomposition to put or get with along `dim` instead of one of points, with this number and layout: its
  /// layout says where they stand. nullptr: it must be made.
  const Decomp *known(int dim, int decomp, const Layout *layout) const;
  /// Collective. Makes it for the decomposition with this number; `layout`: nullptr on a rank that has forgotten it.
  /// Error(format) for an order that is none, Error(layout) for cells that have no place.
  const Decomp &make(File &file, int dim, int decomp, std::shared_ptr<const Layout> layout);

 private:
  struct Given {
    int variable;
    Decomp ordered;
  };
  int variable_of(int dim) const { return variables_.at(dim); }

  std::map<int, int> variables_;                // by dimension
  std::map<int, Given> given_;                  // by dimension
  std::map<std::pair<int, int>, Decomp> made_;  // by dimension and number of the decomposition
};

/// Those of a file, made when they are first asked for.
Orders &orders_of(File &file);

/// In define mode: see sv_def_order. Returns the order's variable.
int define_order(File &file, int dim, const std::string &name, const Decomp &ordered);

/// Local. The dimension along which points of this layout stand in the variable, where it has an order.
std::optional<int> ordered_dim(File &file, int variable, const Layout &layout);

/// The decomposition by which a put or get of the whole variable finds its places: `decomp` itself where the variable
/// stands in no order. Collective in a file with orders, otherwise local. `function`: the call, for messages.
const Decomp *in_places(File &file, const char *function, int variable, int64_t record, const Decomp *decomp);

}  // namespace sv
