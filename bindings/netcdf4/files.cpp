// A file's life after it was made with its definitions in memory: decided upon (deciding.hpp), written and closed.
#include <algorithm>
#include <utility>

#include "../face/inquiry.hpp"
#include "access.hpp"
#include "calls.hpp"
#include "deciding.hpp"
#include "model/variable_storage.hpp"
#include "real.hpp"

namespace sv::netcdf4 {

namespace {

/// It is gone. `code`: of its end.
int end_life(Dataset &own, int code) {
  if (own.owner == Owner::sverdrup && lists_files()) {
    own.engine->add_up(own.account);
    if (own.engine->rank() == 0) list_handled(own.path, own.account, own.engine->ranks(), code);
  }
  keep_small(own, "it is small");
  drop_definitions(own);
  forget(own);
  return code;
}

}  // namespace

void note_read(Dataset &own, int group, int variable) {
  if (own.is_read_only || own.existing_variables > 0) own.known_storage.emplace(group, variable);
}

/// Of variables, and of their fill values.
const char *reason_of_type(const Dataset &own, nc_type type) {
  int kind = NC_ENUM;
  if (type >= NC_FIRSTUSERTYPEID)
    real::inq_user_type(own.caller)(own.there, type, nullptr, nullptr, nullptr, nullptr, &kind);
  return kind == NC_ENUM ? nullptr : "user-defined types";
}

const char *reason_of_attribute(const Dataset &own, const char *name, nc_type type) {
  if (type < NC_FIRSTUSERTYPEID) return nullptr;
  const bool is_fill = name != nullptr && std::string(name) == "_FillValue";
  return is_fill ? reason_of_type(own, type) : "attributes of user-defined types";
}

/// The types of Sverdrup's files are all in the outermost group.
int def_enum(Dataset &own, const RealCall &real, nc_type, const char *, nc_type *) {
  return define(own, real, real.group() != 0 ? "user-defined types in groups" : nullptr);
}

const char *reason_of_filter(unsigned filter) {
  const auto number = static_cast<FilterNumber>(filter);
  const bool is_known = number == FilterNumber::deflate || number == FilterNumber::shuffle ||
                        number == FilterNumber::fletcher32 || number == FilterNumber::zstd;
  return is_known ? nullptr : "a filter that Sverdrup does not apply";
}

int define(Dataset &own, const RealCall &real, const char *reason) {
  if (own.is_read_only) return real(own.there);
  if (own.owner != Owner::library && reason != nullptr) leave(own, reason);
  const int code = real(own.there);
  const bool may_change = own.owner != Owner::library || own.is_small;
  if (may_change && (code == NC_NOERR || code == NC_ERANGE)) own.is_changed = true;
  return code;
}

int rename(Dataset &own, const RealCall &real) {
  return define(own, real, own.owner == Owner::sverdrup ? own.engine->reason_against_renaming() : nullptr);
}

int redef(Dataset &own, const RealCall &real) {
  const int code = real(own.there);
  if (code == NC_NOERR) own.is_defining = true;
  return code;
}

int enddef(Dataset &own, const RealCall &real) {
  const int code = real(own.there);
  if (code != NC_NOERR) return code;
  own.is_defining = false;
  if (own.owner == Owner::library) return NC_NOERR;
  own.is_defined = true;
  if (!own.is_in_memory()) settle_definitions(own);
  return NC_NOERR;
}

int _enddef(Dataset &own, const RealCall &real, size_t, size_t, size_t, size_t) { return enddef(own, real); }

/// A small file is synchronised by the library once. A program that does so again expects records to survive a kill.
int sync(Dataset &own, const RealCall &real) {
  if (own.is_small && std::exchange(own.is_synced, true) && !own.is_defining) adopt(own);
  if (own.owner == Owner::library || own.is_read_only) return real(own.there);
  if (own.is_defining) {
    refuse_if(own.is_classic(), NC_EINDEFINE);
    own.is_defining = false;
    expect(real::enddef(own.caller)(own.there));
  }
  if (own.is_changed) settle_definitions(own);
  if (own.owner == Owner::library) return real(own.there);
  own.engine->sync();
  return NC_NOERR;
}

int close(Dataset &own, const RealCall &real) {
  refuse_if(real.group() != 0, NC_EBADGRPID);
  int code = NC_NOERR;
  if (own.owner != Owner::library && own.is_changed) {
    if (own.is_defining) code = real::enddef(own.caller)(own.there);
    if (code == NC_EINVAL) return code;  // it stays open: a type of it has no members
    code = answered([&] {
      expect(code);
      own.is_defining = false;
      if (own.is_in_memory()) {
        expect(real::sync(own.caller)(own.there));
        write_small_file(own);
      } else {
        settle_definitions(own);
      }
      return NC_NOERR;
    });
  }
  if (own.owner == Owner::library) {
    const int closed = real(own.there);
    if (closed == NC_EINVAL) return closed;  // it stays open, likewise
    return end_life(own, code == NC_NOERR ? closed : code);
  }
  const int closed = own.engine->close();
  return end_life(own, code == NC_NOERR ? closed : code);
}

int abort(Dataset &own, const RealCall &real) {
  if (own.owner == Owner::library) return end_life(own, real(own.there));
  if (own.is_in_memory() && own.is_defined) return close(own, real);
  return end_life(own, own.engine->abort());
}

/// NetCDF does not know the filters of an existing variable before the program asks for it or accesses it: until then,
/// it may be accessed independently.
int var_par_access(Dataset &own, const RealCall &real, int variable, int access) {
  if (own.owner == Owner::library || !own.engine->has_access()) return real(own.there);
  refuse_if(access != independent_access && access != collective_access, NC_EINVAL);
  const auto check = [&](bool is_filtered, bool is_existing) {
    const bool is_known = !is_existing || own.known_storage.contains({real.group(), variable});
    refuse_if(access == independent_access && is_filtered && is_known, NC_EINVAL);
  };
  if (own.is_read_only) {  // each rank gets values by itself in any case
    check(is_filtered(own.there + real.group(), variable, own.caller), true);
    return NC_NOERR;
  }
  const std::vector<Shape> shapes =
      own.is_changed ? shapes_of(definitions_of(own.there, own.caller, own.shapes)) : own.shapes;
  const int place = place_of(shapes, real.group(), variable);
  refuse_if(place < 0, NC_ENOTVAR);
  check(shapes[static_cast<size_t>(place)].is_filtered, place < own.existing_variables);
  own.engine->set_access(shapes, place, access);
  return NC_NOERR;
}

/// Of a variable, or of an attribute of it.
int inquire(Dataset &own, const RealCall &real, int variable) {
  note_read(own, real.group(), variable);
  return real(own.there);
}

int inq_dim(Dataset &own, const RealCall &real, int dim, char *, size_t *length) {
  const int code = real(own.there);
  // Of an unlimited dimension, the file in memory has no cells, or the first ones.
  if (code == NC_NOERR && own.owner == Owner::sverdrup && length != nullptr)
    *length = std::max(*length, static_cast<size_t>(own.engine->length(dim)));
  return code;
}

int inq_dimlen(Dataset &own, const RealCall &real, int dim, size_t *length) {
  return inq_dim(own, real, dim, nullptr, length);
}

int inq_path(Dataset &own, const RealCall &, size_t *length, char *path) { return face::inq_path(own, length, path); }

int inq_format_extended(Dataset &own, const RealCall &real, int *, int *mode) {
  const int code = real(own.there);
  if (code == NC_NOERR && own.owner != Owner::library) assign(mode, own.mode | NC_NETCDF4);
  return code;
}

}  // namespace sv::netcdf4
