#include "block.hpp"

#include <sverdrup/sverdrup.h>

#include <stdexcept>

namespace sv_bench {

namespace {

// Exact in every type, different in all neighbouring cells; 2^24 - 3 is prime to every usual length.
constexpr int64_t period = 16777213;

template <typename T>
void fill(const Block &block, std::vector<std::byte> &data) {
  T *values = reinterpret_cast<T *>(data.data());
  block.for_each_row([values](int64_t place, int64_t local, int64_t n) {
    for (int64_t i = 0; i < n; ++i) values[local + i] = static_cast<T>((place + i) % period);
  });
}

}  // namespace

ElementType element_type(const std::string &name) {
  if (name == "double") return {name, SV_DOUBLE, 8, MPI_DOUBLE};
  if (name == "float") return {name, SV_FLOAT, 4, MPI_FLOAT};
  if (name == "int") return {name, SV_INT, 4, MPI_INT};
  throw std::runtime_error("there is no type '" + name + "'; give double, float or int");
}

Block::Block(const Field &whole, MPI_Comm communicator) : field(whole), comm(communicator) {
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  bounds_of(rank, start, count);
  data_.resize(static_cast<size_t>(bytes()));
  if (field.type.number == SV_DOUBLE) fill<double>(*this, data_);
  if (field.type.number == SV_FLOAT) fill<float>(*this, data_);
  if (field.type.number == SV_INT) fill<int32_t>(*this, data_);
}

void Block::bounds_of(int other, std::array<int64_t, 3> &its_start, std::array<int64_t, 3> &its_count) const {
  its_start[0] = 0;
  its_count[0] = field.shape[0];
  const int status = sv_block(field.shape[1], field.py, other / field.px, &its_start[1], &its_count[1]) |
                     sv_block(field.shape[2], field.px, other % field.px, &its_start[2], &its_count[2]);
  if (status != SV_OK) throw std::runtime_error(std::string("sv_block: ") + sv_message());
}

}  // namespace sv_bench
