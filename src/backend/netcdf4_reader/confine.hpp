// The confinement of the process in which HDF5 and netCDF-C read a file that is not trusted: what a file may lead them
// to do there must harm nobody. sv-netcdf4-reader calls it before it opens the file. Linux; local.
#pragma once

#include <span>
#include <string>

namespace sv::netcdf4 {

/// Closes what the process that has started this one had open, but for standard input, output and error.
void close_inherited() noexcept;

/// From now on, this process gets no new privileges, opens no files but these, and those to read, and makes only the
/// system calls that reading needs: it starts no program, connects to nothing, and sends signals to nobody else. Each
/// of the three is in force where the kernel has it (no_new_privs: always; Landlock: from 5.13 on; seccomp: on x86-64
/// and AArch64). What is not there yet is not opened later.
void confine(std::span<const std::string> paths) noexcept;

}  // namespace sv::netcdf4
