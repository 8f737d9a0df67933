// The end of define mode: where variables begin, and one set of definitions on all ranks.
#pragma once

#include <functional>

#include "dataset.hpp"

namespace sv::pnetcdf {

/// Local. Of a file that is opened: where its variables are.
void find_layout(Dataset &own);

/// Collective. Ends define mode. Where ranks have defined different things, those of rank 0 count, as with PnetCDF; the
/// summary shows what differs. `place`: called before, once or twice. Returns a code.
int end_definitions(Dataset &own, const std::function<void()> &place);

}  // namespace sv::pnetcdf
