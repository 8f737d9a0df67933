// Blocks that are long stretches of the file are written and read by the ranks that have them, with any memory,
// type and place in the field; all ranks get the error of one that fails or refuses; and where each call of
// the system has a price, one rank of a node writes. The same of combined requests, and of fields that several nodes
// would bring to writers in several rounds.
// run: ranks=1 limit=60
// run: ranks=1 limit=60 name=rounds_alone args=transport.window=256KiB
// run: ranks=3 limit=60 hosts=1
// run: ranks=5 limit=90 hosts=1
// run: ranks=5 limit=90 hosts=1 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
// run: ranks=5 limit=90 hosts=1 name=rounds env=SV_TESTING_RANKS_PER_NODE=2 args=transport.window=256KiB
// run: ranks=3 limit=60 hosts=1 name=on_disk args=durability=on_disk
#include <dlfcn.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <memory>

#include "support/files.hpp"
#include "support/readers.hpp"
#include "support/verdict.hpp"

namespace {

std::atomic<int> calls{0}, reads{0};
enum class Trouble { none, fails, is_slow, takes_bytes_slowly };
Trouble trouble = Trouble::none;

}  // namespace

/// With this the library writes.
extern "C" ssize_t pwrite(int file, const void *data, size_t bytes, off_t offset) {
  static const auto real = reinterpret_cast<decltype(&pwrite)>(dlsym(RTLD_NEXT, "pwrite"));
  ++calls;
  if (trouble == Trouble::fails) {
    errno = EIO;
    return -1;
  }
  if (trouble == Trouble::is_slow) usleep(3000);
  if (trouble == Trouble::takes_bytes_slowly) usleep(static_cast<useconds_t>(bytes / 100));
  return real(file, data, bytes, offset);
}

extern "C" ssize_t pwritev(int file, const iovec *parts, int count, off_t offset) {
  static const auto real = reinterpret_cast<decltype(&pwritev)>(dlsym(RTLD_NEXT, "pwritev"));
  ++calls;
  return real(file, parts, count, offset);
}

extern "C" ssize_t pread(int file, void *data, size_t bytes, off_t offset) {
  static const auto real = reinterpret_cast<decltype(&pread)>(dlsym(RTLD_NEXT, "pread"));
  ++reads;
  return real(file, data, bytes, offset);
}

namespace {

using namespace svtest;

constexpr int64_t records = 3;

/// Of `ranks` ranks, each with `each` indices of the first dimension, the first one with `more`; the last has none
/// where `idle`.
Grid along_first(const Numbers &shape, int ranks, const Numbers &halo, bool idle = false) {
  Grid grid{shape, {}, {}, halo};
  const int parts = idle && ranks > 1 ? ranks - 1 : ranks;
  for (int r = 0; r < ranks; ++r) {
    Block block{Numbers(shape.size(), 0), Numbers(shape.size(), 0)};
    if (r < parts) {
      block.count = shape;
      block.start[0] = shape[0] * r / parts;
      block.count[0] = shape[0] * (r + 1) / parts - block.start[0];
    }
    grid.blocks.push_back(block);
  }
  return grid;
}

/// Each has half of a level, the last one a whole one or half.
Grid half_levels(int ranks, int64_t height, int64_t width) {
  Grid grid{{(ranks + 1) / 2, height, width}, {}, {}, {0, 0, 1, 2, 0, 3}};
  for (int r = 0; r < ranks; ++r) {
    const bool whole = r == ranks - 1 && r % 2 == 0;
    grid.blocks.push_back({{r / 2, whole ? 0 : r % 2 * (height / 2), 0}, {1, whole ? height : height / 2, width}});
  }
  return grid;
}

struct Case {
  Grid line, blocks, levels, halves, wrapped;
  std::vector<Spec> specs;

  explicit Case(int ranks)
      : line(along_first({70000L * ranks + 17}, ranks, {3, 2}, true)),
        blocks(along_first({40L * ranks + 1, 8, 8, 8}, ranks, {0, 0, 1, 2, 2, 2, 1, 0})),
        levels(along_first({2L * ranks, 80, 120}, ranks, {})),
        halves(half_levels(ranks, 90, 200)),
        wrapped(along_first({30000L * ranks}, ranks, {1, 1})) {
    wrapped.periodic = {1};
    for (Block &block : wrapped.blocks) block.start[0] += 11000;  // two patches on the last rank
    specs = {{"line", SV_DOUBLE, SV_DOUBLE, line.shape, {"cell"}, false, How::field, &line},
             {"bytes", SV_BYTE, SV_BYTE, line.shape, {"cell"}, true, How::field, &line},
             {"blocks", SV_DOUBLE, SV_DOUBLE, blocks.shape, {"block", "c", "b", "a"}, true, How::field, &blocks},
             {"single", SV_FLOAT, SV_DOUBLE, blocks.shape, {"block", "c", "b", "a"}, false, How::field, &blocks},
             {"levels", SV_INT, SV_INT, levels.shape, {"z", "y", "x"}, true, How::field, &levels},
             {"halves", SV_DOUBLE, SV_DOUBLE, halves.shape, {"t", "v", "u"}, true, How::field, &halves},
             {"padded", SV_DOUBLE, SV_DOUBLE, halves.shape, {"t", "v", "u"}, false, How::field, &halves},
             {"wrapped", SV_DOUBLE, SV_DOUBLE, wrapped.shape, {"w"}, false, How::field, &wrapped},
             {"rows", SV_DOUBLE, SV_DOUBLE, levels.shape, {"z", "y", "x"}, false, How::subarrays},
             {"nobody", SV_DOUBLE, SV_DOUBLE, levels.shape, {"z", "y", "x"}, true, How::never}};
    specs[6].padded = true;
  }
};

/// Returns how often this rank has written.
int put_counting(Output &out, const Spec &spec, int64_t record) {
  calls = 0;
  put(out, spec, record);
  return calls;
}

bool has_cells(const Spec &spec, int rank) { return product(spec.grid->blocks[static_cast<size_t>(rank)].count) > 0; }

/// While it is being written, and afterwards.
void check_reading(const Input &in, const Case &all, int64_t written, bool opened) {
  std::map<const Grid *, sv_decomp *> decomps;
  for (const Spec &spec : all.specs) {
    if (spec.how != How::field) continue;
    sv_decomp *&decomp = decomps[spec.grid];
    if (decomp == nullptr) decomp = declare(in.io, *spec.grid, in.rank);
    for (int64_t record = spec.records ? 0 : -1; record < (spec.records ? written : 0); ++record) {
      reads = 0;
      check_field(in, spec, decomp, record, spec);
      const bool reads_itself = reads > 0;
      require(!opened || reads_itself == has_cells(spec, in.rank), "who reads " + spec.name);
    }
  }
}

void check_values(sv_context *io, const Case &all) {
  Output out = create_output(io, rank_in(MPI_COMM_WORLD), "own_blocks.nc", all.specs);
  for (const Spec &spec : all.specs) {
    if (spec.records) continue;
    if (spec.how == How::subarrays) {
      put_subarrays(out, spec, size_of(MPI_COMM_WORLD), 0);
      continue;
    }
    require((put_counting(out, spec, -1) > 0) == has_cells(spec, out.rank), "who writes " + spec.name);
  }
  for (int64_t record = 0; record < records; ++record) {
    for (const Spec &spec : all.specs)
      if (spec.records && spec.how == How::field) put(out, spec, record);
    SV_MUST(sv_end_step(io));
  }
  check_reading({io, out.file, out.rank, "written"}, all, records, false);
  SV_MUST(sv_close(out.file));
  MPI_Barrier(MPI_COMM_WORLD);
  if (out.rank == 0) NetcdfFile("own_blocks.nc").check_all(all.specs, records);
  sv_file *file = open_file(io, "own_blocks.nc");
  check_reading({io, file, out.rank, "opened"}, all, records, true);
  SV_MUST(sv_close(file));
}

/// A rank that refuses leaves the file as it is; one whose writing fails does not.
void check_errors(sv_context *io, const Case &all) {
  const std::vector<Spec> specs{all.specs[2]};
  const Spec &spec = specs.front();
  Output out = create_output(io, rank_in(MPI_COMM_WORLD), "refused.nc", specs);
  put(out, spec, 0);
  const int odd = size_of(MPI_COMM_WORLD) - 1;
  const Array mine = block_array(spec, out.rank, 1);
  expect("no data on a rank", {SV_EINVAL, {"refused.nc", spec.name, "null pointer"}}, [&] {
    return sv_put(out.file, out.ids[spec.name], out.decomp(spec.grid), 1, spec.memory,
                  out.rank == odd ? nullptr : mine.bytes.data(), nullptr);
  });
  put(out, spec, 1);
  SV_MUST(sv_close(out.file));
  MPI_Barrier(MPI_COMM_WORLD);
  if (out.rank == 0) NetcdfFile("refused.nc").check_all(specs, 2);

  Output failing = create_output(io, rank_in(MPI_COMM_WORLD), "failing.nc", specs);
  put(failing, spec, 0);
  trouble = failing.rank == odd ? Trouble::fails : Trouble::none;
  expect("a rank that cannot write", {SV_EIO, {"failing.nc", spec.name, "rank " + std::to_string(odd)}}, [&] {
    return sv_put(failing.file, failing.ids[spec.name], failing.decomp(spec.grid), 1, spec.memory, mine.bytes.data(),
                  nullptr);
  });
  trouble = Trouble::none;
  require(sv_close(failing.file) != SV_OK, "a file that has failed closes");
  MPI_Barrier(MPI_COMM_WORLD);
}

/// What a rank puts as a sub-array of its own: a block without its halo, in an array that has one.
struct OwnPart {
  Array array;
  Numbers start, count, stride;  // with the record, where there is one
  const char *first;

  OwnPart(const Spec &spec, int rank, int64_t record) : array(block_array(spec, rank, record)) {
    const Block &block = spec.grid->blocks[static_cast<size_t>(rank)];
    start = block.start;
    count = block.count;
    stride = array.step;
    Numbers inside(spec.shape.size(), 0);
    for (size_t d = 0; d < inside.size() && !spec.grid->halo.empty(); ++d) inside[d] = spec.grid->halo[2 * d];
    first = array.bytes.data() + array.offset(inside);
    if (!spec.records) return;
    start.insert(start.begin(), record);
    count.insert(count.begin(), 1);
    stride.insert(stride.begin(), std::ssize(array.bytes));
  }
};

/// Posts these records of all variables, and waits. Returns how often this rank has written, or -1 where the wait
/// fails.
int wait_counting(Output &out, const std::vector<Spec> &specs, int64_t first, int64_t count) {
  std::vector<sv_request> requests;
  std::vector<std::unique_ptr<OwnPart>> parts;
  for (int64_t record = first; record < first + count; ++record)
    for (const Spec &spec : specs) {
      parts.push_back(std::make_unique<OwnPart>(spec, out.rank, spec.records ? record : -1));
      const OwnPart &part = *parts.back();
      requests.push_back(SV_NO_REQUEST);
      SV_MUST(sv_iput_vara(out.file, out.ids[spec.name], part.start.data(), part.count.data(),
                           {spec.memory, part.first, part.stride.data()}, &requests.back()));
    }
  calls = 0;
  const int status = sv_wait(out.file, static_cast<int>(requests.size()), requests.data(), nullptr);
  return status == SV_OK ? static_cast<int>(calls) : -1;
}

/// `writes`: this rank. One of each node may, which is its first one, and somebody does.
void require_writers_of_nodes(bool writes, const std::string &what) {
  const char *const per_node = std::getenv("SV_TESTING_RANKS_PER_NODE");
  const int ranks = per_node == nullptr ? size_of(MPI_COMM_WORLD) : std::stoi(per_node);
  require(!writes || rank_in(MPI_COMM_WORLD) % ranks == 0, what);
  int mine = writes ? 1 : 0, any = 0;
  MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  require(any != 0, what);
}

void check_combined(sv_context *io, const Case &all) {
  const std::vector<Spec> fixed{all.specs[3]}, each_record{all.specs[1], all.specs[2], all.specs[4]};
  std::vector<Spec> specs = fixed;
  specs.insert(specs.end(), each_record.begin(), each_record.end());
  Output out = create_output(io, rank_in(MPI_COMM_WORLD), "combined.nc", specs);
  require(wait_counting(out, fixed, 0, 1) > 0, "each rank writes its stretches of fixed variables");
  require(wait_counting(out, each_record, 0, 2) > 0, "each rank writes its stretches of records");
  SV_MUST(sv_close(out.file));
  MPI_Barrier(MPI_COMM_WORLD);
  if (out.rank == 0) NetcdfFile("combined.nc").check_all(specs, 2);

  trouble = Trouble::is_slow;
  Output slow = create_output(io, rank_in(MPI_COMM_WORLD), "combined_slow.nc", each_record);
  require(wait_counting(slow, each_record, 0, 1) > 0, "no rank knows yet that calls are slow");
  require_writers_of_nodes(wait_counting(slow, each_record, 1, 1) > 0, "writers write combined requests, too");
  trouble = Trouble::none;
  SV_MUST(sv_close(slow.file));
  MPI_Barrier(MPI_COMM_WORLD);
  if (slow.rank == 0) NetcdfFile("combined_slow.nc").check_all(each_record, 2);

  Output failing = create_output(io, rank_in(MPI_COMM_WORLD), "combined_failing.nc", specs);
  const int odd = size_of(MPI_COMM_WORLD) - 1;
  trouble = failing.rank == odd ? Trouble::fails : Trouble::none;
  expect("a rank that cannot write combined requests", {SV_EIO, {"combined_failing.nc", "rank " + std::to_string(odd)}},
         [&] { return wait_counting(failing, each_record, 0, 1) < 0 ? sv_sync(failing.file) : SV_OK; });
  trouble = Trouble::none;
  require(sv_close(failing.file) != SV_OK, "a file that has failed closes");
  MPI_Barrier(MPI_COMM_WORLD);
}

void check_slow_calls(sv_context *io, const Case &all) {
  const std::vector<Spec> specs{all.specs[2]};
  const Spec &spec = specs.front();
  trouble = Trouble::is_slow;
  Output out = create_output(io, rank_in(MPI_COMM_WORLD), "slow.nc", specs);
  const int first = put_counting(out, spec, 0);
  // 160 KiB or more: parts of 64 KiB, or of half a window, which has 128 KiB at the least.
  require(out.rank == 0 ? first > 2 : first <= 2, "one rank finds out in the first put, and others make few calls");
  require_writers_of_nodes(put_counting(out, spec, 1) > 0, "writers write where calls are slow");
  trouble = Trouble::none;
  SV_MUST(sv_close(out.file));
  MPI_Barrier(MPI_COMM_WORLD);
  at_root([&] { NetcdfFile("slow.nc").check_all(specs, 2); });
}

/// For any assumed reason (a busy machine may also take so long for a call), few calls are made.
void check_slow_bytes(sv_context *io, const Case &all) {
  const std::vector<Spec> specs{all.specs[2]};
  Output out = create_output(io, rank_in(MPI_COMM_WORLD), "slow_bytes.nc", specs);
  trouble = Trouble::takes_bytes_slowly;
  put(out, specs.front(), 0);
  require(put_counting(out, specs.front(), 1) <= 1, "what a device takes slowly is written in large parts");
  trouble = Trouble::none;
  SV_MUST(sv_close(out.file));
  MPI_Barrier(MPI_COMM_WORLD);
  at_root([&] { NetcdfFile("slow_bytes.nc").check_all(specs, 2); });
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  std::vector<std::string> options(argv + 1, argv + argc);
  sv_context *io = start(MPI_COMM_WORLD, options);
  const Case all(size_of(MPI_COMM_WORLD));
  check_values(io, all);
  check_errors(io, all);
  check_slow_calls(io, all);
  if (options.empty() && std::getenv("SV_TESTING_RANKS_PER_NODE") == nullptr) check_slow_bytes(io, all);
  check_combined(io, all);
  SV_MUST(sv_finalize(io));
  return MPI_Finalize();
}
