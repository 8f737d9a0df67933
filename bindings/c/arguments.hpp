// The arguments of puts and gets, as the engine takes them.
#pragma once

#include "engine/file_parts.hpp"
#include "handles.hpp"
#include "transfer/field_job.hpp"

namespace sv::c {

/// The engine takes one kind of values for both directions; writing never changes them. Finds the device of the memory.
/// Throws Error(type), Error(device).
Values values_of(int type, const void *data, const int64_t *memory_strides);
inline Values values_of(const sv_source &source) { return values_of(source.type, source.data, source.memory_strides); }
inline sv_source source_of(const sv_target &target) { return {target.type, target.data, target.memory_strides}; }

/// A sub-array of a variable. `stride`: NULL for 1 everywhere. Throws Error(not_found), or Error(invalid) for NULL.
Strided request_of(const File *of, int var, const int64_t *start, const int64_t *count, const int64_t *stride);

/// What of a variable is meant, and its values; its direction and number are left to the caller.
RequestArgs of_field(const sv_decomp *on, int64_t record, const Values &values = {});
RequestArgs of_whole(int64_t record, const Values &values = {});
RequestArgs of_region(Strided region, const Values &values = {});
/// `n` sub-arrays. Throws like request_of, and Error(invalid) for a negative `n`.
RequestArgs of_regions(const File *of, int var, int n, const int64_t *const *starts, const int64_t *const *counts);

}  // namespace sv::c
