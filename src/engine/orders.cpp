#include "engine/orders.hpp"

#include <algorithm>

#include "engine/decompose.hpp"
#include "engine/fields.hpp"
#include "engine/file_parts.hpp"
#include "mpi/packets.hpp"
#include "plan/directory.hpp"
#include "transfer/points.hpp"

namespace sv {

namespace {

constexpr int64_t no_record = -1;  // SV_NO_RECORD

/// A cell, and where it stands in the file.
struct Stand {
  int64_t index, place;
};

Error no_order(const std::string &cause) {
  return Error(Status::format, cause,
               std::string("Write the order again, or take the attribute '") + order_attribute + "' away");
}

/// The stands of some cells, on the rank that looks after these (plan/directory.hpp).
class OrderPart {
 public:
  OrderPart(int64_t cells, const Comm &comm)
      : cells_(cells),
        ranks_(comm.size()),
        part_(part_of(cells, comm.size(), comm.rank())),
        places_(static_cast<size_t>(part_.count), -1) {}

  std::vector<Packet> to_keepers(const std::vector<Stand> &stands) const {
    std::vector<std::vector<Stand>> by_keeper(static_cast<size_t>(ranks_));
    for (const Stand &each : stands)
      by_keeper[static_cast<size_t>(keeper_of(each.index, cells_, ranks_))].push_back(each);
    std::vector<Packet> packets;
    for (int rank = 0; rank < ranks_; ++rank)
      if (const auto &own = by_keeper[static_cast<size_t>(rank)]; !own.empty())
        packets.push_back(packet_of<Stand>(rank, own));
    return packets;
  }
  void enter(const Packet &packet) {
    for (const Stand &each : values_in<Stand>(packet)) {
      int64_t &place = places_[static_cast<size_t>(each.index - part_.start)];
      if (place >= 0)
        throw no_order("the places " + std::to_string(std::min(place, each.place)) + " and " +
                       std::to_string(std::max(place, each.place)) + " both hold the index " +
                       std::to_string(each.index));
      place = each.place;
    }
  }
  /// The places of the cells that a rank asks for; -1 where one has none.
  Packet answer(const Packet &question) const {
    std::vector<int64_t> places;
    for_encoded_runs(question.bytes, part_.start, [&](int64_t index, int64_t length) {
      const auto first = places_.begin() + (index - part_.start);
      places.insert(places.end(), first, first + length);
    });
    return packet_of<int64_t>(question.rank, places);
  }

 private:
  int64_t cells_;
  int ranks_;
  Part part_;
  std::vector<int64_t> places_;
};

std::vector<Stand> stands_given(const Decomp &ordered) {
  const int rank = ordered.context->rank();
  const std::vector<int64_t> indices = indices_of(*ordered.base, rank), places = indices_of(*ordered.layout, rank);
  std::vector<Stand> stands;
  for (size_t i = 0; i < indices.size(); ++i) stands.push_back({indices[i], places[i]});
  return stands;
}

/// A block of the dimension for each rank.
Decomp reading_blocks(Context &context, int64_t cells) {
  const int ranks = context.comm.size();
  std::vector<Patch> patches;
  for (int rank = 0; rank < ranks; ++rank)
    if (const Part part = part_of(cells, ranks, rank); part.count > 0)
      patches.push_back({rank, {{part.start}, {part.count}}, {0}});
  const Part mine = part_of(cells, ranks, context.rank());
  return {.context = &context,
          .id = -1,
          .layout = std::make_shared<const Layout>(Index{cells}, ranks, patches, false),
          .count = {mine.count},
          .halo_low = {0},
          .halo_high = {0}};
}

Values memory_of(std::vector<int64_t> &values) {
  return {Type::int64, reinterpret_cast<std::byte *>(values.data()), nullptr};
}

/// One element of the fill value of an order variable.
int64_t fill_of(const File &file, int variable) {
  const Variable &each = file.variable(variable);
  int64_t fill = 0;
  unpack_row(each.type, Type::int64, ByteOrder::native)(file.schema().fill_value(each).data(),
                                                        reinterpret_cast<std::byte *>(&fill), sizeof fill, 1);
  return fill;
}

/// Collective. The values of this rank's block of the variable.
std::vector<Stand> read_stands(File &file, int variable, int64_t cells) {
  Context &context = file.context();
  const Decomp blocks = reading_blocks(context, cells);
  const int64_t start = part_of(cells, context.comm.size(), context.rank()).start;
  std::vector<int64_t> indices(static_cast<size_t>(blocks.count[0]));
  get_field(file, variable, &blocks, no_record, memory_of(indices));
  std::vector<Stand> stands;
  const int64_t fill = fill_of(file, variable);
  agree(file, "what " + file.name_of(variable) + " holds", variable, [&] {
    for (size_t i = 0; i < indices.size(); ++i) {
      const int64_t index = indices[i], place = start + static_cast<int64_t>(i);
      if (index == fill) continue;  // a hole
      if (index < 0 || index >= cells)
        throw no_order("place " + std::to_string(place) + " holds the index " + std::to_string(index) +
                       ", and the dimension has " + std::to_string(cells) + " cells");
      stands.push_back({index, place});
    }
  });
  return stands;
}

bool is_integer(Type type) { return type != Type::text && type != Type::float32 && type != Type::float64; }

void check_order_variable(const Variable &variable) {
  if (variable.dims.size() != 1 || !is_integer(variable.type))
    throw no_order(std::string("a variable with the attribute '") + order_attribute +
                   "' has several dimensions, or is not of integers");
}

/// Collective. Asks for the places of this rank's cells; where these are, by their numbers in its arrays.
std::vector<int64_t> positions_in(const OrderPart &part, const Comm &comm, const Layout &layout) {
  std::vector<Packet> questions, answers;
  const PointTable &table = *layout.points();
  const PointRuns &runs = table.of(comm.rank());
  for (Notice &notice : notices_of(runs, layout.cells(), comm.size()))
    questions.push_back({notice.to, std::move(notice.code)});
  for (const Packet &question : comm.exchange(questions)) answers.push_back(part.answer(question));
  std::vector<int64_t> places, positions(static_cast<size_t>(runs.points()));
  for (const Packet &answer : comm.exchange(answers))
    for (const int64_t place : values_in<int64_t>(answer)) places.push_back(place);
  auto next = places.begin();
  for (int64_t run = 0; run < runs.runs(); ++run)
    for (int64_t i = 0; i < runs.length(run); ++i)
      positions[static_cast<size_t>(table.local()[static_cast<size_t>(run)] + i)] = *next++;
  return positions;
}

void check_positions(const std::vector<int64_t> &positions, const Layout &layout, int rank) {
  const auto without = std::find(positions.begin(), positions.end(), -1);
  if (without == positions.end()) return;
  const int64_t cell = indices_of(layout, rank)[static_cast<size_t>(without - positions.begin())];
  throw Error(Status::layout, "the cell " + std::to_string(cell) + " has no place in the order of the file",
              "Own cells only that the order was given for");
}

/// For a rank that has forgotten the decomposition: it owns nothing of it, and never uses the result.
std::shared_ptr<const Layout> nothing_of(const Context &context, int64_t cells) {
  const auto ranks = static_cast<size_t>(context.comm.size());
  return std::make_shared<const Layout>(Index{cells}, std::vector<int64_t>(ranks, 0),
                                        std::make_shared<PointTable>(context.comm.size()), true);
}

}  // namespace

Orders &orders_of(File &file) {
  std::shared_ptr<Orders> &orders = file.engine->orders;
  if (orders == nullptr) orders = std::make_shared<Orders>();
  return *orders;
}

void Orders::give(int dim, int variable, const Decomp &ordered) {
  given_.insert_or_assign(dim, Given{variable, ordered});
}

void Orders::find(const Schema &schema) {
  variables_.clear();
  for (int v = 0; v < static_cast<int>(schema.variables.size()); ++v) {
    const Variable &each = schema.variables[static_cast<size_t>(v)];
    if (find_attribute(each.attributes, order_attribute) == nullptr) continue;
    for (const int dim : each.dims) variables_.emplace(dim, v);
  }
}

void Orders::write(File &file, int first_variable) const {
  Context &context = file.context();
  for (const auto &[dim, given] : given_) {
    if (given.variable < first_variable || !has(dim)) continue;
    const Layout &layout = *given.ordered.layout;
    const int64_t cells = layout.cells();
    std::vector<int64_t> indices, fill;
    const Decomp blocks = reading_blocks(context, cells);
    const bool fills = layout.has_holes() && !file.settings().fill;  // holes of an order are always exchanged
    context.agree("writing " + file.name_of(given.variable), [&] {
      indices = indices_of(*given.ordered.base, context.rank());
      if (fills) fill.assign(static_cast<size_t>(blocks.count[0]), fill_of(file, given.variable));
    });
    if (fills) put_field(file, given.variable, &blocks, no_record, memory_of(fill));
    put_field(file, given.variable, &given.ordered, no_record, memory_of(indices));
  }
}

const Decomp *Orders::known(int dim, int decomp, const Layout *layout) const {
  const auto given = given_.find(dim);
  if (given != given_.end() && given->second.ordered.base.get() == layout) return &given->second.ordered;
  const auto made = made_.find({dim, decomp});
  return made == made_.end() ? nullptr : &made->second;
}

const Decomp &Orders::make(File &file, int dim, int decomp, std::shared_ptr<const Layout> layout) {
  Context &context = file.context();
  const Comm &comm = context.comm;
  const int rank = context.rank(), variable = variable_of(dim);
  const int64_t cells = file.definitions.dim(dim).length;
  const std::string call =
      "the places of decomposition " + std::to_string(decomp) + " in the order of " + file.name_of(variable);
  const auto step = [&](const char *what, const std::function<void()> &action) {
    agree(file, call + what, variable, action);
  };
  std::vector<Stand> stands;
  const auto given = given_.find(dim);
  step("", [&] {
    check_order_variable(file.variable(variable));
    if (given != given_.end()) stands = stands_given(given->second.ordered);
    if (layout == nullptr) layout = nothing_of(context, cells);
  });
  if (given == given_.end()) stands = read_stands(file, variable, cells);
  OrderPart part(cells, comm);
  const std::vector<Packet> received = comm.exchange(part.to_keepers(stands));
  step(", result", [&] {
    for (const Packet &packet : received) part.enter(packet);
  });
  const std::vector<int64_t> positions = positions_in(part, comm, *layout);
  step(", found", [&] { check_positions(positions, *layout, rank); });
  Decomp made{&context, decomp, nullptr, {0}, {0}, {0}, 0, layout};
  made.layout = make_points(context, call, {{cells}, positions, true}, made.seconds);
  return made_.insert_or_assign({dim, decomp}, std::move(made)).first->second;
}

int define_order(File &file, int dim, const std::string &name, const Decomp &ordered) {
  Definitions &definitions = file.defining("sv_def_order");
  const Dimension along = definitions.dim(dim);
  const auto refuse = [&](Status status, const std::string &cause, const std::string &remedy) {
    return Error(status, cause, remedy).in_variable(name).in_file(file.path());
  };
  if (ordered.context != &file.context() || ordered.base == nullptr)
    throw refuse(Status::invalid, "the decomposition has no order, or is of another context",
                 "Use one of sv_order_points or sv_order_points_along_curve");
  if (along.is_unlimited() || ordered.layout->shape().n != 1 || ordered.layout->shape()[0] != along.length)
    throw refuse(Status::layout, "the decomposition's grid is not the dimension '" + along.name + "'",
                 "Order points of a grid of one dimension, of that length");
  if (file.before() != nullptr && dim < std::ssize(file.before()->dims))
    throw refuse(Status::order, "data along '" + along.name + "' stand in their order already",
                 "Give a dimension its order when it is defined");
  Orders &orders = orders_of(file);
  orders.find(file.schema());
  if (orders.has(dim)) throw refuse(Status::exists, "the dimension '" + along.name + "' has an order", "Give it one");
  const int made = definitions.define_variable(name, along.length <= INT32_MAX ? Type::int32 : Type::int64, {dim});
  definitions.put_attribute(made, text_attribute(order_attribute, along.name));
  orders.give(dim, made, ordered);
  return made;
}

std::optional<int> ordered_dim(File &file, int variable, const Layout &layout) {
  const bool is_variable = variable >= 0 && variable < static_cast<int>(file.schema().variables.size());
  if (!orders_of(file).any() || !is_variable || layout.points() == nullptr || layout.shape().n != 1)
    return std::nullopt;
  const std::optional<int> axis = file.definitions.axis_of(variable, layout);
  if (!axis) return std::nullopt;
  const Variable &each = file.variable(variable);
  const int dim = each.slab_dims()[static_cast<size_t>(*axis)];
  return orders_of(file).has(dim) ? std::optional(dim) : std::nullopt;
}

const Decomp *in_places(File &file, const char *function, int variable, int64_t record, const Decomp *decomp) {
  Context &context = file.context();
  const auto is_open = [&] { return file.mode == Mode::read || !caught(0, [&] { file.check_writable(); }); };
  // The calls' own checks report wrong arguments.
  if (decomp == nullptr || decomp->context != &context || decomp->base != nullptr || !is_open()) return decomp;
  const std::optional<int> dim = ordered_dim(file, variable, *decomp->layout);
  if (!dim) return decomp;
  if (const Decomp *known = orders_of(file).known(*dim, decomp->id, decomp->layout.get())) return known;
  context.agree(call_text(function, file, variable, record) + on_decomp(decomp, -1) + ", its order", std::nullopt);
  return &orders_of(file).make(file, *dim, decomp->id, decomp->layout);
}

}  // namespace sv
