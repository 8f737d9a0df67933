#include "file/file.hpp"

#include <algorithm>

#include "base/joined.hpp"
#include "file/steps.hpp"
#include "model/rules/classic.hpp"

namespace sv {

Slab slab_of(int variable, int64_t record, const Share &share) {
  return {variable, std::max<int64_t>(record, 0), share.box, share.first, share.last};
}

std::string call_text(const char *function, const File &file, int variable, int64_t record, std::string_view more) {
  const auto &variables = file.schema().variables;
  const bool known = variable >= 0 && variable < std::ssize(variables);
  const Digits id(variable);
  const std::string number = file.context().text_of_record(record);
  return joined({function, "('", file.path(), "'", known ? ", '" : ", variable id ",
                 known ? std::string_view(variables[static_cast<size_t>(variable)].name) : id, known ? "'" : "",
                 record >= 0 ? ", record " : "", record >= 0 ? std::string_view(number) : "",
                 file.definitions.is_packed(variable) ? ", packed)" : ")", more});
}

File::File(Context &context, const FileName &name, const FileSettings &settings)
    : definitions(name.path()), context_(context), name_(name), settings_(settings) {
  placement_.header_reserve = settings.header_reserve_bytes;
}

Placement File::placement_of_parts() const {
  Placement own = placement_;
  own.begins.clear();
  return own;
}

Definitions &File::defining(const char *call) {
  require(Mode::define, call);
  return definitions;
}

void File::require(Mode wanted, const char *call) const {
  if (ledger.failed()) throw Error(ledger.failure());
  if ((ledger.is_closed() || std::holds_alternative<Closing>(phase_)) && context_.stopping)
    throw Error(Status::order, std::string(call) + " after the run was asked to stop: the file is closed",
                "Leave the loop when sv_stopping returns 1")
        .in_file(path());
  if (mode == wanted) return;
  if (mode == Mode::read)
    throw Error(Status::access, std::string(call) + ", but the file is open for reading",
                wanted == Mode::define ? "Definitions are made in files of sv_create" : "Open it with SV_WRITE")
        .in_file(path());
  if (mode == Mode::series && wanted == Mode::data)
    throw Error(Status::order, std::string(call) + " before the first record of the series", "Call sv_select_record")
        .in_file(path());
  if (wanted == Mode::series)
    throw Error(Status::order, std::string(call) + " before sv_enddef", "See SV_SERIES in sverdrup.h").in_file(path());
  throw Error(Status::order, std::string(call) + (wanted == Mode::define ? " after sv_enddef" : " before sv_enddef"),
              "See the order of calls in sverdrup.h")
      .in_file(path());
}

namespace {

/// As many records as the file can hold, in its format and in 2^63 bytes.
int64_t most_records(const PlacedSchema &schema) {
  const int64_t counted = classic::most_records(schema.format);
  if (!schema.places || schema.places->record_bytes == 0) return counted;
  return std::min(counted, (INT64_MAX - schema.places->record_begin) / schema.places->record_bytes);
}

}  // namespace

void File::check_record(int variable, int64_t record, bool must_exist) const {
  const Variable &each = this->variable(variable);
  const auto refuse = [&](Status status, const std::string &cause, const std::string &remedy) {
    return Error(status, cause, remedy).in_variable(each.name).in_file(path());
  };
  const auto number = [&] { return "record " + context_.text_of_record(record); };
  const auto counting = [&] { return "Records count from " + std::to_string(context_.options.first_record); };
  if (!each.has_records && record >= 0)
    throw refuse(Status::invalid, number() + " of a variable without records", "Leave the record out (SV_NO_RECORD)");
  if (each.has_records && record < 0)
    throw refuse(Status::invalid, "a record variable needs a record number", counting());
  if (record >= most_records(schema()))
    throw refuse(Status::limit, number() + " is more than the file can hold", counting() + ", one after the other");
  if (must_exist && each.has_records && record >= ledger.pending_records())
    throw refuse(Status::not_found, number() + " of " + std::to_string(ledger.pending_records()), counting());
}

int64_t File::length_of(int dim, bool may_grow) const {
  if (may_grow) return schema().length_of(dim, most_records(schema()));
  // As many records as this rank has put or heard of.
  return schema().length_of(dim, alone() != nullptr ? alone()->records : ledger.pending_records());
}

std::string File::name_of(int variable) const {
  const auto &variables = schema().variables;
  if (variable < 0 || variable >= std::ssize(variables))
    return joined({"variable id ", Digits(variable), " of '", path(), "'"});
  return joined({"'", variables[static_cast<size_t>(variable)].name, "' of '", path(), "'"});
}

std::optional<Error> File::located(int variable, std::optional<Error> error) const {
  if (error && variable >= 0 && variable < std::ssize(schema().variables))
    error->in_variable(schema().variables[static_cast<size_t>(variable)].name);
  if (error) error->in_file(path()).relative_to(name_.directory()).count_records_from(context_.options.first_record);
  return error;
}

Agreed agree(const File &file, const std::string &call, int variable, const std::function<void()> &local,
             const Agreed &values) {
  return file.context().agree(call, file.located(variable, caught(file.context().rank(), local)), values);
}

void name_errors(const File &file, int variable, FunctionRef<void()> action) {
  if (const auto error = caught(file.context().rank(), action)) throw *file.located(variable, error);
}

void File::count_range_errors(int variable, OutOfRange values, const FirstRangeError &first) {
  context_.metrics.out_of_range += values;
  if (settings_.out_of_range != RangeError::refuse) range_errors.count(variable, values, first);
}

}  // namespace sv
