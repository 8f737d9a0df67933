// How a file begins: sv_create, sv_open, sv_enddef. Collective, all of it. What they return belongs to the caller, who
// gives it to its context (adopt) or, as a server, keeps it.
#pragma once

#include <memory>
#include <string>

#include "file/file.hpp"

namespace sv {

/// In define mode.
std::shared_ptr<File> create_file(Context &context, const FileName &name, const FileSettings &settings, bool exclusive);
/// Throws Error(define) on every rank where some rank's definitions differ from rank 0's.
void compare_definitions(File &file);
/// Ends define mode: definitions are compared, and the file is made, or made anew after a redefinition, as all ranks
/// have defined it.
void end_define(File &file);
/// Local. On the rank that knows them: prints what was left out of the definitions, once for each context.
void report_omissions(const File &file);

/// Local. Whether there is a file of this name or, where each variable has one, are its files.
bool is_there(const FileName &name, const FileSettings &settings);
std::shared_ptr<File> open_file(Context &context, const FileName &name, const FileSettings &settings, bool writing);

/// Local. The context keeps it until it is released.
File *adopt(std::shared_ptr<File> file);
void release(Context &context, File *file);

// By servers.

/// What models know of a file, with the places of its data.
struct Definition {
  PlacedSchema schema;
  Surroundings surroundings;
  std::vector<std::byte> found;  // which file they have opened, FoundFiles::encoded
};
/// As models have defined it. Where it cannot be made or opened, the file that is returned has failed, and has what the
/// models know of it: data for it come all the same.
std::shared_ptr<File> create_defined(Context &context, const FileName &name, const FileSettings &settings,
                                     const Definition &definition, bool exclusive);
std::shared_ptr<File> open_defined(Context &context, const FileName &name, const FileSettings &settings,
                                   const Definition &definition, bool writing);
/// What fails here has failed the file. The models may put into what is defined now all the same.
void redefine_as(File &file, const PlacedSchema &schema);

}  // namespace sv
