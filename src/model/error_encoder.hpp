// The filters of HDF5 that keep an absolute error bound, SZ3 and ZFP: their numbers, the parameters with which a
// dataset is defined, and the chunks that they take. Definitions of files (netcdf_c/define.cpp), requests for storage
// and the store netcdf4 use them. Values; the filters themselves are plug-ins (backend/netcdf4/filter_plug_in.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "layout/box.hpp"
#include "model/filter_number.hpp"
#include "model/quantization.hpp"

namespace sv {

/// One row for each encoder but `rounding`.
struct ErrorEncoder {
  Quantization::Encoder encoder;
  FilterNumber filter;
  const char *word, *name;  // in the configuration, and in messages
};
/// Nothing for `rounding`, or a filter that is none of these.
std::optional<ErrorEncoder> find_encoder(Quantization::Encoder encoder);
std::optional<ErrorEncoder> find_encoder(unsigned filter);
std::optional<ErrorEncoder> find_encoder(const std::string &word);

/// For the filter of a new dataset, which replaces them by its own. `quantization` has one of these encoders.
std::vector<unsigned> filter_parameters(const Quantization &quantization);

/// Whether an encoder takes chunks of this shape with this bound.
bool is_encodable(const Quantization &quantization, const Index &chunk);

}  // namespace sv
