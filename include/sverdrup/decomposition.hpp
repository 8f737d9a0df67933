// Sverdrup in C++20: errors, and which rank owns which cells. SPDX-License-Identifier: Apache-2.0
//
// sverdrup.hpp includes this header; its conventions hold.
#ifndef SVERDRUP_DECOMPOSITION_HPP
#define SVERDRUP_DECOMPOSITION_HPP

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "binding.h"
#include "memory.hpp"

namespace sverdrup {

using Index = std::vector<int64_t>;  // a number for each dimension, slowest first
using Request = sv_request;          // a pending put or get: File::wait
constexpr int64_t no_record = SV_NO_RECORD;

// enum sv_status, as a type of its own.
enum class Status : int {
  ok = SV_OK,
  invalid = SV_EINVAL,
  config = SV_ECONFIG,
  order = SV_EORDER,
  define = SV_EDEFINE,
  layout = SV_ELAYOUT,
  type = SV_ETYPE,
  range = SV_ERANGE,
  not_found = SV_ENOTFOUND,
  exists = SV_EEXISTS,
  access = SV_EACCESS,
  no_space = SV_ENOSPACE,
  io = SV_EIO,
  format = SV_EFORMAT,
  limit = SV_ELIMIT,
  no_memory = SV_ENOMEM,
  timeout = SV_ETIMEOUT,
  mpi = SV_EMPI,
  not_compiled = SV_ECOMPILED,
  internal = SV_EINTERNAL,
  ranks = SV_ERANKS,
  in_use = SV_EINUSE,
  not_supported = SV_ENOTSUP,
  device = SV_EDEVICE
};

// what() is the text of sv_message: file, variable, rank, cause, remedy.
class Error : public std::runtime_error {
 public:
  Error(Status status, const std::string &text) : std::runtime_error(text), status_(status) {}
  [[nodiscard]] Status status() const noexcept { return status_; }

 private:
  Status status_;
};

inline const char *strerror(Status status) { return sv_strerror(static_cast<int>(status)); }
inline const char *version() { return sv_version(); }

namespace detail {

inline void check(int status) {
  if (status != SV_OK) throw Error(static_cast<Status>(status), sv_message());
}

// A context that its objects share; null after Context::finalize, which frees them; and the counters of its objects.
struct SharedContext {
  sv_context *io = nullptr;
  uint64_t definitions = 0;     // how often define mode has begun or ended, in any file
  uint64_t decompositions = 0;  // made so far
};
using Shared = std::shared_ptr<SharedContext>;

struct FreeDecomp {
  Shared io;
  void operator()(sv_decomp *decomp) const noexcept {
    if (io->io != nullptr) sv_free_decomp(decomp);
  }
};

inline int64_t product(const Index &lengths) {
  int64_t cells = 1;
  for (const int64_t length : lengths) cells *= length;
  return cells;
}

inline std::string text_of(const Index &lengths) {
  std::string text;
  for (const int64_t length : lengths) text += (text.empty() ? "" : " x ") + std::to_string(length);
  return text.empty() ? "1" : text;
}

// Why values do not fit one of the shapes that a request may have, or an empty text. An array of points may be longer,
// as it may have a halo.
inline std::string misfit(const Memory &memory, const std::vector<Index> &shapes, bool is_points = false) {
  if (memory.kind == Memory::Kind::pointer || shapes.empty()) return "";
  Index extents(memory.extents.begin(), memory.extents.end());
  extents.resize(std::min(memory.rank, extents.size()));
  for (const Index &shape : shapes) {
    if (memory.kind == Memory::Kind::range) {
      const bool is_longer = is_points && shape.size() == 1 && memory.extents[0] > shape[0];
      if (memory.extents[0] == product(shape) || is_longer) return "";
      continue;
    }
    bool fits = memory.rank == shape.size();
    for (std::size_t dim = 0; fits && dim < shape.size(); ++dim)
      fits = extents[dim] == shape[dim] || (is_points && extents[dim] > shape[dim]);
    if (fits) return "";
  }
  const bool is_range = memory.kind == Memory::Kind::range;
  return "the array has " + (is_range ? std::to_string(memory.extents[0]) : text_of(extents)) +
         " cells, and the request " + text_of(shapes.front());
}

// A view of a sub-array may leave out dimensions in which the count is 1. They are added here.
inline Memory expanded(const Memory &memory, const Index &count) {
  if (memory.kind != Memory::Kind::view || memory.rank >= count.size() || count.size() > memory.extents.size())
    return memory;
  Memory wide = memory;
  wide.rank = count.size();
  std::size_t left = memory.rank;
  int64_t bytes = memory.rank > 0 ? memory.strides[memory.rank - 1] : static_cast<int64_t>(sizeof(double));
  for (std::size_t dim = count.size(); dim-- > 0;) {
    const bool is_taken = left > 0 && memory.extents[left - 1] == count[dim];
    if (!is_taken && count[dim] != 1) return memory;
    if (is_taken) bytes = memory.strides[--left];
    wide.extents[dim] = count[dim];
    wide.strides[dim] = bytes;
  }
  return left == 0 ? wide : memory;
}

// Options of sv_init and sv_serve, as C takes them.
struct Options {
  explicit Options(const std::vector<std::string> &options) {
    for (const std::string &option : options) texts.push_back(option.c_str());
  }
  std::vector<const char *> texts;
  [[nodiscard]] int count() const { return static_cast<int>(texts.size()); }
};

inline const char *or_null(const std::string &text) { return text.empty() ? nullptr : text.c_str(); }

}  // namespace detail

// Of sv_inq_type: "double" and 8 for SV_DOUBLE.
struct TypeInfo {
  std::string name;
  int64_t bytes;
};

inline TypeInfo type_info(int type) {
  char name[SV_MAX_NAME];
  int64_t bytes = 0;
  detail::check(sv_inq_type(type, name, &bytes));
  return {name, bytes};
}

struct Block {
  int64_t start, count;
};

inline Block block(int64_t length, int parts, int part) {
  Block own{};
  detail::check(sv_block(length, parts, part, &own.start, &own.count));
  return own;
}

inline void serve(MPI_Comm comm, const std::string &config = "", const std::vector<std::string> &options = {}) {
  const detail::Options list(options);
  detail::check(sv_serve(comm, detail::or_null(config), list.count(), list.texts.data()));
}

// Of sv_inq_points.
struct PointsCost {
  int64_t cells, owned, runs;
  double seconds;
  int64_t bytes;
};

// Which rank owns which cells: of Context::def_decomp or Context::def_points. The destructor frees it.
class Decomposition {
 public:
  void free() { decomp_.reset(); }
  [[nodiscard]] sv_decomp *handle() const { return decomp_.get(); }
  [[nodiscard]] const Index &shape() const { return shape_; }    // of the grid
  [[nodiscard]] const Index &extent() const { return extent_; }  // of this rank's arrays, with the halo
  [[nodiscard]] bool is_points() const { return is_points_; }

  [[nodiscard]] Decomposition order_points(std::span<const int64_t> positions) const {
    sv_decomp *made = nullptr;
    const int64_t none = 0;
    require_points(positions.size());
    detail::check(sv_order_points(handle(), positions.empty() ? &none : positions.data(), &made));
    return {decomp_.get_deleter().io, made, shape_, extent_, true};
  }
  [[nodiscard]] Decomposition order_points_along_curve(std::span<const double> longitude,
                                                       std::span<const double> latitude) const {
    sv_decomp *made = nullptr;
    const double none = 0;
    require_points(std::min(longitude.size(), latitude.size()));
    detail::check(sv_order_points_along_curve(handle(), longitude.empty() ? &none : longitude.data(),
                                              latitude.empty() ? &none : latitude.data(), &made));
    return {decomp_.get_deleter().io, made, shape_, extent_, true};
  }
  [[nodiscard]] PointsCost cost() const {
    PointsCost cost{};
    detail::check(sv_inq_points(handle(), &cost.cells, &cost.owned, &cost.runs, &cost.seconds, &cost.bytes));
    return cost;
  }

 private:
  friend class Context;
  friend class Variable;
  Decomposition(const detail::Shared &io, sv_decomp *decomp, Index shape, Index extent, bool is_points)
      : decomp_(decomp, detail::FreeDecomp{io}),
        shape_(std::move(shape)),
        extent_(std::move(extent)),
        is_points_(is_points),
        number_(++io->decompositions) {}

  void require_points(std::size_t values) const {
    if (is_points_ && values >= static_cast<std::size_t>(extent_[0])) return;
    detail::check(sv_refuse(decomp_.get_deleter().io->io, SV_EINVAL, "this rank has fewer values than points",
                            "Pass a value for each point"));
  }

  std::unique_ptr<sv_decomp, detail::FreeDecomp> decomp_;
  Index shape_, extent_;
  bool is_points_;
  uint64_t number_;  // of this context, never used again
};

}  // namespace sverdrup

#endif
