#include "file/store_calls.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/first_error.hpp"

namespace sv {

int64_t calls_for(const File &file, Direction direction, int variable, int64_t mine) {
  Home &home = file.home();
  return home.shares_calls() ? home.store().most_calls(direction, variable, mine) : std::max<int64_t>(mine, 0);
}

std::optional<Error> make_calls(const File &file, const Calls &calls, const std::function<void(int64_t)> &visit) {
  FirstError first(file.context().rank());
  int64_t all = calls.mine;
  if (!calls.in_gate)
    first.attempt([&] { all = calls_for(file, calls.direction, calls.variable, calls.failed ? -1 : calls.mine); });
  for (int64_t c = 0; c < all; ++c) {
    first.attempt([&] { visit(first || c >= calls.mine ? -1 : c); });
    if (first && !file.home().shares_calls()) break;
  }
  if (calls.direction == Direction::write && file.home().shares_calls() && !calls.in_gate)
    first.attempt([&] { file.home().store().deliver(calls.variable, Delivery::now); });
  return first.error();
}

void took_in_gate(const File &file, int variable, int64_t bytes) {
  Home &home = file.home();
  home.kept_back_bytes += bytes;
  if (home.shares_calls()) home.store().deliver(variable, Delivery::later);
}

Slab empty_slab(const File &file, int variable) {
  return {variable, 0, Box::whole(file.schema().slab_shape(file.variable(variable))), 0, 0};
}

void make_room(const File &file, int variable, int64_t record) {
  make_room(file, std::array{WrittenSlab{variable, record}});
}

void make_room(const File &file, std::span<const WrittenSlab> slabs) {
  std::vector<RecordCount> variables;
  for (const WrittenSlab &each : slabs)
    if (each.record >= 0) variables.push_back({each.variable, each.record + 1});
  if (!variables.empty() && file.home().shares_calls()) file.home().store().grow(variables);
}

void agree_on_calls(const File &file, const std::optional<Error> &error) {
  if (file.home().shares_calls()) return file.home().store().agree(error ? &*error : nullptr);
  if (error) throw Error(*error);
}

}  // namespace sv
