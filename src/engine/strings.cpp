#include "engine/strings.hpp"

#include <algorithm>
#include <utility>

#include "delivery/file_delivery.hpp"
#include "engine/growing.hpp"
#include "file/file_trace.hpp"
#include "file/store_calls.hpp"
#include "mpi/packets.hpp"
#include "transfer/subarray.hpp"

namespace sv {

namespace {

constexpr int64_t most_bytes = int64_t{1} << 30;  // of the strings of a rank, in a call

void check_variable(const File &file, int variable) {
  if (file.variable(variable).type != Type::string)
    throw Error(Status::type, "it contains values of type " + std::string(name_of(file.variable(variable).type)),
                "Put and get them with sv_put_vara and sv_get_vara");
  if (file.alone() != nullptr) throw Error(Status::order, "strings in independent access", "Call sv_end_indep first");
  if (!file.home().pieces(variable).empty() || !file.naming.variable_template.empty())
    throw Error(Status::unsupported, "strings in a set of files", "Write one file: set 'route' to ranges");
}

void check_written_here(const File &file) {
  if (!file.home().writes_here())
    throw Error(Status::unsupported, "strings in a file that servers write",
                "Set 'async.group: none' for this file, or write it without servers");
}

/// The texts of strings, each with a zero byte at its end, as they travel.
std::vector<std::byte> joined(std::span<const std::string> strings) {
  const Attribute all = string_attribute("", strings);
  return {all.values.begin(), all.values.end()};
}

std::vector<std::string> divided(std::span<const std::byte> bytes) {
  return strings_of({"", Type::string, 0, SmallBytes(bytes)});
}

void check_bytes(int64_t bytes) {
  if (bytes > most_bytes)
    throw Error(Status::limit, "strings of " + std::to_string(bytes) + " bytes on one rank, in one call",
                "Put and get at most 1 GiB at a time");
}

std::vector<int64_t> numbers_of(const Box &cells) {
  std::vector<int64_t> numbers;
  for (const Index *const part : {&cells.start, &cells.count})
    for (int d = 0; d < cells.dims(); ++d) numbers.push_back((*part)[d]);
  return numbers;
}

/// Collective. The cells of all ranks.
std::vector<Strided> all_cells(const Context &context, const Box &mine) {
  std::vector<Strided> all;
  for (const std::vector<int64_t> &numbers : all_values(context.comm, numbers_of(mine))) {
    Strided &each = all.emplace_back(Strided::dense(mine));
    for (int d = 0; d < mine.dims(); ++d) {
      each.start[d] = numbers[static_cast<size_t>(d)];
      each.count[d] = numbers[static_cast<size_t>(mine.dims() + d)];
    }
  }
  return all;
}

void touch(File &file, int variable, const std::vector<Strided> &cells) {
  const bool has_records = file.variable(variable).has_records;
  for (const Strided &each : cells) {
    if (each.empty()) continue;
    if (!has_records) file.ledger.touch(variable, -1);
    for (int64_t r = 0; has_records && r < each.count[0]; ++r) file.ledger.touch(variable, each.start[0] + r);
  }
}

/// Whether this rank writes strings for all.
bool is_writer(const File &file) { return file.context().rank() == owner_rank; }

/// The other ranks that have the file open know that there is something to commit.
void end_writing(File &file, int variable) {
  if (file.home().shares_calls()) file.home().store().deliver(variable, Delivery::later);
}

}  // namespace

void put_strings(File &file, int variable, const StringCells &part, std::span<const std::string> strings) {
  const auto &[cells, source] = part;
  const Strided mine = Strided::dense(cells);
  Context &context = file.context();
  PhaseTimer timer(context.metrics, Phase::write, subject_of(file, variable));
  const std::string call = call_text("sv_put_vara_string", file, variable, -1);
  const std::vector<std::byte> texts = joined(strings);
  grow_for(file, variable, mine);
  delivery_of(file).settle();
  agree(file, call, variable, [&] {
    file.check_writable();
    check_variable(file, variable);
    check_written_here(file);
    check_subarray(file, variable, mine, true);
    check_bytes(std::ssize(texts));
  });
  const std::vector<Strided> all = all_cells(context, cells);
  agree(file, call + ", its cells", variable, [&] {
    if (source == StringSource::first_rank || file.settings().overlap == Overlap::allow) return;
    if (const auto common = find_common_cell(all, context.rank()))
      throw Error(Status::layout, *common, "Put each cell once, or set 'overlap' to allow: then the higher rank wins");
  });
  std::vector<Packet> outgoing;
  const bool puts = source == StringSource::each_rank || context.rank() == 0;
  if (puts && !cells.empty()) outgoing.push_back({owner_rank, texts});
  const std::vector<Packet> incoming = context.comm.exchange(outgoing);
  or_fail(file, [&] {
    agree(file, call + ", written", variable, [&] {
      for (const Packet &each : incoming) {
        const Strided &of = all[static_cast<size_t>(each.rank)];
        file.home().store().write_strings(variable, {of.start, of.count}, divided(each.bytes));
      }
      end_writing(file, variable);
    });
  });
  touch(file, variable, all);
}

namespace {

/// The rank that reads strings for all.
std::vector<std::string> read_here(File &file, int variable, const Box &cells) {
  Home &home = file.home();
  const bool is_open = home.readers() == Readers::owners_only;
  return is_open ? home.store().read_strings(variable, cells) : home.lone_reader().read_strings(variable, cells);
}

/// Whether all ranks that read something read the same cells.
bool are_same(const std::vector<Strided> &all) {
  const Strided *first = nullptr;
  for (const Strided &each : all) {
    if (each.empty()) continue;
    if (first != nullptr && (first->start != each.start || first->count != each.count)) return false;
    if (first == nullptr) first = &each;
  }
  return first != nullptr;
}

/// The strings of each rank; where all read the same, of one.
std::vector<Packet> packets_for(File &file, int variable, const std::vector<Strided> &all) {
  std::vector<Packet> outgoing;
  for (int rank = 0; rank < std::ssize(all); ++rank) {
    const Strided &each = all[static_cast<size_t>(rank)];
    if (each.empty()) continue;
    outgoing.push_back({rank, joined(read_here(file, variable, {each.start, each.count}))});
    check_bytes(std::ssize(outgoing.back().bytes));
    if (are_same(all)) break;
  }
  return outgoing;
}

}  // namespace

std::vector<std::string> get_strings(File &file, int variable, const Box &cells) {
  constexpr int reader = 0;
  Context &context = file.context();
  PhaseTimer timer(context.metrics, Phase::read, subject_of(file, variable));
  const std::string call = call_text("sv_get_vara_string", file, variable, -1);
  delivery_of(file).settle();
  agree(file, call, variable, [&] {
    check_readable(file);
    check_variable(file, variable);
    check_subarray(file, variable, Strided::dense(cells), false);
  });
  const std::vector<Strided> all = all_cells(context, cells);
  std::vector<Packet> packets;
  agree(file, call + ", read", variable, [&] {
    if (context.rank() == reader) packets = packets_for(file, variable, all);
  });
  if (are_same(all)) {
    std::string texts;
    if (!packets.empty())
      texts.assign(reinterpret_cast<const char *>(packets.front().bytes.data()), packets.front().bytes.size());
    context.comm.broadcast(texts, reader);
    return cells.empty() ? std::vector<std::string>() : divided(std::as_bytes(std::span(texts)));
  }
  const std::vector<Packet> mine = context.comm.exchange(packets);
  return mine.empty() ? std::vector<std::string>() : divided(mine.front().bytes);
}

Box cells_of_record(const File &file, int variable, int64_t record) {
  file.check_record(variable, record, false);
  const Variable &of = file.variable(variable);
  Box cells;
  for (const int dim : of.dims) {
    cells.start.push(0);
    cells.count.push(file.schema().length_of(dim));
  }
  if (!of.has_records) return cells;
  cells.start[0] = record;
  cells.count[0] = 1;
  return cells;
}

void copy_strings(File &file, Reader &from, const WrittenSlab &to, int64_t from_record) {
  const Box cells = cells_of_record(file, to.variable, to.record);
  Box old = cells;
  if (to.record >= 0) old.start[0] = from_record;
  if (is_writer(file)) file.home().store().write_strings(to.variable, cells, from.read_strings(to.variable, old));
  end_writing(file, to.variable);
}

void copy_strings(const SlabName &from, const SlabName &to) {
  const auto located_cells = [](const SlabName &of) { return cells_of_record(of.file, of.variable, of.record); };
  or_fail(to.file, [&] {
    agree(to.file, "copied strings of " + to.file.name_of(to.variable), to.variable, [&] {
      if (is_writer(to.file))
        to.file.home().store().write_strings(to.variable, located_cells(to),
                                             read_here(from.file, from.variable, located_cells(from)));
      end_writing(to.file, to.variable);
    });
  });
  to.file.ledger.touch(to.variable, to.record);
}

}  // namespace sv
