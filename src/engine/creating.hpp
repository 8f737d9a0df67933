// The beginning of a file: sv_create, sv_open, sv_enddef. Everything is collective. The results belong to the caller,
// which gives them to its context (adopt) or, as a server, keeps them.
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
/// Local. On the rank that knows them: prints the omitted parts of the definitions, once for each context.
void report_omissions(const File &file);

/// Local. Whether there is a file of this name or, where each variable has one, are its files.
bool is_there(const FileName &name, const FileSettings &settings);
std::shared_ptr<File> open_file(Context &context, const FileName &name, const FileSettings &settings, bool writing);

/// Local. The context keeps it until it is released.
File *adopt(std::shared_ptr<File> file);
void release(Context &context, File *file);

// By servers.

/// The models' knowledge of a file, with the positions of its data.
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
/// An error here has failed the file. The models may still put into the new definitions.
void redefine_as(File &file, const PlacedSchema &schema);

}  // namespace sv
