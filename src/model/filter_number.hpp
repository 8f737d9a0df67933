// The numbers by which HDF5 knows filters, also in the interface. Requests for storage and definitions use them. Pure.
#pragma once

namespace sv {

/// HDF5's numbers of the filters that a variable can be given. Blosc is for Zarr only.
enum class FilterNumber : unsigned {
  deflate = 1,
  shuffle = 2,
  fletcher32 = 3,
  blosc = 32001,
  zfp = 32013,
  zstd = 32015,
  sz3 = 32024
};

}  // namespace sv
