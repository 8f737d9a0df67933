// How the values of a variable may change before they are stored. Requests for storage, the configuration and the
// stores whose files have chunks use it. Pure.
#pragma once

namespace sv {

/// How mantissas of floats and doubles are cut, so that chunks compress better. BitRound keeps `amount` bits; BitGroom
/// (Zender 2016) and Granular BitRound keep as many as `amount` significant decimal digits need. The modes absolute and
/// relative keep the fewest bits with which no value changes by more than `bound`; each chunk is checked. The mode
/// information keeps as many bits as hold the share `bound` of the information of each chunk.
struct Quantization {
  enum class Mode { bit_round, bit_groom, granular, absolute, relative, information };
  /// How values within an absolute bound are encoded: rounded, or by a filter of HDF5 (error_encoder.hpp).
  enum class Encoder { rounding, sz3, zfp };
  Mode mode = Mode::bit_round;
  int amount = 0;  // 0: nothing is cut; with a bound 1
  double bound = 0;
  Encoder encoder = Encoder::rounding;

  bool has_bound() const { return amount > 0 && mode >= Mode::absolute; }
  /// Of a value; of the mode information relative, with one bit.
  double most_error() const { return mode == Mode::information ? 0.25 : bound; }
};

}  // namespace sv
