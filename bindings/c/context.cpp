// sverdrup.h: the context, decompositions, and messages.
#include <cstring>

#include "../of_thread.hpp"
#include "config/keys.hpp"
#include "device/device.hpp"
#include "engine/decompose.hpp"
#include "handles.hpp"

namespace sv::c {

std::string &message() { return of_thread<std::string>(); }

Error null_argument(const char *name) {
  return {Status::invalid, std::string("the argument '") + name + "' is a null pointer", "See sverdrup.h"};
}

void require(const void *pointer, const char *name) {
  if (pointer == nullptr) throw null_argument(name);
}

namespace {

/// The shape of this rank's arrays, with the halo; zeros where it owns nothing.
Index extent_of(const Decomp &decomp) {
  const int64_t cells = decomp.layout->cells_of_rank(decomp.context->rank());
  if (decomp.layout->points() != nullptr) return {cells};
  Index extent = decomp.count;
  for (int d = 0; d < extent.n; ++d)
    extent[d] = cells == 0 ? 0 : decomp.halo_low[d] + decomp.count[d] + decomp.halo_high[d];
  return extent;
}

/// Calls visit(cell, place, length) for runs of this rank's cells that are contiguous in the grid and in its arrays.
template <class Visit>
void for_own_runs(const Decomp &decomp, const Visit &visit) {
  const int rank = decomp.context->rank();
  if (const PointTable *const points = decomp.layout->points(); points != nullptr) {
    const PointRuns &runs = points->of(rank);
    for (int64_t run = 0; run < runs.runs(); ++run)
      visit(runs.place[static_cast<size_t>(run)], points->local()[static_cast<size_t>(run)], runs.length(run));
    return;
  }
  const Box grid = Box::whole(decomp.layout->shape()), array = Box::whole(extent_of(decomp));
  const int last = grid.dims() - 1;
  for (const Patch &patch : decomp.layout->patches_of_rank(rank)) {
    Box rows = Box::whole(patch.box.count);
    rows.count[last] = 1;
    for (int64_t row = 0; row < rows.elements(); ++row) {
      Index cell = cell_at(rows, row), place = cell;
      for (int d = 0; d <= last; ++d) {
        place[d] += decomp.halo_low[d] + patch.local[d];
        cell[d] += patch.box.start[d];
      }
      visit(position(grid, cell), position(array, place), patch.box.count[last]);
    }
  }
}

void require_handle(const void *handle, const char *name) {
  if (handle == nullptr)
    throw Error(Status::invalid,
                std::string("'") + name +
                    "' is a null pointer: the call that was to make it has failed, or it is closed or freed",
                "Look at the status of that call");
  if (!is_live(handle))
    throw Error(
        Status::invalid,
        std::string("'") + name + "' stands for nothing: it was closed or freed before, or its context was finalized",
        "Close or free it once, and do not use it afterwards");
}

}  // namespace

void require(const sv_context *handle, const char *name) { require_handle(handle, name); }
void require(const sv_file *handle, const char *name) { require_handle(handle, name); }
void require(const sv_decomp *handle, const char *name) { require_handle(handle, name); }

sv_file *handle_of(File *made) {
  handle_made(made, &made->context());
  return reinterpret_cast<sv_file *>(made);
}

sv_decomp *handle_of(Decomp *made) {
  handle_made(made, made->context);
  return reinterpret_cast<sv_decomp *>(made);
}

Type type_of(int number) {
  if (!is_type(number))
    throw Error(Status::type, "there is no type " + std::to_string(number), "Use SV_FLOAT, SV_DOUBLE and so on");
  return static_cast<Type>(number);
}

Type definable_type(int number) { return number == SV_STRING ? Type::string : type_of(number); }

/// A missing option is an empty one, which is an error on every rank.
Beginning beginning_of(Caller caller, const char *config, int n, const char *const *options) {
  Beginning made{config == nullptr ? "" : config, {}, caller};
  for (int i = 0; i < n; ++i) made.options.emplace_back(options == nullptr || options[i] == nullptr ? "" : options[i]);
  if (n < 0)
    made.problem = Error(Status::invalid, "n_options is " + std::to_string(n),
                         "Give the number of options, and 0 if there are none");
  return made;
}

namespace {

Index index_of(int n, const int64_t *values) {
  Index index(n, 0);
  for (int d = 0; values != nullptr && d < n; ++d) index[d] = values[d];
  return index;
}

DecompRequest decomp_request_of(int ndims, const int64_t *shape, const int64_t *start, const int64_t *count) {
  require(shape, "shape");
  require(start, "start");
  require(count, "count");
  if (ndims < 1 || ndims > max_grid_dims)
    throw Error(Status::invalid, "a decomposition of " + std::to_string(ndims) + " dimensions",
                "It has 1 to " + std::to_string(max_grid_dims));
  DecompRequest request;
  request.shape = index_of(ndims, shape);
  request.block = {index_of(ndims, start), index_of(ndims, count)};
  request.halo_low = request.halo_high = Index(ndims, 0);
  request.periodic.assign(static_cast<size_t>(ndims), false);
  return request;
}

}  // namespace

}  // namespace sv::c

using namespace sv;
using namespace sv::c;

namespace {

void init(MPI_Comm comm, Beginning beginning, sv_context **io) {
  if (io != nullptr) *io = nullptr;
  check_ready(comm);
  if (io == nullptr) beginning.problem = null_argument("io");
  auto made = std::make_unique<Session>(comm, beginning);
  handle_made(made.get(), nullptr);
  *io = reinterpret_cast<sv_context *>(made.release());
}

}  // namespace

extern "C" {

int sv_init(MPI_Comm comm, const char *config, int n_options, const char *const *options, sv_context **io) {
  return guarded([&] { init(comm, beginning_of(Caller::c, config, n_options, options), io); });
}

int sv_init_fortran(MPI_Fint comm, const char *config, int n_options, const char *const *options, sv_context **io) {
  return guarded([&] { init(MPI_Comm_f2c(comm), beginning_of(Caller::fortran, config, n_options, options), io); });
}

int sv_is_model(const sv_context *io, int *is_model) {
  return guarded([&] {
    require(io, "io");
    require(is_model, "is_model");
    *is_model = session(io)->is_model() ? 1 : 0;
  });
}

int sv_model_comm(const sv_context *io, MPI_Comm *comm) {
  return guarded([&] {
    require(io, "io");
    require(comm, "comm");
    *comm = session(io)->model_comm();
  });
}

int sv_finalize(sv_context *io) {
  return guarded([&] {
    require(io, "io");
    const std::unique_ptr<Session> own(session(io));
    handle_freed(io);
    if (own->is_model()) handles_freed_with(&own->context("sv_finalize"));
    Device::free_idle();
    own->finalize();
  });
}

int sv_end_step(sv_context *io) {
  return guarded([&] {
    require(io, "io");
    session(io)->end_step();
  });
}

int sv_write_summary(sv_context *io, const char *path) {
  return guarded([&] {
    require(io, "io");
    checked(session(io)->context("sv_write_summary"), "sv_write_summary", [&] { require(path, "path"); });
    session(io)->write_summary(path);
  });
}

int sv_inq_setting(const sv_context *io, const char *path, const char *name, size_t *length, char *value) {
  return guarded([&] {
    require(io, "io");
    require(path, "path");
    require(name, "key");
    const Settings &settings = session(io)->context("sv_inq_setting").settings;
    const Key *const key = find_key(name);
    if (key == nullptr)
      throw Error(Status::not_found, std::string("there is no key '") + name + "'", "See docs/configuration.md");
    const std::string text = key->text(settings, settings.for_file(path));
    if (length != nullptr) *length = text.size();
    if (value != nullptr) std::memcpy(value, text.c_str(), text.size() + 1);
  });
}

int sv_refuse(sv_context *io, int status, const char *cause, const char *remedy) {
  return guarded([&] {
    require(io, "io");
    require(cause, "cause");
    if (status < SV_EINVAL || status > SV_EDEVICE)
      throw Error(Status::invalid, std::to_string(status) + " is no error", "Use SV_EINVAL and so on");
    session(io)
        ->context("sv_refuse")
        .refusals.refuse(static_cast<Status>(status), cause, remedy == nullptr ? "" : remedy);
  });
}

const char *sv_message(void) { return message().c_str(); }

const char *sv_strerror(int status) {
  static const char *const names[] = {"no error",
                                      "invalid argument",
                                      "bad configuration",
                                      "call out of order",
                                      "bad definition",
                                      "bad decomposition",
                                      "types do not convert",
                                      "value out of range",
                                      "not found",
                                      "exists already",
                                      "access refused",
                                      "no space left",
                                      "input/output error",
                                      "malformed file",
                                      "limit of the file format",
                                      "no memory",
                                      "time limit of the watchdog",
                                      "MPI error",
                                      "not compiled in",
                                      "internal error",
                                      "ranks made different calls",
                                      "file in use",
                                      "not supported by this file",
                                      "error of a device"};
  const bool known = status >= 0 && status < static_cast<int>(sizeof names / sizeof *names);
  return known ? names[status] : "unknown status";
}

const char *sv_version(void) { return SV_VERSION; }

int sv_def_decomp(sv_context *io, int ndims, const int64_t *shape, const int64_t *start, const int64_t *count,
                  const sv_decomp_options *options, sv_decomp **made) {
  return guarded([&] {
    require(io, "io");
    Context &context = session(io)->context("sv_def_decomp");
    const DecompRequest request = checked(context, "sv_def_decomp", [&] {
      require(made, "decomp");
      *made = nullptr;
      DecompRequest parsed = decomp_request_of(ndims, shape, start, count);
      const auto [halo, periodic, flags] = options == nullptr ? sv_decomp_options{} : *options;
      for (int d = 0; d < ndims; ++d) {
        if (halo != nullptr) {
          parsed.halo_low[d] = halo[2 * d];
          parsed.halo_high[d] = halo[2 * d + 1];
        }
        parsed.periodic[static_cast<size_t>(d)] = periodic != nullptr && periodic[d] != 0;
      }
      if ((flags & ~SV_MASKED) != 0)
        throw Error(Status::invalid, "flags that are unknown", "See sv_def_decomp in sverdrup.h");
      parsed.holes = (flags & SV_MASKED) != 0;
      return parsed;
    });
    *made = handle_of(define_decomp(context, request));
  });
}

int sv_free_decomp(sv_decomp *handle) {
  return guarded([&] {
    require(handle, "decomp");
    Decomp *const own = decomp(handle);
    handle_freed(handle);
    own->context->decomps.forget(own);
  });
}

int sv_inq_decomp(const sv_decomp *handle, int *ndims, int64_t *shape, int *own_ndims, int64_t *extent) {
  return guarded([&] {
    require(handle, "decomp");
    const Decomp &own = *decomp(handle);
    const Index grid = own.layout->shape(), arrays = extent_of(own);
    assign(ndims, grid.n);
    assign(own_ndims, arrays.n);
    for (int d = 0; shape != nullptr && d < grid.n; ++d) shape[d] = grid[d];
    for (int d = 0; extent != nullptr && d < arrays.n; ++d) extent[d] = arrays[d];
  });
}

int sv_inq_decomp_cells(const sv_decomp *handle, int64_t *n, int64_t *cells, int64_t *places) {
  return guarded([&] {
    require(handle, "decomp");
    const Decomp &own = *decomp(handle);
    int64_t next = 0;
    for_own_runs(own, [&](int64_t cell, int64_t place, int64_t length) {
      for (int64_t i = 0; i < length; ++i, ++next) {
        if (cells != nullptr) cells[next] = cell + i;
        if (places != nullptr) places[next] = place + i;
      }
    });
    assign(n, next);
  });
}

int sv_block(int64_t length, int parts, int part, int64_t *start, int64_t *count) {
  return guarded([&] {
    require(start, "start");
    require(count, "count");
    if (length < 0 || parts < 1 || part < 0 || part >= parts)
      throw Error(
          Status::invalid,
          "part " + std::to_string(part) + " of " + std::to_string(parts) + " of a length of " + std::to_string(length),
          "Parts count from 0");
    const Part found = part_of(length, parts, part);
    *start = found.start;
    *count = found.count;
  });
}
}
