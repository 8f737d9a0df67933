#include "transfer/request_codec.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "file/file.hpp"

namespace sv {

namespace {

using Numbers = std::vector<int64_t>;
using RecordKey = std::array<int64_t, 3>;  // first, count, apart

/// Takes numbers from the front.
class NumberReader {
 public:
  explicit NumberReader(std::span<const int64_t> numbers) : rest_(numbers) {}
  bool at_end() const { return rest_.empty(); }
  int64_t next() {
    const int64_t number = rest_.front();
    rest_ = rest_.subspan(1);
    return number;
  }

 private:
  std::span<const int64_t> rest_;
};

void append(Numbers &numbers, int place, const Strided &cells) {
  numbers.push_back(place);
  for (int d = 0; d < cells.dims(); ++d)
    for (const Index *part : {&cells.start, &cells.count, &cells.stride}) numbers.push_back((*part)[d]);
}

/// The regions of a request by the records they are about: number of dimensions, number of regions, the regions.
std::map<RecordKey, Numbers> by_records(const Request &request, bool has_records) {
  std::map<RecordKey, Numbers> groups;
  for (int64_t r = 0; r < request.regions.size(); ++r) {
    const Strided region = request.regions.at(r);
    if (region.empty()) continue;
    const RecordKey key =
        has_records ? RecordKey{region.start[0], region.count[0], region.stride[0]} : RecordKey{0, 1, 1};
    const Strided cells = has_records ? region.without_record() : region;
    Numbers &numbers = groups.try_emplace(key, Numbers{cells.dims(), 0}).first->second;
    ++numbers[1];
    append(numbers, static_cast<int>(r), cells);
  }
  return groups;
}

RegionSet read_set(NumberReader &reader, int id) {
  RegionSet set{id, {}};
  const auto dims = static_cast<int>(reader.next());
  set.regions.resize(static_cast<size_t>(reader.next()));
  for (RegionSet::Region &region : set.regions) {
    region.place = static_cast<int>(reader.next());
    region.cells = Strided::dense({Index(dims, 0), Index(dims, 0)});
    for (int d = 0; d < dims; ++d)
      for (Index *part : {&region.cells.start, &region.cells.count, &region.cells.stride}) (*part)[d] = reader.next();
  }
  return set;
}

}  // namespace

void RequestMemory::bound() {
  constexpr int64_t most_regions = 1 << 17, most_claims = 1 << 18;  // 60 MB, 80 MB
  if (regions > most_regions || claims > most_claims) *this = {};
}

Encoded encoded(const RequestList &list, const RequestMemory &memory) {
  Encoded made;
  if (list.mine.empty()) return made;
  std::vector<const Numbers *> in_order;
  Numbers requests;
  for (size_t i = 0; i < list.mine.size(); ++i) {
    const Request &each = *list.mine[i];
    const bool whole = each.kind != RequestArgs::Kind::regions;
    auto groups = by_records(each, list.file.variable(each.variable).has_records);
    for (const int64_t number :
         {static_cast<int64_t>(list.places[i]), static_cast<int64_t>(each.variable), static_cast<int64_t>(each.kind),
          static_cast<int64_t>(each.decomp), whole ? int64_t{1} : static_cast<int64_t>(groups.size())})
      requests.push_back(number);
    if (whole)
      for (const int64_t number : {std::max<int64_t>(0, each.record), int64_t{1}, int64_t{1}, int64_t{-1}})
        requests.push_back(number);
    for (auto &[records, regions] : groups) {
      requests.insert(requests.end(), records.begin(), records.end());
      if (const auto known = memory.registered.find(regions); known != memory.registered.end()) {
        requests.push_back(known->second);
        continue;
      }
      const auto number = static_cast<int64_t>(memory.registered.size() + made.fresh.size());
      const auto [found, added] = made.fresh.try_emplace(std::move(regions), number);
      if (added) in_order.push_back(&found->first);
      requests.push_back(found->second);
    }
  }
  made.numbers.push_back(static_cast<int64_t>(in_order.size()));
  for (const Numbers *each : in_order) made.numbers.insert(made.numbers.end(), each->begin(), each->end());
  made.numbers.insert(made.numbers.end(), requests.begin(), requests.end());
  return made;
}

void decode(int rank, std::span<const int64_t> numbers, RequestMemory &memory, std::vector<Entry> &entries) {
  if (numbers.empty()) return;
  NumberReader reader(numbers);
  const auto of = static_cast<size_t>(std::max(rank, 0));
  memory.of_rank.resize(std::max(memory.of_rank.size(), of + 1));
  std::vector<const RegionSet *> &sets = memory.of_rank[of];
  for (int64_t n = reader.next(); n > 0; --n) {
    memory.sets.push_back(read_set(reader, static_cast<int>(memory.sets.size())));
    memory.regions += static_cast<int64_t>(memory.sets.back().regions.size());
    sets.push_back(&memory.sets.back());
  }
  for (int request = 0; !reader.at_end(); ++request) {
    Entry entry{
        rank, request, static_cast<int>(reader.next()), static_cast<int>(reader.next()), RequestArgs::Kind::regions,
        -1,   {}};
    entry.kind = static_cast<RequestArgs::Kind>(reader.next());
    entry.decomp = reader.next();
    for (int64_t groups = reader.next(); groups > 0; --groups) {
      entry.records = {reader.next(), reader.next(), reader.next()};
      const int64_t set = reader.next();
      entry.regions = set < 0 ? nullptr : sets.at(static_cast<size_t>(set));
      entries.push_back(entry);
    }
  }
}

}  // namespace sv
