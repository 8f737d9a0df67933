// The exit of a file's values, and its consequences for the order of calls: pending values, reports of failures, the
// record count and the publication of the file. Each file has one delivery. This class is that of a file that these
// ranks write within their calls; behind_delivery.hpp writes after them, by a thread of each rank;
// servers/served_delivery.hpp gives everything to servers. src/transfer, src/engine and src/servers call it, and never
// ask for its kind. A function is local unless it says that it is collective.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/convert.hpp"
#include "delivery/value_delivery.hpp"
#include "packing/field_pieces.hpp"

namespace sv {

struct FieldJob;

class FileDelivery : public ValueDelivery {
 public:
  using ValueDelivery::ValueDelivery;

  /// The delivery of the file as it is now; delivery_of returns it.
  virtual FileDelivery &current() { return *this; }
  /// Whether calls return before these ranks have written their values. The facts of strategies use it, and commits and
  /// closing, which are then later, too.
  virtual bool is_asynchronous() const { return false; }
  /// Whether the calls place all bytes of the file, which is one: then owners may fill many records at once, and one
  /// rank counts records, in a gate when all have come there.
  virtual bool places_in_calls() const;
  /// Whether a dimension may grow in a put.
  virtual bool can_grow() const { return true; }

  // Waiting for pending values.

  /// Collective. Nothing of the file is under way any more.
  virtual void settle() {}
  /// Waits until no value of this rank is pending. Throws their error.
  virtual void rest() {}
  /// The same before this rank closes the store: also if it throws, and pending values are dropped then.
  virtual void drain() {}
  /// What a commit within the call waits for on each rank, and throws; nullptr: nothing.
  virtual std::function<void()> unfinished() { return nullptr; }
  /// All ranks have written what they were asked for up to this number.
  virtual void forget(int64_t) {}

  // Failures.

  /// An error of this rank as a writer: returns it for this call, or keeps it for a later one.
  virtual std::optional<Error> keep(std::optional<Error> error) { return error; }
  /// A kept error, or the error of a thread.
  virtual std::optional<Error> error() const { return std::nullopt; }
  /// Collective. Ends a call that has given its values; `error` is this rank's. Agrees on the status, as `call`, if the
  /// call has written them: an error of any rank fails the file, and is thrown on every rank.
  virtual void conclude(const std::string &call, const std::optional<Error> &error);
  /// Collective. The file has failed with another one.
  virtual void fail(const Error &) {}

  // Commits, and the end.

  /// Collective. Counts the values once they are written, without these ranks; false: the caller must count them.
  virtual bool commit() { return false; }
  /// Reports that the values count, or will.
  virtual void committed();
  /// Collective. Counts values that these ranks do not count themselves.
  virtual void sync() {}
  /// Whether the thread of the file's owner does all that is done to the file, in the order of calls.
  virtual bool has_one_thread() const { return false; }
  /// Collective if the file is complete: all ranks have detached, and it is published. Otherwise it is abandoned.
  virtual void close(bool completes);
  /// Nothing will come any more, and nothing is under way.
  virtual void end() {}

  // Where others than these ranks write or read the file.

  /// Collective. They make the file, or open one that is there; false: these ranks are to do so.
  virtual bool create(bool) { return false; }
  virtual bool open(bool) { return false; }
  /// Collective. Its definitions have changed and are placed.
  virtual void redefine() {}
  /// Collective. These variables without records get their fill values; false: these ranks are to write them.
  virtual bool define_fixed(const std::vector<int> &) { return false; }
  /// Collective. A field that all ranks agree on: `pieces` describes the part of this rank.
  virtual void put(const FieldJob &job, const FieldPieces<PackRow> &pieces);
  /// Collective; waits. The reverse. Returns this rank's error, and adds the values that did not fit their type.
  virtual std::optional<Error> get(const FieldJob &job, const FieldPieces<UnpackRow> &pieces, OutOfRange &range_errors);
};

FileDelivery &delivery_of(const File &file);

}  // namespace sv
