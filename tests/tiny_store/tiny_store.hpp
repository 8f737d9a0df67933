// The smallest store that keeps the contract of store/store.hpp: an example for who writes one (docs/stores.md), and
// the proof that nothing above src/file knows which stores there are. A file is a directory: `definitions` has the
// header that a CDF file would have, with the record count, and each variable a file of its own, named by its number,
// in which its records follow each other. There are no locks, and nothing that is renamed survives a power loss.
#pragma once

#include <memory>
#include <string>

#include "store/store.hpp"

namespace sv::tiny {

std::unique_ptr<Store> make_store(const std::string &path, Kind kind);
/// What `definitions` says. Error(not_found), Error(format).
Schema read_definitions(const std::string &path);
/// Whether a directory with definitions has this name.
bool knows(const std::string &path);

std::string definitions_of(const std::string &folder);
std::string variable_of(const std::string &folder, int variable);
/// How long the file of a variable is.
int64_t bytes_of(const PlacedSchema &schema, int variable, int64_t records);

}  // namespace sv::tiny
