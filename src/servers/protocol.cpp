#include "servers/protocol.hpp"

#include <cstring>
#include <span>

#include "base/error.hpp"

namespace sv {

namespace {

constexpr int64_t of_points = -1;  // in the place of the number of patches

/// Appends what it is given to a letter.
class Packer {
 public:
  void operator()(const auto &...values) { (pack(values), ...); }
  EncodedMessage message{};

 private:
  void pack(const auto &value) {
    if constexpr (requires { value.data(); }) {
      pack(value.size());
      bytes(value.data(), value.size() * sizeof *value.data());
    } else {
      bytes(&value, sizeof value);
    }
  }
  void bytes(const void *data, size_t size) {
    const auto *first = static_cast<const std::byte *>(data);
    message.insert(message.end(), first, first + size);
  }
};

/// Takes it out again, in the same order.
class Unpacker {
 public:
  explicit Unpacker(const EncodedMessage &message) : rest_(message) {}
  void operator()(auto &...values) { (unpack(values), ...); }

 private:
  void unpack(auto &value) {
    if constexpr (requires { value.data(); }) {
      size_t size = 0;
      unpack(size);
      check(size);
      value.resize(size);
      take(value.data(), size * sizeof *value.data());
    } else {
      take(&value, sizeof value);
    }
  }
  void take(void *to, size_t size) {
    check(size);
    if (size > 0) std::memcpy(to, rest_.data(), size);
    rest_ = rest_.subspan(size);
  }
  void check(size_t size) const {
    if (size > rest_.size()) throw Error(Status::internal, "a letter that is too short", "Please report it");
  }

  std::span<const std::byte> rest_;
};

/// Packs or unpacks the members of a message.
template <class Fields>
void pass_fields(Fields &message, auto &pass) {
  if constexpr (std::is_trivially_copyable_v<Fields>)
    pass(message);
  else
    Fields::fields(message, pass);
}

/// Makes an empty command of kind `index`.
template <size_t Kind = 0>
Command::What made(size_t index) {
  if constexpr (Kind < std::variant_size_v<Command::What>) {
    return index == Kind ? Command::What(std::in_place_index<Kind>) : made<Kind + 1>(index);
  } else {
    throw Error(Status::internal, "a command of unknown kind", "Please report it");
  }
}

}  // namespace

const MovedField *Command::field() const {
  if (const auto *put = std::get_if<PutField>(&what)) return put;
  return std::get_if<GetField>(&what);
}

EncodedMessage encoded(const Command &command) {
  Packer pack;
  pack(command.file, command.what.index());
  std::visit([&pack](const auto &each) { pass_fields(each, pack); }, command.what);
  return std::move(pack.message);
}

Command decoded(const EncodedMessage &message) {
  Unpacker unpack(message);
  Command command;
  size_t index = 0;
  unpack(command.file, index);
  command.what = made(index);
  std::visit([&unpack](auto &each) { pass_fields(each, unpack); }, command.what);
  return command;
}

std::vector<int64_t> layout_numbers(const Layout &layout) {
  const Index &shape = layout.shape();
  const bool points = layout.points() != nullptr;
  std::vector<int64_t> numbers = {shape.n, layout.holes_declared() ? 1 : 0,
                                  points ? of_points : std::ssize(layout.patches())};
  const auto add = [&](const Index &index) { numbers.insert(numbers.end(), index.begin(), index.end()); };
  add(shape);
  for (int rank = 0; points && rank < layout.ranks(); ++rank) numbers.push_back(layout.cells_of_rank(rank));
  for (const Patch &patch : layout.patches()) {
    numbers.push_back(patch.rank);
    add(patch.box.start);
    add(patch.box.count);
  }
  return numbers;
}

std::shared_ptr<const Layout> layout_of_numbers(const int64_t *numbers, int ranks) {
  const auto dims = static_cast<int>(*numbers++);
  const bool holes = *numbers++ != 0;
  const int64_t count = *numbers++;
  const auto index = [&] {
    Index made(dims, 0);
    for (int d = 0; d < dims; ++d) made[d] = *numbers++;
    return made;
  };
  const Index shape = index();
  if (count == of_points)
    return std::make_shared<const Layout>(shape, std::vector<int64_t>(numbers, numbers + ranks),
                                          std::make_shared<PointTable>(ranks), holes);
  TableNumbers table(shape, ranks, static_cast<size_t>(count));
  for (int64_t p = 0; p < count; ++p) {
    const auto rank = static_cast<int>(*numbers++);
    const Index start = index(), size = index();
    table.add({rank, {start, size}, Index(dims, 0)});
  }
  return std::make_shared<const Layout>(shape, LayoutTable::of_its_own(table.numbers(holes)), holes);
}

EncodedMessage message_of(const std::string &text) {
  const auto *bytes = reinterpret_cast<const std::byte *>(text.data());
  return {bytes, bytes + text.size()};
}

EncodedMessage encoded(const Report &report) {
  Packer pack;
  Report::fields(report, pack);
  return std::move(pack.message);
}

Report decoded_report(const EncodedMessage &message) {
  Unpacker unpack(message);
  Report report;
  Report::fields(report, unpack);
  return report;
}

}  // namespace sv
