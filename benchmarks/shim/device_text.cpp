#include "device_text.hpp"

#include <cstdlib>
#include <cstring>

namespace sv_shim {

namespace {

struct Unit {
  const char *name;
  double factor;
};
constexpr Unit rates[] = {{"kB/s", 1e3},     {"MB/s", 1e6},        {"GB/s", 1e9},
                          {"KiB/s", 1024.0}, {"MiB/s", 1048576.0}, {"GiB/s", 1073741824.0}};
constexpr Unit times[] = {{"ms", 1e6}, {"us", 1e3}, {"s", 1e9}};
constexpr Unit sizes[] = {{"kB", 1e3}, {"MB", 1e6}, {"KiB", 1024.0}, {"MiB", 1048576.0}, {"GiB", 1073741824.0}};
constexpr Unit none[] = {{"", 1}};

// A number and one of the units; false if it is anything else. `text` then stands behind it.
template <int n>
bool read_quantity(const char *&text, const Unit (&units)[n], double &value) {
  char *end = nullptr;
  const double number = std::strtod(text, &end);
  if (end == text || !(number >= 0 && number < 1e9)) return false;
  for (const Unit &unit : units) {
    const size_t length = std::strlen(unit.name);
    if (std::strncmp(end, unit.name, length) != 0) continue;
    value = number * unit.factor;
    text = end + length;
    return true;
  }
  return false;
}

// `key` stands at the text; it then stands behind it.
bool skip(const char *&text, const char *key) {
  const size_t length = std::strlen(key);
  if (std::strncmp(text, key, length) != 0) return false;
  text += length;
  return true;
}

struct Parts {
  double bytes_per_second = 0, latency_ns = 0, targets = 0, stripe_bytes = 1 << 20, stripes = 0, handover_ns = 0;
  FileSystem file_system = FileSystem::none;
};

bool read_part(const char *&text, Parts &parts) {
  if (skip(text, "targets=")) return read_quantity(text, none, parts.targets);
  if (skip(text, "stripe=")) return read_quantity(text, sizes, parts.stripe_bytes);
  if (skip(text, "stripes=")) return read_quantity(text, none, parts.stripes);
  if (skip(text, "handover=")) return read_quantity(text, times, parts.handover_ns);
  if (skip(text, "lustre")) return (parts.file_system = FileSystem::lustre, true);
  if (skip(text, "beegfs")) return (parts.file_system = FileSystem::beegfs, true);
  return read_quantity(text, times, parts.latency_ns);
}

bool is_whole(double value, double least, double most) {
  return value >= least && value <= most && value == static_cast<double>(static_cast<int64_t>(value));
}

}  // namespace

const char *read_device(const char *text, Device &device) {
  constexpr const char *remedy =
      "Give a rate and perhaps a latency, and of a striped device targets, and perhaps the size of its stripes, the "
      "targets of a file, the time of a hand-over, and lustre or beegfs: 500MB/s or 1GB/s,0.5ms or "
      "125MB/s,targets=16,stripe=1MiB,stripes=4,handover=2ms,lustre";
  Parts parts;
  bool good = read_quantity(text, rates, parts.bytes_per_second) && parts.bytes_per_second > 0;
  while (good && *text == ',') good = read_part(++text, parts);
  if (!good || *text != '\0') return remedy;
  const bool striped = parts.targets != 0;
  if (!striped && (parts.stripes != 0 || parts.handover_ns != 0 || parts.stripe_bytes != Parts{}.stripe_bytes ||
                   parts.file_system != FileSystem::none))
    return "stripe=, stripes=, handover=, lustre and beegfs are of a device with targets=";
  if (striped && !is_whole(parts.targets, 1, max_targets)) return "targets= is from 1 to 256";
  if (!is_whole(parts.stripe_bytes, 4096, 1 << 30)) return "stripe= is from 4KiB to 1GiB";
  if (parts.stripes == 0) parts.stripes = striped ? parts.targets : 1;
  if (striped && !is_whole(parts.stripes, 1, parts.targets)) return "stripes= is from 1 to the number of targets";
  device = {parts.bytes_per_second / 1e9,
            static_cast<int64_t>(parts.latency_ns),
            striped,
            striped ? static_cast<int>(parts.targets) : 1,
            static_cast<int64_t>(parts.stripe_bytes),
            static_cast<int>(parts.stripes),
            static_cast<int64_t>(parts.handover_ns),
            parts.file_system};
  return nullptr;
}

}  // namespace sv_shim
