#include "transfer/alone.hpp"

#include <algorithm>

#include "file/home.hpp"
#include "file/steps.hpp"
#include "transfer/facts.hpp"
#include "transfer/request_rows.hpp"
#include "transfer/slab_reading.hpp"
#include "transfer/subarray.hpp"

namespace sv {

namespace {

constexpr int64_t batch_bytes = 4 << 20;

/// Parts of one request, which are moved in batches. Those that need staging have bounded memory for it.
template <class Row>
class AloneBatches {
 public:
  static constexpr bool puts = std::is_same_v<Row, PackRow>;
  AloneBatches(File &file, const Request &request)
      : file_(file), request_(request), all_{&request}, rows_(file, all_), bytes_(size_of(type())) {}

  void run();

 private:
  struct Part {
    Slab slab;
    Piece piece;
    std::byte *run;  // of the program's memory, as in the file; nullptr: it needs staging

    int64_t elements() const { return slab.last - slab.first; }
  };
  Type type() const { return file_.variable(request_.variable).type; }
  void add_region(int place);
  void add(const Part &part);
  void move();

  File &file_;
  const Request &request_;
  const std::vector<const Request *> all_;
  RequestRows<Row> rows_;
  const int64_t bytes_;
  std::vector<Part> parts_;
  int64_t elements_ = 0;
  std::vector<std::byte> staging_;
};

template <class Row>
void AloneBatches<Row>::run() {
  for (int64_t i = 0; i < request_.regions.size(); ++i) {
    add_region(static_cast<int>(i));
    if (!puts) move();  // reads of one call of the store must not overlap
  }
  move();
  rows_.count_range_errors();
  if (const auto error = rows_.errors().front()) throw Error(*error);
}

template <class Row>
void AloneBatches<Row>::add_region(int place) {
  const Strided region = request_.regions.at(place);
  if (region.empty()) return;
  const bool has_records = file_.variable(request_.variable).has_records;
  const Strided cells = has_records ? region.without_record() : region;
  const Index divisions = divisions_of(cells);
  const int64_t parts = divisions.product(), records = has_records ? region.count[0] : 1;
  const int rank = file_.context().rank();
  for (int64_t r = 0; r < records; ++r) {
    const int64_t record = has_records ? region.start[0] + r * region.stride[0] : 0;
    for (int64_t number = 0; number < parts; ++number) {
      const Claim claim{rank, 0, part_of(cells, divisions, number, rank).box, place};
      const Piece piece = piece_of(request_, claim, record);
      std::byte *const run = unconverted_run_of(piece, claim.box, rows_.of(0));
      const int64_t elements = claim.box.elements(), step = (run != nullptr ? direct_bytes : batch_bytes) / bytes_;
      for (int64_t at = 0; at < elements; at += step)
        add({{request_.variable, record, claim.box, at, std::min(at + step, elements)},
             piece,
             run != nullptr ? run + at * bytes_ : nullptr});
    }
  }
}

template <class Row>
void AloneBatches<Row>::add(const Part &part) {
  if ((elements_ + part.elements()) * bytes_ > batch_bytes) move();
  parts_.push_back(part);
  elements_ += part.elements();
}

template <class Row>
void AloneBatches<Row>::move() {
  int64_t staged = 0;
  for (const Part &each : parts_)
    if (each.run == nullptr) staged += each.elements() * bytes_;
  staging_.resize(static_cast<size_t>(staged));
  std::vector<SlabPart> moved;
  std::byte *at = staging_.data();
  for (const Part &each : parts_) {
    const int64_t bytes = each.elements() * bytes_;
    moved.push_back({each.slab, {each.run != nullptr ? each.run : at, static_cast<size_t>(bytes)}, false});
    if (each.run == nullptr) at += bytes;
  }
  Store &store = file_.home().store();
  const auto convert = [&](auto &&action) {
    for (size_t i = 0; i < parts_.size(); ++i) {
      if (parts_[i].run != nullptr) continue;
      const Slab &slab = parts_[i].slab;
      rows_.took(0, action(parts_[i].piece, Share{slab.box, slab.first, slab.last}, rows_.of(0), Form::in_place,
                           moved[i].values.data()));
    }
  };
  if constexpr (puts) {
    convert([](auto &&...all) { return pack(all...); });
    store.write_many(moved);
  } else {
    store.read_many(moved);
    convert([](auto &&...all) { return unpack(all...); });
  }
  parts_.clear();
  elements_ = 0;
}

}  // namespace

std::vector<WrittenSlab> slabs_of(const File &file, const Request &request) {
  const bool has_records = file.variable(request.variable).has_records;
  std::vector<WrittenSlab> slabs;
  for (const Strided &region : request.regions) {
    if (region.empty()) continue;
    for (int64_t r = 0; r < (has_records ? region.count[0] : 1); ++r)
      slabs.push_back({request.variable, has_records ? region.start[0] + r * region.stride[0] : -1});
  }
  return slabs;
}

bool needs_no_other_rank(const File &file, const Request &request) {
  if (!file.context().gate.is_of_one()) return false;
  const auto fills = [&] {
    if (request.direction == Direction::read || !file.settings().fill) return false;
    const std::vector<WrittenSlab> slabs = slabs_of(file, request);
    return std::any_of(slabs.begin(), slabs.end(),
                       [&](const WrittenSlab &each) { return !file.ledger.touched(each.variable, each.record); });
  };
  const bool puts = request.direction == Direction::write;
  Facts facts = puts ? writing_facts(file, request.variable) : reading_facts(file);
  facts.form = Facts::Form::list;
  facts.bytes = bytes_of(request);
  facts.one_block = request.kind == RequestArgs::Kind::regions && request.regions.size() == 1 && !request.as_in_file &&
                    file.trace == nullptr;
  facts.fills = LazyFact::by(fills);
  return facts.one_block && (puts ? writing_strategy(facts) : reading_strategy(facts)) == Strategy::independent;
}

void move_alone(File &file, const Request &request) {
  if (request.direction == Direction::write) return AloneBatches<PackRow>(file, request).run();
  AloneBatches<UnpackRow>(file, request).run();
  return_to_device(request);
}

void end_indep(File &file) {
  if (file.alone() == nullptr) return;
  const std::string call = "sv_end_indep('" + file.path() + "')";
  or_fail(file, [&] {
    const auto check = [&] {
      if (file.alone()->failure) throw Error(*file.alone()->failure);
    };
    const Max<int64_t> records = agree(file, call, -1, check, Max<int64_t>(file.alone()->records));
    if (file.mode != Mode::read) file.ledger.put_alone(records);
  });
  file.enter({});
}

}  // namespace sv
