// The files that are taken over, by number. Numbers of ours are larger than those of netCDF, which counts from 65536 in
// steps of 65536: it would have to have 32,000 files open to reach them.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "../face/account.hpp"
#include "codes.hpp"
#include "model/name_index.hpp"
#include "serial/serial_file.hpp"

namespace sv::netcdf {

struct Dataset {
  std::unique_ptr<SerialFile> file;
  int ncid = -1;
  std::string path;
  dev_t device{};  // with the inode: identifies the file under any path
  ino_t inode{};
  int mode = 0;  // as netCDF reports it
  NameIndex dims, variables;
  std::unordered_map<int, NameIndex> attributes;  // by variable, of those with many
  Account account;

  PlacedSchema &schema() const { return file->schema(); }
  bool is_cdf5() const { return schema().format == Format::cdf5; }
  // The functions that face/inquiry.hpp needs.
  size_t dim_count() const { return schema().dims.size(); }
  size_t variable_count() const { return schema().variables.size(); }
  size_t attribute_count(int variable) { return attributes_of(variable).size(); }
  int record_dim() const { return schema().record_dim(); }
  int format_number() const { return static_cast<int>(schema().format); }
  int dim_named(const char *name);
  const std::string &dim_name(int dim) const;
  size_t dim_length(int dim) const;
  int variable_named(const char *name);
  Variable &variable(int number);
  const std::string &variable_name(int number) { return variable(number).name; }
  const Attribute &attribute(int variable, const char *name);
  int attribute_place(int variable, const char *name);

  /// Throws NC_ENOTVAR.
  std::vector<Attribute> &attributes_of(int variable);
  /// As netCDF counts them: of the record dimension, the records.
  size_t length_of(int dim) const;
  /// Throws NC_EBADTYPE where a variable that is to be filled has a _FillValue that is none of its type.
  void check_fill(size_t first_variable, bool with_records) const;
};

constexpr int first_ncid = 0x7d000000;

/// The variable of the file that stands in for ours (real.hpp): 0 where ours has that variable; otherwise the number,
/// which is wrong there, too.
inline int stand_in_variable(const Dataset &own, int variable) {
  return variable >= 0 && variable < std::ssize(own.schema().variables) ? 0 : variable;
}

/// nullptr where it is not one of ours.
Dataset *dataset(int ncid) noexcept;
Dataset &keep(std::unique_ptr<Dataset> made);
/// When it returns, the files contain all values that were put into files of ours under this path, in any spelling:
/// before the path is opened once more.
void settle_files_at(const char *path) noexcept;
/// It has no number any more.
std::unique_ptr<Dataset> take_away(Dataset &own);

}  // namespace sv::netcdf
