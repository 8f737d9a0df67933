#include "file/set_home.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>

#include "file/file.hpp"
#include "file/set_store.hpp"
#include "model/listing.hpp"
#include "store/positional_file.hpp"
#include "store/set_run.hpp"

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

using IdentityNumbers = std::array<int64_t, sizeof(FileIdentity) / sizeof(int64_t)>;

/// How many numbers ranks exchange about a piece that divides so many dimensions.
int64_t numbers_of_piece(int dims) { return 1 + 2 * dims + std::ssize(IdentityNumbers{}); }

PieceView viewed(const Schema &piece, const std::string &path) {
  try {
    return view_of_piece(piece);
  } catch (Error &error) {
    throw error.in_file(path);
  }
}

/// Reads a piece's definitions, and checks that it is whole.
PlacedSchema read_piece_schema(const StoreMaker &maker, const std::string &path, int64_t pieces) {
  if (presence_of(path) == Presence::absent)
    throw foreign(path, "the piece is missing; the set has " + std::to_string(pieces));
  maker.access().found->look(path);
  PlacedSchema schema = read_definitions(maker.kind(), path, maker.access().untrusted);
  maker.access().found->check(path);
  if (maker.kind().placing != Placing::in_file) return schema;
  const auto size = static_cast<int64_t>(std::filesystem::file_size(path));
  if (size <= schema.places->end_of_data(schema.records) - 4)
    throw foreign(path, "the piece has " + std::to_string(size) + " bytes, but its header promises " +
                            std::to_string(schema.places->end_of_data(schema.records)));
  return schema;
}

}  // namespace

std::vector<Territory> SetHome::pieces(int variable) const {
  std::vector<Territory> boxes;
  if (division_ == nullptr) return boxes;  // not divided yet, or it could not be
  const Variable &each = file_.variable(variable);
  for (size_t p = 0; p < division_->pieces.size(); ++p)
    boxes.push_back({division_->pieces[p].rank, division_->box_of(file_.schema(), each, static_cast<int>(p))});
  return boxes;
}

std::unique_ptr<Store> SetHome::new_store() {
  return make_set_store(
      file_.place(), file_.settings().kind, division_,
      {maker.striped(owners.surroundings.chosen), context_.rank(), file_.placement_of_parts(), file_.naming.run});
}

void SetHome::choose_writers() {
  check_promises();
  if (division_ != nullptr) return;  // of a set that is there
  Home::choose_writers();
  auto division = std::make_shared<Division>();
  divide(*division);
  division_ = std::move(division);
  check_division();
}

/// The first decomposition whose grid stands in a variable divides the file; further ones do the same for other
/// dimensions where the same ranks get pieces and no variable has both.
void SetHome::divide(Division &division) {
  const std::vector<Variable> &variables = file_.schema().variables;
  for (const auto &[id, decomp] : context_.decomps.all()) {
    const Layout &layout = *decomp->layout;
    for (int v = 0; v < std::ssize(variables); ++v) {
      const auto axis = file_.definitions.axis_of(v, layout);
      if (!axis || layout.patches().empty()) continue;
      const Variable &variable = variables[static_cast<size_t>(v)];
      const auto first = variable.slab_dims().begin() + *axis;
      const std::vector<int> dims(first, first + layout.shape().n);
      const bool new_dims = std::none_of(dims.begin(), dims.end(), [&](int dim) {
        return std::find(division.dims.begin(), division.dims.end(), dim) != division.dims.end();
      });
      const bool apart = std::none_of(variables.begin(), variables.end(), [&](const Variable &each) {
        return shared(each, dims) > 0 && shared(each, division.dims) > 0;
      });
      if (!new_dims || !apart) continue;
      if (std::ssize(division.dims) + std::ssize(dims) > max_dims)
        throw Error(Status::limit, "decompositions divide more than " + std::to_string(max_dims) + " dimensions",
                    "Choose a route that writes one file")
            .in_file(file_.path());
      const Route route = owners.route(layout);
      const std::vector<Territory> pieces = pieces_of(layout, route);
      if (division.pieces.empty()) {
        reported_route_ = route_ = route;
        for (const Territory &piece : pieces) division.pieces.push_back({piece.rank, {}});
      }
      if (same_ranks(division.pieces, pieces)) extend(division, dims, pieces);
    }
  }
}

void SetHome::check_division() const {
  if (division_->pieces.empty())
    throw Error(Status::define,
                "the route '" + owners.asked.name + "' divides the file, but no decomposition stands in its variables",
                "Call sv_def_decomp before sv_enddef, or choose a route that writes one file")
        .in_file(file_.path());
  check_divided_once(Status::define, "Choose a route that writes one file");
}

void SetHome::check_divided_once(Status status, const std::string &remedy) const {
  for (const Variable &variable : file_.schema().variables)
    for (const int dim : division_->dims)
      if (std::count(variable.dims.begin(), variable.dims.end(), dim) > 1)
        throw Error(
            status,
            "a variable has the divided dimension '" + file_.schema().dims[static_cast<size_t>(dim)].name + "' twice",
            remedy)
            .in_variable(variable.name)
            .in_file(file_.path());
}

void SetHome::find_pieces(const Schema &first_piece) {
  const PieceView view = viewed(first_piece, path_of(0));
  PlacedSchema &whole = file_.definitions.schema;
  whole = {view.whole, {}};
  try {
    place_variables(whole, file_.placement());
  } catch (const Error &) {  // together, the pieces are beyond the limits of their format
    if (!has_places(whole.format)) throw;
    whole.format = Format::cdf5;
    place_variables(whole, file_.placement());
  }
  const int64_t pieces = count_of(view);
  std::vector<int64_t> numbers;
  agree(file_, "the pieces of '" + file_.path() + "'", -1, [&] {
    file_.found->pieces.settle(file_.place(), pieces);
    read_places(view, numbers);
  });
  const std::vector<int64_t> all = context_.comm.all_gather<int64_t>(numbers);
  const int ranks = context_.comm.size(), dims = static_cast<int>(view.dims.size());
  const int64_t each = numbers_of_piece(dims), mine = std::ssize(numbers) / each;
  const auto division = std::make_shared<Division>();
  division->dims = view.dims;
  for (int64_t p = 0; p < pieces; ++p) {
    const int64_t *next = all.data() + (p % ranks * mine + p / ranks) * each;
    Division::Piece piece{static_cast<int>(p % ranks), {Index(dims, 0), Index(dims, 0)}};
    const int64_t records = *next++;
    if (p == 0) file_.ledger.find(records);
    if (records != whole.records)
      throw foreign(path_of(p), "the piece has " + std::to_string(records) + " records, the first one " +
                                    std::to_string(whole.records));
    for (int d = 0; d < dims; ++d) piece.box.start[d] = *next++;
    for (int d = 0; d < dims; ++d) piece.box.count[d] = *next++;
    IdentityNumbers identity{};
    std::copy_n(next, identity.size(), identity.begin());
    file_.found->know(path_of(p), std::bit_cast<FileIdentity>(identity));
    division->pieces.push_back(piece);
  }
  division_ = division;
  check_divided_once(Status::format, "No piece has the cells between two pieces: take out the variable");
  check_overlap();
  reported_route_ =
      route_ = {"per_domain", 0, 0, true, {}, "the file is a set of " + std::to_string(pieces) + " pieces"};
}

/// How many pieces are read: all that the set has, or those that are there.
int64_t SetHome::count_of(const PieceView &first) const {
  const int64_t there = file_.found->pieces.found;
  const bool fills = file_.settings().fills_missing_pieces && there > 0;
  return fills ? std::min<int64_t>(first.pieces, there) : first.pieces;
}

/// Of the pieces that this rank looks at, as many on every rank.
void SetHome::read_places(const PieceView &first, std::vector<int64_t> &numbers) const {
  const int ranks = context_.comm.size(), dims = static_cast<int>(first.dims.size());
  if (dims == 0 || first.pieces < 1) throw foreign(path_of(0), "the piece divides no dimension");
  const int64_t pieces = count_of(first);
  const auto mine = static_cast<int64_t>(part_of(pieces, ranks, 0).count);
  for (int64_t p = context_.rank(); p < mine * ranks; p += ranks) {
    std::vector<int64_t> piece(static_cast<size_t>(numbers_of_piece(dims)), 0);
    if (p < pieces) read_place(first, static_cast<int>(p), piece);
    numbers.insert(numbers.end(), piece.begin(), piece.end());
  }
}

/// Its records, start and count, and which file it is, as numbers.
void SetHome::read_place(const PieceView &first, int piece, std::vector<int64_t> &numbers) const {
  const std::string path = path_of(piece);
  const Schema schema = read_piece_schema(maker, path, first.pieces);
  const PieceView view = viewed(schema, path);
  const std::string difference = difference_of(common_listing(first), common_listing(view), "the first", "this one");
  if (view.pieces != first.pieces)
    throw foreign(path, "the piece is one of " + std::to_string(view.pieces) + ", the first one of " +
                            std::to_string(first.pieces));
  if (view.run != first.run) throw foreign(path, runs_differ(view.run, first.run));
  if (view.dims != first.dims || !difference.empty())
    throw foreign(path, "the piece belongs to another set: " + (difference.empty() ? "other dimensions" : difference));
  auto next = numbers.begin();
  *next++ = schema.records;
  for (int d = 0; d < view.box.dims(); ++d) *next++ = view.box.start[d];
  for (int d = 0; d < view.box.dims(); ++d) *next++ = view.box.count[d];
  std::ranges::copy(std::bit_cast<IdentityNumbers>(file_.found->of(path)), next);
}

std::string SetHome::path_of(int64_t piece) const { return file_.found->pieces.path_of(file_.place(), piece); }

void SetHome::check_overlap() const {
  agree(file_, "the places of the pieces of '" + file_.path() + "'", -1, [&] {
    const std::vector<Division::Piece> &pieces = division_->pieces;
    for (size_t p = static_cast<size_t>(context_.rank()); p < pieces.size();
         p += static_cast<size_t>(context_.comm.size()))
      for (size_t q = 0; q < p; ++q)
        if (meet(pieces[p].box, pieces[q].box))
          throw foreign(path_of(static_cast<int64_t>(p)),
                        "the piece has cells " + text_of(intersect(pieces[p].box, pieces[q].box)) + " that '" +
                            path_of(static_cast<int64_t>(q)) + "' has too");
  });
}

}  // namespace sv
