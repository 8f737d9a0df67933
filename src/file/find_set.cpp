#include "file/find_set.hpp"

#include "base/error.hpp"
#include "store/division.hpp"
#include "store/names_on_disk.hpp"

namespace sv {

namespace {

/// Programs number other files too, by the year for example: a set that does not begin at 0 must say that it is one.
bool is_piece(const std::string &path, const FileSettings &settings) {
  return !caught(-1, [&] { view_of_piece(read_definitions(kind_at(path, settings), path, settings.untrusted)); });
}

}  // namespace

std::optional<PieceNames> find_set(const std::string &place, const FileSettings &settings) {
  if (presence_of(place) != Presence::absent) return {};
  std::optional<PieceNames> found = find_pieces(place);
  const PieceNames from_0;
  if (presence_of(from_0.path_of(place, 0)) != Presence::absent) return found.value_or(from_0);
  if (found && !is_piece(found->path_of(place, 0), settings)) found.reset();
  return found;
}

}  // namespace sv
