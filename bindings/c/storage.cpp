// sverdrup/storage.h: how single variables are stored.
#include "sverdrup/storage.h"

#include <algorithm>

#include "file/home.hpp"
#include "file/places.hpp"
#include "handles.hpp"
#include "model/chunks.hpp"
#include "model/error_encoder.hpp"

using namespace sv;
using namespace sv::c;

namespace {

/// Local, in define mode. `change` asks for more of the variable's storage.
int defined(sv_file *handle, int var, const char *call, const std::function<void(VariableStorage &)> &change) {
  return guarded([&] {
    require(handle, "file");
    File &own = *file(handle);
    Schema &schema = own.defining(call).schema;
    const std::string name = own.variable(var).name;  // checks the id
    try {
      if (own.before() != nullptr && var < std::ssize(own.before()->variables))
        throw Error(Status::order, std::string(call) + " for a variable that stands in the file already",
                    "Ask for it before the first sv_enddef, or define another variable");
      if (own.variable(var).type == Type::string)
        throw Error(Status::type, std::string(call) + " for strings, which are never compressed", "Leave the call out");
      ask_storage(schema, var, change);
    } catch (Error &error) {
      throw error.in_variable(name).in_file(own.path());
    }
  });
}

void require_defined(File &own, const char *call) {
  if (own.ledger.failed()) throw Error(own.ledger.failure());
  if (!own.has_home() || own.mode == Mode::define || (has_places(own.schema().format) && !own.schema().places))
    throw Error(Status::order, std::string(call) + " of a file that is being defined", "Call it after sv_enddef");
}

/// Of a chunk, with all dimensions of the variable; none where it has no chunks.
Index chunk_lengths(File &own, int var) {
  if (own.mode == Mode::read) return own.home().lone_reader().storing(var).chunk;
  const Chunks made = own.home().places().chunks(var);
  return made.inside.n > 0 ? made.inside : made.shape;
}

/// The storage in force, or in define mode the requested one.
VariableStorage storage_of(const File &own, int var) {
  const Variable &each = own.variable(var);
  if (has_places(own.schema().format) && own.schema().places) return {};
  if (each.storage != nullptr && each.storage->is_found) return *each.storage;
  if (own.mode == Mode::data && own.has_home()) return as_storage(own.home().places().chunks(var));
  const ChunkRequest asked = request_of(own.settings().chunks, each);
  Chunks as_asked;
  as_asked.deflate = asked.deflate;
  as_asked.zstd = asked.zstd;
  as_asked.shuffle = asked.compresses() && asked.shuffle;
  as_asked.fletcher32 = asked.fletcher32;
  as_asked.quantization = quantization_of(own.schema(), each, own.settings().chunks);
  as_asked.endian = asked.endian;
  return as_storage(as_asked);
}

/// Local. `report` assigns the results.
int inquired(sv_file *handle, int var, const std::function<void(const VariableStorage &)> &report) {
  return guarded([&] {
    require(handle, "file");
    report(storage_of(*file(handle), var));
  });
}

struct QuantizeMode {
  int number;
  Quantization::Mode mode;
};
// Without an error bound.
constexpr QuantizeMode quantize_modes[] = {{SV_QUANTIZE_BITGROOM, Quantization::Mode::bit_groom},
                                           {SV_QUANTIZE_GRANULARBR, Quantization::Mode::granular},
                                           {SV_QUANTIZE_BITROUND, Quantization::Mode::bit_round}};

Quantization::Mode mode_of(int number) {
  for (const QuantizeMode &each : quantize_modes)
    if (each.number == number) return each.mode;
  throw Error(Status::invalid, "there is no mode " + std::to_string(number) + " of quantization",
              "See SV_QUANTIZE_BITROUND and its kin in storage.h");
}

int number_of(Quantization::Mode mode) { return std::ranges::find(quantize_modes, mode, &QuantizeMode::mode)->number; }

// With an error bound, or a share of information.
constexpr QuantizeMode error_kinds[] = {{SV_ERROR_ABSOLUTE, Quantization::Mode::absolute},
                                        {SV_ERROR_RELATIVE, Quantization::Mode::relative},
                                        {SV_ERROR_INFORMATION, Quantization::Mode::information}};

Quantization error_bound_of(int kind, double bound) {
  if (kind == SV_ERROR_NONE) return {};
  for (const QuantizeMode &each : error_kinds)
    if (each.number == kind) return {each.mode, 1, bound};
  throw Error(Status::invalid, "there is no kind " + std::to_string(kind) + " of error bounds",
              "Give SV_ERROR_NONE, SV_ERROR_ABSOLUTE, SV_ERROR_RELATIVE or SV_ERROR_INFORMATION");
}

int kind_of(const Quantization &how) {
  return how.has_bound() ? std::ranges::find(error_kinds, how.mode, &QuantizeMode::mode)->number : SV_ERROR_NONE;
}

Error wrong_filter(unsigned id, const std::string &cause) {
  return Error(Status::invalid, "filter " + std::to_string(id) + ": " + cause,
               "Sverdrup applies deflate (1), shuffle (2), fletcher32 (3), Zstandard (32015), within an absolute error "
               "bound SZ3 (32024) and ZFP (32013), and for Zarr Blosc (32001); see storage.h");
}

void add_filter(VariableStorage &storage, unsigned id, std::span<const unsigned> params) {
  const auto require_params = [&](size_t wanted) {
    if (params.size() != wanted)
      throw wrong_filter(id, std::to_string(params.size()) + " parameters in place of " + std::to_string(wanted));
  };
  constexpr size_t blosc_params = 3;
  constexpr unsigned zlib = 4, zstd = 5;  // of Blosc
  switch (static_cast<FilterNumber>(id)) {
    case FilterNumber::deflate:
      require_params(1);
      storage.deflate = static_cast<int>(params[0]);
      return;
    case FilterNumber::shuffle:
      require_params(0);
      storage.shuffle = true;
      return;
    case FilterNumber::fletcher32:
      require_params(0);
      storage.fletcher32 = true;
      return;
    case FilterNumber::zstd:
      require_params(1);
      storage.zstd = static_cast<int>(params[0]);
      return;
    case FilterNumber::blosc:
      require_params(blosc_params);
      if (params[1] > 1 || (params[2] != zlib && params[2] != zstd))
        throw wrong_filter(id, "parameters that Sverdrup has no codec for");
      storage.blosc = true;
      storage.shuffle = params[1] == 1;
      storage.deflate = params[2] == zlib ? static_cast<int>(params[0]) : 0;
      storage.zstd = params[2] == zstd ? static_cast<int>(params[0]) : 0;
      return;
    case FilterNumber::sz3:
    case FilterNumber::zfp:
      require_params(0);
      storage.error_encoder = find_encoder(id)->encoder;
      return;
  }
  throw wrong_filter(id, "Sverdrup cannot apply it");
}

}  // namespace

extern "C" {

int sv_def_var_nofill(sv_file *handle, int var, int on) {
  return guarded([&] {
    require(handle, "file");
    File &own = *file(handle);
    Schema &schema = own.defining("sv_def_var_nofill").schema;
    if (own.variable(var).type == Type::string)
      throw Error(Status::type, "sv_def_var_nofill for strings, of which none is written to fill", "Leave the call out")
          .in_variable(own.variable(var).name)
          .in_file(own.path());
    schema.variables[static_cast<size_t>(var)].no_fill = on != 0;
  });
}

int sv_inq_var_nofill(const sv_file *handle, int var, int *on) {
  return guarded([&] {
    require(handle, "file");
    assign(on, file(handle)->variable(var).no_fill ? 1 : 0);
  });
}

int sv_def_var_chunking(sv_file *handle, int var, int storage, const int64_t *lengths) {
  return defined(handle, var, "sv_def_var_chunking", [&](VariableStorage &asked) {
    if (storage != SV_CHUNKED && storage != SV_CONTIGUOUS)
      throw Error(Status::invalid, "there is no storage " + std::to_string(storage),
                  "Give SV_CHUNKED or SV_CONTIGUOUS");
    const bool is_given = storage == SV_CHUNKED && lengths != nullptr;
    asked.chunks = is_given ? ChunkKind::given : storage == SV_CHUNKED ? ChunkKind::automatic : ChunkKind::contiguous;
    asked.shape = {};
    const size_t dims = file(handle)->variable(var).dims.size();
    for (size_t d = 0; is_given && d < dims; ++d) asked.shape.push(lengths[d]);
  });
}

int sv_inq_var_chunking(sv_file *handle, int var, int *storage, int64_t lengths[SV_MAX_DIMS]) {
  return guarded([&] {
    require(handle, "file");
    File &own = *file(handle);
    const size_t dims = own.variable(var).dims.size();
    require_defined(own, "sv_inq_var_chunking");
    const Index chunk = chunk_lengths(own, var);
    assign(storage, chunk.n > 0 ? SV_CHUNKED : SV_CONTIGUOUS);
    for (int d = 0; lengths != nullptr && d < static_cast<int>(dims); ++d) lengths[d] = chunk.n > 0 ? chunk[d] : 0;
  });
}

int sv_def_var_deflate(sv_file *handle, int var, int shuffle, int level) {
  return defined(handle, var, "sv_def_var_deflate", [&](VariableStorage &asked) {
    asked.shuffle = shuffle != 0;
    asked.deflate = level;
  });
}

int sv_inq_var_deflate(sv_file *handle, int var, int *shuffle, int *level) {
  return inquired(handle, var, [&](const VariableStorage &is) {
    assign(shuffle, is.shuffle.value_or(false) ? 1 : 0);
    assign(level, is.deflate.value_or(0));
  });
}

int sv_def_var_zstandard(sv_file *handle, int var, int level) {
  return defined(handle, var, "sv_def_var_zstandard", [&](VariableStorage &asked) { asked.zstd = level; });
}

int sv_inq_var_zstandard(sv_file *handle, int var, int *level) {
  return inquired(handle, var, [&](const VariableStorage &is) { assign(level, is.zstd.value_or(0)); });
}

int sv_def_var_fletcher32(sv_file *handle, int var, int on) {
  return defined(handle, var, "sv_def_var_fletcher32", [&](VariableStorage &asked) { asked.fletcher32 = on != 0; });
}

int sv_inq_var_fletcher32(sv_file *handle, int var, int *on) {
  return inquired(handle, var, [&](const VariableStorage &is) { assign(on, is.fletcher32.value_or(false) ? 1 : 0); });
}

int sv_def_var_filter(sv_file *handle, int var, unsigned id, size_t nparams, const unsigned *params) {
  return defined(handle, var, "sv_def_var_filter", [&](VariableStorage &asked) {
    if (nparams > 0) require(params, "params");
    add_filter(asked, id, std::span(params, nparams));
  });
}

int sv_inq_var_filter_ids(sv_file *handle, int var, size_t *nfilters, unsigned ids[SV_MAX_FILTERS]) {
  return inquired(handle, var, [&](const VariableStorage &is) {
    const std::vector<unsigned> numbers = is.filters();
    assign(nfilters, numbers.size());
    if (ids != nullptr) std::copy_n(numbers.begin(), std::min<size_t>(numbers.size(), SV_MAX_FILTERS), ids);
  });
}

int sv_def_var_quantize(sv_file *handle, int var, int mode, int digits) {
  return defined(handle, var, "sv_def_var_quantize", [&](VariableStorage &asked) {
    asked.set_quantization(mode == SV_NOQUANTIZE ? Quantization{} : Quantization{mode_of(mode), digits});
  });
}

int sv_inq_var_quantize(sv_file *handle, int var, int *mode, int *digits) {
  return inquired(handle, var, [&](const VariableStorage &is) {
    const int amount = is.quantization().has_bound() ? 0 : is.quantize.value_or(0);
    assign(mode, amount == 0 ? SV_NOQUANTIZE : number_of(is.quantize_mode.value_or(Quantization::Mode::bit_round)));
    assign(digits, amount);
  });
}

int sv_def_var_error_bound(sv_file *handle, int var, int kind, double bound) {
  return defined(handle, var, "sv_def_var_error_bound",
                 [&](VariableStorage &asked) { asked.set_quantization(error_bound_of(kind, bound)); });
}

int sv_inq_var_error_bound(sv_file *handle, int var, int *kind, double *bound, double *largest) {
  return inquired(handle, var, [&](const VariableStorage &is) {
    const Quantization how = is.quantization();
    assign(kind, kind_of(how));
    assign(bound, how.has_bound() ? how.bound : 0);
    const auto stated = number_in(file(handle)->variable(var).attributes, bound_attributes(how.mode).worst);
    assign(largest, !how.has_bound() ? 0 : is.is_found ? stated.value_or(how.most_error()) : how.most_error());
  });
}

int sv_def_var_endian(sv_file *handle, int var, int endian) {
  return defined(handle, var, "sv_def_var_endian", [&](VariableStorage &asked) {
    if (endian < SV_ENDIAN_NATIVE || endian > SV_ENDIAN_BIG)
      throw Error(Status::invalid, "there is no order of bytes " + std::to_string(endian),
                  "Give SV_ENDIAN_NATIVE, SV_ENDIAN_LITTLE or SV_ENDIAN_BIG");
    asked.endian = static_cast<Endian>(endian);
  });
}

int sv_inq_var_endian(sv_file *handle, int var, int *endian) {
  return inquired(handle, var, [&](const VariableStorage &is) { assign(endian, is.endian.value_or(Endian::native)); });
}
}
