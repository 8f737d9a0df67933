// One put or get of a file that is taken over, from PnetCDF's arguments to a request of Sverdrup; and requests that are
// carried out. access.hpp has what the generated functions call.
#pragma once

#include <vector>

#include "dataset.hpp"

namespace sv::pnetcdf {

struct Access;
struct Memory;

/// Throws where a call is not of the file's mode.
void check_mode(const Dataset &own, const Access &access);

/// The checked arguments of a call. Borrows the arrays of the call, and must stay where it is until it is posted.
class CheckedAccess {
 public:
  /// Throws what PnetCDF says to wrong arguments.
  CheckedAccess(Dataset &own, const Access &access);
  CheckedAccess(CheckedAccess &&) = default;

  bool is_empty() const { return wanted_.cells == 0; }
  /// Records it. Local.
  Posted post();

 private:
  void choose_block(const Access &access, const Shape &shape);
  void choose_list(const Access &access, const Shape &shape);
  void stage(const Access &access, const Memory &memory, const Shape &shape);

  Dataset &own_;
  Wanted wanted_;
  std::vector<int64_t> zeros_, counts_;
  std::vector<const int64_t *> starts_, rows_;
  std::optional<Staged> staged_;
  int code_ = 0;  // that the program hears, although values move
};

/// Collective. Carries out requests of this rank, none or several, and stores the code of each. Returns the first of
/// them, or the error of all.
int carry_out(Dataset &own, const std::vector<Posted *> &posted);

/// Local. It is not carried out, and borrows nothing of the program's any more.
void give_up(Dataset &own, Posted &posted);

/// A call for which this rank has made several requests, or none. `code`: the error of a rejected call: then none of
/// them is carried out. Collective, except for calls of one rank alone.
int ask(Dataset &own, const Access &access, std::vector<Posted> posted, int code);

/// Collective, before reads: commits uncommitted puts. `reads`: whether this rank reads something.
void show_records(Dataset &own, bool reads);

}  // namespace sv::pnetcdf
