#include "file/divided.hpp"

#include <algorithm>

#include "file/file.hpp"
#include "file/variable_store.hpp"
#include "store/division.hpp"
#include "store/variable_files.hpp"

namespace sv {

namespace {

/// The variables that have files.
std::vector<std::string> names_of_files(const Schema &schema) {
  std::vector<std::string> all;
  for (const VariableFile &each : variable_files(schema))
    all.push_back(schema.variables[static_cast<size_t>(each.variable)].name);
  return all;
}

}  // namespace

/// Chunks share the writers' memory: also those of files that know their own variables only are shaped as the plan has
/// them, which knows all.
std::unique_ptr<Store> store_of(const File &file, const StoreMaker &maker, const Access &given) {
  const Kind kind = file.settings().kind;
  Access access = given;
  access.chunks = summed(given.chunks, file.schema());
  if (file.naming.variable_template.empty()) return maker.make(file.place(), kind, access);
  return make_variable_store(
      {.path_template = file.naming.variable_template,
       .kind = &maker.kind(),
       .make = [maker, kind, access](const std::string &path) { return maker.make(path, kind, access); },
       .placement = file.placement_of_parts(),
       .run = &file.naming.run,
       .found = file.found,
       .is_new = file.mode == Mode::define,
       .together = access.collective});
}

/// With a file for each variable, one may need a coordinate now that it did not.
bool redefines_in_place(const File &file) { return file.naming.variable_template.empty(); }

void check_redefined(const File &file) {
  if (file.naming.variable_template.empty()) return;
  const std::vector<std::string> now = names_of_files(file.schema());
  for (const std::string &each : names_of_files(*file.before()))
    if (std::find(now.begin(), now.end(), each) == now.end())
      throw Error(Status::define, "the variable has a file of its own, and would have none",
                  "Leave its name, and do not make it a coordinate of others")
          .in_variable(each);
}

std::vector<std::pair<std::string, bool>> written_files(const File &file, const std::vector<Territory> &pieces) {
  const int rank = file.context().rank();
  std::vector<std::pair<std::string, bool>> all;
  for (int p = 0; p < std::ssize(pieces); ++p)
    if (pieces[static_cast<size_t>(p)].rank == rank)
      all.emplace_back(file.found->pieces.path_of(file.place(), p), true);
  if (!pieces.empty()) return all;
  if (file.naming.variable_template.empty()) return {{file.place(), rank == owner_rank}};
  for (const std::string &each : names_of_files(file.schema()))
    all.emplace_back(variable_path(file.naming.variable_template, each), rank == owner_rank);
  return all;
}

}  // namespace sv
