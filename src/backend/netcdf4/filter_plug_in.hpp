// A filter of HDF5 that stands in a shared library of its own, which is loaded once per process: the one that readers
// of the file use. Definitions need it in HDF5; encoders (encoder.hpp) and filters.hpp call its function themselves,
// without HDF5, in any thread. SZ3 and ZFP keep nothing between calls, so no lock is taken.
#pragma once

#include <cstddef>
#include <span>

#include "backend/netcdf4/storage.hpp"

namespace sv::netcdf4 {

/// Local, by a thread that may call HDF5: loads the plug-in, and HDF5 knows it from then on. Error(not_compiled) where
/// HDF5's folders contain none.
void need_plug_in(FilterKind kind);
/// The same for a filter that a file has: also Error(not_compiled) where the plug-in that has defined it is of a
/// version that takes other parameters.
void need_plug_in(const Filter &filter);

/// Of a plug-in that was loaded. Both return the length of the filter's result in `to`; 0 where it has failed, or `to`
/// is too short.
size_t encode_by_plug_in(const Filter &filter, std::span<const std::byte> from, std::span<std::byte> to);
size_t decode_by_plug_in(const Filter &filter, std::span<const std::byte> from, std::span<std::byte> to);

}  // namespace sv::netcdf4
