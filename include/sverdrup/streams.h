/* Sverdrup: streams, the output that the configuration asks for. SPDX-License-Identifier: Apache-2.0
 *
 * The library sverdrup_streams writes the fields of a model. The section `streams:` of a YAML file says which fields,
 * how often, with which operation over time, and into which series of files. The model knows no files. It declares its
 * fields once, and sends their values at the end of each step:
 *
 *   const int date[6] = {2001, 1, 1, 0, 0, 0};
 *   sv_open_streams(io, "streams.yaml", &streams);
 *   sv_def_stream_field(streams, &(sv_stream_field){.name = "sst", .decomp = grid, .type = SV_DOUBLE, .units = "K",
 *                                                   .naxes = 2, .axes = axes}, &sst);
 *   sv_begin_streams(streams, &(sv_stream_start){.calendar = "noleap", .date = {2001, 1, 1}, .step_seconds = 3600});
 *   for (step = 0; step < steps; ++step) {
 *     compute(block);                             // date is now the end of this step
 *     sv_send_field(streams, sst, date, block);
 *     sv_end_step(io);
 *   }
 *   sv_close_streams(streams);
 *
 * docs/streams.md describes the configuration, the files and restarts. The conventions of sverdrup.h hold: every error
 * is returned on every rank, and sv_message() has its text. Dates are year, month, day, hour, minute, second in the
 * calendar of the run, exact to the second. All ranks pass the same dates.
 */
#ifndef SVERDRUP_STREAMS_H
#define SVERDRUP_STREAMS_H

#include <sverdrup/sverdrup.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sv_streams sv_streams; /* sv_open_streams makes it, sv_close_streams frees it */

/* A dimension of fields, and its coordinate. Set all of it to 0 first. Texts and values are copied. Fields with an axis
 * of the same name share it. */
typedef struct sv_stream_axis {
  const char *name;
  int64_t length;
  const double *values;      /* `length` coordinates; NULL: the axis has no coordinate variable */
  const double *bounds;      /* NULL, or 2 * length bounds of cells: lower and upper of each */
  const char *units;         /* of the coordinate, as the following attributes; NULL: none */
  const char *standard_name; /* CF */
  const char *long_name;
  const char *axis;     /* "X", "Y", "Z" */
  const char *positive; /* "up", "down" */
} sv_stream_axis;

/* A field. Set all of it to 0 first. Texts are copied. The decomposition must exist until sv_close_streams.
 * The last four texts are attributes that name fields without time (sv_def_static_field). Each file that has the field
 * has those, too. Two-dimensional longitudes and latitudes are such `coordinates`. */
typedef struct sv_stream_field {
  const char *name;
  const sv_decomp *decomp; /* NULL: every rank sends the same whole field */
  int type;                /* of the values in memory: enum sv_type, not SV_CHAR */
  int file_type;           /* in files, unless the configuration gives one; 0: `type` */
  const char *units;       /* attributes of CF; NULL: none */
  const char *standard_name;
  const char *long_name;
  const void *fill_value;     /* a value of `type` that marks missing values; NULL: no value is missing */
  int naxes;                  /* 0: a single value */
  const sv_stream_axis *axes; /* slowest first; the grid of `decomp` is found by its shape, from the last axis on */
  const char *coordinates;    /* "nav_lon nav_lat"; NULL: none */
  const char *cell_measures;  /* "area: areacello" */
  const char *ancillary_variables;
  const char *bounds; /* of a coordinate without time */
} sv_stream_field;

/* The beginning of a run. Set all of it to 0 first. */
typedef struct sv_stream_start {
  const char *calendar; /* of CF: standard, proleptic_gregorian, noleap, all_leap, 360_day, julian; NULL: standard */
  int date[6];          /* of the state from which the first step begins */
  int64_t step_seconds; /* the length of a step; 0: it varies, and no frequency may be in steps */
  int continues;        /* 1: an earlier run has called sv_save_streams with this date; 0: a new run */
} sv_stream_start;

/* Collective. Reads the section `streams:` of the YAML file `config`; NULL: of the file that the environment variable
 * SV_CONFIG names; without that variable there are no streams, and no field is wanted. SV_ECONFIG: a key or a value is
 * wrong; the text has the line and a remedy. SV_ENOTFOUND, SV_EACCESS: the file cannot be read. */
SV_API int sv_open_streams(sv_context *io, const char *config, sv_streams **streams);

/* Collective, before sv_begin_streams, and the same on every rank. Declares a field; its number is *field.
 * SV_EINVAL: an argument has a bad value. SV_EEXISTS: there is a field of this name. SV_ELAYOUT: the shape of the
 * decomposition's grid is not that of any axes. SV_EDEFINE: another field has another axis of the same name. */
SV_API int sv_def_stream_field(sv_streams *streams, const sv_stream_field *definition, int *field);

/* Collective, as sv_def_stream_field. Declares a field without time, such as a mask, the areas of cells or the
 * coordinates of a curvilinear grid. `values` is copied: this rank's array with its halo, as for sv_send_field. Each
 * file of a stream that names the field, or a field that refers to it, has the values once. SV_EINVAL, SV_EEXISTS,
 * SV_ELAYOUT, SV_EDEFINE: as sv_def_stream_field. */
SV_API int sv_def_static_field(sv_streams *streams, const sv_stream_field *definition, const void *values);

/* Collective, before sv_begin_streams, and the same on every rank. Defines a stream by its keys in YAML, as in
 * {file: "ocean_%Y.nc", frequency: 1 day, fields: [sst]}. It has no effect if the configuration has a stream of this
 * name. SV_ECONFIG: a key or a value is wrong. */
SV_API int sv_def_stream(sv_streams *streams, const char *name, const char *keys);

/* Collective. Ends the declarations: compares all streams with the fields, defines their files, and takes up periods
 * that an earlier run has left incomplete. SV_ECONFIG: a stream asks for a field that was not declared, or for an
 * operation that its values do not permit. SV_ENOTFOUND: the run continues, but nothing was saved at this date. */
SV_API int sv_begin_streams(sv_streams *streams, const sv_stream_start *start);

/* Local, after sv_begin_streams, and cheap. *wanted is 1 if a stream needs the values of this field at `date`, the end
 * of a step. A model need not compute or send them otherwise. SV_EINVAL: there is no such field or date. */
SV_API int sv_inq_field_wanted(const sv_streams *streams, int field, const int date[6], int *wanted);

/* Collective. Sends the values of a field for the step that ends at `date`. The step has begun when the field was sent
 * last, or with the run. `values` is this rank's block with its halo, contiguous, as for sv_put. It is of the field's
 * type, and may be used again after the call. Ranks communicate only if a period ends: the call then puts the record.
 * sv_end_step of the model commits it. SV_EINVAL: there is no such date, it is not later than the one before, or the
 * step crosses the end of a period. SV_EORDER: a field of the stream was not sent at the end of the period before. */
SV_API int sv_send_field(sv_streams *streams, int field, const int date[6], const void *values);

/* Collective, between steps, after the fields of `date` were sent. Writes what a run that continues from `date` needs
 * of incomplete periods, and commits the records so far. When the call returns, all of that is on the disk. Call it
 * before the model's own restart of this date is complete. SV_EORDER: a field was not sent at the end of a period. */
SV_API int sv_save_streams(sv_streams *streams, const int date[6]);

/* Collective. Closes all files. Periods that are not complete have no record. It always frees the handle. SV_EORDER: a
 * field was not sent at the end of the last period. */
SV_API int sv_close_streams(sv_streams *streams);

#ifdef __cplusplus
}
#endif
#endif
