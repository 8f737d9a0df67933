#include "delivery/arrived_runs.hpp"

#include "file/home.hpp"

namespace sv {

std::vector<SliceInParts::Run> runs_of(const Slab &share, const std::vector<Segment> &written, int64_t element_bytes) {
  std::vector<SliceInParts::Run> runs;
  for (const Segment &part : written)
    runs.push_back({{share.variable, share.record, share.box, part.first, part.last},
                    (part.first - share.first) * element_bytes,
                    (part.last - part.first) * element_bytes});
  return runs;
}

void add_runs(std::vector<ArrivedRun> &all, const std::vector<SliceInParts::Run> &runs, std::byte *slice) {
  for (const SliceInParts::Run &run : runs)
    all.push_back({run.slab, {slice + run.begin_bytes, static_cast<size_t>(run.bytes)}});
}

void write_runs(const File &file, Store &store, const std::vector<ArrivedRun> &runs) {
  if (file.home().maker.kind().placing != Placing::by_chunk) {
    for (const ArrivedRun &run : runs) store.write(run.slab, run.values);
    return;
  }
  std::vector<SlabPart> parts;
  for (const ArrivedRun &run : runs) parts.push_back({run.slab, run.values, false});
  store.write_many(parts);
}

}  // namespace sv
