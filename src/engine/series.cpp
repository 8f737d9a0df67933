#include "engine/series.hpp"

#include <cmath>
#include <cstdio>
#include <utility>

#include "base/record_times.hpp"
#include "delivery/file_delivery.hpp"
#include "engine/closing.hpp"
#include "engine/closing_behind.hpp"
#include "engine/creating.hpp"
#include "engine/ending.hpp"
#include "engine/file_parts.hpp"
#include "engine/redefine.hpp"
#include "engine/values.hpp"
#include "file/home.hpp"
#include "file/servers.hpp"
#include "file/suppress_deferred_errors.hpp"
#include "model/listing.hpp"
#include "store/file_name.hpp"
#include "store/positional_file.hpp"

namespace sv {

namespace {

Calendar calendar_of(const Variable &time) {
  const Attribute *found = find_attribute(time.attributes, "calendar");
  if (found == nullptr) return Calendar::standard;
  return calendar_named({reinterpret_cast<const char *>(found->values.data()), found->values.size()});
}

/// The definitions that must agree between the files of a series. Global attributes may differ between runs, and not
/// every format contains whether a variable is filled.
std::string listing_without_global(Schema schema) {
  schema.attributes.clear();
  for (Variable &each : schema.variables) {
    each.storage.reset();
    each.no_fill = false;
    std::erase_if(each.attributes, [](const Attribute &one) {
      return one.name.starts_with("_Quantize") || one.name.starts_with("quantization");
    });
  }
  return listing_of(schema, {});
}

}  // namespace

std::shared_ptr<File> create_series(Context &context, const FileName &name, const FileSettings &settings) {
  const std::string &path = name.path();
  FileSettings growing = settings;
  growing.kind = Kind::growing;
  auto file = std::make_shared<File>(context, name, growing);
  file->engine = std::make_shared<EngineParts>();
  file->delivery = std::make_shared<FileDelivery>(*file);
  file->definitions.schema.format = format_of(settings);
  file->ledger.close("");  // there is nothing to close, to abandon, or to report on
  file->engine->series = std::make_shared<Series>(*file);
  agree(*file, "sv_create('" + path + "', series)", -1, [&] {
    check_template(path);
    if (settings.route.divides_file())
      throw Error(Status::invalid, "a series of sets: the route '" + settings.route.name + "' divides each file",
                  "Choose a route that writes one file: the pieces of a set do not commit together");
  });
  return file;
}

File &current_file(File &file) {
  const std::shared_ptr<Series> &series = file.engine->series;
  return series != nullptr && series->current() != nullptr ? *series->current() : file;
}

void end_definitions(File &file) {
  if (file.engine->series == nullptr) {
    end_define(file);
    return report_omissions(file);
  }
  compare_definitions(file);
  file.engine->series->end_define();
}

void close(File &file) {
  if (file.engine->series != nullptr) return file.engine->series->close();
  if (file.ledger.is_closed() || file.closing() != nullptr) return;  // when the run was asked to stop
  if (const auto complaint = complete(file)) throw Error(*complaint);
}

void close_as_defined(File &file) {
  if (file.mode == Mode::define && !file.ledger.is_closed()) drop_definitions(file);
  if (!file.ledger.is_closed()) close(file);
}

void Series::check_definitions() {
  const Schema &schema = definitions_.schema();
  const int dim = schema.record_dim();
  const std::string name = dim < 0 ? "" : schema.dims[static_cast<size_t>(dim)].name;
  time_variable_ = dim < 0 ? -1 : schema.find_variable(name);
  const auto refuse = [&](const std::string &cause) {
    return Error(Status::define, cause,
                 "A series needs a record dimension and its coordinate, a variable of the same name on it alone, "
                 "SV_DOUBLE or SV_FLOAT");
  };
  if (time_variable_ < 0) throw refuse(dim < 0 ? "there is no record dimension" : "no variable '" + name + "'");
  const Variable &time = schema.variables[static_cast<size_t>(time_variable_)];
  if (!time.has_records || time.dims.size() != 1 || (time.type != Type::float64 && time.type != Type::float32))
    throw refuse("the variable '" + name + "' is not the time coordinate");
  calendar_ = calendar_of(time);
  expand(definitions_.path(), calendar_, {1, 1, 1, 0, 0, 0});
  PlacedSchema placed{schema, {}};
  place_variables(placed, definitions_.placement());
}

void Series::end_define() {
  agree(definitions_, "sv_enddef('" + definitions_.path() + "'), series", -1, [&] { check_definitions(); });
  definitions_.mode = Mode::series;
}

Series::Begun Series::begin(const Date &date, double time) {
  Context &context = definitions_.context();
  char number[32];
  std::snprintf(number, sizeof number, "%.17g", time);
  const std::string call = "sv_select_record('" + definitions_.path() + "', " + text_of(date) + ", " + number + ")";
  std::string path;
  agree(definitions_, call, -1, [&] {
    definitions_.require(Mode::series, "sv_select_record");
    if (current_ != nullptr) current_->check_writable();
    check_date(calendar_, date);
    if (!std::isfinite(time)) throw Error(Status::invalid, "the time is not a number", "Pass the model's time");
    path = expand(definitions_.path(), calendar_, date);
  });

  // Nothing is touched before it is known that the record can be put.
  const bool moves = current_ == nullptr || current_->path() != path;
  Found found;
  if (moves) found = look_at(path);
  std::vector<double> &times = moves ? found.times : times_;
  const Variable &coordinate = definitions_.variable(time_variable_);
  const double stored = coordinate.type == Type::float32 ? static_cast<double>(static_cast<float>(time)) : time;
  Max<int64_t> found_record;
  auto error = caught(context.rank(), [&] {
    if (context.rank() != 0) return;
    found_record = record_of(times, stored, context.options.first_record);
    if (found_record == std::ssize(times)) times.push_back(stored);
  });
  if (error) error->in_variable(coordinate.name).in_file(path);
  const int64_t record = context.agree(call + ", found", error, found_record);
  if (moves) change_to(path, std::move(found));
  put_replicated(*current_, time_variable_, record, {Type::float64, reinterpret_cast<std::byte *>(&time), nullptr});
  return {record, std::exchange(wants_fixed_, false)};
}

/// Collective. The file under the name of a period: nothing, or a file with these definitions.
Series::Found Series::look_at(const std::string &path) {
  Context &context = definitions_.context();
  const FileName name(path, definitions_.name());
  settle_name(context, "sv_select_record", name);
  Any exists;
  const auto error = caught(context.rank(), [&] {
    if (context.rank() == 0) exists = is_there(name, definitions_.settings());
  });
  Found found;
  found.exists = context.agree("the file '" + path + "' of a series", error, exists);
  if (!found.exists) return found;
  const std::shared_ptr<File> file = open_file(context, name, definitions_.settings(), false);
  try {
    found.records = file->schema().records;
    accept(*file, found.times);
    read_times(*file, found.times);
    sv::close(*file);
  } catch (const Error &) {
    abandon(*file);
    throw;
  }
  return found;
}

/// Collective. Throws Error(define), which names the first difference; makes room for the times on rank 0.
void Series::accept(const File &file, std::vector<double> &times) const {
  agree(file, "the definitions of '" + file.path() + "'", -1, [&] {
    const std::string difference =
        difference_of(listing_without_global(definitions_.schema()), listing_without_global(file.schema()), "this run",
                      "the file that exists");
    if (!difference.empty())
      throw Error(Status::define, "the definitions differ: " + difference,
                  "Move the file away, or make the definitions it was made with");
    if (file.context().rank() == 0) times.resize(static_cast<size_t>(file.schema().records));
  });
}

/// Collective. `times` has room for those of all records, or (on the other ranks) none.
void Series::read_times(File &file, std::vector<double> &times) const {
  const Strided request = Strided::dense({Index(1, 0), Index(1, static_cast<int64_t>(times.size()))});
  get_subarray(file, time_variable_, request, {Type::float64, reinterpret_cast<std::byte *>(times.data()), nullptr});
  agree(file, "the times of '" + file.path() + "'", time_variable_,
        [&] { check_increasing(times, file.context().options.first_record); });
}

/// Collective. Completes the current file, and opens or makes that of another period.
void Series::change_to(const std::string &path, Found found) {
  Context &context = definitions_.context();
  const FileSettings &settings = definitions_.settings();
  const FileName name(path, definitions_.name());
  const SuppressDeferredErrors suppressed(context);
  std::optional<Error> complaint;
  try {
    complaint = leave();
    if (found.exists) {
      enter(open_file(context, name, settings, true));
      current_->definitions.use_as(definitions_.definitions);
    } else {
      PhaseTimer timer(context.metrics, Phase::open);
      enter(create_file(context, name, settings, false));
      current_->definitions.schema = definitions_.schema();
      current_->definitions.use_as(definitions_.definitions);
      current_->engine->orders = definitions_.engine->orders;
      sv::end_define(*current_);
      report_omissions(*current_);
    }
  } catch (const Error &failure) {
    drop();
    fail(definitions_, failure);
    if (context.servers != nullptr) context.servers->forget_deferred_errors(failure);
    throw;
  }
  times_ = std::move(found.times);
  wants_fixed_ = found.records == 0;
  if (complaint) throw Error(*complaint);
}

/// Local. Throws what files before it have failed with while it was made.
void Series::enter(std::shared_ptr<File> file) {
  current_ = adopt(std::move(file));
  current_->served.fails_with = numbers_;
  numbers_->push_back(current_->served.number);
  if (definitions_.ledger.failed()) throw Error(definitions_.ledger.failure());
}

/// Collective. Returns the error of single requests of the file. It has all its puts, and is completed even if earlier
/// files fail from now on.
std::optional<Error> Series::leave() {
  if (current_ == nullptr) return std::nullopt;
  PhaseTimer timer(definitions_.context().metrics, Phase::close);
  current_->served.fails_with = nullptr;
  const auto complaint = complete(*current_);
  drop();
  return complaint;
}

/// Local.
void Series::drop() {
  if (current_ == nullptr) return;
  abandon(*current_);  // nothing, of one that was closed
  release(definitions_.context(), std::exchange(current_, nullptr));
  times_.clear();
}

void Series::close() {
  SuppressDeferredErrors suppressed(definitions_.context());
  try {
    definitions_.context().agree("sv_close('" + definitions_.path() + "'), series", [&] {
      if (definitions_.ledger.failed()) throw Error(definitions_.ledger.failure());
      if (definitions_.mode == Mode::define)
        throw Error(Status::order, "closed in define mode", "Call sv_enddef first").in_file(definitions_.path());
    });
    if (const auto complaint = leave()) throw Error(*complaint);
  } catch (const Error &) {
    drop();
    throw;
  }
  suppressed.throw_first();
}

}  // namespace sv
