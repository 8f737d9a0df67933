// The context: from sv_init to sv_finalize. Communicators cross as the integers of Fortran, which every MPI has.
#include "binding.hpp"

namespace sv::python {

namespace {

std::vector<const char *> texts(const std::vector<std::string> &given) {
  std::vector<const char *> all;
  for (const std::string &text : given) all.push_back(text.c_str());
  return all;
}

Handle init(MPI_Fint comm, const std::optional<std::string> &config, const std::vector<std::string> &options) {
  const std::vector<const char *> all = texts(options);
  sv_context *io = nullptr;
  collective([&] {
    return sv_init(MPI_Comm_f2c(comm), config ? config->c_str() : nullptr, static_cast<int>(all.size()), all.data(),
                   &io);
  });
  return reinterpret_cast<Handle>(io);
}

void serve(MPI_Fint comm, const std::optional<std::string> &config, const std::vector<std::string> &options) {
  const std::vector<const char *> all = texts(options);
  collective([&] {
    return sv_serve(MPI_Comm_f2c(comm), config ? config->c_str() : nullptr, static_cast<int>(all.size()), all.data());
  });
}

MPI_Fint model_comm(Handle io) {
  MPI_Comm comm = MPI_COMM_NULL;
  check(sv_model_comm(as<sv_context>(io), &comm));
  return MPI_Comm_c2f(comm);
}

template <class Number, auto inquire>
Number context_number(Handle io) {
  Number number = 0;
  check(inquire(as<sv_context>(io), &number));
  return number;
}

template <auto call>
void call_context(Handle io) {
  collective([&] { return call(as<sv_context>(io)); });
}

template <auto call>
void call_context_here(Handle io) {
  check(call(as<sv_context>(io)));
}

std::string mpi_library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  return MPI_Get_library_version(text, &length) == MPI_SUCCESS ? std::string(text, static_cast<size_t>(length)) : "";
}

}  // namespace

void bind_context(nb::module_ &module) {
  using namespace nb::literals;
  module.def("mpi_library", mpi_library);
  module.def("version", sv_version);
  module.def("strerror", sv_strerror);
  module.def("init", init, "comm"_a, "config"_a.none(), "options"_a);
  module.def("serve", serve, "comm"_a, "config"_a.none(), "options"_a);
  module.def("finalize", call_context<sv_finalize>);
  module.def("end_step", call_context<sv_end_step>);
  module.def("flush", [](Handle io, int level) { collective([&] { return sv_flush(as<sv_context>(io), level); }); });
  module.def("write_summary", [](Handle io, const std::string &path) {
    collective([&] { return sv_write_summary(as<sv_context>(io), path.c_str()); });
  });
  module.def("is_model", context_number<int, sv_is_model>);
  module.def("model_comm", model_comm);
  module.def("servers", context_number<int, sv_inq_servers>);
  module.def("durable_step", context_number<int64_t, sv_durable_step>);
  module.def("stopping", context_number<int, sv_stopping>);
  module.def("request_stop", call_context_here<sv_request_stop>);
  module.def("stop_on_signal", [](Handle io, int number) { check(sv_stop_on_signal(as<sv_context>(io), number)); });
  module.def("begin_communication", call_context_here<sv_begin_communication>);
  module.def("end_communication", call_context_here<sv_end_communication>);
  module.def("refuse", [](Handle io, int status, const std::string &cause, const std::string &remedy) {
    check(sv_refuse(as<sv_context>(io), status, cause.c_str(), remedy.c_str()));
  });
}

}  // namespace sv::python
