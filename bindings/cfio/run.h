// The run of a program that uses the CFIO interface: all of its global state (docs/adr/0012-no-global-state.md).
#pragma once

#include <sverdrup/binding.h>

#include "cfio.h"

/// The context between cfio_init and cfio_finalize, or NULL.
sv_context *cfio_run(void);
/// Keeps a text for cfio_message; returns `status`.
int cfio_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/// After this call, cfio_message returns the text of sv_message.
void cfio_listen(void);
/// SV_OK where the run has begun and this process is a client; `call` is named in the text otherwise.
int cfio_check_client(const char *call);
/// Ends the run for cfio_finalize, which `call` names; returns its status. No file is open afterwards.
int cfio_end_run(const char *call);
