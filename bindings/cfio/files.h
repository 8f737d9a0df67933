// The open files of a program that uses the CFIO interface, over its run.
#pragma once

#include "run.h"

/// The file with this id; files are kept from cfio_create or cfio_open to cfio_close. `call` is named in messages.
int cfio_find_file(const char *call, int ncid, sv_file **file);
