#include "block.hpp"

#include <sverdrup/sverdrup.h>

#include <stdexcept>

namespace sv_bench {

namespace {

Schema schema_of(const Field &field) {
  return {{{"lev", field.shape[0]}, {"lat", field.shape[1]}, {"lon", field.shape[2]}},
          {{"field", field.type, {0, 1, 2}}}};
}

}  // namespace

Block::Block(const Field &whole, MPI_Comm comm) : field(whole), team(comm), workload_(comm, schema_of(whole)) {
  bounds_of(team.rank, start, count);
  workload_.grids = {{{field.shape[1], field.shape[2]}, {start[1], start[2]}, {count[1], count[2]}}};
  workload_.add({0, {{{start.begin(), start.end()}, {count.begin(), count.end()}}}, {}, 0, 0});
  workload_.end_step();
  workload_.fill();
}

void Block::bounds_of(int other, std::array<int64_t, 3> &its_start, std::array<int64_t, 3> &its_count) const {
  its_start[0] = 0;
  its_count[0] = field.shape[0];
  const int status = sv_block(field.shape[1], field.py, other / field.px, &its_start[1], &its_count[1]) |
                     sv_block(field.shape[2], field.px, other % field.px, &its_start[2], &its_count[2]);
  if (status != SV_OK) throw std::runtime_error(std::string("sv_block: ") + sv_message());
}

}  // namespace sv_bench
