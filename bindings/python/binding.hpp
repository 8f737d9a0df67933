// The compiled part of the Python package, the module sverdrup._core: the functions of sverdrup.h one by one, for the
// classes in python/sverdrup/library, which alone call it. Objects are passed as numbers (handles.hpp), arrays as
// objects with the buffer interface; an error code becomes a Python exception.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "sverdrup/binding.h"
#include "text.hpp"

namespace sv::python {

namespace nb = nanobind;

/// The number of a context, a file or a decomposition (handles.hpp); 0: none.
using Handle = uintptr_t;
using Numbers = std::vector<int64_t>;

/// Raises the exception of sverdrup.library.errors for a status that is not SV_OK. `collective`: every rank has it.
void check(int status, bool collective = false);

/// The memory of an array, held until the end of the call; of None, no memory.
class Memory {
 public:
  Memory(nb::handle array, bool writable);
  Memory(Memory &&other) noexcept;
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;
  Memory &operator=(Memory &&) = delete;
  ~Memory();

  void *data() const { return held_ ? view_.buf : nullptr; }
  /// Bytes between neighbours; null if the values are contiguous.
  const int64_t *stride() const { return contiguous_ ? nullptr : view_.strides; }

 private:
  Py_buffer view_{};
  bool held_ = false, contiguous_ = true;
};

/// The pointers to the numbers of each item.
std::vector<const int64_t *> pointers(const std::vector<Numbers> &items);

void bind_context(nb::module_ &module);
void bind_decompositions(nb::module_ &module);
void bind_files(nb::module_ &module);
void bind_inquiry(nb::module_ &module);
void bind_storage(nb::module_ &module);
void bind_values(nb::module_ &module);
void bind_requests(nb::module_ &module);
void bind_streams(nb::module_ &module);  // defined if SV_HAVE_STREAMS is

}  // namespace sv::python
