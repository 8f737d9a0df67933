#include "slice.hpp"

#include <sstream>
#include <stdexcept>

namespace sv::streams {

Slice slice_of(const std::string &axis, const std::string &text) {
  Slice made{axis, -1, 0, 1};
  std::istringstream in(text);
  char colon = ':';
  const auto take = [&](int64_t &number) {
    if (!(in >> number)) number = -1;  // and the slice is refused
  };
  take(made.begin);
  made.end = made.begin + 1;
  if (in >> colon && colon == ':') take(made.end);
  if (in >> colon && colon == ':') take(made.step);
  if (colon != ':' || !in.eof() || made.begin < 0 || made.end <= made.begin || made.step < 1)
    throw std::invalid_argument(text);
  return made;
}

}  // namespace sv::streams
