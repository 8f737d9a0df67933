// Where the library that holds this code lies: its plug-ins and the site's configuration are found from there.
#pragma once

#include <filesystem>

namespace sv {

/// Local. An absolute path; empty where the system does not report it. It is the name by which the dynamic linker has
/// found the library, perhaps a link next to files of its own; a relative one would lead elsewhere after the process
/// has left its directory. In a program that holds the code itself, the program.
std::filesystem::path file_of_this_library();

}  // namespace sv
