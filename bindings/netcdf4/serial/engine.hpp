// The engine of files that one process makes with nc_create, or opens with nc_open to write: over src/serial and the
// store netcdf4, whose HDF5 is the program's. Puts are copied; a thread compresses and writes. No MPI.
#pragma once

#include <memory>
#include <string>

#include "../engine.hpp"
#include "config/settings.hpp"
#include "serial/stored_file.hpp"
#include "store/file_identity.hpp"

namespace sv::netcdf4 {

/// The arguments of nc_create or nc_open. Values.
struct SerialCall {
  const void *caller;
  std::string path;  // absolute: the program may change its directory
  int mode;
  const FileSettings *settings;
  int threads;  // that compress
  FileIdentity file;
};

class SerialEngine final : public Engine {
 public:
  explicit SerialEngine(SerialCall call) : call_(std::move(call)) {}

  bool has(const FileIdentity &file) const { return file.is_of_file(call_.file); }
  /// Whether Sverdrup's readers look for the marker of a complete file.
  bool is_marked() const;
  /// An interrupted commit is completed: netCDF, which reads the definitions, knows of none. Returns why it cannot be;
  /// empty: there is none now.
  std::string reason_against_completing() const;

  bool take_file(const Definitions &definitions, bool is_classic, std::string &reason) override;
  bool keeps_small_files() const override { return true; }
  void take_values(const std::string &name, const Definitions &definitions, const std::vector<bool> &wanted) override;
  void write_small_file(const std::string &name) override;
  bool begin(const Definitions &definitions, std::string &reason) override;
  bool redefine(const Definitions &definitions, std::string &reason) override;
  const char *reason_against_renaming() const override { return file_ == nullptr ? nullptr : "renaming after data"; }
  int64_t length(int dim) const override;
  bool may_extend(int) const override { return true; }
  int transfer(int variable, bool is_put, Request *request) override;
  void sync() override;
  int close() override;
  int abort() override;
  int make_by_library() override;
  int hand_over(const Definitions &definitions) override;
  bool has_access() const override { return false; }

 private:
  StoredFile &file();
  std::unique_ptr<Store> make_store(bool named_at_once) const;
  void move_strings(const StridedCells &cells, const Request &request);
  int make_again(const Definitions &definitions);
  bool is_classic() const { return (call_.mode & NC_CLASSIC_MODEL) != 0; }

  SerialCall call_;
  std::unique_ptr<StoredFile> file_;
  bool is_new_ = true;
};

}  // namespace sv::netcdf4
