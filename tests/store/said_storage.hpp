// Lets the library believe that files are on another file system: its calls of fstatfs and statfs reach these.
#pragma once

namespace svtest {

/// The number that the system returns from now on; 0: the true one.
extern long said_storage;

}  // namespace svtest
