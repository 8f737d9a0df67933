#include "engine/creating.hpp"

#include <algorithm>
#include <filesystem>

#include "base/printable.hpp"
#include "base/signature.hpp"
#include "delivery/file_delivery.hpp"
#include "engine/closing_behind.hpp"
#include "engine/orders.hpp"
#include "engine/redefine.hpp"
#include "file/file_system.hpp"
#include "file/file_trace.hpp"
#include "file/find_set.hpp"
#include "file/make_home.hpp"
#include "file/older_files.hpp"
#include "file/servers.hpp"
#include "file/set_home.hpp"
#include "file/variable_store.hpp"
#include "model/enumeration.hpp"
#include "model/listing.hpp"
#include "model/rules/netcdf4.hpp"
#include "model/rules/zarr.hpp"
#include "store/division.hpp"
#include "store/file_name.hpp"
#include "store/positional_file.hpp"
#include "store/read_schema.hpp"
#include "store/set_run.hpp"
#include "store/stale_names.hpp"
#include "store/variable_files.hpp"

namespace sv {

namespace {

/// Local; the same on every rank. Throws Error(order) while a file of this path is being written.
void require_unwritten(const Context &context, const FileName &name) {
  const auto plain = [](const std::string &place) { return std::filesystem::path(place).lexically_normal(); };
  const std::filesystem::path mine = plain(name.place());
  for (const auto &file : context.files)
    if (!file->ledger.is_closed() && file->mode != Mode::read && plain(file->place()) == mine)
      throw Error(Status::in_use, "a file of this name is being written",
                  "Call sv_close for it first, or use another name")
          .in_file(name.path());
}

std::shared_ptr<File> new_file(Context &context, const FileName &name, const FileSettings &settings) {
  auto file = std::make_shared<File>(context, name, settings);
  file->engine = std::make_shared<EngineParts>();
  file->delivery = std::make_shared<FileDelivery>(*file);
  if (trace::Steps *const steps = context.metrics.steps) file->trace = std::make_shared<FileTrace>(*file, *steps);
  return file;
}

void begin_ranges(File &file) {
  if (file.trace != nullptr) file.trace->begin_ranges();
}

/// By which each variable has a file, where the path or the settings say so; otherwise "".
std::string variable_template_of(const std::string &path, const FileSettings &settings) {
  if (!settings.is_literal && names_variable(path)) return path;
  return settings.layout == FileLayout::per_variable ? variable_template(path, settings.variable_file) : "";
}

bool is_one_folder(const File &file) {
  return file.home().maker.kind().is_folder && !file.settings().route.divides_file();
}

/// What rank 0 finds where a file is to be created.
struct FoundPlace {
  Any shared_file_system{};
  Max<int64_t> stripe_bytes{};
  Max<int> stripe_count{};
  Max<int> targets{};
  Any late{};
  auto members() { return std::tie(shared_file_system, stripe_bytes, stripe_count, targets, late); }
};

/// Collective. Gives it a home, and checks that it can be made.
void begin(File &file, bool exclusive) {
  Context &context = file.context();
  const std::string &path = file.path();
  const FileSettings &settings = file.settings();
  file.naming.is_exclusive = exclusive;
  FoundPlace found;
  auto error = caught(context.rank(), [&] {
    if (path.empty()) throw Error(Status::invalid, "the path is empty", "Give the file a name");
    require_unwritten(context, file.name());
    file.naming.variable_template = variable_template_of(file.place(), settings);
    file.live_in(home_of_new(file));
    if (context.rank() != owner_rank) return;
    const std::string target = check_can_create(file.place(), exclusive, is_one_folder(file));
    const Surroundings around = surroundings_of(target, settings, true);
    found = {around.shared_file_system, around.stripe_bytes, around.stripe_count, around.targets, around.late};
  });
  if (error) error->relative_to(file.name().directory());
  const std::string how = std::string(settings.kind == Kind::growing ? ", growing" : "") + (exclusive ? ", new" : "") +
                          (settings.format == Format::automatic ? "" : ", " + name_of(settings.format));
  found = context.agree("sv_create('" + path + "'" + how + ")", error, found);
  file.home().owners.surroundings = {.shared_file_system = found.shared_file_system,
                                     .stripe_bytes = found.stripe_bytes,
                                     .stripe_count = found.stripe_count,
                                     .targets = found.targets,
                                     .late = found.late};
}

}  // namespace

std::shared_ptr<File> create_file(Context &context, const FileName &name, const FileSettings &settings,
                                  bool exclusive) {
  settle_name(context, "sv_create", name);
  auto file = new_file(context, name, settings);
  file->definitions.schema.format = format_of(settings);
  begin(*file, exclusive);
  return file;
}

namespace {

/// What ranks agree on where a file's definitions end.
struct DefinitionsVote {
  Same hash{};         // of the definitions
  Any unplaced{};      // some rank could not place the variables
  Max<int64_t> run{};  // the file's run, which rank 0 has found
  auto members() { return std::tie(hash, unplaced, run); }
};

/// The hash by which ranks compare their definitions.
int64_t definitions_hash(File &file) {
  file.definitions.forget_names();
  if (file.context().comm.size() == 1) return 0;  // there is nothing to compare with
  const std::string placement = in_words(file.placement());
  return compared_number(file.definitions.passing_signature() ^ run_local_hash(placement));
}

std::string call_of_enddef(const File &file) { return "sv_enddef('" + file.path() + "')"; }

/// Collective. `hash`: of the ranks' definitions, as agreed.
void require_equal(const File &file, const Same &hash) {
  if (hash.is_equal()) return;
  Context &context = file.context();
  const std::string mine = file.definitions.listing(), places = in_words(file.placement());
  std::string root = mine, root_places = places;
  context.comm.broadcast(root, owner_rank);
  context.comm.broadcast(root_places, owner_rank);
  context.agree("sv_enddef, compared", [&] {
    std::string difference = difference_of(root, mine, "rank 0", "this rank");
    if (difference.empty()) difference = difference_of(root_places, places, "rank 0", "this rank");
    if (!difference.empty())
      throw Error(Status::define, "ranks defined different things: " + difference,
                  "Make the same definitions on every rank, in the same order")
          .in_file(file.path());
  });
}

}  // namespace

void compare_definitions(File &file) {
  const DefinitionsVote mine{.hash = definitions_hash(file)};
  const auto require_mode = [&] { file.require(Mode::define, "sv_enddef"); };
  require_equal(file, file.context().agree(call_of_enddef(file), require_mode, mine).hash);
}

namespace {

/// Local.
void place(File &file) {
  Home &home = file.home();
  home.forget_places();
  enhanced::leave_out_reserved(file.definitions.schema);
  omit_shuffle(file.definitions.schema, home.maker.access().chunks);
  enumerations_to_attributes(file.definitions.schema);
  file.definitions.forget_names();
  place_variables(file.definitions.schema, file.placement());
  home.choose_writers();
  if (orders_of(file).given() && !home.pieces(0).empty())
    throw Error(Status::define, "a set of files has no order of points",
                "Choose a route that writes one file, or define no order");
}

void end_begin(File &file) {
  file.mode = Mode::data;
  file.ledger.end_define();
}

/// The file comes to be.
void begin_data(File &file) {
  or_fail(file, [&] {
    agree(file, "sv_enddef, placed", -1, [&] { place(file); });
    begin_ranges(file);
    number_run(file, "sv_enddef");
    if (!delivery_of(file).create(file.naming.is_exclusive)) file.home().create("sv_enddef", file.naming.is_exclusive);
  });
  end_begin(file);
}

/// A file that one rank makes comes to be in the gate that compares the definitions.
void begin_in_gate(File &file) {
  Context &context = file.context();
  DefinitionsVote mine{.hash = definitions_hash(file)};
  const Format format = file.schema().format;  // which is chosen with the places
  std::optional<Error> unplaced;
  const auto error = caught(context.rank(), [&] {
    file.require(Mode::define, "sv_enddef");
    unplaced = caught(context.rank(), [&] {
      place(file);
      begin_ranges(file);
      file.home().handle.exchange(file.home().new_store());
      if (context.rank() == owner_rank) mine.run = new_run(file);
    });
  });
  mine.unplaced = unplaced.has_value();
  const auto make = [&] {
    const auto all = context.gate.last<DefinitionsVote>();
    if (!all.hash.is_equal() || all.unplaced) return;
    file.naming.run = all.run;
    name_errors(file, -1, [&] {
      file.home().handle.store().create(file.schema(), file.naming.is_exclusive);
      file.home().handle.opened();
    });
  };
  std::optional<Error> unmade;
  DefinitionsVote all;
  try {
    unmade = context.agree_and_do(call_of_enddef(file), error, {owner_rank, make}, words_with(mine));
    all = context.gate.last<DefinitionsVote>();
    file.naming.run = all.run;
    require_equal(file, all.hash);
  } catch (const Error &) {  // it is still being defined
    file.definitions.schema.places.reset();
    file.definitions.schema.format = format;
    throw;
  }
  or_fail(file, [&] {
    if (all.unplaced) context.agree("sv_enddef, placed", file.located(-1, unplaced));  // throws
    if (unmade) throw Error(*unmade);
  });
  end_begin(file);
}

bool is_made_by_one(File &file) {
  return file.before() == nullptr && file.has_home() && file.home().places_here() &&
         !file.settings().route.divides_file();
}

}  // namespace

void end_define(File &file) {
  struct OnlyOnce {
    File &file;
    ~OnlyOnce() { file.place_as(file.placement_of_parts()); }
  } begins{file};
  const int known = file.before() == nullptr ? 0 : static_cast<int>(file.before()->variables.size());
  if (is_made_by_one(file)) {
    begin_in_gate(file);
  } else {
    compare_definitions(file);
    file.home().forget_places();
    file.before() == nullptr ? begin_data(file) : end_redefine(file);
  }
  orders_of(file).find(file.schema());
  orders_of(file).write(file, known);
}

namespace {

/// A file that is opened, as rank 0 has found it.
struct Found {
  PlacedSchema schema;  // of a set's first piece
  Surroundings surroundings;
  bool has_pieces;
};

/// Local, on rank 0: the contents of the file. A header as bytes of the file, which all ranks are to decode at the same
/// time; or, where a library has read the definitions or they are those of many files, these, in `known`.
struct Looked {
  bool is_set = false, has_variables = false;
  const StoreKind *kind = nullptr;
  HeaderBytes header{};
  std::optional<PlacedSchema> known{};
};

Looked look(const File &file) {
  const std::string &place = file.place();
  const FileSettings &settings = file.settings();
  Looked looked;
  const std::optional<PieceNames> pieces = find_set(place, settings);
  looked.is_set = pieces.has_value();
  file.found->pieces = pieces.value_or(PieceNames{});
  const std::string variables = variable_template_of(place, settings);
  if (!variables.empty())
    if (auto found = find_variable_set(variables, settings, file.placement(), *file.found)) {
      looked.kind = found->kind;
      looked.has_variables = true;
      looked.known = std::move(found->schema);
      return looked;
    }
  const std::string first = pieces ? pieces->path_of(place, 0) : place;
  file.found->look(first, !looked.is_set);
  looked.kind = &kind_at(first, settings);
  if (looked.kind->placing == Placing::in_file)
    looked.header = read_header(first);
  else
    looked.known = read_definitions(*looked.kind, first, settings.untrusted);
  return looked;
}

/// The same, all of one file: where another one got the name meanwhile, it is looked at instead.
Looked look_at_one(const File &file) {
  constexpr int most = 10;
  for (int times = 1;; ++times) {
    file.found->forget();
    Looked looked;
    const auto failed = caught(-1, [&] { looked = look(file); });
    if (file.found->are_there() && !failed) return looked;
    if (file.found->are_there() && failed) throw Error(*failed);
    if (times == most) throw replaced(file.place(), false);
  }
}

/// Rank 0 states in a gate the lengths of its next broadcast, and the facts that the others need to read it.
struct FileHead {
  Max<int64_t> header_bytes{}, file_bytes{}, names_bytes{}, stripe_bytes{};
  Max<int64_t> flags{};  // see below
  auto members() { return std::tie(header_bytes, stripe_bytes, file_bytes, names_bytes, flags); }
};

// The flags; the format of the definitions, where a library has read them; and the number of stripes. A ballot has
// words for no more: the last two are those of deferred errors.
constexpr int64_t shared_flag = 1, set_flag = 2, named_flag = 4, late_flag = 8, variables_flag = 16, header_flag = 32,
                  format_unit = 64, stripes_unit = 1 << 16;

/// Collective.
Found find_file(File &file, bool writing) {
  Context &context = file.context();
  PhaseTimer timer(context.metrics, Phase::read_meta);
  HeaderBytes header;
  std::optional<PlacedSchema> known;
  std::vector<std::byte> which;
  FileHead head;
  auto error = caught(context.rank(), [&] {
    if (file.path().empty()) throw Error(Status::invalid, "the path is empty", "Give the name of a file");
    if (writing) require_unwritten(context, file.name());
    if (context.rank() != owner_rank) return;
    Looked looked = look_at_one(file);
    header = std::move(looked.header);
    known = std::move(looked.known);
    if (context.comm.size() > 1) which = file.found->encoded();
    if (known && context.comm.size() > 1) header.bytes = encode_header(*known);
    const Surroundings around = surroundings_of(target_of(file.place(), false), file.settings(), false);
    head = {.header_bytes = std::ssize(header.bytes),
            .file_bytes = header.file_bytes,
            .names_bytes = std::ssize(which),
            .stripe_bytes = around.stripe_bytes,
            .flags = (around.shared_file_system ? shared_flag : 0) + (around.late ? late_flag : 0) +
                     (looked.has_variables ? variables_flag
                      : looked.is_set      ? set_flag
                                           : 0) +
                     (looked.kind->name == file.settings().store ? named_flag : 0) +
                     (known ? format_unit * static_cast<int64_t>(known->format) : header_flag) +
                     stripes_unit * around.stripe_count};
  });
  if (error) error->relative_to(file.name().directory());
  head = context.agree("sv_open('" + file.path() + "'" + (writing ? ", for writing" : "") + ")", error, head);
  const auto has = [flags = head.flags](int64_t flag) { return (flags & flag) != 0; };
  header.bytes.resize(static_cast<size_t>(head.header_bytes));
  header.file_bytes = head.file_bytes;
  context.comm.broadcast(header.bytes.data(), head.header_bytes, owner_rank);
  which.resize(static_cast<size_t>(head.names_bytes));
  context.comm.broadcast(which.data(), head.names_bytes, owner_rank);
  const Surroundings around{.shared_file_system = has(shared_flag),
                            .stripe_bytes = head.stripe_bytes,
                            .stripe_count = static_cast<int>(head.flags / stripes_unit),
                            .late = has(late_flag)};
  Found found{{}, around, has(set_flag)};
  agree(file, "sv_open('" + file.path() + "'), its store", -1, [&] {
    const std::string &place = file.place();
    if (context.rank() != owner_rank) file.found->decode(which);
    await_number(place, file.found->of(place).number);
    const std::string first = found.has_pieces ? file.found->pieces.path_of(place, 0) : place;
    if (has(header_flag)) known = definitions_in(header, first);
    if (!known) known = decode_broadcast(header.bytes, static_cast<Format>(head.flags % stripes_unit / format_unit));
    if (found.has_pieces) found.schema = *known;
    file.definitions.schema = std::move(*known);
    if (has(variables_flag)) {
      file.naming.variable_template = variable_template_of(place, file.settings());
      file.naming.run = run_of(file.schema());
      set_run(file.definitions.schema, 0);
    }
    file.live_in(home_of_opened(file, has(named_flag), found.has_pieces));
  });
  return found;
}

}  // namespace

void report_omissions(const File &file) {
  constexpr size_t most_lines = 8;
  for (const std::string &line : in_words(file.schema().omissions, most_lines))
    file.context().warn_once("file '" + printable(file.path()) + "', " + line);
}

bool is_there(const FileName &name, const FileSettings &settings) {
  if (presence_of(name.place()) != Presence::absent) return true;
  const std::string variables = variable_template_of(name.place(), settings);
  FoundFiles found;
  return !variables.empty() && find_variable_set(variables, settings, Placement(), found).has_value();
}

namespace {

/// Collective, on servers. The models have opened the file by themselves, before.
void compare_with_models(const File &file, const Definition &definition) {
  agree(file, "sv_open('" + file.path() + "'), as the models have opened it", -1, [&] {
    FoundFiles theirs;
    theirs.decode(definition.found);
    if (file.context().rank() == owner_rank) file.found->check_against(theirs);
  });
}

/// Collective. `by_models`: the definitions and the division that models have sent; nullptr: the file contains them.
std::shared_ptr<File> open_here(Context &context, const FileName &name, const FileSettings &settings, bool writing,
                                const Definition *by_models) {
  settle_name(context, "sv_open", name);
  FileSettings growing = settings;
  if (writing) growing.kind = Kind::growing;
  auto file = new_file(context, name, growing);
  file->mode = writing ? Mode::data : Mode::read;
  const Found found = find_file(*file, writing);
  if (by_models != nullptr) compare_with_models(*file, *by_models);
  // Libraries write files whose variables are not filled, and fill them otherwise: new records are filled in any case.
  if (writing)
    for (Variable &each : file->definitions.schema.variables) each.no_fill = false;
  PhaseTimer timer(context.metrics, Phase::open);
  Home &home = file->home();
  home.owners.surroundings = found.surroundings;
  if (found.has_pieces)
    static_cast<SetHome &>(home).find_pieces(found.schema);
  else
    file->ledger.find(file->schema().records);
  const std::string call = "sv_open('" + name.path() + "'), result";
  if (writing) {
    if (home.writes_here()) {
      if (by_models == nullptr) home.find_chunks(call);
      agree(*file, call + " its writers", -1, [&] { home.choose_writers(); });
      begin_ranges(*file);
    } else {
      home.choose_writers();
    }
  }
  if (!delivery_of(*file).open(writing)) home.open(call, writing);
  orders_of(*file).find(file->schema());
  report_omissions(*file);
  return file;
}

}  // namespace

std::shared_ptr<File> open_file(Context &context, const FileName &name, const FileSettings &settings, bool writing) {
  return open_here(context, name, settings, writing, nullptr);
}

namespace {

/// A file that cannot be made or opened: data for it come, and by the models' plan.
void fail_at_birth(File &file, const Definition &definition, const Error &failure) {
  const auto give_home = [&] {
    file.live_in(file.mode == Mode::define ? home_of_new(file) : home_of_opened(file, true, false));
  };
  if (!file.has_home() && caught(file.context().rank(), give_home)) file.live_in(home_of_failed(file));
  Home &home = file.home();
  home.owners.surroundings = definition.surroundings;
  caught(file.context().rank(), [&] { home.choose_writers(); });
  fail(file, failure);
}

}  // namespace

std::shared_ptr<File> create_defined(Context &context, const FileName &name, const FileSettings &settings,
                                     const Definition &definition, bool exclusive) {
  auto file = new_file(context, name, settings);
  file->definitions.schema = definition.schema;
  try {
    begin(*file, exclusive);
    file->home().owners.surroundings = definition.surroundings;  // as the models have divided it
    end_define(*file);
  } catch (const Error &failure) {
    fail_at_birth(*file, definition, failure);
  }
  return file;
}

std::shared_ptr<File> open_defined(Context &context, const FileName &name, const FileSettings &settings,
                                   const Definition &definition, bool writing) {
  std::shared_ptr<File> file;
  const auto failed = caught(context.rank(), [&] { file = open_here(context, name, settings, writing, &definition); });
  if (!failed) {
    if (!writing) file->home().choose_writers();  // chunks, and with them the ranges of servers, depend on how many
    return file;
  }
  FileSettings growing = settings;
  if (writing) growing.kind = Kind::growing;
  file = new_file(context, name, growing);
  file->definitions.schema = definition.schema;
  file->mode = writing ? Mode::data : Mode::read;
  fail_at_birth(*file, definition, *failed);
  return file;
}

void redefine_as(File &file, const PlacedSchema &schema) {
  const auto error = caught(file.context().rank(), [&] {
    if (file.ledger.failed()) throw Error(file.ledger.failure());
    redefine(file);
    file.definitions.schema = schema;
    end_define(file);
  });
  if (!error) return;
  fail(file, *error);
  file.definitions.schema = schema;
  file.home().forget_places();
}

File *adopt(std::shared_ptr<File> file) {
  auto &files = file->context().files;
  files.push_back(std::move(file));
  return files.back().get();
}

void release(Context &context, File *file) {
  if (file->closing() == nullptr) context.disk.released(file->on_disk.durable_steps());
  std::erase_if(context.files, [file](const auto &own) { return own.get() == file; });
}

}  // namespace sv
