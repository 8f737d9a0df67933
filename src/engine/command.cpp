#include "engine/command.hpp"

#include <cstring>

#include "base/error.hpp"

namespace sv {

namespace {

constexpr int64_t of_points = -1;  // in the place of the number of patches

class Packer {
 public:
  template <class T>
  void number(T value) {
    const auto *first = reinterpret_cast<const std::byte *>(&value);
    letter_.insert(letter_.end(), first, first + sizeof value);
  }
  void bytes(const void *data, size_t size) {
    number(static_cast<int64_t>(size));
    const auto *first = static_cast<const std::byte *>(data);
    letter_.insert(letter_.end(), first, first + size);
  }
  Letter take() { return std::move(letter_); }

 private:
  Letter letter_;
};

class Unpacker {
 public:
  explicit Unpacker(const Letter &letter) : letter_(letter) {}
  template <class T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }
  template <class Container>
  Container bytes() {
    using T = typename Container::value_type;
    const auto size = number<int64_t>();
    Container all(static_cast<size_t>(size) / sizeof(T), T{});
    if (size > 0) std::memcpy(all.data(), take(static_cast<size_t>(size)), static_cast<size_t>(size));
    return all;
  }

 private:
  const std::byte *take(size_t size) {
    if (size > letter_.size() - at_) throw Error(Status::internal, "a letter that is too short", "Please report it");
    at_ += size;
    return letter_.data() + at_ - size;
  }
  const Letter &letter_;
  size_t at_ = 0;
};

}  // namespace

Letter encoded(const Command &command) {
  Packer packer;
  packer.number(command.what);
  packer.number(command.file);
  packer.bytes(command.text.data(), command.text.size());
  packer.bytes(command.numbers.data(), command.numbers.size() * sizeof(int64_t));
  packer.bytes(command.header.data(), command.header.size());
  return packer.take();
}

Command decoded(const Letter &letter) {
  Unpacker unpacker(letter);
  Command command{unpacker.number<Command::What>(), unpacker.number<int64_t>()};
  command.text = unpacker.bytes<std::string>();
  command.numbers = unpacker.bytes<std::vector<int64_t>>();
  command.header = unpacker.bytes<std::vector<std::byte>>();
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
  packer.number(report.kind);
  for (const int64_t each : {report.steps, report.durable_steps, report.file, report.status, report.written_bytes,
                             report.writes, report.memory_bytes})
    packer.number(each);
  packer.number(report.receive_seconds);
  packer.number(report.write_seconds);
  packer.bytes(report.text.data(), report.text.size());
  return packer.take();
}

Report decoded_report(const Letter &letter) {
  Unpacker unpacker(letter);
  Report report{.kind = unpacker.number<Report::Kind>()};
  for (int64_t *each : {&report.steps, &report.durable_steps, &report.file, &report.status, &report.written_bytes,
                        &report.writes, &report.memory_bytes})
    *each = unpacker.number<int64_t>();
  report.receive_seconds = unpacker.number<double>();
  report.write_seconds = unpacker.number<double>();
  report.text = unpacker.bytes<std::string>();
  return report;
}

}  // namespace sv
