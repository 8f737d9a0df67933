#include "promises.hpp"

#include <algorithm>
#include <sstream>

namespace svcrash {
namespace {

uint64_t hash_of(const Extent &extent) {
  return mix(static_cast<uint64_t>(extent.version), static_cast<uint64_t>(extent.records));
}

void raise(Extent &to, const Extent &from) { to = std::max(to, from); }

}  // namespace

std::string text_of(const Extent &extent) {
  return extent.version < 0
             ? "no file"
             : "version " + std::to_string(extent.version) + ", " + std::to_string(extent.records) + " records";
}

uint64_t FileStory::hash() const {
  uint64_t hash = mix(mix(hash_of(begun), hash_of(committed)), hash_of(durable));
  for (const Extent &each : complete) hash = mix(hash, hash_of(each));
  return mix(hash, (marker_after_kill ? 1 : 0) + (marker_after_power_loss ? 2 : 0));
}

uint64_t Promises::hash() const {
  uint64_t hash = mix(files.size(), static_cast<uint64_t>(streams_from));
  for (const auto &[name, description] : files) hash = mix(hash, description.hash());
  return hash;
}

bool Promises::promise(Crash crash) const {
  return std::any_of(files.begin(), files.end(), [&](const auto &each) {
    const FileStory &description = each.second;
    return !description.is_unpromised(crash) && (description.all_right(crash) || description.durable.version >= 0);
  });
}

void Promises::hear(const std::string &line) {
  std::istringstream words(line);
  std::string what, name;
  words >> what;
  if (what == "sizes") {
    words >> sizes.nz >> sizes.ny >> sizes.nx >> sizes.texts;
    return;
  }
  if (what == "streams") {
    int64_t step = 0;
    words >> step;
    streams_from = std::max(streams_from, step);
    return;
  }
  words >> name;
  FileStory &description = files[name];
  if (what == "file") {
    std::string kind, promise;
    words >> kind >> promise >> description.first >> description.pieces;
    description.published = kind == "published";
    description.of_streams = kind == "streams";
    description.counted = promise == "counted";
    description.nothing = promise == "nothing";
    description.when_closed = promise == "closed";
    description.killed = promise == "killed";
    return;
  }
  if (what == "version") {
    Version version;
    words >> version.number >> version.salt >> version.added_from;
    description.versions[version.number] = version;
    return;
  }
  if (what == "replacing") {
    description.durable = {};
    return;
  }
  Extent extent;
  words >> extent.version >> extent.records;
  if (words.fail()) give_up("a mark that nobody understands: " + line);
  const bool closes = what == "closing";
  if (what == "begin" || closes) raise(description.begun, extent);
  if (closes) description.complete.push_back(extent);
  if (what == "committed" || what == "closed") raise(description.committed, extent);
  if (what == "durable" || what == "kept") raise(description.durable, extent);
  if (what == "closed") description.marker_after_kill = !description.published;
  if (what == "kept") description.marker_after_power_loss = !description.published;
  if (what == "opened") description.marker_after_kill = description.marker_after_power_loss = false;
}

}  // namespace svcrash
