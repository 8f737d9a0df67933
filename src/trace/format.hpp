// The format of trace files (docs/trace-format.md): the recorded calls of a process, in one file that the process maps
// and shares with the kernel, so that all of it survives a crash or SIGKILL. Little-endian; fixed capacities; numbers
// that several threads write are lock-free atomics. Written by Recorder, read by the Python package `sverdrup.trace`.
//
// A file is a Header, then the sections that it lists, each at an offset that is a multiple of 4096.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace sv::trace {

inline constexpr char magic[8] = {'S', 'V', 'T', 'R', 'A', 'C', 'E', '1'};
inline constexpr uint32_t version = 1;

/// The writer of the file.
enum class Producer : uint32_t { tracer = 1, library = 2 };

/// The layer of a function, outermost first. `step` holds the library's own steps, of ranks and servers
/// (Producer::library); all others are functions that were called.
enum class Layer : uint32_t { sverdrup = 1, netcdf = 2, pnetcdf = 3, mpi_io = 4, mpi = 5, posix = 6, step = 7 };

enum SectionIndex : uint32_t {
  section_functions,    // Function: layer and name
  section_paths,        // Path: the tree of calls
  section_files,        // File
  section_variables,    // Variable
  section_text,         // bytes: UTF-8 names and notes, not terminated
  section_notes,        // Note: JSON objects
  section_totals,       // Total, a hash table by (path, file, variable), linear probing
  section_path_totals,  // Total: [path], of calls that had no room in the table
  section_threads,      // Thread: the calls that are going on
  section_ring,         // Slot: the latest events
  sections
};

/// `offset_bytes` from the start of the file. `capacity` and `used` count entries, 0 too where that is none
/// (section_text: bytes; section_ring: slots that were ever given out, so that used > capacity means that the oldest
/// were overwritten; section_totals: entries in use). `lost`: entries that found no room (section_ring: events that
/// were not recorded, since the disk was full).
struct Section {
  int64_t offset_bytes;
  int64_t capacity;
  int64_t entry_bytes;
  std::atomic<int64_t> used;
  std::atomic<int64_t> lost;
};

enum HeaderFlags : uint32_t {
  ended = 1,   // the process closed the file itself; otherwise it was killed, crashed or still runs
  forked = 2,  // by a fork without exec
  initialized_mpi = 4
};

/// Times of everything else are nanoseconds of CLOCK_MONOTONIC since `start_monotonic_ns`. Processes of one host share
/// that clock; for those of several hosts `start_realtime_ns` is what they have in common.
struct Header {
  char magic[8];
  uint32_t version;
  uint32_t header_bytes;  // sizeof(Header)
  int64_t file_bytes;
  Producer producer;
  std::atomic<uint32_t> flags;
  int64_t start_realtime_ns;          // CLOCK_REALTIME
  int64_t start_monotonic_ns;         // CLOCK_MONOTONIC, at the same time
  std::atomic<int64_t> end_ns;        // when it was closed; 0: it was not
  std::atomic<int64_t> latest_ns;     // of the latest event
  std::atomic<int64_t> mpi_start_ns;  // MPI_Init returned; 0: it did not
  std::atomic<int64_t> mpi_end_ns;    // MPI_Finalize was called; 0: it was not
  int32_t pid;
  int32_t parent_pid;
  std::atomic<int32_t> rank;   // in MPI_COMM_WORLD; -1: unknown, or no MPI
  std::atomic<int32_t> ranks;  // of MPI_COMM_WORLD; 0: unknown
  char host[64];               // zero-terminated
  char program[256];           // the path of the executable, its beginning if it is longer; zero-terminated
  Section sections[trace::sections];
};

struct Function {
  Layer layer;
  char name[60];  // zero-terminated
};

/// Call paths: path i is `function` called by path `caller`; no_caller: called by the program. Entry 0 is never used.
inline constexpr uint32_t no_caller = 0;
/// The caller of a path that had no room of its own: not known any more.
inline constexpr uint32_t lost_caller = 0xffffffff;
struct Path {
  uint32_t caller;
  uint32_t function;
};

/// Entry 0 stands for "no file", or, in a total, for files that had no room.
struct File {
  int64_t text_offset;  // in section_text
  int64_t text_bytes;
};

/// Entry 0: none.
struct Variable {
  uint32_t file;
  int32_t id;  // as the interface numbers it
  int64_t text_offset, text_bytes;
};

/// A JSON object for information that is not numeric: the plan of a file, its variables, hints. `time_ns`: its time.
struct Note {
  int64_t time_ns;
  int64_t text_offset, text_bytes;
  std::atomic<uint32_t> complete;  // 0: not yet
  uint32_t file;
};

inline constexpr int size_classes = 32;
/// Of all calls of a path with a file and a variable. `key`: 0 = free, otherwise key_of(). `sizes[i]`: calls of
/// 2^(i-1) <= bytes < 2^i; [0]: no bytes, or unknown.
struct Total {
  std::atomic<uint64_t> key;
  std::atomic<int64_t> calls, errors, bytes;
  std::atomic<int64_t> ns, most_ns;
  std::atomic<int64_t> first_ns, last_ns;  // when the first began and the last ended
  std::atomic<uint32_t> sizes[size_classes];
};
/// path < 2^16, file < 2^24, variable < 2^24.
constexpr uint64_t key_of(uint32_t path, uint32_t file, uint32_t variable) {
  return uint64_t{path} << 48 | uint64_t{file} << 24 | variable;
}

/// A call that is going on.
struct Frame {
  uint32_t path, file, variable, reserved;
  int64_t start_ns;
};
inline constexpr int deepest = 24;  // calls within calls; deeper ones are counted, but not listed as going on
struct Thread {
  std::atomic<int32_t> tid;    // of the kernel; 0: free
  std::atomic<int32_t> depth;  // how many of `frames` are in use; 0: in no call
  Frame frames[deepest];
};

/// An event takes one slot and as many more as its arguments need, one after the other (the ring has no gap at its end:
/// the slot after the last is the first). Slot number n (counted since the beginning; it is at n modulo capacity) is
/// the first of an event when `ticket` == n + 1, which is written last; it is whole when n >= used - capacity.
struct Slot {
  std::atomic<int64_t> ticket;
  int64_t start_ns;
  int64_t duration_ns;
  int64_t bytes;   // that were to be moved (posix: that were); -1: of no meaning
  int64_t offset;  // in the file, where it is known; -1: it is not
  uint32_t path, file, variable;
  uint16_t thread;  // index in section_threads; 0xffff: none was free
  uint8_t slots;    // of the event, this one included
  int8_t failed;    // 1: the call returned an error
  int64_t reserved;
};
/// The slots of arguments: words[0] of each is 0, the other seven are, read on from slot to slot, groups of
/// argument_word(kind, n) and n values.
struct ArgumentSlot {
  int64_t words[8];
};
enum class Argument : uint32_t {
  none = 0,   // fills up the last slot
  start = 1,  // indices, as the interface orders them
  count = 2,
  stride = 3,
  imap = 4,
  mode = 5,      // flags of opening or creating, as they were given
  hints = 6,     // one value: the number of a note
  datatype = 7,  // bytes of one element
  requests = 8,  // how many
  fill = 9,
  length = 10,  // of a dimension, a file, an extent
  chunks = 11,
  collective = 12,    // 0 or 1
  communicator = 13,  // how many ranks take part
  peer = 14,          // rank that data go to or come from
  step = 15,          // number, from 0
  record = 16,
  status = 17,  // the returned code; of POSIX calls errno
  dims = 18     // dimension ids
};
constexpr int64_t argument_word(Argument kind, int values) { return static_cast<int64_t>(kind) << 32 | values; }

static_assert(sizeof(Slot) == 64 && sizeof(ArgumentSlot) == 64 && sizeof(Function) == 64 && sizeof(Path) == 8);
static_assert(sizeof(File) == 16 && sizeof(Variable) == 24 && sizeof(Note) == 32 && sizeof(Total) == 192);
static_assert(sizeof(Frame) == 24 && sizeof(Thread) == 8 + 24 * deepest && sizeof(Section) == 40);
static_assert(sizeof(Header) == 8 + 8 + 8 + 8 + 2 * 8 + 4 * 8 + 4 * 4 + 64 + 256 + 40 * sections);
static_assert(std::atomic<int64_t>::is_always_lock_free && std::atomic<uint32_t>::is_always_lock_free);

}  // namespace sv::trace
