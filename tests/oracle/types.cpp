// Compares every pair of types with netCDF-C, at the critical values of a conversion: types FORMAT, where
// FORMAT is cdf2, cdf5 or netcdf4. On one rank.
//
// Writing and reading, value by value: SV_ERANGE (out_of_range: error) where netCDF-C says NC_ERANGE and nowhere else,
// except in the cases of `differs`, which docs/netcdf-map.md lists. Where it is no error, the same value. Where it is
// one, clamping gives the nearest value of the type (infinities stay in floating-point types) and filling the fill
// value.
#include <array>
#include <cstdio>
#include <string>

#include "support/files.hpp"
#include "values.hpp"

namespace {

using namespace svtest;

enum class Way { write, read };

struct Run {
  std::string format;
  std::array<sv_context *, 3> contexts{};  // by policy
  int64_t checked = 0, refused = 0, different = 0, failed = 0;
};

template <class T>
std::string text_of(T value) {
  char text[64];
  if constexpr (std::is_floating_point_v<T>)
    std::snprintf(text, sizeof text, "%.17g", static_cast<double>(value));
  else
    std::snprintf(text, sizeof text, "%s", std::to_string(value).c_str());
  return text;
}

template <class T>
bool same(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

template <class T>
bool is_nan(T value) {
  return value != value;
}

constexpr std::array<const char *, 3> policies{"error", "clamp", "fill"};

/// Where a value is out of range here and not in netCDF-C, or the other way round.
template <class From, class To>
bool differs(const Run &run, Way way, From value) {
  const bool classic = run.format != "netcdf4";
  if constexpr (std::is_floating_point_v<From> && !std::is_floating_point_v<To>) {
    if (is_nan(value)) return true;  // netCDF-C leaves it to the processor
    // The largest integer is no value of From: netCDF-C compares with the next larger one. Above 2^63 its netCDF-4
    // takes another way through the processor.
    const From above = std::ldexp(From{1}, std::numeric_limits<To>::digits);
    return value == above || (!classic && std::is_same_v<To, uint64_t> && value > above / 2 && value < above);
  }
  // The classic formats count infinities of float as out of the range of double.
  if constexpr (std::is_same_v<From, float> && std::is_same_v<To, double>)
    return classic && way == Way::write && std::isinf(value);
  // The classic formats have no unsigned bytes: netCDF-C takes those of memory for the bits of NC_BYTE.
  const bool bytes = (std::is_same_v<From, uint8_t> && std::is_same_v<To, int8_t>) ||
                     (std::is_same_v<From, int8_t> && std::is_same_v<To, uint8_t>);
  return bytes && run.format == "cdf2";
}

/// What clamping makes of a value that is out of range.
template <class To, class From>
To nearest(From value, To fill) {
  using Limits = std::numeric_limits<To>;
  if (is_nan(value)) return fill;
  if constexpr (std::is_floating_point_v<To>)
    if (std::isinf(value)) return static_cast<To>(value);
  return value < From{0} ? Limits::lowest() : Limits::max();
}

/// The result of one value: here with each policy, and in netCDF-C.
template <class To>
struct Outcome {
  int error_status = 0, netcdf_status = 0;
  To plain{}, clamped{}, filled{}, netcdf{};
};

template <class From, class To>
void judge(Run &run, Way way, From value, const Outcome<To> &found, To fill) {
  const bool refused = found.error_status == SV_ERANGE, netcdf = found.netcdf_status == NC_ERANGE;
  const bool different = differs<From, To>(run, way, value);
  std::string wrong;
  if (found.error_status != SV_OK && !refused) wrong = sv_strerror(found.error_status);
  if (refused != netcdf && !different) wrong = refused ? "refused here only" : "refused by netCDF-C only";
  if (!refused && !netcdf && !different && !same(found.plain, found.netcdf)) wrong = "other values";
  const To low_or_high = refused ? nearest(value, fill) : found.plain;
  if (!same(found.clamped, low_or_high)) wrong = "clamped to " + text_of(found.clamped);
  if (!same(found.filled, refused ? fill : found.plain)) wrong = "filled with " + text_of(found.filled);
  ++run.checked;
  run.refused += refused;
  run.different += different;
  if (wrong.empty()) return;
  ++run.failed;
  std::printf("%s %s, %zu-byte %s to %zu-byte %s, %s: %s; here %s (status %d), netCDF-C %s (status %d)\n",
              run.format.c_str(), way == Way::write ? "writing" : "reading", sizeof(From),
              std::is_floating_point_v<From> ? "real"
              : std::is_signed_v<From>       ? "integer"
                                             : "unsigned",
              sizeof(To),
              std::is_floating_point_v<To> ? "real"
              : std::is_signed_v<To>       ? "integer"
                                           : "unsigned",
              text_of(value).c_str(), wrong.c_str(), text_of(found.plain).c_str(), found.error_status,
              text_of(found.netcdf).c_str(), found.netcdf_status);
}

int netcdf_flags(const std::string &format) {
  return format == "cdf5" ? NC_64BIT_DATA : format == "netcdf4" ? NC_NETCDF4 : NC_64BIT_OFFSET;
}

/// The only variable of a new file of netCDF-C.
int make_netcdf(const std::string &format, int type, size_t cells, int &var) {
  int id = -1, dim = -1;
  nc(nc_create("netcdf.nc", netcdf_flags(format) | NC_CLOBBER, &id), "nc_create");
  nc(nc_def_dim(id, "x", cells, &dim), "nc_def_dim");
  nc(nc_def_var(id, "v", type, 1, &dim, &var), "nc_def_var");
  nc(nc_enddef(id), "nc_enddef");
  return id;
}

sv_file *make_ours(const Run &run, size_t policy, int type, size_t cells) {
  sv_file *file = make_file(run.contexts[policy], std::string(policies[policy]) + ".nc", 0,
                            {{"x", static_cast<int64_t>(cells)}}, {{"v", type, {"x"}}});
  return file;
}

/// As they are in the file.
template <class T>
std::vector<T> values_of(const std::string &name, size_t count) {
  int id = -1;
  std::vector<T> values(count);
  nc(nc_open((name + ".nc").c_str(), NC_NOWRITE, &id), name);
  nc(nc_get_var(id, 0, values.data()), name);
  nc(nc_close(id), name);
  return values;
}

template <class T>
T default_fill(int type) {
  T fill{};
  const std::map<int, double> reals{{SV_FLOAT, NC_FILL_FLOAT}, {SV_DOUBLE, NC_FILL_DOUBLE}};
  const std::map<int, uint64_t> integers{{SV_BYTE, static_cast<uint64_t>(NC_FILL_BYTE)},
                                         {SV_SHORT, static_cast<uint64_t>(NC_FILL_SHORT)},
                                         {SV_INT, static_cast<uint64_t>(NC_FILL_INT)},
                                         {SV_UBYTE, NC_FILL_UBYTE},
                                         {SV_USHORT, NC_FILL_USHORT},
                                         {SV_UINT, NC_FILL_UINT},
                                         {SV_INT64, static_cast<uint64_t>(NC_FILL_INT64)},
                                         {SV_UINT64, NC_FILL_UINT64}};
  if constexpr (std::is_floating_point_v<T>)
    fill = static_cast<T>(reals.at(type));
  else
    fill = static_cast<T>(integers.at(type));
  return fill;
}

/// The fill value of a file in a type of memory: as it is where that holds it, otherwise the type's own.
template <class To, class From>
To fill_in_memory(From fill, int type) {
  if constexpr (std::is_floating_point_v<To>)
    return static_cast<To>(fill);
  else if constexpr (std::is_floating_point_v<From>)
    return default_fill<To>(type);
  else
    return std::in_range<To>(fill) ? static_cast<To>(fill) : default_fill<To>(type);
}

template <class External, class Memory>
void write_pair(Run &run, int external, int memory) {
  const std::vector<Memory> values = interesting_values<Memory>();
  const size_t cells = values.size();
  std::vector<Outcome<External>> found(cells);
  int var = -1;
  const int id = make_netcdf(run.format, external, cells, var);
  sv_file *strict = make_ours(run, 0, external, cells);
  for (size_t i = 0; i < cells; ++i) {
    found[i].netcdf_status = nc_put_one(id, var, &i, values[i]);
    const int64_t at = static_cast<int64_t>(i), one = 1;
    found[i].error_status = sv_put_vara(strict, 0, &at, &one, memory, &values[i], nullptr);
  }
  nc(nc_close(id), "nc_close");
  SV_MUST(sv_close(strict));
  for (size_t p = 1; p < policies.size(); ++p) {
    sv_file *file = make_ours(run, p, external, cells);
    SV_MUST(sv_put_var(file, 0, SV_NO_RECORD, memory, values.data(), nullptr));
    SV_MUST(sv_close(file));
  }
  const auto plain = values_of<External>("error", cells), clamped = values_of<External>("clamp", cells),
             filled = values_of<External>("fill", cells), netcdf = values_of<External>("netcdf", cells);
  for (size_t i = 0; i < cells; ++i) {
    found[i].plain = plain[i];
    found[i].clamped = clamped[i];
    found[i].filled = filled[i];
    found[i].netcdf = netcdf[i];
    judge<Memory, External>(run, Way::write, values[i], found[i], default_fill<External>(external));
  }
}

template <class External, class Memory>
void read_pair(Run &run, int external, int memory) {
  const std::vector<External> values = interesting_values<External>();
  const size_t cells = values.size();
  int var = -1;
  int id = make_netcdf(run.format, external, cells, var);
  nc(nc_put_var(id, var, values.data()), "nc_put_var");
  nc(nc_close(id), "nc_close");
  std::array<sv_file *, policies.size()> files{};
  for (size_t p = 0; p < files.size(); ++p) SV_MUST(sv_open(run.contexts[p], "netcdf.nc", 0, &files[p]));
  nc(nc_open("netcdf.nc", NC_NOWRITE, &id), "nc_open");
  std::vector<Memory> clamped(cells), filled(cells);
  SV_MUST(sv_get_var(files[1], 0, SV_NO_RECORD, memory, clamped.data(), nullptr));
  SV_MUST(sv_get_var(files[2], 0, SV_NO_RECORD, memory, filled.data(), nullptr));
  const auto fill = fill_in_memory<Memory>(default_fill<External>(external), memory);
  for (size_t i = 0; i < cells; ++i) {
    Outcome<Memory> found;
    const int64_t at = static_cast<int64_t>(i), one = 1;
    found.netcdf_status = nc_get_one(id, var, &i, found.netcdf);
    found.error_status = sv_get_vara(files[0], 0, &at, &one, memory, &found.plain, nullptr);
    found.clamped = clamped[i];
    found.filled = filled[i];
    judge<External, Memory>(run, Way::read, values[i], found, fill);
  }
  nc(nc_close(id), "nc_close");
  for (sv_file *file : files) SV_MUST(sv_close(file));
}

void check_pair(Run &run, int external, int memory) {
  with_type(external, [&](auto outside) {
    with_type(memory, [&](auto inside) {
      using External = decltype(outside);
      using Memory = decltype(inside);
      if constexpr (!std::is_same_v<External, char> && !std::is_same_v<Memory, char>) {
        write_pair<External, Memory>(run, external, memory);
        read_pair<External, Memory>(run, external, memory);
      }
    });
  });
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  require(argc == 2, "types cdf2|cdf5|netcdf4");
  Run run{argv[1]};
  for (size_t p = 0; p < policies.size(); ++p)
    run.contexts[p] = start(MPI_COMM_WORLD, {std::string("out_of_range=") + policies[p], "format=" + run.format});
  for (const int external : number_types)
    if (run.format != "cdf2" || !is_wide(external))
      for (const int memory : number_types) check_pair(run, external, memory);
  for (sv_context *io : run.contexts) SV_MUST(sv_finalize(io));
  std::printf("%s: %lld conversions, %lld out of range, %lld that netCDF-C judges otherwise (documented), %lld wrong\n",
              run.format.c_str(), static_cast<long long>(run.checked), static_cast<long long>(run.refused),
              static_cast<long long>(run.different), static_cast<long long>(run.failed));
  MPI_Finalize();
  return run.failed == 0 ? 0 : 1;
}
