#include "engine/redefine.hpp"

#include <algorithm>
#include <functional>
#include <span>

#include "base/printable.hpp"
#include "delivery/file_delivery.hpp"
#include "engine/combine.hpp"
#include "engine/commit.hpp"
#include "engine/ending.hpp"
#include "engine/file_parts.hpp"
#include "engine/strings.hpp"
#include "file/divided.hpp"
#include "file/file_trace.hpp"
#include "file/older_files.hpp"
#include "model/enumeration.hpp"
#include "model/rules/netcdf4.hpp"
#include "model/rules/zarr.hpp"
#include "model/variable_storage.hpp"
#include "transfer/alone.hpp"
#include "transfer/own_ranges.hpp"

namespace sv {

namespace {

/// A new file is made from the readable parts of the old one. Rank 0 knows the omissions.
void require_all_of_it(const File &file) {
  if (file.home().maker.kind().has_all_calls) return;
  for (const Omission &each : file.before()->omissions)
    if (each.is_lost)
      throw Error(Status::unsupported, "this change makes a new file, which would lack the " + printable(each.what),
                  "Copy what can be read with sv-copy, and define the rest in the copy");
}

/// The new file stores the variables that there are as the old one does. Their values have been rounded within a bound
/// that attributes state.
void keep_storage(Schema &schema) {
  for (Variable &each : schema.variables) {
    if (each.storage == nullptr || !each.storage->is_found) continue;
    VariableStorage asked = *each.storage;
    asked.is_found = false;
    asked.others.clear();
    if (asked.quantization().has_bound()) asked.set_quantization({});
    asked.error_encoder.reset();
    each.storage = std::make_shared<const VariableStorage>(std::move(asked));
  }
}

}  // namespace

void redefine(File &file) {
  const auto check = [&] {
    if (file.engine->series != nullptr)
      throw Error(Status::unsupported, "the file is a series, whose files are defined once", "Define before sv_enddef");
    if (file.mode == Mode::define) throw Error(Status::order, "sv_redef in define mode", "Definitions can be made now");
    file.require(Mode::data, "sv_redef");
    if (!file.home().pieces(0).empty())
      throw Error(Status::unsupported, "the file is a set of files, which are defined once",
                  "Define everything before sv_enddef, or choose a route that writes one file");
  };
  const Max<int64_t> mine = file.engine->pending.count();
  const int64_t waiting = agree(file, "sv_redef('" + file.path() + "')", -1, check, mine);
  end_indep(file);
  if (const auto complaint = complete_all(file, waiting > 0)) throw Error(*complaint);
  commit(file, "sv_redef", false);
  file.enter(File::Redefining{file.schema()});
  keep_storage(file.definitions.schema);
  file.mode = Mode::define;
}

namespace {

void move_slab(File &file, Reader &from, int variable, int64_t record) {
  if (file.variable(variable).type == Type::string) return copy_strings(file, from, {variable, record}, record);
  const auto read = [&](size_t, const Share &share, std::span<std::byte> values) {
    from.read(slab_of(variable, record, share), values);
  };
  const WrittenSlab slab{variable, record};
  const Variable &each = file.variable(variable);
  file.context().metrics.moved_bytes +=
      copy_slabs(file, std::span(&slab, 1), {file.home().maker.kind().byte_order, read});
  file.ledger.moved(file.schema().slab_elements(each) * size_of(each.type));
}

/// Copies the values of the old file into the new one.
void move_slabs(File &file, Reader &old) {
  const auto known = std::ssize(file.before()->variables);
  for (int v = 0; v < std::ssize(file.schema().variables); ++v) {
    const bool has_records = file.variable(v).has_records;
    if (!has_records && v < known && file.ledger.touched(v, -1)) move_slab(file, old, v, -1);
    for (int64_t record = 0; has_records && record < file.schema().records; ++record) {
      if (v < known)
        move_slab(file, old, v, record);
      else if (file.settings().fill)
        fill_slab(file, v, record);
    }
  }
}

/// Into a new file, which takes the place of the old one when it is committed. Data are read and written by the owners
/// of ranges, in bounded memory.
void move_data(File &file) {
  Context &context = file.context();
  Home &home = file.home();
  const auto step = [&](const std::string &what, const std::function<void()> &action) {
    agree(file, "sv_enddef('" + file.path() + "'), " + what, -1, action);
  };
  // Ranks that move data open the old file before the new one takes its temporary name, and keep it open: an old
  // published file has no name after that.
  bool was_attached = false;
  step("old data", [&] {
    if (!home.places_here()) {  // those who have it open together close it; then each opens it by itself
      home.handle.detach(false);
      home.handle.exchange(store_of(file, home.maker, home.maker.striped(home.owners.surroundings.chosen).access()));
    }
    const std::vector<int> &owners = home.owners.of_ranges;
    const bool moves = context.rank() == owner_rank || std::count(owners.begin(), owners.end(), context.rank()) > 0;
    was_attached = home.handle.is_attached();
    if (moves && !was_attached) home.handle.store().attach(*file.before(), true);
    was_attached = was_attached || moves;
  });
  number_run(file, "sv_enddef('" + file.path() + "')");
  file.found->forget();
  home.handle.count(context.metrics);
  if (file.trace != nullptr) file.trace->begin_ranges();
  const std::unique_ptr<Store> old = home.handle.exchange(home.new_store());
  step("a new file", [&] {
    if (!home.is_owner()) return;
    old->prepare_replacement();
    // A growing file has its name since sv_redef has committed it.
    home.handle.store().create(file.schema(), file.naming.is_exclusive && file.settings().kind == Kind::published);
    home.handle.opened();
  });
  step("moved", [&] { move_slabs(file, *old); });
  step("old data left", [&] {
    if (was_attached) old->detach();
  });
}

/// Whether the file's own store takes over the additions. Its other contents stay unchanged.
bool adds_in_place(File &file) {
  Schema &now = file.definitions.schema;
  const PlacedSchema &before = *file.before();
  if (file.home().maker.kind().placing != Placing::by_chunk || !redefines_in_place(file) ||
      !enhanced::only_adds(before, now))
    return false;
  for (size_t v = 0; v < before.variables.size(); ++v) now.variables[v].storage = before.variables[v].storage;
  return true;
}

/// Collective. The open file takes over the additions; then its store knows how all chunks are shaped.
void add_in_place(File &file) {
  Home &home = file.home();
  agree(file, "sv_enddef, added", -1, [&] {
    if (home.handle.is_attached()) home.store().redefine(file.schema());
  });
  home.forget_places();
  home.find_chunks("sv_enddef, added");
}

/// The file as it stands takes the definitions over, or its values move into a new one.
void carry_over(File &file, bool adds) {
  if (adds) return add_in_place(file);
  agree(file, "sv_enddef, to be moved", -1, [&] { require_all_of_it(file); });
  move_data(file);
}

void end_here(File &file) {
  file.enter({});
  file.ledger.redefined();
  file.mode = Mode::data;
  file.ledger.end_define();
}

}  // namespace

void end_redefine(File &file) {
  Home &home = file.home();
  if (file.trace != nullptr) file.trace->redefined();
  bool stays = false, adds = false;
  const auto place = [&](const std::function<void()> &then) {
    agree(file, "sv_enddef, redefined", -1, [&] {
      enhanced::leave_out_reserved(file.definitions.schema);
      omit_shuffle(file.definitions.schema, home.maker.access().chunks);
      enumerations_to_attributes(file.definitions.schema);
      file.definitions.forget_names();
      stays = place_again(file.definitions.schema, *file.before(), file.placement());
      then();
    });
  };
  if (!home.writes_here()) {
    // Earlier reads are dropped: the file may become another one, with other offsets.
    place([&] { home.handle.detach(false); });
    delivery_of(file).redefine();
    return end_here(file);
  }
  or_fail(file, [&] {
    place([&] {
      stays = stays && home.places_here() && redefines_in_place(file);
      check_redefined(file);
      if (stays && home.handle.is_attached()) home.store().redefine(file.schema());
      adds = adds_in_place(file);
    });
    if (!stays) carry_over(file, adds);
    file.ledger.replace_committed(!stays && !adds && file.settings().kind == Kind::growing);
  });
  end_here(file);
  commit(file, "sv_enddef", false);
}

void drop_definitions(File &file) {
  agree(file, "sv_abort('" + file.path() + "')", -1, [&] {
    if (file.ledger.failed()) throw Error(file.ledger.failure());
  });
  if (file.before() == nullptr) return abandon(file);
  const int64_t records = file.schema().records;
  file.definitions.schema = *file.before();
  file.definitions.schema.records = records;
  file.definitions.forget_names();
  file.home().forget_places();
  file.enter({});
  file.mode = Mode::data;
}

}  // namespace sv
