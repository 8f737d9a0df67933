// Which way the values of one put or get take between the memory of the ranks and the file. choose_writing and
// choose_reading are the one place that decides it: the transfers call them in every collective call, sv-plan calls
// them without MPI, and the summary prints what they chose and why. They are pure, and must not call anything that
// communicates: every fact is the same on all ranks, therefore so is the choice.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sv {

enum class Strategy {
  servers,         // server ranks write or read the file
  field_by_field,  // a list whose values a library places: one field after the other
  independent,     // each rank packs and writes, or reads, its own part, and exchanges nothing
  own_stretches,   // each rank writes or reads its own long contiguous stretches of the file
  in_gate,         // one rank writes all of it while the others wait in the gate that agrees on the call
  own_ranges,      // every rank has all values; each owner of ranges writes its own
  own_points,      // each rank writes its own points
  two_phase        // ranks exchange values in rounds with the owners of ranges, who write or read them
};
constexpr int strategies = static_cast<int>(Strategy::two_phase) + 1;

/// The name in the configuration of tests, in the summary and in sv-plan.
std::string_view name_of(Strategy strategy);
/// The strategy of that name; nothing if there is none.
std::optional<Strategy> strategy_of(std::string_view name);

/// A fact that is found out only where it decides, because finding it out takes a while. It borrows what it asks.
class LazyFact {
 public:
  constexpr LazyFact(bool value) : value_(value) {}  // NOLINT: a known fact is a fact
  template <class Ask>
  static LazyFact by(const Ask &ask) {
    LazyFact fact(false);
    fact.of_ = &ask;
    fact.ask_ = [](const void *of) { return (*static_cast<const Ask *>(of))(); };
    return fact;
  }
  bool operator()() const { return ask_ == nullptr ? value_ : ask_(of_); }

 private:
  bool value_;
  const void *of_ = nullptr;
  bool (*ask_)(const void *) = nullptr;
};

/// All that a choice depends on. Every member is the same on all ranks.
struct Facts {
  enum class Form {
    field,       // one variable, or one record of it; each rank has the cells that a layout says
    replicated,  // the same, of which every rank has all values
    list         // any requests on any variables and records
  };
  Form form = Form::field;

  // The context and the file.
  bool one_rank = false;          // the context has one rank
  bool one_node = false;          // all ranks share memory
  bool served = false;            // server ranks write and read the file
  bool asynchronous = false;      // threads write the file after the call has returned
  bool placed_here = false;       // our ranks place its bytes: no server and no library does
  bool has_offsets = false;       // offsets in one file say where values stand
  bool sees_writes = false;       // a rank reads at once what another one has written, on this file system
  bool quick_calls = true;        // calls of the system are quick, as far as is known
  bool open_route = false;        // the user requests neither a route nor a way of writing
  bool one_writer = false;        // one rank may write values while all others wait
  bool many_kept_back = false;    // of those, a library keeps many already, for which it needs all ranks
  bool automatic_reading = true;  // the user requests no readers
  bool through_owners = false;    // owners of ranges read for all ranks

  // The request.
  int64_t bytes = 0;                // of all ranks
  int stages = 1;                   // of exchanging, in its plan
  int rounds = 1;                   // of exchanging, in its plan
  bool points = false;              // a rank's cells are points, not blocks
  bool own_route = false;           // the route lets each rank write its own cells
  bool of_list = false;             // one field of a list whose ranks agree once, at its end
  bool in_set = false;              // the variable is in a set of files
  bool one_block = false;           // all of it is one block of memory of one rank
  LazyFact fills = false;           // cells that no rank has get the fill value
  LazyFact long_stretches = false;  // each rank's cells are long stretches of the file
  LazyFact fits_gate = false;       // in one round one rank gets everything, and the window and the gate have room
};

/// The choice and its reason: one sentence without a full stop, for people.
struct StrategyChoice {
  Strategy strategy;
  std::string_view reason;
};

/// Counts of calls by the strategy that they took.
struct StrategyCounts {
  std::array<int64_t, strategies> writing{}, reading{};
};

/// Shorter stretches, one rank writes faster for all: a call of the system and a second meeting take longer than
/// another copy.
constexpr int64_t long_stretch_bytes = 64 << 10;

/// How a put is written. `forced`: this strategy is taken wherever it is possible at all, for tests.
StrategyChoice choose_writing(const Facts &facts, std::optional<Strategy> forced = std::nullopt);
/// How a get is read.
StrategyChoice choose_reading(const Facts &facts, std::optional<Strategy> forced = std::nullopt);
/// Whether a strategy gives the right bytes and values, be it slow.
bool can_write(Strategy strategy, const Facts &facts);
bool can_read(Strategy strategy, const Facts &facts);
/// The reason that choose_writing and choose_reading give for a strategy that was not forced.
std::string_view reason_of_writing(Strategy strategy);
std::string_view reason_of_reading(Strategy strategy);
/// With `combine: step`: whether a put waits for the end of its step, in order to be written together with others. A
/// rank alone writes at once, and its store combines adjacent writes; servers combine by themselves.
bool waits_for_step(const Facts &facts);

}  // namespace sv
