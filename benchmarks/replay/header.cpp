#include "header.hpp"

#include <mpi.h>
#include <sverdrup/sverdrup.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "cdl.hpp"
#include "methods/sverdrup_context.hpp"
#include "storage.hpp"

namespace sv_bench {

namespace {

constexpr int64_t most_text_bytes = int64_t{64} << 20;  // of a header as text

bool begins_netcdf(const std::string &text) {
  for (const std::string &magic :
       {std::string("CDF\1"), std::string("CDF\2"), std::string("CDF\5"), std::string("\x89HDF\r\n\x1a\n")}) {
    if (text.compare(0, magic.size(), magic) == 0) return true;
  }
  return false;
}

/// By the first rank: the text, or of a netCDF file its first bytes only. An error is returned.
std::string read_text(const std::string &path, std::string &text) {
  std::ifstream file(path, std::ios::binary);
  text.resize(8);
  if (!file || (file.read(text.data(), 8).gcount() == 0 && file.bad()))
    return "'" + path + "' cannot be read: " + std::strerror(errno) + "; name a netCDF file or what ncdump -h printed";
  text.resize(static_cast<size_t>(file.gcount()));
  if (begins_netcdf(text)) return {};
  file.clear();
  file.seekg(0, std::ios::end);
  const int64_t bytes = file.tellg();
  if (bytes < 0 || bytes > most_text_bytes)
    return "'" + path + "' is no netCDF file, and too long to be the text of a header";
  file.seekg(0);
  text.resize(static_cast<size_t>(bytes));
  if (!file.read(text.data(), bytes)) return "'" + path + "' cannot be read";
  if (!looks_like_cdl(text)) return "'" + path + "' is neither a netCDF file nor the text of its header (ncdump -h)";
  return {};
}

void broadcast(std::string &text) {
  int64_t bytes = static_cast<int64_t>(text.size());
  MPI_Bcast(&bytes, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  text.resize(static_cast<size_t>(bytes));
  MPI_Bcast(text.data(), static_cast<int>(bytes), MPI_BYTE, 0, MPI_COMM_WORLD);
}

void refuse(int status, const char *call) {
  if (status != SV_OK) throw std::invalid_argument(std::string(call) + ": " + sv_message());
}

std::vector<Attribute> attributes_of(const sv_file *file, int var, int count) {
  std::vector<Attribute> list;
  for (int a = 0; a < count; ++a) {
    char name[SV_MAX_NAME];
    Attribute attribute{};
    refuse(sv_inq_attname(file, var, a, name), "sv_inq_attname");
    attribute.name = name;
    refuse(sv_inq_att(file, var, name, &attribute.type, &attribute.count), "sv_inq_att");
    const int64_t bytes = attribute.count * element_type(attribute.type).bytes;
    attribute.values.resize(static_cast<size_t>(bytes));
    refuse(sv_get_att(file, var, name, attribute.type, attribute.values.data()), "sv_get_att");
    list.push_back(std::move(attribute));
  }
  return list;
}

Schema schema_of(const sv_file *file) {
  Schema schema;
  int dims = 0, vars = 0, attributes = 0, record_dim = -1;
  char name[SV_MAX_NAME];
  refuse(sv_inq(file, &dims, &vars, &attributes, &record_dim), "sv_inq");
  for (int d = 0; d < dims; ++d) {
    int64_t length = 0;
    refuse(sv_inq_dim(file, d, name, &length), "sv_inq_dim");
    if (d == record_dim) schema.records = length;
    schema.dims.push_back({name, d == record_dim ? 0 : length});
  }
  for (int v = 0; v < vars; ++v) {
    int type = 0, n = 0, of = 0, shape[SV_MAX_DIMS];
    refuse(sv_inq_var(file, v, name, &type, &n, shape, &of), "sv_inq_var");
    schema.variables.push_back({name, element_type(type), {shape, shape + n}, attributes_of(file, v, of)});
  }
  schema.attributes = attributes_of(file, SV_GLOBAL, attributes);
  return schema;
}

/// Through the public interface. Errors of the library come on every rank alike.
Schema schema_of_netcdf(const std::string &path) {
  const SverdrupContext context(MPI_COMM_WORLD, {"async=none"}, nullptr);
  sv_file *file = nullptr;
  Schema schema;
  std::string error;
  if (sv_open(context.io(), path.c_str(), SV_NOWRITE, &file) != SV_OK) {
    error = sv_message();
  } else {
    try {
      schema = schema_of(file);
    } catch (const std::invalid_argument &refused) {
      error = refused.what();
    }
    check_sverdrup(sv_close(file), "sv_close");
  }
  context.finish();
  if (!error.empty()) throw std::invalid_argument(error);
  return schema;
}

/// Every rank gets what the first one found: of each variable the chunks, the level and whether it is shuffled.
void broadcast(std::vector<Storage> &storage, const Schema &schema) {
  std::vector<int64_t> numbers;
  for (size_t v = 0; v < storage.size(); ++v) {
    std::vector<int64_t> chunks = storage[v].chunks;
    chunks.resize(schema.variables[v].dims.size());
    numbers.insert(numbers.end(), chunks.begin(), chunks.end());
    numbers.insert(numbers.end(), {storage[v].chunks.empty() ? 0 : 1, storage[v].deflate, storage[v].shuffle ? 1 : 0});
  }
  MPI_Bcast(numbers.data(), static_cast<int>(numbers.size()), MPI_INT64_T, 0, MPI_COMM_WORLD);
  auto at = numbers.begin();
  for (size_t v = 0; v < storage.size(); ++v) {
    const auto end = at + static_cast<std::ptrdiff_t>(schema.variables[v].dims.size());
    storage[v] = {end[0] != 0 ? std::vector<int64_t>(at, end) : std::vector<int64_t>(), static_cast<int>(end[1]),
                  end[2] != 0};
    at = end + 3;
  }
}

/// `hdf5`: only then there are chunks.
Header header_of_netcdf(const std::string &path, bool hdf5, int rank) {
  Header header{schema_of_netcdf(path), {}};
  header.storage.resize(header.schema.variables.size());
  if (hdf5 && rank == 0) header.storage = storage_in_file(path, header.schema);
  broadcast(header.storage, header.schema);
  return header;
}

}  // namespace

Header header_of_file(const std::string &path) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::string text, error;
  if (rank == 0) error = read_text(path, text);
  broadcast(error);
  if (!error.empty()) throw std::invalid_argument(error);
  broadcast(text);
  return begins_netcdf(text) ? header_of_netcdf(path, text[0] != 'C', rank) : header_of_cdl(text, path);
}

}  // namespace sv_bench
