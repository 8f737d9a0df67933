// Requests that wait: puts and gets of a file that are only recorded, and later carried out together. Local, all of it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "file/decomp.hpp"
#include "layout/region_list.hpp"
#include "packing/host_copy.hpp"
#include "packing/memory_view.hpp"
#include "plan/claims.hpp"
#include "store/team.hpp"

namespace sv {

class File;

/// The request of one call, as the caller gives it. `kind` determines the members that count.
struct RequestArgs {
  enum class Kind { distributed, replicated, regions };
  Direction direction = Direction::write;
  int variable = -1;
  Kind kind = Kind::regions;
  const Decomp *decomp = nullptr;  // distributed
  int64_t record = -1;             // distributed, replicated
  RegionList regions;              // of all the variable's dimensions, the record dimension included
  Values values{};                 // of several regions: contiguous, one after the other (no strides)
  const Error *problem = nullptr;  // the error of arguments that are not here
};

/// Where the values of a request lie. Of regions only what differs between them is kept.
struct ValuesInMemory {
  Index shape;                        // of the block or array; of regions it is in their counts
  MemoryView view;                    // the same; of regions: where the first begins, and the strides of all
  bool in_a_row = false;              // regions, each contiguous, one after the other: without strides
  std::vector<int64_t> offset_bytes;  // of each region; empty: of one, or of single cells in a row
};

/// Memory for copied values.
struct CopyBlock {
  std::unique_ptr<std::byte[]> bytes;
  int64_t size = 0;
};

/// Blocks that were given back, to be used again: fresh pages are dear.
class CopyBuffer {
 public:
  /// Holds no more than `most` bytes that are not in use, this one counted.
  CopyBlock take(int64_t bytes, int64_t most);
  void give_back(CopyBlock block);

 private:
  std::multimap<int64_t, std::unique_ptr<std::byte[]>> free_;  // by size
  int64_t free_bytes_ = 0;
};

/// A checked one.
struct Request {
  Direction direction;
  int variable;
  RequestArgs::Kind kind;
  std::shared_ptr<const Layout> layout;  // distributed
  int decomp = -1, first_axis = -1;      // distributed
  bool in_places = false;                // points: the layout says where they stand, not which cells they are
  int64_t record = -1;
  RegionList regions;
  Type type;  // in memory
  ValuesInMemory memory;
  CopyBlock copy;                    // of buffered ones: where `memory` points to
  std::unique_ptr<HostCopy> host{};  // the same of values on a device
  bool as_in_file = false;           // of recorded ones: `memory` has the file's values, `type` is the file's
  OutOfRange range_errors = 0;       // of them, those that did not fit

  /// Where values lie: of each region, or (one) of the block or array.
  int64_t blocks() const { return kind == RequestArgs::Kind::regions ? regions.size() : 1; }
  MemoryBlock block(int64_t number) const;
};

/// Checks what this rank can see without the others; whether records that are read exist, only check_now does. Throws
/// Error with the names of file and variable.
Request checked_request(const File &file, const RequestArgs &asked);
/// When it is about to be carried out: records that are read exist; values that are put fit their type.
void check_now(const File &file, const Request &request);
int64_t elements_of(const Request &request);
int64_t bytes_of(const Request &request);
/// Copies the caller's values, contiguous, into `block`, which is as large as bytes_of.
void copy_values(Request &request, CopyBlock block);
/// The same, converted to the form of the file, for which `block` is large enough.
void convert_values(const File &file, Request &request, CopyBlock block);
/// Of values on a device: `memory` becomes a copy of them on the host. Those that are read must be returned.
void hold_on_host(Request &request);
void return_to_device(const Request &request);
/// How the values of one that puts come into the file.
PackRow row_of(const File &file, const Request &request);

/// Where a claim of a request lies in memory. `record`: of the file, for record variables.
Piece piece_of(const Request &request, const Claim &claim, int64_t record);

/// Those of a file and rank that wait.
class Pending {
 public:
  /// Returns its number. Error(no_memory) where a buffered one has no room.
  int64_t add(File &file, const RequestArgs &asked, bool buffered);
  /// Takes it out. Error(invalid) for a number that is not pending.
  Request take(const File &file, int64_t number);
  /// Of one that was taken out and is done with: its memory.
  void give_back(Request &request) { buffer_.give_back(std::move(request.copy)); }
  void cancel(const File &file, int64_t number);
  /// All, in the order in which they were made.
  std::vector<int64_t> numbers() const;
  int64_t count() const { return static_cast<int64_t>(waiting_.size()); }

  /// The buffer. Error(order) for attaching a second, or detaching while something is in it.
  void attach_buffer(const File &file, int64_t bytes);
  void detach_buffer(const File &file);
  /// As large as attached; otherwise what the file's settings allow.
  int64_t buffer_bytes(const File &file) const;
  int64_t used_bytes() const { return used_bytes_; }

 private:
  std::map<int64_t, Request> waiting_;
  CopyBuffer buffer_;
  std::optional<int64_t> attached_bytes_;
  int64_t used_bytes_ = 0;
};

/// Ordinary puts of a step that are carried out together at its end.
struct Recorded {
  struct Put {
    Request request;
    int place;  // among the puts
    int turn;
  };
  std::vector<Put> requests;
  CopyBuffer buffer;
  int64_t copied_bytes = 0;  // of this rank's values

  // The same on every rank, also for wrong arguments of one: it decides when ranks compare their puts.
  int64_t puts = 0;
  int64_t largest_bytes = -1;  // that a put can have on a rank; -1: not known yet
  int64_t reserved_bytes = 0;  // a bound of the values of any rank

  // The same where all ranks make the same puts, which they find out when the puts are carried out.
  int64_t most_bytes = 0;  // of the values of any rank, by its puts
  int turn = 0;            // puts of one turn are carried out together: none of them puts what another one has put
  std::set<std::pair<int, int64_t>> slabs;  // variable and record (-1: any) that were put in this turn
  struct Call {
    const char *function = "";
    int variable = -1;
    int64_t record = -1;
  };
  Call last;
  uint64_t sequence = 0;  // of all calls, for comparison

  std::optional<Error> complaint;  // of this rank
  bool is_lost = false;            // with it: this rank does not know the puts of the other ranks
};

}  // namespace sv
