// Copies a file, or joins a set of them into one, on the public interface: definitions, then values, in bounded memory.
#pragma once

#include <sverdrup/sverdrup.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "kept_storage.hpp"
#include "rechunking.hpp"

namespace sv_tools {

/// Throws std::runtime_error with the library's message, which is the same on every rank.
void must(int status);

/// Collective. Runs `work` on every rank; throws std::runtime_error on all when it failed on one, with the cause of the
/// first that failed.
void together(MPI_Comm comm, const std::function<void()> &work);

constexpr int64_t usual_hold_bytes = int64_t{256} << 20;
/// Slabs that are copied in one call: bytes for each rank, of which it holds at most the compressed ones, and how many.
constexpr int64_t batch_bytes = int64_t{32} << 20;
constexpr size_t batch_slabs = 4096;

class Copying {
 public:
  /// `in` is open for reading, `out` in define mode, by all ranks of `comm`; all are borrowed.
  Copying(sv_file *in, sv_file *out, MPI_Comm comm) : in_(in), out_(out), comm_(comm) {}
  /// The limit of a rank's values in memory when chunks span records.
  void may_hold(int64_t bytes) { most_bytes_ = bytes; }
  /// The parts of the variables' storage that the copy keeps; by default all.
  void keep(const KeptStorage &kept) { kept_ = kept; }

  /// Collective. Dimensions, variables and attributes, in their order; leaves define mode.
  void define();
  /// Collective, in between. For an incomplete file: finds the existing data, and copies no more. Missing data, up to
  /// the last record of some variable, are filled. Throws if nothing exists.
  void leave_out_missing();
  /// Then: a line for each variable.
  std::string story() const;
  /// Collective. All values. `progress` is called on every rank with the bytes done.
  void copy(const std::function<void(double done)> &progress);
  /// Bytes of all values, according to the header; more than 2^63 if the header is wrong.
  double bytes() const { return bytes_; }

 private:
  struct Variable {
    int in;  // its id in `in`; its place among the variables is its id in `out`
    bool has_records;
    int64_t slab_bytes;  // of one record of it
    int64_t slabs;       // records, or 1, that are copied
    std::string name;
    int type;
    std::vector<int64_t> last;  // the index of its last value
  };
  struct Batch {
    std::vector<int> from, to;
    std::vector<int64_t> records;  // there and here
    int64_t bytes = 0;
  };
  int out_id(int in) const {
    if (in < SV_GLOBAL) return SV_GROUP(groups_.at(SV_GLOBAL - in));
    return in == SV_GLOBAL ? SV_GLOBAL : static_cast<int>(variables_.size());
  }
  bool is_enhanced() const;
  bool is_in_lost_group(const char *name) const;
  void copy_groups(int parent);
  bool has(int variable, int64_t slab);
  Rechunking rechunking(int variable) const;
  void read(int variable, const Rechunking &work, const CellBox &part, std::vector<std::byte> &values);
  void read_chunks(int variable, const Rechunking &work, const CellBox &part, std::vector<std::byte> &values);
  [[nodiscard]] bool is_copied_by_slabs(int variable) const;
  void copy_texts(int variable);
  void add_slab(int variable, int64_t record, const std::function<void(double)> &progress);
  void copy_slabs(const std::function<void(double)> &progress);
  void copy_in_blocks(int variable, const Rechunking &work, const std::function<void(double)> &progress);
  void copy_dimensions(int dims, int record_dim);
  void copy_variable(int id, int record_dim);
  void copy_enumeration(int variable, int id);
  void copy_attributes(int variable);
  void copy_strings(int variable, const char *name, int64_t count);
  void copy_fill_value(int variable, int64_t count);
  void leave_out(const std::string &what, const std::string &why);

  sv_file *in_, *out_;
  MPI_Comm comm_;
  double bytes_ = 0, done_ = 0;
  int64_t most_bytes_ = usual_hold_bytes;
  KeptStorage kept_;
  int64_t records_ = 0;   // of variables that have some
  int64_t promised_ = 0;  // as the header has it
  std::vector<int64_t> lengths_;
  std::map<int, int> groups_;  // ids in `out` of the copied groups
  std::vector<int> dims_;      // ids in `out`; -1 of omitted ones
  std::vector<Variable> variables_;
  Batch batch_;
};

/// For copying by all ranks of `comm`, in bounded memory; `given` settings override these.
std::vector<std::string> copying_settings(MPI_Comm comm, const std::vector<std::string> &given = {});
/// Collective. `configuration`: a YAML file; nullptr: the one that SV_CONFIG may name.
sv_context *start(MPI_Comm comm, const std::vector<std::string> &settings, const char *configuration = nullptr);
/// Collective. Makes one file of a set of pieces.
void join(MPI_Comm comm, const std::string &set, const std::string &path, const std::vector<std::string> &settings);

/// The bytes of a value of a type of sverdrup.h in memory.
int64_t bytes_of(int type);

}  // namespace sv_tools
