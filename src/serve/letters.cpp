#include "serve/letters.hpp"

#include <cstring>

#include "base/error.hpp"

namespace sv {

namespace {

constexpr int64_t of_points = -1;  // in the place of the number of patches

/// Appends what it is given to a letter.
class Packer {
 public:
  template <class... Values>
  void operator()(const Values &...values) {
    (pack(values), ...);
  }
  Letter take() { return std::move(letter_); }

 private:
  template <class T>
  void pack(const T &value) {
    bytes(&value, sizeof value);
  }
  void pack(const std::string &text) { pack_all(text); }
  template <class T>
  void pack(const std::vector<T> &values) {
    pack_all(values);
  }
  template <class Container>
  void pack_all(const Container &values) {
    pack(std::ssize(values));
    bytes(values.data(), values.size() * sizeof *values.data());
  }
  void bytes(const void *data, size_t size) {
    const auto *first = static_cast<const std::byte *>(data);
    letter_.insert(letter_.end(), first, first + size);
  }

  Letter letter_;
};

/// Takes it out again, in the same order.
class Unpacker {
 public:
  explicit Unpacker(const Letter &letter) : letter_(letter) {}
  template <class... Values>
  void operator()(Values &...values) {
    (unpack(values), ...);
  }

 private:
  template <class T>
  void unpack(T &value) {
    std::memcpy(&value, take(sizeof value), sizeof value);
  }
  void unpack(std::string &text) { unpack_all(text); }
  template <class T>
  void unpack(std::vector<T> &values) {
    unpack_all(values);
  }
  template <class Container>
  void unpack_all(Container &values) {
    std::ptrdiff_t size = 0;
    unpack(size);
    const size_t bytes = static_cast<size_t>(size) * sizeof *values.data();
    const std::byte *const from = take(bytes);
    values.resize(static_cast<size_t>(size));
    if (bytes > 0) std::memcpy(values.data(), from, bytes);
  }
  const std::byte *take(size_t size) {
    if (size > letter_.size() - at_) throw Error(Status::internal, "a letter that is too short", "Please report it");
    at_ += size;
    return letter_.data() + at_ - size;
  }
  const Letter &letter_;
  size_t at_ = 0;
};

// What is in each letter: for both.
template <class Io>
void pass(Io &io, auto &letter) {
  using Letter = std::remove_cvref_t<decltype(letter)>;
  if constexpr (std::is_same_v<Letter, TellLayout>) {
    io(letter.id, letter.numbers);
  } else if constexpr (std::is_same_v<Letter, CreateFile>) {
    io(letter.path, letter.format, letter.surroundings, letter.header, letter.kind, letter.exclusive);
  } else if constexpr (std::is_same_v<Letter, OpenFile>) {
    io(letter.path, letter.format, letter.surroundings, letter.header, letter.writes);
  } else if constexpr (std::is_same_v<Letter, RedefineFile>) {
    io(letter.header);
  } else if constexpr (std::is_base_of_v<MovedField, Letter>) {
    io(letter.variable, letter.record, letter.layout, letter.first_axis, letter.first_round);
  } else if constexpr (std::is_same_v<Letter, DefineFixed>) {
    io(letter.variables);
  } else if constexpr (std::is_same_v<Letter, CloseFile>) {
    io(letter.completes);
  } else if constexpr (std::is_same_v<Letter, Flush>) {
    io(letter.level);
  } else if constexpr (std::is_same_v<Letter, Report>) {
    io(letter.kind, letter.steps, letter.durable_steps, letter.file, letter.status, letter.receive_seconds,
       letter.write_seconds, letter.written_bytes, letter.writes, letter.memory_bytes, letter.text);
  } else {
    static_assert(std::is_empty_v<Letter>);
  }
}

/// The empty letter of kind `index`.
template <size_t Kind = 0>
Command::What made(size_t index) {
  if constexpr (Kind < std::variant_size_v<Command::What>) {
    return index == Kind ? Command::What(std::in_place_index<Kind>) : made<Kind + 1>(index);
  } else {
    throw Error(Status::internal, "a letter of no known kind", "Please report it");
  }
}

}  // namespace

const MovedField *Command::field() const {
  if (const auto *put = std::get_if<PutField>(&what)) return put;
  return std::get_if<GetField>(&what);
}

Letter encoded(const Command &command) {
  Packer packer;
  packer(command.file, command.what.index());
  std::visit([&packer](const auto &letter) { pass(packer, letter); }, command.what);
  return packer.take();
}

Command decoded(const Letter &letter) {
  Unpacker unpacker(letter);
  Command command;
  size_t index = 0;
  unpacker(command.file, index);
  command.what = made(index);
  std::visit([&unpacker](auto &told) { pass(unpacker, told); }, command.what);
  return command;
}

std::vector<int64_t> layout_numbers(const Layout &layout) {
  const Index &shape = layout.shape();
  const bool points = layout.points() != nullptr;
  std::vector<int64_t> numbers = {shape.n, layout.holes_declared() ? 1 : 0,
                                  points ? of_points : std::ssize(layout.patches())};
  const auto add = [&](const Index &index) {
    numbers.insert(numbers.end(), index.v.begin(), index.v.begin() + index.n);
  };
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
  std::vector<Patch> patches;
  for (int64_t p = 0; p < count; ++p) {
    const auto rank = static_cast<int>(*numbers++);
    const Index start = index(), size = index();
    patches.push_back({rank, {start, size}, Index(dims, 0)});
  }
  return std::make_shared<const Layout>(shape, ranks, std::move(patches), holes);
}

Letter letter_of(const std::string &text) {
  const auto *bytes = reinterpret_cast<const std::byte *>(text.data());
  return {bytes, bytes + text.size()};
}

Letter encoded(const Report &report) {
  Packer packer;
  pass(packer, report);
  return packer.take();
}

Report decoded_report(const Letter &letter) {
  Unpacker unpacker(letter);
  Report report;
  pass(unpacker, report);
  return report;
}

}  // namespace sv
