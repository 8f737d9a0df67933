#include "points/pnetcdf/record_file.hpp"

#include <pnetcdf.h>

#include <stdexcept>

namespace sv_bench {

namespace {

void check_call(int status, const char *call) {
  if (status != NC_NOERR) throw std::runtime_error(std::string("PnetCDF, ") + call + ": " + ncmpi_strerror(status));
}

}  // namespace

Segments::Segments(const std::vector<Region> &regions) {
  for (const Region &region : regions) {
    rank_ = 1 + region.start.size();
    starts_.push_back(0);
    starts_.insert(starts_.end(), region.start.begin(), region.start.end());
    counts_.push_back(1);
    counts_.insert(counts_.end(), region.count.begin(), region.count.end());
    values_ += region.elements();
  }
}

void Segments::set_record(int64_t record) {
  for (size_t at = 0; at < starts_.size(); at += rank_) starts_[at] = record;
}

std::vector<MPI_Offset *> Segments::pointers(std::vector<MPI_Offset> &numbers) const {
  std::vector<MPI_Offset *> found;
  for (size_t at = 0; at < numbers.size(); at += rank_) found.push_back(numbers.data() + at);
  return found;
}

int64_t Segments::values_of(size_t segment) const {
  int64_t values = 1;
  for (size_t d = 0; d < rank_; ++d) values *= counts_[segment * rank_ + d];
  return values;
}

RecordFile::RecordFile(MPI_Comm comm, std::string path, const Schema &schema)
    : comm_(comm), path_(std::move(path)), schema_(schema) {}

void RecordFile::create() {
  int number = 0;  // those of dimensions and variables are those of the schema
  check_call(ncmpi_create(comm_, path_.c_str(), NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file_), "create");
  for (const Dimension &dim : schema_.dims)
    check_call(ncmpi_def_dim(file_, dim.name.c_str(), dim.length, &number), "def_dim");
  for (const Variable &variable : schema_.variables)
    check_call(ncmpi_def_var(file_, variable.name.c_str(), variable.type.number, static_cast<int>(variable.dims.size()),
                             variable.dims.data(), &number),
               "def_var");
  check_call(ncmpi_enddef(file_), "enddef");
}

void RecordFile::open() { check_call(ncmpi_open(comm_, path_.c_str(), NC_WRITE, MPI_INFO_NULL, &file_), "open"); }

void RecordFile::close() { check_call(ncmpi_close(file_), "close"); }

void RecordFile::put_vara(int variable, Segments &segments, const std::byte *values) {
  const MPI_Datatype type = schema_.variables[static_cast<size_t>(variable)].type.mpi;
  check_call(ncmpi_put_vara_all(file_, variable, segments.starts().at(0), segments.counts().at(0), values,
                                segments.values(), type),
             "put_vara_all");
}

void RecordFile::put_varn(int variable, Segments &segments, const std::byte *values) {
  const MPI_Datatype type = schema_.variables[static_cast<size_t>(variable)].type.mpi;
  const std::vector<MPI_Offset *> starts = segments.starts(), counts = segments.counts();
  check_call(ncmpi_put_varn_all(file_, variable, static_cast<int>(segments.size()), starts.data(), counts.data(),
                                values, segments.values(), type),
             "put_varn_all");
}

void RecordFile::begin_independent() { check_call(ncmpi_begin_indep_data(file_), "begin_indep_data"); }

void RecordFile::end_independent() { check_call(ncmpi_end_indep_data(file_), "end_indep_data"); }

void RecordFile::put_each(int variable, Segments &segments, const std::byte *values) {
  const ElementType &type = schema_.variables[static_cast<size_t>(variable)].type;
  const std::vector<MPI_Offset *> starts = segments.starts(), counts = segments.counts();
  for (size_t s = 0; s < segments.size(); ++s) {
    const int64_t n = segments.values_of(s);
    check_call(ncmpi_put_vara(file_, variable, starts[s], counts[s], values, n, type.mpi), "put_vara");
    values += n * type.bytes;
  }
}

}  // namespace sv_bench
