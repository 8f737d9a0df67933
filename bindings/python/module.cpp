#include "handles.hpp"

namespace sv::python {

static_assert(sizeof(Py_ssize_t) == sizeof(int64_t), "the strides of buffers are those of sverdrup.h");

namespace {

[[noreturn]] void raise(int status, const Text &text, bool collective) {
  const nb::object error = nb::module_::import_("sverdrup.library.errors").attr("error_of")(status, text, collective);
  PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(error.ptr())), error.ptr());
  throw nb::python_error();
}

}  // namespace

void check(int status, bool collective) {
  if (status == ended)
    raise(SV_EINVAL,
          {"the object is closed, freed or finalised, by another thread or with its context. Make another one"}, false);
  if (status != SV_OK) raise(status, {sv_message()}, collective);
}

const char *Text::c(const char *what) const {
  if (bytes.find('\0') == std::string::npos) return bytes.c_str();
  const std::string shown = nb::cast<std::string>(nb::repr(nb::cast(*this)));
  raise(SV_EINVAL, {std::string(what) + " contains a null character: " + shown + ". Leave it out"}, false);
}

Memory::Memory(nb::handle array, bool writable) {
  if (array.is_none()) return;
  if (PyObject_GetBuffer(array.ptr(), &view_, PyBUF_STRIDES | (writable ? PyBUF_WRITABLE : 0)) != 0)
    throw nb::python_error();
  held_ = true;
  contiguous_ = PyBuffer_IsContiguous(&view_, 'C') != 0;
}

Memory::Memory(Memory &&other) noexcept : view_(other.view_), held_(other.held_), contiguous_(other.contiguous_) {
  other.held_ = false;
}

Memory::~Memory() {
  if (held_) PyBuffer_Release(&view_);
}

std::vector<const int64_t *> pointers(const std::vector<Numbers> &items) {
  std::vector<const int64_t *> all;
  for (const Numbers &item : items) all.push_back(item.data());
  return all;
}

}  // namespace sv::python

NB_MODULE(_core, module) {
  module.doc() = "The functions of sverdrup.h, for the classes of sverdrup.library.";
  sv::python::bind_context(module);
  sv::python::bind_decompositions(module);
  sv::python::bind_files(module);
  sv::python::bind_inquiry(module);
  sv::python::bind_storage(module);
  sv::python::bind_values(module);
  sv::python::bind_requests(module);
#ifdef SV_HAVE_STREAMS
  sv::python::bind_streams(module);
#endif
}
