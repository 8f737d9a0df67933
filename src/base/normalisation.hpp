// Names in Unicode's Normalisation Form C, in which netCDF stores and looks for them: "é" may come as one character or
// as two, and both are one name. Pure functions. Unicode Standard Annex 15.
#pragma once

#include <string>
#include <string_view>

namespace sv {

/// The text in NFC. Text that is not UTF-8 stays unchanged. ASCII text is not copied through the normalisation.
std::string normalised(std::string_view text);

/// Whether it may be changed by that: text of ASCII, and of Latin letters as one character each, is not. Quick.
bool may_be_denormal(std::string_view text) noexcept;

}  // namespace sv
