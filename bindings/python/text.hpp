// Text between Python and C.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace sv::python {

/// A str of Python in UTF-8; bytes that are no UTF-8 stand in the str as Python's surrogates, as in names of files. Or
/// bytes, as they are.
struct Text {
  std::string bytes;

  /// For C, which ends a text at a null character: raises ArgumentError for a text that contains one. `what` names it.
  /// Valid as long as this object. Needs the interpreter's lock.
  const char *c(const char *what = "a name") const;
};

}  // namespace sv::python

template <>
struct nanobind::detail::type_caster<sv::python::Text> {
  NB_TYPE_CASTER(sv::python::Text, const_name("str | bytes"))

  bool from_python(handle src, uint32_t, cleanup_list *) noexcept {
    object held = borrow(src);
    if (PyUnicode_Check(src.ptr())) {
      held = steal(PyUnicode_AsEncodedString(src.ptr(), "utf-8", "surrogateescape"));
      if (!held.is_valid()) {
        PyErr_Clear();
        return false;
      }
    }
    if (!PyBytes_Check(held.ptr())) return false;
    value.bytes.assign(PyBytes_AS_STRING(held.ptr()), static_cast<size_t>(PyBytes_GET_SIZE(held.ptr())));
    return true;
  }

  static handle from_cpp(const sv::python::Text &text, rv_policy, cleanup_list *) noexcept {
    return PyUnicode_DecodeUTF8(text.bytes.data(), static_cast<Py_ssize_t>(text.bytes.size()), "surrogateescape");
  }
};
