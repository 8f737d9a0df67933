// This rank's requests as runs of the file: any description of cells (lists of single cells, boxes, strides, blocks,
// whole variables) becomes positions of bytes in the file and in memory. Local.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "transfer/requests.hpp"

namespace sv {

/// Elements that follow one another in the file and, at a constant distance, in memory. All of one request.
struct OwnRun {
  int64_t offset_bytes;  // in the file
  std::byte *memory;
  int32_t elements;
  int32_t request;  // place in the list
};

/// The common properties of all runs of a request.
struct RunsOfRequest {
  int variable;
  int64_t element_bytes;  // in the file
  int64_t stride_bytes;   // in memory
};

struct OwnRuns {
  std::vector<OwnRun> runs;       // by place in the file; those of one place in the order of the requests
  std::vector<RunsOfRequest> of;  // by request
  bool share_cells = false;       // some of these runs

  int64_t bytes_of(const OwnRun &run) const {
    return run.elements * of[static_cast<size_t>(run.request)].element_bytes;
  }
  int64_t end_of(const OwnRun &run) const { return run.offset_bytes + bytes_of(run); }
};

/// Of these requests. `left_out`: of each, whether it has no runs here, because a copy of it is another rank's.
/// `later_wins`: where runs share cells, those of the later request, and of one request of the later region, keep them;
/// otherwise all do.
OwnRuns runs_of(const File &file, const std::vector<const Request *> &requests, const std::vector<bool> &left_out,
                bool later_wins);

/// Bytes of the file.
struct FileRange {
  int64_t begin, end;
};
/// Removes the parts inside these ranges, which ascend and are disjoint. For disjoint runs.
void leave_out(OwnRuns &own, const std::vector<FileRange> &ranges);
/// So that no run crosses one of these places, which ascend.
void cut(OwnRuns &own, const std::vector<int64_t> &places);

}  // namespace sv
