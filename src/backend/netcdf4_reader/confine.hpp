// Confines the process in which HDF5 and netCDF-C read a file that is not trusted, so that a harmful file cannot
// affect other processes or files. sv-netcdf4-reader calls it before it opens the file. Linux; local.
#pragma once

#include <span>
#include <string>

namespace sv::netcdf4 {

/// Closes inherited descriptors, except standard input, output and error.
void close_inherited() noexcept;

/// After this call, the process gets no new privileges, opens only these files, for reading, and makes only the
/// system calls that reading needs: it starts no program, connects to nothing, and sends no signals to others. Each
/// of the three is in force if the kernel has it (no_new_privs: always; Landlock: from 5.13 on; seccomp: on x86-64
/// and AArch64). Files that do not exist yet cannot be opened later.
void confine(std::span<const std::string> paths) noexcept;

}  // namespace sv::netcdf4
