#include "engine/copy.hpp"

#include <algorithm>

#include "base/swap.hpp"
#include "engine/owners.hpp"
#include "engine/write.hpp"

namespace sv {

namespace {

constexpr int64_t most_bytes = 1 << 20;  // stays in the cache between reading and writing

void check(const SlabName &from, const SlabName &to) {
  from.file.check_readable();
  to.file.check_writable();
  from.file.check_record(from.variable, from.record, true);
  to.file.check_record(to.variable, to.record, false);
  const Variable &source = from.file.variable(from.variable), &target = to.file.variable(to.variable);
  if (source.type != target.type || from.file.schema().slab_shape(source) != to.file.schema().slab_shape(target))
    throw Error(Status::type, "copied from " + from.file.name_of(from.variable) + ", which has another type or shape",
                "Copy between variables of one type and shape; otherwise get and put the values");
}

}  // namespace

void copy(const SlabName &from, const SlabName &to) {
  File &target = to.file;
  Context &context = target.context();
  PhaseTimer timer(context.metrics(), Phase::write);
  auto error = caught(context.rank(), [&] {
    if (&from.file.context() != &context)
      throw Error(Status::invalid, "the files are of different contexts", "Open both in one");
    check(from, to);
  });
  context.agree(call_text("sv_copy_var", target, to.variable, to.record) + " from " +
                    call_text("", from.file, from.variable, from.record),
                target.located(to.variable, error));
  error = caught(context.rank(), [&] {
    const int64_t bytes = size_of(target.variable(to.variable).type);
    std::vector<std::byte> values, swapped;
    target.make_room(to.variable, to.record);
    for_own_ranges(target, to.variable, to.record, most_bytes, [&](const Share &share) {
      values.resize(static_cast<size_t>(share.elements() * bytes));
      const auto slab = [&](const SlabName &name) {
        return Slab{name.variable, std::max<int64_t>(name.record, 0), share.box, share.first, share.last};
      };
      if (share.elements() > 0) from.file.lone_store().read(slab(from), values);
      if (from.file.byte_order() != target.byte_order()) {
        swapped.resize(values.size());
        swap_copy(values.data(), swapped.data(), share.elements(), bytes);
        values.swap(swapped);
      }
      target.attached_store().write(slab(to), values);
    });
  });
  conclude_writing(target, to.variable, to.record, error);
}

}  // namespace sv
