// Requests that wait: puts and gets of a file that are only recorded, and later carried out together.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "assemble/memory_view.hpp"
#include "base/convert.hpp"
#include "engine/decomp.hpp"
#include "engine/strided.hpp"
#include "store/store.hpp"

namespace sv {

class File;
struct Values;

/// What one call asks for, as the caller says it. `kind` tells which members count.
struct Asked {
  enum class Kind { distributed, replicated, regions };
  Direction direction = Direction::write;
  int variable = -1;
  Kind kind = Kind::regions;
  const Decomp *decomp = nullptr;  // distributed
  int64_t record = -1;             // distributed, replicated
  std::vector<Strided> regions;    // of all the variable's dimensions, the record dimension included
  const Values *values = nullptr;  // of several regions: contiguous, one after the other (no strides)
};

/// A checked one.
struct Request {
  Direction direction;
  int variable;
  Asked::Kind kind;
  std::shared_ptr<const Layout> layout;  // distributed
  int decomp = -1, first_axis = -1;      // distributed
  int64_t record;
  std::vector<Strided> regions;
  Type type;                       // in memory
  std::vector<MemoryView> memory;  // of the block, of the whole array, or of each region (record dimension included)
  std::vector<std::byte> copy;     // of buffered ones: what `memory` points into
};

/// Local. Checks all that this rank can see. Throws Error with the names of file and variable.
Request checked_request(const File &file, const Asked &asked);
/// Local. The caller's values are copied, contiguous. Returns their bytes.
int64_t copy_values(const File &file, Request &request);

/// Those of a file and rank that wait.
class Pending {
 public:
  /// Local. `most_bytes`: the budget of the file's settings. Error(no_memory) where a buffered one has no room.
  int64_t add(const File &file, const Asked &asked, bool buffered);
  /// Local. Error(invalid) for a number that is not pending.
  void cancel(int64_t number);
  /// All, in the order in which they were made.
  std::vector<int64_t> numbers() const;
  int64_t count() const { return static_cast<int64_t>(waiting_.size()); }

  /// The buffer of this rank. Error(order) for attaching a second, or detaching while something is in it.
  void attach_buffer(int64_t bytes);
  void detach_buffer();
  int64_t buffer_bytes(const File &file) const;
  int64_t used_bytes() const { return used_bytes_; }
  int64_t most_used_bytes() const { return most_used_bytes_; }

  /// Takes it out. Error(invalid) for a number that is not pending.
  Request take(int64_t number);

 private:
  std::map<int64_t, Request> waiting_;
  int64_t next_ = 0;
  std::optional<int64_t> attached_bytes_;
  int64_t used_bytes_ = 0, most_used_bytes_ = 0;
};

/// Collective. Carries out requests of this rank, as many as it wants. Returns for each what it failed with. Throws, on
/// every rank, the first of the lowest rank (after the others were carried out), and what fails the file.
void wait_for(File &file, std::span<const int64_t> numbers, std::vector<std::optional<Error>> &outcomes);
/// Collective. Carries all of them out, or (where one is refused, which is named by its place in the list) none.
void carry_out(File &file, const char *call, std::span<const Asked> asked);

}  // namespace sv
