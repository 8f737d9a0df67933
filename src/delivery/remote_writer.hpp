// Servers as the calls of a model's ranks see them: a RemoteWriter writes a file, or reads it, in place of the ranks
// that make the calls. A file's home gives it (Home::carrier), and servers/served_home implements it; nobody above
// needs to know of servers. All of it is collective, and none of it waits for servers unless it says so.
#pragma once

#include <optional>
#include <vector>

#include "base/convert.hpp"
#include "packing/field_pieces.hpp"

namespace sv {

struct FieldJob;

class RemoteWriter {
 public:
  virtual ~RemoteWriter() = default;

  /// The field of a job that all ranks agree on: every rank has what `pieces` tells of its part.
  virtual void put(const FieldJob &job, const FieldPieces<PackRow> &pieces) = 0;
  /// The way back. Waits. Returns what this rank fails with; adds how many values did not fit their type.
  virtual std::optional<Error> get(const FieldJob &job, const FieldPieces<UnpackRow> &pieces,
                                   OutOfRange &range_errors) = 0;

  /// The definitions have changed and are placed.
  virtual void redefine() = 0;
  /// These variables, which have no records, get their fill values.
  virtual void define_fixed(const std::vector<int> &variables) = 0;
  /// What was put counts as soon as it is written; servers commit by themselves when a step ends.
  virtual void commits() = 0;
  /// The same, at once. Waits.
  virtual void sync() = 0;
  /// Returns when nothing of the file is under way any more.
  virtual void settle() = 0;
  /// The file has failed, which its servers do not know: what they have not committed yet does not count any more.
  virtual void fail(const Error &error) = 0;
  /// The file is complete, or is given up.
  virtual void close(bool completes) = 0;
  /// Local. The servers that write the file, by their numbers in the trace.
  virtual std::vector<int> trace_writers() const = 0;
};

}  // namespace sv
