// The definitions of a file as the model makes them: dimensions, variables, attributes, and the form of values in
// memory. All of it is local; sv_enddef compares them between ranks. Every function throws an Error that names the
// file: define for definitions that netCDF does not allow, exists, not_found, invalid. Its File knows whether it is in
// define mode.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/convert.hpp"
#include "layout/layout.hpp"
#include "model/name_index.hpp"
#include "store/cdf_places.hpp"

namespace sv {

class Definitions {
 public:
  explicit Definitions(std::string path) : path_(std::move(path)) {}

  int define_dim(const std::string &name, int64_t length);  // 0: unlimited
  int define_variable(const std::string &name, Type type, const std::vector<int> &dims);
  void undefine_last_variable();
  void define_fill(int variable, const void *value);
  /// Says in which of the variable's dimensions, slowest first, the grids of decompositions begin.
  void define_axes(int variable, int first_dim);
  /// `variable` −1: the file's own; −1 − g: those of group g.
  void put_attribute(int variable, Attribute attribute);
  void rename_dim(int dim, const std::string &name);
  void rename_variable(int variable, const std::string &name);
  void rename_attribute(int variable, const std::string &from, const std::string &to);
  void delete_attribute(int variable, const std::string &name);
  /// Packed data (CF, section 8.1): whether puts and gets of a variable pack and unpack, with the attributes
  /// scale_factor and add_offset, which define_packing makes.
  void define_packing(int variable, const Scaling &scaling);
  void use_packing(int variable, bool on);
  bool is_packed(int variable) const { return packed_.count(variable) > 0; }

  /// After names in the schema have changed otherwise than by the functions above.
  void forget_names() { names_ = {}; }
  /// Takes over what does not stand in the file: axes, and which variables are unpacked.
  void use_as(const Definitions &other);

  const std::vector<Attribute> &attributes(int variable) const;
  const Variable &variable(int id) const;
  const Dimension &dim(int id) const;
  int find_dim(const std::string &name) const;                                   // −1 if there is none
  int find_variable(const std::string &name) const;                              // the same
  const Attribute *find_attribute(int variable, const std::string &name) const;  // nullptr if there is none

  /// The first of the variable's dimensions (without the record) in which the layout stands. Throws Error(layout).
  int first_axis(int variable, const Layout &layout) const;
  std::optional<int> axis_of(int variable, const Layout &layout) const;  // the same; nothing where that throws
  /// In words, a line for each definition: equal on ranks that have defined the same.
  std::string listing() const;
  uint64_t passing_signature() const;  // of this text, which is not made

  /// To be placed, or replaced by the definitions of a file.
  PlacedSchema schema;

 private:
  /// Whether names of groups may stand before a name.
  enum class Place { in_group, plain };
  std::string new_name(const std::string &given, Place place = Place::in_group) const;
  void check_attribute(int variable, const Attribute &attribute) const;
  std::vector<Attribute> &own_attributes(int variable);
  Attribute &own_attribute(int variable, const std::string &name);

  const std::string path_;
  struct Names {
    NameIndex dims, variables;
    std::map<int, NameIndex> attributes;
    std::optional<bool> order_marks;  // whether any variable has one; not known yet
  };
  mutable Names names_;
  std::map<int, int> axes_;  // declared first dimensions, among all of the variable
  std::set<int> packed_;     // variables whose values are packed and unpacked
};

}  // namespace sv
