#include "trace/tables.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <ctime>

namespace sv::trace {

namespace {

struct Shape {
  int64_t capacity, entry_bytes;
};
// In the order of SectionIndex; the ring's capacity is not known here.
constexpr Shape shapes[sections] = {{functions_at_most, sizeof(Function)},
                                    {paths_at_most, sizeof(Path)},
                                    {files_at_most, sizeof(File)},
                                    {variables_at_most, sizeof(Variable)},
                                    {text_at_most, 1},
                                    {notes_at_most, sizeof(Note)},
                                    {totals_at_most, sizeof(Total)},
                                    {paths_at_most, sizeof(Total)},
                                    {threads_at_most, sizeof(Thread)},
                                    {0, sizeof(Slot)}};

int64_t whole_pages(int64_t bytes) { return (bytes + page_bytes - 1) / page_bytes * page_bytes; }

std::atomic<uint64_t> recorders_made{0};

void raise_to(std::atomic<int64_t> &most, int64_t value) {
  int64_t known = most.load(std::memory_order_relaxed);
  while (known < value && !most.compare_exchange_weak(known, value, std::memory_order_relaxed)) continue;
}

}  // namespace

int64_t bytes_before_ring() {
  int64_t bytes = whole_pages(sizeof(Header));
  for (const Shape &shape : shapes) bytes += whole_pages(shape.capacity * shape.entry_bytes);
  return bytes;
}

Tables::Tables(const std::string &path, int64_t ring_bytes)
    : mapped_(path, bytes_before_ring() + ring_bytes, bytes_before_ring()), number_(++recorders_made) {
  int64_t at = whole_pages(sizeof(Header));
  for (uint32_t s = 0; s < sections; ++s) {
    Section &section = header().sections[s];
    section.offset_bytes = at;
    section.entry_bytes = shapes[s].entry_bytes;
    section.capacity = s == section_ring ? ring_bytes / static_cast<int64_t>(sizeof(Slot)) : shapes[s].capacity;
    at += whole_pages(section.capacity * section.entry_bytes);
  }
  header().file_bytes = at;
  // Number 0 is none.
  for (const SectionIndex index : {section_functions, section_paths, section_files, section_variables})
    section(index).used = 1;
  section(section_path_totals).used = section(section_path_totals).capacity;
  section(section_threads).used = section(section_threads).capacity;
}

int64_t Tables::now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::max<int64_t>(now.tv_sec * int64_t{1000000000} + now.tv_nsec - header().start_monotonic_ns, 1);
}

// Under the lock of the section's index.
uint32_t Tables::next_entry(SectionIndex index, int64_t at_most) {
  Section &s = section(index);
  const int64_t next = s.used.load(std::memory_order_relaxed);
  if (next < at_most) return static_cast<uint32_t>(next);
  s.lost.fetch_add(1, std::memory_order_relaxed);
  return 0;
}

// Its offset in section_text; -1 where there is no room.
int64_t Tables::keep_text(std::string_view text) {
  const Lock::Held held(text_lock_);
  Section &s = section(section_text);
  const int64_t at = s.used.load(std::memory_order_relaxed);
  if (static_cast<int64_t>(text.size()) > s.capacity - at) {
    s.lost.fetch_add(1, std::memory_order_relaxed);
    return -1;
  }
  std::memcpy(entries<char>(section_text) + at, text.data(), text.size());
  s.used.store(at + static_cast<int64_t>(text.size()), std::memory_order_release);
  return at;
}

std::string_view Tables::text(int64_t offset, int64_t bytes) {
  return {entries<char>(section_text) + offset, static_cast<size_t>(bytes)};
}

uint32_t Tables::function(Layer layer, std::string_view name) {
  Function *const all = entries<Function>(section_functions);
  name = name.substr(0, sizeof(Function::name) - 1);
  return functions_.find_or_make(
      hash_of(name, mixed(static_cast<uint64_t>(layer))),
      [&](uint32_t number) { return all[number].layer == layer && name == all[number].name; },
      [&] {
        const uint32_t number = next_entry(section_functions, functions_at_most);
        if (number == 0) return number;
        all[number].layer = layer;
        std::memcpy(all[number].name, name.data(), name.size());
        section(section_functions).used.store(number + 1, std::memory_order_release);
        return number;
      });
}

uint32_t Tables::file(std::string_view path) {
  File *const all = entries<File>(section_files);
  return files_.find_or_make(
      hash_of(path), [&](uint32_t number) { return path == text(all[number].text_offset, all[number].text_bytes); },
      [&]() -> uint32_t {
        const uint32_t number = next_entry(section_files, files_at_most);
        const int64_t at = number == 0 ? -1 : keep_text(path);
        if (at < 0) return 0;
        all[number] = {at, static_cast<int64_t>(path.size())};
        section(section_files).used.store(number + 1, std::memory_order_release);
        return number;
      });
}

uint32_t Tables::variable(uint32_t file, int32_t id, std::string_view name) {
  Variable *const all = entries<Variable>(section_variables);
  return variables_.find_or_make(
      hash_of(name, mixed(uint64_t{file} << 32 | static_cast<uint32_t>(id))),
      [&](uint32_t number) {
        const Variable &one = all[number];
        return one.file == file && one.id == id && name == text(one.text_offset, one.text_bytes);
      },
      [&]() -> uint32_t {
        const uint32_t number = next_entry(section_variables, variables_at_most);
        const int64_t at = number == 0 ? -1 : keep_text(name);
        if (at < 0) return 0;
        all[number] = {file, id, at, static_cast<int64_t>(name.size())};
        section(section_variables).used.store(number + 1, std::memory_order_release);
        return number;
      });
}

uint32_t Tables::path(uint32_t caller, uint32_t function) {
  const uint32_t found = make_path(caller, function);
  return found != 0 || caller == lost_caller ? found : make_path(lost_caller, function);
}

// The last paths are kept for one of each function whose caller is not known any more.
uint32_t Tables::make_path(uint32_t caller, uint32_t function) {
  Path *const all = entries<Path>(section_paths);
  return paths_.find_or_make(
      mixed(uint64_t{caller} << 32 | function),
      [&](uint32_t number) { return all[number].caller == caller && all[number].function == function; },
      [&] {
        const int64_t at_most = caller == lost_caller ? paths_at_most : paths_at_most - functions_at_most;
        const uint32_t number = next_entry(section_paths, at_most);
        if (number == 0) return number;
        all[number] = {caller, function};
        section(section_paths).used.store(number + 1, std::memory_order_release);
        return number;
      });
}

int64_t Tables::note(std::string_view json, uint32_t file) {
  const int64_t number = section(section_notes).used.fetch_add(1, std::memory_order_relaxed);
  const int64_t at = number < notes_at_most ? keep_text(json) : -1;
  if (number >= notes_at_most) {
    section(section_notes).used.fetch_sub(1, std::memory_order_relaxed);
    section(section_notes).lost.fetch_add(1, std::memory_order_relaxed);
  }
  if (at < 0) return -1;
  Note &note = entries<Note>(section_notes)[number];
  note.time_ns = now_ns();
  note.text_offset = at;
  note.text_bytes = static_cast<int64_t>(json.size());
  note.file = file;
  note.complete.store(1, std::memory_order_release);
  return number;
}

Thread *Tables::claim_thread(int32_t tid) {
  Thread *const all = entries<Thread>(section_threads);
  const auto has = [](int32_t other) {
    return [other](const Thread &thread) { return thread.tid.load(std::memory_order_relaxed) == other; };
  };
  const Lock::Held held(threads_lock_);
  Thread *const end = all + threads_at_most;
  Thread *found = std::find_if(all, end, has(tid));
  if (found == end) found = std::find_if(all, end, has(0));
  if (found == end) {  // of a thread that has ended
    const int saved = errno;
    found = std::find_if(all, end, [](const Thread &thread) {
      return syscall(SYS_tgkill, getpid(), thread.tid.load(std::memory_order_relaxed), 0) != 0 && errno == ESRCH;
    });
    errno = saved;
    if (found != end) found->depth.store(0, std::memory_order_relaxed);
  }
  if (found == end) {
    section(section_threads).lost.fetch_add(1, std::memory_order_relaxed);
    return nullptr;
  }
  found->tid.store(tid, std::memory_order_relaxed);
  return found;
}

void Tables::record(uint32_t path, const Event &event, std::span<const int64_t> arguments, uint16_t thread) {
  count(total(key_of(path, event.file, event.variable), path), event);
  append(path, event, arguments, thread);
  const int64_t end = event.start_ns + event.duration_ns;
  raise_to(header().latest_ns, end);
  if ((header().flags.load(std::memory_order_relaxed) & ended) != 0) raise_to(header().end_ns, end);
}

Total &Tables::total(uint64_t key, uint32_t path) {
  Total *const table = entries<Total>(section_totals);
  Section &s = section(section_totals);
  for (uint64_t at = mixed(key);; ++at) {
    Total &here = table[at % totals_at_most];
    uint64_t found = here.key.load(std::memory_order_acquire);
    // Some stay free, so that looking ends soon.
    if (found == 0 && s.used.load(std::memory_order_relaxed) >= int64_t{totals_at_most} / 8 * 7) break;
    if (found == 0 && here.key.compare_exchange_strong(found, key, std::memory_order_acq_rel)) {
      s.used.fetch_add(1, std::memory_order_relaxed);
      return here;
    }
    if (found == key) return here;
  }
  s.lost.fetch_add(1, std::memory_order_relaxed);
  Total &rest = entries<Total>(section_path_totals)[path];
  rest.key.store(key_of(path, 0, 0), std::memory_order_relaxed);
  return rest;
}

void Tables::count(Total &total, const Event &event) {
  constexpr auto order = std::memory_order_relaxed;
  int64_t first = total.first_ns.load(order);
  while ((first == 0 || event.start_ns < first) && !total.first_ns.compare_exchange_weak(first, event.start_ns, order))
    continue;
  raise_to(total.last_ns, event.start_ns + event.duration_ns);
  raise_to(total.most_ns, event.duration_ns);
  const auto size = static_cast<int>(event.bytes > 0 ? std::bit_width(static_cast<uint64_t>(event.bytes)) : 0);
  total.sizes[std::min(size, size_classes - 1)].fetch_add(1, order);
  total.ns.fetch_add(event.duration_ns, order);
  if (event.bytes > 0) total.bytes.fetch_add(event.bytes, order);
  if (event.failed) total.errors.fetch_add(1, order);
  total.calls.fetch_add(1, order);
}

void Tables::append(uint32_t path, const Event &event, std::span<const int64_t> arguments, uint16_t thread) {
  constexpr int in_slot = 7;
  const auto words = static_cast<int64_t>(arguments.size());
  const int64_t slots = 1 + (words + in_slot - 1) / in_slot;
  Section &s = section(section_ring);
  const int64_t number = s.used.fetch_add(slots, std::memory_order_relaxed);
  const int64_t end = std::min(number % s.capacity + slots, s.capacity);
  if (!may_touch(end * s.entry_bytes)) {
    s.lost.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  Slot *const ring = entries<Slot>(section_ring);
  auto *const argument_slots = entries<ArgumentSlot>(section_ring);
  for (int64_t i = 1; i < slots; ++i) {
    int64_t *const to = argument_slots[(number + i) % s.capacity].words;
    const int64_t from = (i - 1) * in_slot, n = std::min<int64_t>(in_slot, words - from);
    to[0] = 0;
    std::copy_n(arguments.begin() + from, n, to + 1);
    std::fill(to + 1 + n, to + 1 + in_slot, 0);
  }
  Slot &slot = ring[number % s.capacity];
  slot.start_ns = event.start_ns;
  slot.duration_ns = event.duration_ns;
  slot.bytes = event.bytes;
  slot.offset = event.offset;
  slot.path = path;
  slot.file = event.file;
  slot.variable = event.variable;
  slot.thread = thread;
  slot.slots = static_cast<uint8_t>(slots);
  slot.failed = event.failed ? 1 : 0;
  slot.ticket.store(number + 1, std::memory_order_release);
}

// Whether the ring's bytes up to there have blocks. Its beginning has them where its end has.
bool Tables::may_touch(int64_t ring_end_bytes) {
  if (ring_end_bytes <= ring_reserved_bytes_.load(std::memory_order_acquire)) return true;
  const Lock::Held held(ring_lock_);
  const Section &s = section(section_ring);
  while (!disk_full_) {
    const int64_t begin = ring_reserved_bytes_.load(std::memory_order_relaxed);
    if (ring_end_bytes <= begin) return true;
    const int64_t end = std::min(begin + part_bytes, s.capacity * s.entry_bytes);
    const int saved = errno;
    disk_full_ = !mapped_.reserve(s.offset_bytes + begin, s.offset_bytes + end);
    errno = saved;
    if (!disk_full_) ring_reserved_bytes_.store(end, std::memory_order_release);
  }
  return false;
}

}  // namespace sv::trace
