// A file driver for HDF5 that touches no file: metadata go into a MetadataImage, and of data it only records where HDF5
// would write them. So HDF5 keeps the index of a file whose bytes others write (docs/adr/0033-chunks.md). "HDF5 Virtual
// File Layer" (The HDF Group). The index (index.hpp) opens its file through it.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "store/metadata_image.hpp"

namespace sv::netcdf4 {

/// The state of the driver. It must not move while the file is open.
struct Recorded {
  explicit Recorded(MetadataImage metadata) : image(std::move(metadata)) {}

  MetadataImage image;
  bool drops_data = false;        // HDF5's data writes have no meaning: fill values of contiguous variables
  int64_t place = -1, bytes = 0;  // of the last stand-in that HDF5 has written or read
  std::optional<Error> failure;   // of the image: HDF5 only hears that something failed
};

/// To give to H5Dwrite_chunk and H5Dread_chunk in place of the bytes of a chunk. It is never written.
extern unsigned char stand_in[1];

/// H5Fopen of the image. Throws Error(format) if HDF5 cannot open it, and the image's error.
hid_t open_recorded(Recorded &recorded, const std::string &path);

}  // namespace sv::netcdf4
