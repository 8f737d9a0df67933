// A job: one field of a file that all ranks write or read in one call, with its plan, and where it lies in the callers'
// memory. The calls put and get make one when their arguments are checked; writing and slab_reading carry it out. It
// moves nothing itself.
#pragma once

#include <memory>

#include "file/conversion.hpp"
#include "file/decomp.hpp"
#include "file/file.hpp"
#include "file/home.hpp"
#include "packing/field_pieces.hpp"
#include "packing/host_copy.hpp"

namespace sv {

/// This rank's part of a distributed field in the caller's array: a block, past the halo, or points.
struct FieldMemory {
  bool has_points = false;
  MemoryView block;
  PointView points;
  Index shape;                       // of the block without its halo, or of the array of points
  std::unique_ptr<HostCopy> host{};  // of points on a device: the views are of it
};
FieldMemory field_memory(const Field &field, const Decomp &decomp, const Values &values);
/// Of a put or get that moves points as such: those on a device are copied to the host.
void hold_points_on_host(FieldMemory &memory, const Field &field, const Decomp &decomp, const Values &values);
/// `memory` and `row` must outlive it.
template <class Row>
FieldPieces<Row> field_pieces(const Field &field, const FieldMemory &memory, const Row &row) {
  if (memory.has_points) return {memory.points, row};
  return pieces_of_block(field, memory.block, row);
}

struct FieldJob {
  File &file;
  int variable;
  int64_t record;  // SV_NO_RECORD for fixed variables
  std::shared_ptr<const Layout> layout{};
  int first_axis = 0;
  std::shared_ptr<const Route> route{};
  Field field{};
  std::shared_ptr<const Plan> plan{};  // none where servers have their own
};

/// Local; the same on every rank. Sets the job's field and, unless servers make their own, its plan.
void plan_writing(FieldJob &job);
/// The same for a field on a decomposition, the job's layout: sets its route, too, and takes a plan that was made
/// before for a field that is alike.
void plan_decomposed(FieldJob &job);
/// The same for reading; the job has a plan only where ranks exchange what they read.
void plan_reading(FieldJob &job);

/// Of values before a put: see file/conversion.hpp.
void check_fits(const FieldJob &job, const FieldMemory &memory, const PackRow &row);

}  // namespace sv
