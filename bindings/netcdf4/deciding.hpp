// The decision whether Sverdrup or the real library has a file: it is made once, at the first nc_enddef or data. And
// the definitions that Sverdrup's file receives then, and whenever others follow. All functions are collective where
// the file has several ranks, unless they say otherwise.
#pragma once

#include <cstdio>
#include <exception>
#include <span>
#include <string>

#include "base/no_traps.hpp"
#include "dataset.hpp"

namespace sv::netcdf4 {

/// Local. Why a file of this name is the real library's; empty: it need not be.
std::string reason_in_name(const char *name);
/// Local. Why a new file of this name and mode of nc_create is the real library's at once; empty: it is not.
std::string reason_against_new_file(const char *name, int mode);

/// Local. Why an existing file, opened in this mode, is the real library's at once; empty: it is not. Throws the code
/// of a system that cannot read it.
std::string reason_against_opening(const char *name, int mode);

/// Local. The real library keeps the definitions of a new file, in a file in memory. False: it cannot.
bool keep_definitions(Dataset &own);
/// Local. The real library opens an existing file as `there`. Returns why it cannot, before it has read anything;
/// empty: it can. Throws its other codes: after an error in its metadata, netCDF-C 4.9 may open the file once more with
/// success, and without some of its variables.
std::string open_there(Dataset &own, int mode);
/// Local, after open_there with NC_NOWRITE. The real library reads the definitions of the file, and keeps them: in a
/// file in memory where they may change: then they are `found`. Returns why Sverdrup would not read or write it; empty:
/// it would. Throws the code of a file that cannot be read.
std::string take_definitions(Dataset &own, Definitions &found);
/// Local. The real library's file of definitions in memory ends.
void drop_definitions(Dataset &own) noexcept;
/// Local. The same of a file that was not made or opened: its number ends.
void give_up(Dataset &own);

/// Ends the definitions that the program has made so far: an undecided file is decided upon, and Sverdrup's gets what
/// it lacks. Throws a code.
void settle_definitions(Dataset &own);

/// A small existing file has grown: Sverdrup has it from now on, if it can. Throws a code.
void adopt(Dataset &own);
/// Such a file is the library's for good. `reason`: in words, for the summary.
void keep_small(Dataset &own, const std::string &reason);

/// The end of a file that has stayed in memory. Throws a code.
void write_small_file(Dataset &own);

/// The real library has the file from now on, with all definitions and all values that Sverdrup has. `reason`: in
/// words, for the summary. Throws netCDF's code.
void leave(Dataset &own, const std::string &reason);

/// Files that the program has left open when it ends are closed. `library`: which says so where it cannot.
void close_all(const char *library);

/// The answer of an entry (entry.h): begin(why) returns the file that it has made or opened, or nullptr with the reason
/// why the real library has it. Returns the code that it throws.
template <class Begin>
int answer_entry(int *ncid, std::span<char> reason, const Begin &begin) {
  const NoTraps quiet;
  std::string why;
  *ncid = -1;
  int code = NC_NOERR;
  try {
    if (const Dataset *const own = begin(why)) *ncid = own->ncid;
  } catch (const std::exception &error) {
    why = error.what();
  } catch (const Refusal &refusal) {
    code = refusal.code;
  }
  std::snprintf(reason.data(), reason.size(), "%s", why.c_str());
  return code;
}

}  // namespace sv::netcdf4
