// sverdrup.h: servers, how far steps have come, stopping.
#include "engine/server.hpp"
#include "handles.hpp"

using namespace sv;
using namespace sv::c;

extern "C" {

int sv_serve(MPI_Comm comm, const char *config, int n_options, const char *const *options) {
  return guarded([&] {
    check_ready(comm);
    serve(comm, config == nullptr ? "" : config, texts(n_options, options));
  });
}

int sv_inq_servers(const sv_context *io, int *servers) {
  return guarded([&] {
    require(io, "io");
    require(servers, "servers");
    *servers = context(io)->servers();
  });
}

int sv_flush(sv_context *io, int level) {
  return guarded([&] {
    require(io, "io");
    checked(*context(io), "sv_flush", [&] {
      if (level < SV_HANDED_OVER || level > SV_ON_DISK)
        throw Error(Status::invalid, "there is no level " + std::to_string(level),
                    "Use SV_HANDED_OVER, SV_WRITTEN or SV_ON_DISK");
    });
    context(io)->flush(static_cast<Level>(level));
  });
}

int sv_durable_step(const sv_context *io, int64_t *step) {
  return guarded([&] {
    require(io, "io");
    require(step, "step");
    *step = context(io)->durable_steps();
  });
}

int sv_request_stop(sv_context *io) {
  return guarded([&] {
    require(io, "io");
    context(io)->stop().ask();
  });
}

int sv_stop_on_signal(sv_context *io, int signal_number) {
  return guarded([&] {
    require(io, "io");
    context(io)->stop().listen(signal_number);
  });
}

int sv_stopping(const sv_context *io, int *stopping) {
  return guarded([&] {
    require(io, "io");
    require(stopping, "stopping");
    *stopping = context(io)->is_stopping() ? 1 : 0;
  });
}

int sv_begin_communication(sv_context *io) {
  return guarded([&] {
    require(io, "io");
    context(io)->communicate(true);
  });
}

int sv_end_communication(sv_context *io) {
  return guarded([&] {
    require(io, "io");
    context(io)->communicate(false);
  });
}
}
