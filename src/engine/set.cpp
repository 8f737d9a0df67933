// Files that are sets of pieces: the routes per_pe and per_domain, and reading such sets as one file.
#include <algorithm>
#include <filesystem>

#include "engine/file.hpp"
#include "engine/set_store.hpp"
#include "plan/pieces.hpp"
#include "store/extent.hpp"
#include "store/listing.hpp"
#include "store/positional_file.hpp"

namespace sv {

namespace {

bool same_ranks(const std::vector<Division::Piece> &a, const std::vector<Territory> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Division::Piece &one, const Territory &other) { return one.rank == other.rank; });
}

/// How many of `dims` a variable has.
int64_t shared(const Variable &variable, const std::vector<int> &dims) {
  return std::count_if(variable.dims.begin(), variable.dims.end(),
                       [&](int dim) { return std::find(dims.begin(), dims.end(), dim) != dims.end(); });
}

void extend(Division &division, const std::vector<int> &dims, const std::vector<Territory> &pieces) {
  division.dims.insert(division.dims.end(), dims.begin(), dims.end());
  for (size_t p = 0; p < pieces.size(); ++p)
    for (int d = 0; d < pieces[p].box.dims(); ++d) {
      division.pieces[p].box.start.push(pieces[p].box.start[d]);
      division.pieces[p].box.count.push(pieces[p].box.count[d]);
    }
}

/// Of the definitions of a piece, what all pieces have in common. FMS writes each file's own name into it.
std::string common_listing(PieceView view) {
  std::erase_if(view.whole.attributes, [](const Attribute &each) { return each.name == "filename"; });
  return listing_of(view.whole, {});
}

Error foreign(const std::string &path, const std::string &cause) {
  return Error(Status::format, cause, "Give the pieces that one run has written, all of them").in_file(path);
}

PieceView viewed(const Schema &piece, const std::string &path) {
  try {
    return view_of_piece(piece);
  } catch (Error &error) {
    throw error.in_file(path);
  }
}

/// Reads a piece's definitions, and checks that it is whole.
Schema read_piece_schema(const std::string &path, int64_t pieces) {
  if (presence_of(path) == Presence::absent)
    throw foreign(path, "the piece is missing; the set has " + std::to_string(pieces));
  Schema schema = read_definitions(path);
  const auto size = static_cast<int64_t>(std::filesystem::file_size(path));
  if (!is_netcdf4(schema.format) && size <= end_of_data(schema, schema.records) - 4)
    throw foreign(path, "the piece has " + std::to_string(size) + " bytes, but its header promises " +
                            std::to_string(end_of_data(schema, schema.records)));
  return schema;
}

}  // namespace

std::vector<Territory> File::pieces(int variable) const {
  std::vector<Territory> boxes;
  if (!is_set()) return boxes;
  const Variable &each = this->variable(variable);
  for (size_t p = 0; p < division_->pieces.size(); ++p)
    boxes.push_back({division_->pieces[p].rank, division_->box_of(schema_, each, static_cast<int>(p))});
  return boxes;
}

/// The first decomposition whose grid stands in a variable divides the file; further ones do the same for other
/// dimensions where the same ranks get pieces and no variable has both.
void File::divide() {
  const auto division = std::make_shared<Division>();
  for (const auto &decomp : context_.decomps()) {
    const Layout &layout = *decomp->layout;
    for (int v = 0; v < static_cast<int>(schema_.variables.size()); ++v) {
      const auto axis = axis_of(v, layout);
      if (!axis || layout.patches().empty()) continue;
      const Variable &variable = schema_.variables[static_cast<size_t>(v)];
      const auto first = variable.dims.begin() + *axis + variable.has_records;
      const std::vector<int> dims(first, first + layout.shape().n);
      const bool new_dims = std::none_of(dims.begin(), dims.end(), [&](int dim) {
        return std::find(division->dims.begin(), division->dims.end(), dim) != division->dims.end();
      });
      const bool apart = std::none_of(schema_.variables.begin(), schema_.variables.end(), [&](const Variable &each) {
        return shared(each, dims) > 0 && shared(each, division->dims) > 0;
      });
      if (!new_dims || !apart) continue;
      const Route route = resolve(settings_.route, layout, context_.topology(), surroundings_);
      const std::vector<Territory> pieces = pieces_of(layout, route);
      if (division->pieces.empty()) {
        set_route_ = route;
        for (const Territory &piece : pieces) division->pieces.push_back({piece.rank, {}});
      }
      if (same_ranks(division->pieces, pieces)) extend(*division, dims, pieces);
    }
  }
  if (division->pieces.empty())
    throw Error(
        Status::define,
        "the route '" + settings_.route.name + "' divides the file, but no decomposition stands in its variables",
        "Call sv_def_decomp before sv_enddef, or choose a route that writes one file")
        .in_file(path_);
  for (const Variable &variable : schema_.variables)
    for (const int dim : division->dims)
      if (std::count(variable.dims.begin(), variable.dims.end(), dim) > 1)
        throw Error(Status::define,
                    "a variable has the divided dimension '" + schema_.dims[static_cast<size_t>(dim)].name + "' twice",
                    "Choose a route that writes one file")
            .in_variable(variable.name)
            .in_file(path_);
  division_ = division;
  store_ = make_set_store(path_, settings_.kind, division, {maker_, context_.rank(), placement()});
}

void File::view_set(const Schema &first_piece) {
  const PieceView view = viewed(first_piece, piece_path(path_, 0));
  schema_ = view.whole;
  try {
    place_variables(schema_, placement());
  } catch (const Error &) {  // together, the pieces are beyond the limits of their format
    if (is_netcdf4(schema_.format)) throw;
    schema_.format = Format::cdf5;
    place_variables(schema_, placement());
  }
  const int ranks = context_.comm().size(), dims = static_cast<int>(view.dims.size());
  const auto mine = static_cast<int64_t>(part_of(view.pieces, ranks, 0).count);  // the most a rank looks at
  std::vector<int64_t> numbers;
  context_.agree("the pieces of '" + path_ + "'", [&] {
    if (dims == 0 || view.pieces < 1) throw foreign(piece_path(path_, 0), "the piece divides no dimension");
    for (int64_t p = context_.rank(); p < mine * ranks; p += ranks) {
      std::vector<int64_t> piece(static_cast<size_t>(1 + 2 * dims), 0);
      if (p < view.pieces) read_place(view, static_cast<int>(p), piece);
      numbers.insert(numbers.end(), piece.begin(), piece.end());
    }
  });
  const std::vector<int64_t> all = context_.comm().all_gather<int64_t>(numbers);
  const auto division = std::make_shared<Division>();
  division->dims = view.dims;
  for (int64_t p = 0; p < view.pieces; ++p) {
    const int64_t *next = all.data() + (p % ranks * mine + p / ranks) * (1 + 2 * dims);
    Division::Piece piece{static_cast<int>(p % ranks), {Index(dims, 0), Index(dims, 0)}};
    const int64_t records = *next++;
    if (p == 0) schema_.records = pending_records_ = records;
    if (records != schema_.records)
      throw foreign(
          piece_path(path_, static_cast<int>(p)),
          "the piece has " + std::to_string(records) + " records, the first one " + std::to_string(schema_.records));
    for (int d = 0; d < dims; ++d) piece.box.start[d] = *next++;
    for (int d = 0; d < dims; ++d) piece.box.count[d] = *next++;
    division->pieces.push_back(piece);
  }
  division_ = division;
  check_overlap();
  set_route_ = {"per_domain", 0, 0, true, {}, "the file is a set of " + std::to_string(view.pieces) + " pieces"};
  store_ = make_set_store(path_, settings_.kind, division, {maker_, context_.rank(), placement()});
}

/// Its records, start and count, as numbers.
void File::read_place(const PieceView &first, int piece, std::vector<int64_t> &numbers) const {
  const std::string path = piece_path(path_, piece);
  const Schema schema = read_piece_schema(path, first.pieces);
  const PieceView view = viewed(schema, path);
  const std::string difference = difference_of(common_listing(first), common_listing(view), "the first", "this one");
  if (view.pieces != first.pieces)
    throw foreign(path, "the piece is one of " + std::to_string(view.pieces) + ", the first one of " +
                            std::to_string(first.pieces));
  if (view.dims != first.dims || !difference.empty())
    throw foreign(path, "the piece belongs to another set: " + (difference.empty() ? "other dimensions" : difference));
  auto next = numbers.begin();
  *next++ = schema.records;
  for (int d = 0; d < view.box.dims(); ++d) *next++ = view.box.start[d];
  for (int d = 0; d < view.box.dims(); ++d) *next++ = view.box.count[d];
}

void File::check_overlap() {
  context_.agree("the places of the pieces of '" + path_ + "'", [&] {
    const std::vector<Division::Piece> &pieces = division_->pieces;
    for (size_t p = static_cast<size_t>(context_.rank()); p < pieces.size();
         p += static_cast<size_t>(context_.comm().size()))
      for (size_t q = 0; q < p; ++q)
        if (meet(pieces[p].box, pieces[q].box))
          throw foreign(piece_path(path_, static_cast<int>(p)),
                        "the piece has cells " + text_of(intersect(pieces[p].box, pieces[q].box)) + " that '" +
                            piece_path(path_, static_cast<int>(q)) + "' has too");
  });
}

}  // namespace sv
