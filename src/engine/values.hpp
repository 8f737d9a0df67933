// Putting, getting and copying values: sv_put, sv_get and their kin, and sv_copy_var, each in the source of its name.
// Collective, all of it. Where a file combines its puts, they are only recorded (engine/combine.hpp).
#pragma once

#include "layout/strided.hpp"
#include "transfer/field_job.hpp"

namespace sv {

/// A distributed field. `values.data` points at the first element of this rank's array, halo included.
void put(File &file, int variable, const Decomp *decomp, int64_t record, const Values &values);
/// A replicated field: every rank passes the same.
void put_replicated(File &file, int variable, int64_t record, const Values &values);
/// A sub-array per rank; `request` has the variable's dimensions, the record dimension included, and so has
/// `values.strides`. Where cells do not follow one another, in batches of bounded memory.
void put_subarray(File &file, int variable, const Strided &request, const Values &values);

/// The counterpart of put: each rank gets its block; the halo is left as it is.
void get(File &file, int variable, const Decomp *decomp, int64_t record, const Values &values);
/// Every rank gets the whole variable (or record): rank 0 reads and broadcasts it.
void get_replicated(File &file, int variable, int64_t record, const Values &values);
/// Each rank gets its own sub-array; they may overlap. `request` has all of the variable's dimensions, and so has
/// `values.strides`.
void get_subarray(File &file, int variable, const Strided &request, const Values &values);

/// One record of a variable, or a variable without records.
struct SlabName {
  File &file;
  int variable;
  int64_t record;  // -1 without records
};

/// A part of a copy from file to file: one record of a variable, or (−1) a variable without records, there and here.
struct CopiedSlab {
  int from_variable;
  int64_t from_record;
  int to_variable;
  int64_t to_record;
};

/// Copies slabs from file to file without the model: the owner of a range of the target reads it from the source.
/// Both have the same type and shape (records aside), and are of one context. Bounded memory; no messages. Ranks meet
/// twice, however many slabs there are. `call`: the function that the program called. Neither file has recorded puts
/// (require_recorded).
void copy(File &from, File &to, const char *call, std::span<const CopiedSlab> slabs);

}  // namespace sv
