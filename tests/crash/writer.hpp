// The model and the files of writer.cpp: every call of the library that can change the files for a reader, with the
// statements about it to the recorder.
#pragma once

#include <string>
#include <vector>

#include "mark.hpp"
#include "support/check.hpp"
#include "truth.hpp"

namespace svcrash {

struct Output;

/// A run: its context, its decomposition, and the statements about its files.
struct Model {
  Model(std::string kind, const std::vector<std::string> &words);

  std::string text(const std::string &key, const std::string &otherwise) const;
  int64_t number(const std::string &key, int64_t otherwise) const;

  /// Collective. Ends the step, and says so for all growing files that are open. Where the run is to end here, it ends.
  void end_step();
  /// Collective. As sv_flush, and states its confirmation.
  void flush(int level);
  /// sv_save_streams has returned before this step: all before it is on the disk.
  void saved(int64_t before_step);

  void say(const std::string &what, const Output &out) const;
  /// What a call that has returned promises about a file: to be said once it is as far as `level`.
  void ended(const std::string &said, bool complete);
  /// Of a file that was closed and is written again, nothing is said of its marker any more.
  void reopened(const std::string &name);
  void report_up_to(int level, int64_t before_step);

  std::string kind;
  std::vector<std::string> words;
  Sizes sizes;
  int64_t steps = 8, from = 0;
  int rank = 0, ranks = 1;
  bool computes = true, served = false, ordered = false, on_disk = false;
  MPI_Comm comm = MPI_COMM_NULL;
  sv_context *io = nullptr;
  sv_decomp *decomp = nullptr;
  std::vector<Output *> outputs;  // open ones

  /// Cells of this rank, in the order of its memory.
  std::vector<int64_t> cells;

 private:
  void declare();
  struct Reported {
    std::string file;
    bool complete;
    int64_t step;  // steps that had ended before
    int level;     // stated so far
  };
  std::vector<Reported> reported_;
  int64_t ended_steps_ = 0;
};

/// A file. Everything but its constructor is collective.
struct Output {
  Output(Model &of, std::string path, int made_as);
  ~Output();
  Output(const Output &) = delete;

  void create(const Version &first);
  void create_series();
  void open(int version_there, int64_t records_there);
  /// Another version: in place (its attributes), or with a new variable.
  void redefine(bool moves);
  void put(int64_t step);
  void put_record(int64_t step);
  void put_and_end(int64_t step);
  void select_record(int64_t step, int64_t steps_per_file);
  void close();
  /// Name, version, records: the present statement about it.
  std::string said() const;
  /// The first statement about it.
  void introduce() const;

  Model &model;
  std::string name;
  int flags;
  int pieces = 0;
  Version version;
  int64_t records = 0, first = 0;
  sv_file *file = nullptr;

 private:
  void define();
  void put_texts() const;
  void find_ids();
  void put_fixed() const;
  int time_ = -1, depth_ = -1, temp_ = -1, flag_ = -1, small_ = -1, added_ = -1;
};

}  // namespace svcrash
