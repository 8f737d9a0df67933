// The predicted time of a plan on a machine: the seconds of each phase, from the counts of the plan. sv-plan uses it;
// docs/prediction.md contains the equations, and the papers that they extend.
#pragma once

#include <cstdint>
#include <string>

#include "prediction/write_load.hpp"

namespace sv {

/// Rates in bytes per second, times in seconds.
struct Machine {
  int cores_per_node = 1;
  double pack_bytes_per_second = 0;       // of a core
  double memory_bytes_per_second = 0;     // of all cores of a node together
  double core_turn_seconds = 0;           // for which a core works for one of its ranks; 0: until it is done
  double message_seconds = 0;             // latency
  double message_bytes_per_second = 0;    // into or out of a node
  double writer_bytes_per_second = 0;     // of one writer
  double storage_bytes_per_second = 0;    // of any number of writers together
  double write_seconds = 0;               // latency of a write call
  double lock_seconds = 0;                // of handing a stripe from one writer to another
  double open_seconds = 0;                // of one rank's open
  double open_seconds_per_rank = 0;       // and of each further one
  double burst_bytes = 0;                 // that storage takes in at its full rate; 0: as many as come
  double sustained_bytes_per_second = 0;  // beyond them
  int targets = 0;                        // that stripes lie on, each with a queue of its own; 0: storage as one
  double target_bytes_per_second = 0;     // of each; a request takes write_seconds of it, too
  double stripe_bytes = 1 << 20;
  double agreement_seconds = -1;  // of two ranks; negative: a tree of messages
  double agreement_seconds_per_rank = 0;
  double put_seconds = -1;          // of a put by one rank, without its bytes and write calls; negative: two agreements
  double put_seconds_per_rank = 0;  // and of each further one
  double read_seconds = 0;          // of a core, for a read call
  double read_row_seconds = 0;      // of a core, for a row of a part that netCDF reads by itself
  double writer_core_part = 0;      // of one writer's time, for which it has a core
  double compress_bytes_per_second = 0;       // of a core, with the codec that is used; 0: not known
  double compress_node_bytes_per_second = 0;  // of all cores of a node together; 0: as many times that of one
  double compress_ratio = 1;                  // bytes left of a byte
  double netcdf4_file_seconds = 0;            // of making and closing a netCDF-4 file without values
  double netcdf4_variable_seconds = 0;        // and of each variable in it
  double read_bytes_per_second = 0;           // of one reader; 0: reading costs nothing
  double storage_read_bytes_per_second = 0;   // of all readers; 0: no limit
};

/// Of one field. "Most": of the node or rank that has most of it.
struct PlanCounts {
  int ranks = 1, openers = 1, rounds = 1, stages = 1;
  int most_ranks_on_node = 1;
  int64_t most_placed_bytes = 0;                              // on a node
  int64_t most_node_bytes = 0, most_node_messages = 0;        // sent and received by a node
  int64_t bytes = 0, most_writer_bytes = 0, most_writes = 0;  // written; by a writer
  int64_t most_node_writes = 0;  // by the writers of a node, which take turns where they are more than its cores
  int64_t most_writer_placed_bytes = 0;  // that a writer packs itself, between its writes
  WriteLoad load = {};                   // on stripes, and on targets where there are some
  /// For chunks that their owners compress: bytes of values, of the node and the rank that have most. Written data are
  /// counted as values, too. 0: nothing is compressed.
  int64_t most_node_compressed_bytes = 0, most_compressed_bytes = 0;
  int netcdf4_variables = 0;  // of the file, if it is netCDF-4
};

/// The time of a put of `ranks` without its bytes and write calls.
double put_seconds(int ranks, const Machine &machine);
/// The agreement at the end of every collective call on whether a rank has failed.
double agreement_seconds(int ranks, const Machine &machine);

struct PhaseSeconds {
  double open = 0, pack = 0, compress = 0, send = 0, write = 0, close = 0;
  double transfer = 0;  // pack, send and write of all rounds, of which each is written while the next is collected
  double behind = 0;    // of compressed chunks, until the next commit: the last rounds, whose places come later
  double total() const { return open + transfer + behind + close; }
  std::string limit;  // the bottleneck of the transfer: "packing", "compressing", "messages", "one writer", "write
                      // calls", "storage", "locks"
};
/// `written_before`: bytes that the storage's burst has taken in already.
PhaseSeconds predict(const PlanCounts &counts, const Machine &machine, int64_t written_before = 0);

}  // namespace sv
