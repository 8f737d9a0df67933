/* Sverdrup: servers, stopping, and how far data have come. SPDX-License-Identifier: Apache-2.0
 *
 * sverdrup.h includes this header; its conventions hold.
 * See docs/asynchronous.md.
 */
#ifndef SVERDRUP_SERVERS_H
#define SVERDRUP_SERVERS_H

#include "sverdrup.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Collective with the sv_init of the models. All ranks of a program that only serves (sv-server) make this call; `comm`
 * also holds the ranks of the models. The call serves until all models have called sv_finalize. If data were lost, it
 * returns the error: SV_EIO, SV_ENOSPACE. SV_ECONFIG: as sv_init. */
SV_API int sv_serve(MPI_Comm comm, const char *config, int n_options, const char *const *options);

/* Local. *is_model is 1 if this rank computes, and 0 if it was a server and has finished. The second call returns the
 * communicator of the computing ranks (of this component). It belongs to the context. SV_EORDER: a
 * server asks for it. */
SV_API int sv_is_model(const sv_context *io, int *is_model);
SV_API int sv_model_comm(const sv_context *io, MPI_Comm *comm);

/* Local. Returns the number of ranks that serve. It has no error of its own. */
SV_API int sv_inq_servers(const sv_context *io, int *servers);

/* How far the data of a put have come. */
enum sv_level {
  SV_HANDED_OVER = 0, /* the servers have the data; without servers the data are written */
  SV_WRITTEN = 1,     /* the data are also committed: they survive the death of the processes */
  SV_ON_DISK = 2      /* the data are also synchronised: they survive a failure of the node */
};

/* Collective. Returns when all steps that have ended, and all files that were closed, have reached this level.
 *
 * SV_ON_DISK does not depend on `durability`. Every writer synchronises all committed data of every file of the
 * context. These files are open or were closed since; they include those of a series and the pieces of a set. Then it
 * synchronises the names of these files. A file that was removed, moved or replaced after it was closed is left out. If
 * a file cannot be synchronised, this call and all later ones return SV_EIO until the file is written anew. After one
 * failure the system regards the data as written, and a second attempt would succeed without them. If a file has
 * another error, the call fails until that file is closed. */
SV_API int sv_flush(sv_context *io, int level);

/* Local. *step is the number of steps (calls of sv_end_step) that are known to be on the disk, together with the names
 * of their files. They are counted from the first step on; it is 0 if no step is. Steps reach the disk by `durability:
 * on_disk` or `ordered`, or by sv_flush. A step counts when all data that were put in the step, into any file, are on
 * the disk. Abandoned files, whose errors were reported, do not matter. Only collective calls change the number.
 * SV_EORDER: a server asks for it. */
SV_API int sv_durable_step(const sv_context *io, int64_t *step);

/* Local. sv_request_stop asks the run to stop; one rank that calls it is enough. The next sv_end_step commits and
 * closes all files and waits until they are written. From then on, sv_stopping reports 1 on every rank, and the model
 * should leave its loop. For a file that was closed in this way, sv_close does nothing, and a put returns SV_EORDER. */
SV_API int sv_request_stop(sv_context *io);
SV_API int sv_stopping(const sv_context *io, int *stopping);

/* Local. From now on, this signal (usually SIGUSR1) has the effect of sv_request_stop in this process, and so have
 * those of earlier calls. The signal handler only counts. sv_finalize restores the program's handler, unless another
 * context listens, or the program has set another one. SV_EINVAL: there is no such signal. */
SV_API int sv_stop_on_signal(sv_context *io, int signal_number);

/* Local. The model communicates between these two calls. With `async.forwarding: paced`, no message to a server begins
 * in this time. They have no error of their own. */
SV_API int sv_pause_forwarding(sv_context *io);
SV_API int sv_resume_forwarding(sv_context *io);

#ifdef __cplusplus
}
#endif

#endif
