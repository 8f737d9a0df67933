// The run of a program that uses the CFIO interface: all of its global state (docs/adr/0012-no-global-state.md).
#pragma once

#include <sverdrup/sverdrup.h>

#include "cfio.h"

/// The context between cfio_init and cfio_finalize, or NULL.
sv_context *cfio_run(void);
/// Keeps a text for cfio_message; returns `status`.
int cfio_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
/// From here on cfio_message tells what sv_message tells.
void cfio_listen(void);
/// SV_OK where the run has begun and this process is a client; `call` is named in the text otherwise.
int cfio_check_client(const char *call);

/// The file with this id; files are kept from cfio_create or cfio_open to cfio_close.
int cfio_find_file(const char *call, int ncid, sv_file **file);
void cfio_forget_files(void);
