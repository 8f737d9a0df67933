// Datatypes of MPI: the basic type, the values of an item, where they lie in a row, and copies both ways.
// run: ranks=1 limit=60
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "mpi/datatype.hpp"

namespace {

using namespace sv;

void require(bool holds, const std::string &description) {
  if (holds) return;
  std::fprintf(stderr, "FAILED: %s\n", description.c_str());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void must(int code, const char *call) { require(code == MPI_SUCCESS, call); }

/// A derived datatype, committed.
class Derived {
 public:
  explicit Derived(const std::function<int(MPI_Datatype *)> &make) {
    must(make(&made_), "making a datatype");
    must(MPI_Type_commit(&made_), "MPI_Type_commit");
  }
  Derived(const Derived &) = delete;
  ~Derived() { must(MPI_Type_free(&made_), "MPI_Type_free"); }
  operator MPI_Datatype() const { return made_; }

 private:
  MPI_Datatype made_ = MPI_DATATYPE_NULL;
};

constexpr int64_t nowhere = -1;

/// `begin`: where a row of `items` items of ints begins, in bytes, or nowhere. MPI_Pack shows which ints they are.
void check(const std::string &name, MPI_Datatype datatype, int64_t items, int64_t begin) {
  const Datatype found(datatype);
  require(found.form().type == Type::int32, name + " is not made of int");
  require((found.form().is_row(items) ? *found.form().row_begin : nowhere) == begin, name + " lies elsewhere");
  std::vector<int> memory(400), right(memory.size(), -1), back(memory.size(), -7);
  std::iota(memory.begin(), memory.end(), 0);
  const auto n = static_cast<size_t>(items * found.values());
  int position = 0;
  must(MPI_Pack(memory.data(), static_cast<int>(items), datatype, right.data(), static_cast<int>(4 * right.size()),
                &position, MPI_COMM_SELF),
       "MPI_Pack");
  require(static_cast<size_t>(position) == 4 * n, name + " has another number of values");
  std::vector<int> values(n);
  found.gather(memory.data(), items, reinterpret_cast<std::byte *>(values.data()), MPI_COMM_SELF);
  right.resize(n);
  require(values == right, name + " is gathered wrong");
  for (size_t i = 0; begin != nowhere && i < n; ++i)
    require(values[i] == begin / 4 + static_cast<int64_t>(i), name + " is no row");
  found.scatter(reinterpret_cast<const std::byte *>(values.data()), items, back.data(), MPI_COMM_SELF);
  size_t untouched = 0;
  for (size_t i = 0; i < back.size(); ++i) {
    require(back[i] == -7 || back[i] == memory[i], name + " is scattered wrong");
    if (back[i] == -7) ++untouched;
  }
  require(untouched == memory.size() - n, name + " touches what it does not have");
}

void rows_and_holes() {
  check("int", MPI_INT, 5, 0);
  const Derived three([](auto *made) { return MPI_Type_contiguous(3, MPI_INT, made); });
  check("contiguous", three, 4, 0);
  const Derived dense([](auto *made) { return MPI_Type_vector(3, 4, 4, MPI_INT, made); });
  check("a vector without holes", dense, 2, 0);
  const Derived every([](auto *made) { return MPI_Type_vector(5, 2, 3, MPI_INT, made); });
  check("a vector", every, 2, nowhere);
  const Derived bytes([&](auto *made) { return MPI_Type_create_hvector(2, 2, 24, three, made); });
  check("an hvector", bytes, 3, 0);
  const Derived wide([&](auto *made) { return MPI_Type_create_resized(three, 0, 20, made); });
  check("one resized", wide, 1, 0);
  check("several resized", wide, 3, nowhere);
  const Derived copy([&](auto *made) { return MPI_Type_dup(three, made); });
  check("a duplicate", copy, 2, 0);
}

void lists() {
  const int lengths[] = {2, 0, 3}, upward[] = {4, 90, 6}, downward[] = {4, 90, 1}, pair[] = {8, 3};
  const MPI_Aint bytes[] = {16, 360, 24}, pair_bytes[] = {40, 48};
  const Derived row([&](auto *made) { return MPI_Type_indexed(3, lengths, upward, MPI_INT, made); });
  check("indexed blocks in a row", row, 1, 16);
  const Derived turned([&](auto *made) { return MPI_Type_indexed(3, lengths, downward, MPI_INT, made); });
  check("indexed blocks in another order", turned, 2, nowhere);
  const Derived by_bytes([&](auto *made) { return MPI_Type_create_hindexed(3, lengths, bytes, MPI_INT, made); });
  check("hindexed", by_bytes, 1, 16);
  const Derived equal([&](auto *made) { return MPI_Type_create_indexed_block(2, 2, pair, MPI_INT, made); });
  check("indexed_block", equal, 1, nowhere);
  const Derived equal_bytes(
      [&](auto *made) { return MPI_Type_create_hindexed_block(2, 2, pair_bytes, MPI_INT, made); });
  check("hindexed_block", equal_bytes, 1, 40);
  const MPI_Datatype parts[] = {MPI_INT, MPI_INT32_T, row};
  const int one[] = {3, 1, 1};
  const MPI_Aint at[] = {0, 12, 0};
  const Derived together([&](auto *made) { return MPI_Type_create_struct(3, one, at, parts, made); });
  check("a struct", together, 1, 0);
}

void grids() {
  const int sizes[] = {4, 5, 6}, some[] = {2, 3, 2}, slab[] = {2, 5, 6}, line[] = {1, 2, 6}, from[] = {1, 2, 0};
  const int low[] = {1, 0, 0};
  const auto part = [&](const int *count, const int *start, int order) {
    return [=](auto *made) { return MPI_Type_create_subarray(3, sizes, count, start, order, MPI_INT, made); };
  };
  const Derived box(part(some, from, MPI_ORDER_C)), rows(part(line, from, MPI_ORDER_C));
  check("a sub-array", box, 2, nowhere);
  check("a sub-array of whole rows", rows, 1, 4 * (30 + 12));
  const Derived slabs(part(slab, low, MPI_ORDER_C)), fortran(part(slab, low, MPI_ORDER_FORTRAN));
  check("a slab", slabs, 1, 120);
  check("several slabs", slabs, 2, nowhere);
  check("a sub-array in Fortran's order", fortran, 1, nowhere);
  const int cut[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}, parts[] = {MPI_DISTRIBUTE_DFLT_DARG, 2};
  const int ranks[] = {2, 2};
  const Derived cyclic([&](auto *made) {
    return MPI_Type_create_darray(4, 2, 2, sizes, cut, parts, ranks, MPI_ORDER_C, MPI_INT, made);
  });
  check("a darray", cyclic, 1, nowhere);
}

void expect(MPI_Datatype datatype, Type type) {
  require(Datatype(datatype).form().type == type, "a basic type is not " + std::string(name_of(type)));
}

/// The same as check, of memory that begins in the middle: the values lie on both sides of the address.
void backward(const std::string &name, MPI_Datatype datatype, int64_t items, const std::vector<int> &right) {
  std::vector<int> memory(100), values(right.size()), back(memory.size(), -7);
  std::iota(memory.begin(), memory.end(), -50);
  const Datatype found(datatype);
  require(found.values() * items == std::ssize(right), name + " has another number of values");
  require(!found.form().is_row(items), name + " is no row");
  found.gather(&memory[50], items, reinterpret_cast<std::byte *>(values.data()), MPI_COMM_SELF);
  require(values == right, name + " is gathered wrong");
  found.scatter(reinterpret_cast<const std::byte *>(values.data()), items, &back[50], MPI_COMM_SELF);
  for (size_t i = 0; i < back.size(); ++i) {
    const bool has = std::find(right.begin(), right.end(), memory[i]) != right.end();
    require(back[i] == (has ? memory[i] : -7), name + " is scattered wrong");
  }
}

void backward() {
  const Derived down([](auto *made) { return MPI_Type_create_resized(MPI_INT, 0, -4, made); });
  backward("a negative extent", down, 4, {0, -1, -2, -3});
  const Derived every([](auto *made) { return MPI_Type_create_resized(MPI_INT, -4, 8, made); });
  backward("a negative lower bound", every, 3, {0, 2, 4});
  const Derived turned([](auto *made) { return MPI_Type_vector(3, 1, -2, MPI_INT, made); });
  backward("a vector backward", turned, 1, {0, -2, -4});
}

void basic_types() {
  expect(MPI_DOUBLE, Type::float64);
  expect(MPI_FLOAT, Type::float32);
  expect(MPI_LONG, sizeof(long) == 8 ? Type::int64 : Type::int32);
  expect(MPI_LONG_LONG, Type::int64);
  expect(MPI_SHORT, Type::int16);
  expect(MPI_SIGNED_CHAR, Type::int8);
  expect(MPI_CHAR, Type::text);
  expect(MPI_UNSIGNED_CHAR, Type::uint8);
  expect(MPI_UNSIGNED_SHORT, Type::uint16);
  expect(MPI_UINT32_T, Type::uint32);
  expect(MPI_UNSIGNED_LONG_LONG, Type::uint64);
  MPI_Datatype precise = MPI_DATATYPE_NULL;
  if (MPI_REAL == MPI_DATATYPE_NULL) return;  // an MPI without Fortran
  expect(MPI_REAL, Type::float32);
  expect(MPI_DOUBLE_PRECISION, Type::float64);
  expect(MPI_INTEGER, Type::int32);
  expect(MPI_REAL8, Type::float64);
  expect(MPI_INTEGER8, Type::int64);
  must(MPI_Type_create_f90_real(12, 100, &precise), "MPI_Type_create_f90_real");
  const Derived several([&](auto *made) { return MPI_Type_contiguous(2, precise, made); });
  expect(several, Type::float64);
}

void refuse(MPI_Datatype datatype, Status status, const std::string &mention) {
  try {
    const Datatype made(datatype);
  } catch (const Error &error) {
    require(error.status() == status && std::string(error.what()).find(mention) != std::string::npos, error.what());
    return;
  }
  require(false, "not refused: " + mention);
}

void refused() {
  refuse(MPI_DATATYPE_NULL, Status::invalid, "MPI_DATATYPE_NULL");
  refuse(MPI_BYTE, Status::type, "MPI_BYTE");
  refuse(MPI_DOUBLE_INT, Status::type, "MPI_DOUBLE_INT");
  refuse(MPI_LONG_DOUBLE, Status::type, "MPI_LONG_DOUBLE");
  const int one[] = {1, 1};
  const MPI_Aint at[] = {0, 8};
  const MPI_Datatype parts[] = {MPI_DOUBLE, MPI_INT};
  const Derived mixed([&](auto *made) { return MPI_Type_create_struct(2, one, at, parts, made); });
  refuse(mixed, Status::type, "double and int");
  const Derived pair([&](auto *made) { return MPI_Type_contiguous(2, mixed, made); });
  refuse(pair, Status::type, "double and int");
  const Derived none([&](auto *made) { return MPI_Type_create_struct(0, one, at, parts, made); });
  refuse(none, Status::type, "nothing");
}

/// Nothing of it is touched: only the sizes are looked at.
void large() {
  const Derived row([](auto *made) { return MPI_Type_contiguous(1 << 30, MPI_INT, made); });
  const Datatype items(row);
  require(items.values() == 1 << 30 && items.form().is_row(1 << 20), "a large row");
  try {
    items.check_copyable();
  } catch (const Error &error) {
    return require(error.status() == Status::limit, error.what());
  }
  require(false, "an item of 4 GiB is no copyable one");
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  rows_and_holes();
  lists();
  grids();
  backward();
  basic_types();
  refused();
  large();
  return MPI_Finalize();
}
