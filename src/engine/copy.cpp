#include "engine/values.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/signature.hpp"
#include "delivery/file_delivery.hpp"
#include "engine/strings.hpp"
#include "file/file_trace.hpp"
#include "transfer/own_ranges.hpp"
#include "transfer/writing.hpp"

namespace sv {

namespace {

void check(const SlabName &from, const SlabName &to) {
  check_readable(from.file);
  if (from.file.home().readers() == Readers::servers && from.file.home().maker.kind().is_plug_in)
    throw Error(Status::unsupported, "a copy from a file that its servers have open together",
                "Close that file and open it for reading, or get and put the values")
        .in_file(from.file.path());
  to.file.check_writable();
  if (!to.file.home().writes_here())
    throw Error(Status::unsupported, "a copy into a file that servers write: they do not have the other one open",
                "Set 'async.group: none' for it, or get and put the values");
  from.file.check_record(from.variable, from.record, true);
  to.file.check_record(to.variable, to.record, false);
  const Variable &source = from.file.variable(from.variable), &target = to.file.variable(to.variable);
  if (source.type != target.type || from.file.schema().slab_shape(source) != to.file.schema().slab_shape(target))
    throw Error(Status::type, "copied from " + from.file.name_of(from.variable) + ", which has another type or shape",
                "Copy between variables of one type and shape; otherwise get and put the values");
}

/// Of a list within one file: no slab is both copied and written, since its parts belong to several ranks.
void check_apart(std::span<const CopiedSlab> slabs) {
  std::set<std::pair<int, int64_t>> written;
  for (const CopiedSlab &each : slabs) written.emplace(each.to_variable, each.to_record);
  for (const CopiedSlab &each : slabs)
    if (written.contains({each.from_variable, each.from_record}))
      throw Error(Status::invalid, "one copy of the list reads what another one writes", "Copy them in two calls");
}

/// A list with its files, as the functions below take it.
struct Copy {
  File &from, &to;
  std::span<const CopiedSlab> slabs;

  int variable() const { return slabs.size() == 1 ? slabs.front().to_variable : -1; }
  SlabName source(const CopiedSlab &slab) const { return {from, slab.from_variable, slab.from_record}; }
  SlabName target(const CopiedSlab &slab) const { return {to, slab.to_variable, slab.to_record}; }
};

/// A text that is equal on all ranks if their lists are.
std::string text_of(const char *call, const Copy &copy) {
  if (copy.slabs.size() == 1) {
    const CopiedSlab &only = copy.slabs.front();
    return call_text(call, copy.to, only.to_variable, only.to_record) + " from " +
           call_text("", copy.from, only.from_variable, only.from_record);
  }
  uint64_t signature = 0;
  for (const CopiedSlab &each : copy.slabs)
    for (const int64_t number :
         {int64_t{each.from_variable}, each.from_record, int64_t{each.to_variable}, each.to_record})
      signature = passing_signature_after(signature, static_cast<uint64_t>(number));
  return std::string(call) + "('" + copy.to.path() + "') of " + std::to_string(copy.slabs.size()) + " slabs of '" +
         copy.from.path() + "', list " + std::to_string(compared_number(signature));
}

void check(const Copy &copy) {
  if (&copy.from.context() != &copy.to.context())
    throw Error(Status::invalid, "the files are of different contexts", "Open both in one");
  for (size_t i = 0; i < copy.slabs.size(); ++i) {
    const CopiedSlab &each = copy.slabs[i];
    const auto failed = copy.to.located(
        each.to_variable, caught(copy.to.context().rank(), [&] { check(copy.source(each), copy.target(each)); }));
    if (failed && copy.slabs.size() == 1) throw Error(*failed);
    if (failed) throw Error(*failed).in_request(static_cast<int>(i), static_cast<int>(copy.slabs.size()));
  }
  if (&copy.from == &copy.to && copy.slabs.size() > 1) check_apart(copy.slabs);
}

/// This rank's part of slabs of one variable. Local, except calls of stores that ranks make together.
void copy_own(const Copy &copy, std::span<const CopiedSlab> slabs) {
  const int variable = slabs.front().to_variable;
  std::vector<WrittenSlab> written;
  for (const CopiedSlab &each : slabs) written.push_back({variable, each.to_record});
  const auto read = [&](size_t place, const Share &share, std::span<std::byte> values) {
    const CopiedSlab &slab = slabs[place];
    copy.from.home().lone_reader().read(slab_of(slab.from_variable, slab.from_record, share), values);
  };
  copy_slabs(copy.to, written, {copy.from.home().maker.kind().byte_order, read});
}

/// Everything that is not a string, variable by variable where ranks that write a variable meet, otherwise in the order
/// of the list. Throws this rank's error, which meets no other rank.
void copy_values(const Copy &copy) {
  std::vector<CopiedSlab> slabs(copy.slabs.begin(), copy.slabs.end());
  std::erase_if(slabs, [&](const auto &each) { return copy.to.variable(each.to_variable).type == Type::string; });
  if (copy.to.home().shares_calls()) std::ranges::stable_sort(slabs, {}, &CopiedSlab::to_variable);
  for (auto begin = slabs.begin(); begin != slabs.end();) {
    const int variable = begin->to_variable;
    const auto end = std::find_if(begin, slabs.end(), [&](const auto &each) { return each.to_variable != variable; });
    try {
      copy_own(copy, {begin, end});
    } catch (Error &error) {
      throw error.in_variable(copy.to.variable(variable).name).relative_to(copy.from.name().directory());
    }
    begin = end;
  }
}

/// Agrees on how the writing ended.
void conclude(const Copy &copy, std::optional<Error> error) {
  File &target = copy.to;
  if (copy.slabs.size() == 1)
    return conclude_writing(target, copy.slabs.front().to_variable, copy.slabs.front().to_record, std::move(error));
  if (error) error->in_file(target.path());
  or_fail(target, [&] { target.context().agree("end of copies into '" + target.path() + "'", error); });
  for (const CopiedSlab &each : copy.slabs) target.ledger.touch(each.to_variable, each.to_record);
}

}  // namespace

void copy(File &from, File &to, const char *call, std::span<const CopiedSlab> slabs) {
  const Copy all{from, to, slabs};
  delivery_of(from).settle();
  delivery_of(to).settle();
  PhaseTimer timer(to.context().metrics, Phase::write, subject_of(to, all.variable()));
  agree(to, text_of(call, all), all.variable(), [&] { check(all); });
  std::set<int> sources;
  bool has_values = false;
  for (const CopiedSlab &each : slabs) {
    const bool is_text = to.variable(each.to_variable).type == Type::string;
    if (is_text) copy_strings(all.source(each), all.target(each));
    if (!is_text) sources.insert(each.from_variable);
    has_values = has_values || !is_text;
  }
  if (!has_values) return;
  define_fixed(from, {sources.begin(), sources.end()});
  conclude(all, caught(to.context().rank(), [&] { copy_values(all); }));
}

}  // namespace sv
