#include "hints.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

#include "codes.hpp"

namespace sv::pnetcdf {

namespace {

/// By the program, or by the variable PNETCDF_HINTS ("key=value;key=value"), which wins.
std::optional<std::string> hint(MPI_Info info, const char *key) {
  const char *const given = std::getenv("PNETCDF_HINTS");
  std::string rest = given != nullptr ? given : "";
  while (!rest.empty()) {
    const std::string one = rest.substr(0, rest.find(';'));
    rest.erase(0, one.size() + 1);
    const size_t equals = one.find('=');
    if (equals == std::string::npos || one.substr(0, equals) != key) continue;
    const std::string value = one.substr(equals + 1);
    if (!value.empty() && value.size() < MPI_MAX_INFO_VAL) return value;  // MPI ends the program for others
  }
  if (info == MPI_INFO_NULL) return std::nullopt;
  std::array<char, MPI_MAX_INFO_VAL + 1> value{};
  int found = 0;
  MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value.data(), &found);
  return found != 0 ? std::optional<std::string>(value.data()) : std::nullopt;
}

bool is_on(MPI_Info info, const char *key) {
  const auto value = hint(info, key);
  return value && (*value == "enable" || *value == "true" || *value == "1");
}

/// 0: it is not given, or is no number of bytes.
int64_t bytes_in(MPI_Info info, const char *key) {
  const auto value = hint(info, key);
  if (!value) return 0;
  errno = 0;
  const int64_t bytes = std::strtoll(value->c_str(), nullptr, 10);
  return errno != 0 || bytes < 0 ? 0 : bytes;
}

constexpr std::pair<const char *, const char *> own_hints[] = {
    {"nc_header_align_size", "512"},         {"nc_var_align_size", "512"}, {"nc_record_align_size", "512"},
    {"nc_header_read_chunk_size", "262144"}, {"nc_in_place_swap", "auto"}, {"nc_ibuf_size", "16777216"},
    {"pnetcdf_subfiling", "disable"},        {"nc_num_subfiles", "0"}};

}  // namespace

std::string reason_in_hints(MPI_Info info) {
  if (is_on(info, "nc_burst_buf")) return "the hint nc_burst_buf";
  if (is_on(info, "pnetcdf_subfiling")) return "the hint pnetcdf_subfiling";
  return "";
}

MPI_Info hints_in_force(MPI_Info info, Alignments &places) {
  places.data = bytes_in(info, "nc_header_align_size");
  places.variable = bytes_in(info, "nc_var_align_size");
  places.record = bytes_in(info, "nc_record_align_size");
  places.stripe = bytes_in(info, "striping_unit");
  MPI_Info reported = MPI_INFO_NULL;
  info == MPI_INFO_NULL ? MPI_Info_create(&reported) : MPI_Info_dup(info, &reported);
  // PnetCDF reports all of its own, with those that have their default values. Sizes of its buffers mean nothing to
  // Sverdrup.
  for (const auto &[key, otherwise] : own_hints)
    MPI_Info_set(reported, key, hint(info, key).value_or(otherwise).c_str());
  if (is_before_1_13) report_alignments(places, reported);
  return reported;
}

void report_alignments(const Alignments &places, MPI_Info hints) {
  MPI_Info_set(hints, "nc_header_align_size", std::to_string(places.data).c_str());
  MPI_Info_set(hints, "nc_var_align_size", std::to_string(places.variable).c_str());
  MPI_Info_set(hints, "nc_record_align_size", std::to_string(places.record).c_str());
}

}  // namespace sv::pnetcdf
