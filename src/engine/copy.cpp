#include "engine/values.hpp"

#include "delivery/file_delivery.hpp"
#include "delivery/file_trace.hpp"
#include "engine/recorded.hpp"
#include "engine/strings.hpp"
#include "transfer/own_ranges.hpp"
#include "transfer/writing.hpp"

namespace sv {

namespace {

void check(const SlabName &from, const SlabName &to) {
  check_readable(from.file);
  if (from.file.home().readers() == Readers::servers && from.file.home().maker.kind().is_plug_in)
    throw Error(Status::unsupported, "sv_copy_var from a file that its servers have open together",
                "Close that file and open it for reading, or get and put the values")
        .in_file(from.file.path());
  to.file.check_writable();
  if (!to.file.home().writes_here())
    throw Error(Status::unsupported, "sv_copy_var into a file that servers write: they do not have the other one open",
                "Set 'async.group: none' for it, or get and put the values");
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
  require_recorded(from.file);
  require_recorded(target);
  delivery_of(from.file).settle();
  delivery_of(target).settle();
  PhaseTimer timer(context.metrics, Phase::write, subject_of(target, to.variable));
  const std::string call = call_text("sv_copy_var", target, to.variable, to.record) + " from " +
                           call_text("", from.file, from.variable, from.record);
  agree(target, call, to.variable, [&] {
    if (&from.file.context() != &context)
      throw Error(Status::invalid, "the files are of different contexts", "Open both in one");
    check(from, to);
  });
  if (target.variable(to.variable).type == Type::string) return copy_strings(from, to);
  define_fixed(from.file, {from.variable});
  auto error = caught(context.rank(), [&] {
    const auto read = [&](const Share &share, std::span<std::byte> values) {
      from.file.home().lone_reader().read(slab_of(from.variable, from.record, share), values);
    };
    copy_slab(target, to.variable, to.record, {from.file.home().maker.kind().byte_order, read});
  });
  if (error) error->relative_to(from.file.name().directory());
  conclude_writing(target, to.variable, to.record, error);
}

}  // namespace sv
