#include "reading.hpp"

#include <netcdf.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "streams_run.hpp"
#include "support/check.hpp"

namespace svcrash {
namespace {

const char *const variables[] = {"time", "depth", "temp", "flag", "small", "added"};

struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void nc(int status, const std::string &what) {
  if (status != NC_NOERR) throw Unreadable(what + ": " + nc_strerror(status));
}

void sv(int status, const std::string &what) {
  if (status != SV_OK) throw Unreadable(what + ": " + sv_message());
}

/// Where a variable stands: its shape, and whether its first dimension is that of the records.
struct Shape {
  int dims = 0;
  bool has_records = false;
  int64_t length[NC_MAX_VAR_DIMS] = {};
  int64_t cells() const {
    int64_t all = 1;
    for (int d = 0; d < dims; ++d) all *= length[d];
    return all;
  }
};

/// All values, with `get(start, count, to)`, which throws; where that fails, those of the records before.
template <typename Get>
std::vector<double> values_of(const Shape &shape, std::string &end, Get get) {
  // The sizes of the campaign are small: more is what a damaged header says.
  if (shape.cells() > 1 << 24) throw Unreadable("it is too large");
  std::vector<double> values(static_cast<size_t>(shape.cells()));
  std::vector<int64_t> start(static_cast<size_t>(shape.dims) + 1), count(shape.length, shape.length + shape.dims + 1);
  if (values.empty()) return values;
  try {
    get(start.data(), count.data(), values.data());
  } catch (const Unreadable &why) {
    end = why.what();
    int64_t records = 0;
    const int64_t of_record = shape.cells() / shape.length[0];
    try {
      for (count[0] = 1; shape.has_records && records < shape.length[0]; start[0] = ++records)
        get(start.data(), count.data(), values.data() + records * of_record);
    } catch (const Unreadable &) {
      // `records` shows how far it went.
    }
    values.resize(static_cast<size_t>(records * of_record));
  }
  return values;
}

std::vector<double> netcdf_values(int id, const std::string &name, int variable, std::string &end) {
  Shape shape;
  int dims[NC_MAX_VAR_DIMS], record_dim = -1;
  nc(nc_inq_unlimdim(id, &record_dim), name);
  nc(nc_inq_varndims(id, variable, &shape.dims), name);
  nc(nc_inq_vardimid(id, variable, dims), name);
  for (int d = 0; d < shape.dims; ++d) {
    size_t length = 0;
    nc(nc_inq_dimlen(id, dims[d], &length), name);
    shape.length[d] = static_cast<int64_t>(length);
  }
  shape.has_records = shape.dims > 0 && dims[0] == record_dim;
  return values_of(shape, end, [&](const int64_t *start, const int64_t *count, double *to) {
    const std::vector<size_t> starts(start, start + shape.dims), counts(count, count + shape.dims);
    nc(nc_get_vara_double(id, variable, starts.data(), counts.data(), to), name);
  });
}

void read_netcdf(int id, int texts, Reading &reading) {
  int dim = -1, variable = -1;
  size_t length = 0;
  nc(nc_inq_unlimdim(id, &dim), "the record dimension");
  if (dim >= 0) nc(nc_inq_dimlen(id, dim, &length), "the number of records");
  reading.records = static_cast<int64_t>(length);
  nc(nc_get_att_int(id, NC_GLOBAL, "version", &reading.version), "version");
  for (int i = 0; i < texts; ++i) {
    const std::string name = "text_" + std::to_string(i);
    nc(nc_inq_attlen(id, NC_GLOBAL, name.c_str(), &length), name);
    std::string text(std::min<size_t>(length, 1000), ' ');
    if (length == text.size()) nc(nc_get_att_text(id, NC_GLOBAL, name.c_str(), text.data()), name);
    reading.texts.push_back(text);
  }
  int part[4] = {};
  if (nc_inq_varid(id, "y", &variable) == NC_NOERR &&
      nc_inq_attlen(id, variable, "domain_decomposition", &length) == 0 && length == 4 &&
      nc_get_att_int(id, variable, "domain_decomposition", part) == NC_NOERR) {
    reading.first_row = part[2] - 1;
    reading.rows = part[3] - part[2] + 1;
  }
  for (const char *name : variables)
    if (nc_inq_varid(id, name, &variable) == NC_NOERR)
      reading.values[name] = netcdf_values(id, name, variable, reading.end);
}

std::vector<double> sverdrup_values(sv_file *file, const std::string &name, int variable, std::string &end) {
  Shape shape;
  int dims[SV_MAX_DIMS], record_dim = -1;
  sv(sv_inq(file, nullptr, nullptr, nullptr, &record_dim), name);
  sv(sv_inq_var(file, variable, nullptr, nullptr, &shape.dims, dims, nullptr), name);
  for (int d = 0; d < shape.dims; ++d) sv(sv_inq_dim(file, dims[d], nullptr, &shape.length[d]), name);
  shape.has_records = shape.dims > 0 && dims[0] == record_dim;
  return values_of(shape, end, [&](const int64_t *start, const int64_t *count, double *to) {
    sv(sv_get_vara(file, variable, start, count, SV_DOUBLE, to, nullptr), name);
  });
}

void read_sverdrup(sv_file *file, int texts, Reading &reading) {
  int record_dim = -1, variable = -1;
  sv(sv_inq(file, nullptr, nullptr, nullptr, &record_dim), "the record dimension");
  if (record_dim >= 0) sv(sv_inq_dim(file, record_dim, nullptr, &reading.records), "the number of records");
  sv(sv_get_att(file, SV_GLOBAL, "version", SV_INT, &reading.version), "version");
  for (int i = 0; i < texts; ++i) {
    const std::string name = "text_" + std::to_string(i);
    int64_t length = 0;
    sv(sv_inq_att(file, SV_GLOBAL, name.c_str(), nullptr, &length), name);
    std::string text(static_cast<size_t>(std::min<int64_t>(length, 1000)), ' ');
    if (length == static_cast<int64_t>(text.size()))
      sv(sv_get_att(file, SV_GLOBAL, name.c_str(), SV_CHAR, text.data()), name);
    reading.texts.push_back(text);
  }
  int part[4] = {};
  int64_t length = 0;
  if (sv_inq_varid(file, "y", &variable) == SV_OK &&
      sv_inq_att(file, variable, "domain_decomposition", nullptr, &length) == SV_OK && length == 4 &&
      sv_get_att(file, variable, "domain_decomposition", SV_INT, part) == SV_OK) {
    reading.first_row = part[2] - 1;
    reading.rows = part[3] - part[2] + 1;
  }
  for (const char *name : variables)
    if (sv_inq_varid(file, name, &variable) == SV_OK)
      reading.values[name] = sverdrup_values(file, name, variable, reading.end);
}

void add_record(sv_file *file, const Addition &what) {
  const auto put = [&](const char *name, int64_t cells, auto value) {
    int variable = -1;
    sv(sv_inq_varid(file, name, &variable), name);
    std::vector<double> values;
    for (int64_t cell = 0; cell < cells; ++cell) values.push_back(value(cell));
    sv(sv_put_var(file, variable, what.record, SV_DOUBLE, values.data(), nullptr), name);
  };
  const int64_t cells = what.sizes.ny * what.sizes.nx;
  put("time", 1, [&](int64_t) { return static_cast<double>(what.step); });
  put("temp", what.sizes.nz * cells, [&](int64_t cell) { return truth(what.version, var_temp, what.step, cell); });
  put("flag", 1, [&](int64_t) { return truth(what.version, var_flag, what.step, 0); });
  put("small", 1, [&](int64_t) { return truth_small(what.version, what.step); });
  if (what.version.added_from >= 0)
    put("added", cells, [&](int64_t cell) {
      return what.record < what.version.added_from ? added_fill : truth(what.version, var_added, what.step, cell);
    });
}

}  // namespace

Reading read_with_netcdf(const std::string &path, int texts) {
  Reading reading;
  int id = -1;
  const int status = nc_open(path.c_str(), NC_NOWRITE, &id);
  if (status != NC_NOERR) {
    reading.complaint = nc_strerror(status);
    return reading;
  }
  reading.opens = true;
  try {
    read_netcdf(id, texts, reading);
  } catch (const Unreadable &why) {
    reading.complaint = why.what();
  }
  nc_close(id);
  return reading;
}

SverdrupReader::SverdrupReader() { context_ = svtest::start(MPI_COMM_WORLD, {}); }

SverdrupReader::~SverdrupReader() { sv_finalize(static_cast<sv_context *>(context_)); }

Reading SverdrupReader::read(const std::string &path, int texts) const {
  Reading reading;
  sv_file *file = nullptr;
  if (sv_open(static_cast<sv_context *>(context_), path.c_str(), SV_NOWRITE, &file) != SV_OK) {
    reading.complaint = sv_message();
    return reading;
  }
  reading.opens = true;
  try {
    read_sverdrup(file, texts, reading);
  } catch (const Unreadable &why) {
    reading.complaint = why.what();
  }
  if (sv_close(file) != SV_OK && reading.complaint.empty()) reading.complaint = sv_message();
  return reading;
}

std::string SverdrupReader::append(const std::string &path, const Addition &what) const { return write(path, &what); }

std::string SverdrupReader::repair(const std::string &path) const { return write(path, nullptr); }

std::string SverdrupReader::continue_streams(const std::string &directory, const Sizes &sizes,
                                             const std::pair<int64_t, int64_t> &steps) const {
  auto *const io = static_cast<sv_context *>(context_);
  const std::filesystem::path here = std::filesystem::current_path();
  std::filesystem::current_path(directory);  // names of streams are those of the run
  StreamsRun streams(io, {sizes}, steps.first);
  int status = streams.status();
  for (int64_t step = steps.first; status == SV_OK && step < steps.second; ++step) {
    status = streams.send(step);
    if (status == SV_OK) status = sv_end_step(io);
  }
  std::string complaint = status == SV_OK ? "" : sv_message();
  if (streams.close() != SV_OK && complaint.empty()) complaint = sv_message();
  std::filesystem::current_path(here);
  return complaint;
}

std::string SverdrupReader::write(const std::string &path, const Addition *what) const {
  sv_file *file = nullptr;
  if (sv_open(static_cast<sv_context *>(context_), path.c_str(), SV_WRITE, &file) != SV_OK) return sv_message();
  std::string complaint;
  try {
    if (what != nullptr) add_record(file, *what);
  } catch (const Unreadable &why) {
    complaint = why.what();
  }
  if (sv_close(file) != SV_OK && complaint.empty()) complaint = sv_message();
  return complaint;
}

}  // namespace svcrash
