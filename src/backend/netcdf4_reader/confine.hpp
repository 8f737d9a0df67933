// The confinement of the process in which HDF5 and netCDF-C read a file that is not trusted: what a file may lead them
// to do there must harm nobody. sv-netcdf4-reader calls it before it opens the file. Linux; local.
#pragma once

namespace sv::netcdf4 {

/// From now on, this process gets no new privileges, opens no file but the one at `path`, and that to read, and makes
/// only the system calls that reading needs: it starts no program, and connects to nothing. Each of the three is in
/// force where the kernel has it (no_new_privs: always; Landlock: from 5.13 on; seccomp: on x86-64 and AArch64).
void confine(const char *path) noexcept;

}  // namespace sv::netcdf4
