// Quantizes values before the filters: keeps only the first bits of the mantissa, so that chunks compress better. The
// results are those of netCDF-C 4.9, whose attributes describe it for readers. The store of chunks calls it.
#pragma once

#include <cstddef>
#include <span>

#include "base/type.hpp"
#include "model/chunk_request.hpp"

namespace sv {

/// Of floats or doubles, from `values` to `quantized`, which may be the same memory. `fill` (one element) stays as it
/// is, and so do infinities and NaN. BitRound (Kouznetsov 2021), BitGroom (Zender 2016: bits are cleared and set in
/// turn), Granular BitRound (as many bits as the decimal digits of each value need).
void quantize(std::span<const std::byte> values, std::span<std::byte> quantized, Type type,
              const Quantization &quantization, std::span<const std::byte> fill);

}  // namespace sv
