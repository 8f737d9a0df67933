#include "layout.hpp"

#include <cstddef>
#include <vector>

#include "trace/format.hpp"

namespace sv_trace_tool {

namespace {

using namespace sv::trace;

struct Field {
  const char *name;
  size_t offset, bytes;
};
struct Struct {
  const char *name;
  size_t bytes;
  std::vector<Field> fields;
};

#define SV_FIELD(type, field) \
  Field { #field, offsetof(type, field), sizeof(type::field) }
#define SV_STRUCT(type, ...)             \
  Struct {                               \
#type, sizeof(type), { __VA_ARGS__ } \
  }

std::vector<Struct> structs() {
  using S = Section;
  using H = Header;
  using T = Total;
  return {
      SV_STRUCT(Section, SV_FIELD(S, offset_bytes), SV_FIELD(S, capacity), SV_FIELD(S, entry_bytes), SV_FIELD(S, used),
                SV_FIELD(S, lost)),
      SV_STRUCT(Header, SV_FIELD(H, magic), SV_FIELD(H, version), SV_FIELD(H, header_bytes), SV_FIELD(H, file_bytes),
                SV_FIELD(H, producer), SV_FIELD(H, flags), SV_FIELD(H, start_realtime_ns),
                SV_FIELD(H, start_monotonic_ns), SV_FIELD(H, end_ns), SV_FIELD(H, latest_ns), SV_FIELD(H, mpi_start_ns),
                SV_FIELD(H, mpi_end_ns), SV_FIELD(H, pid), SV_FIELD(H, parent_pid), SV_FIELD(H, rank),
                SV_FIELD(H, ranks), SV_FIELD(H, host), SV_FIELD(H, program), SV_FIELD(H, sections)),
      SV_STRUCT(Function, SV_FIELD(Function, layer), SV_FIELD(Function, name)),
      SV_STRUCT(Path, SV_FIELD(Path, caller), SV_FIELD(Path, function)),
      SV_STRUCT(File, SV_FIELD(File, text_offset), SV_FIELD(File, text_bytes)),
      SV_STRUCT(Variable, SV_FIELD(Variable, file), SV_FIELD(Variable, id), SV_FIELD(Variable, text_offset),
                SV_FIELD(Variable, text_bytes)),
      SV_STRUCT(Note, SV_FIELD(Note, time_ns), SV_FIELD(Note, text_offset), SV_FIELD(Note, text_bytes),
                SV_FIELD(Note, complete), SV_FIELD(Note, file)),
      SV_STRUCT(Total, SV_FIELD(T, key), SV_FIELD(T, calls), SV_FIELD(T, errors), SV_FIELD(T, bytes), SV_FIELD(T, ns),
                SV_FIELD(T, most_ns), SV_FIELD(T, first_ns), SV_FIELD(T, last_ns), SV_FIELD(T, sizes)),
      SV_STRUCT(Frame, SV_FIELD(Frame, path), SV_FIELD(Frame, file), SV_FIELD(Frame, variable),
                SV_FIELD(Frame, start_ns)),
      SV_STRUCT(Thread, SV_FIELD(Thread, tid), SV_FIELD(Thread, depth), SV_FIELD(Thread, frames)),
      SV_STRUCT(Slot, SV_FIELD(Slot, ticket), SV_FIELD(Slot, start_ns), SV_FIELD(Slot, duration_ns),
                SV_FIELD(Slot, bytes), SV_FIELD(Slot, offset), SV_FIELD(Slot, path), SV_FIELD(Slot, file),
                SV_FIELD(Slot, variable), SV_FIELD(Slot, thread), SV_FIELD(Slot, slots), SV_FIELD(Slot, failed)),
      SV_STRUCT(ArgumentSlot, SV_FIELD(ArgumentSlot, words))};
}

}  // namespace

void print_layout(std::ostream &out) {
  constexpr const char *names[sections] = {"functions", "paths",  "files",       "variables", "text",
                                           "notes",     "totals", "path_totals", "threads",   "ring"};
  out << "{\"version\": " << version << ",\n \"sections\": [";
  for (uint32_t s = 0; s < sections; ++s) out << (s == 0 ? "\"" : ", \"") << names[s] << '"';
  out << "],\n \"structs\": {";
  const char *separator = "\n";
  for (const Struct &one : structs()) {
    out << separator << "  \"" << one.name << "\": {\"bytes\": " << one.bytes << ", \"fields\": {";
    separator = ",\n";
    const char *comma = "";
    for (const Field &field : one.fields) {
      out << comma << '"' << field.name << "\": [" << field.offset << ", " << field.bytes << ']';
      comma = ", ";
    }
    out << "}}";
  }
  out << "}}\n";
}

}  // namespace sv_trace_tool
