// The contexts, files and decompositions that Python holds, and the order of the calls on them. The functions of this
// module, which alone use it, find objects by number and make every call of sverdrup.h through local() or collective().
#pragma once

#include <memory>
#include <mutex>

#include "binding.hpp"

namespace sv::python {

/// Held during a call. The library is written for one call at a time in a context. Contexts of one rank share one turn,
/// because the libraries below some stores (netCDF-C, HDF5) permit one call at a time in a process, and because no call
/// of such a context waits for another process. Contexts of several ranks have one each: their calls wait for other
/// ranks, which may have taken the contexts in another order (docs/adr/0066-threads-of-python.md).
using Turn = std::shared_ptr<std::mutex>;

/// The turn of a context that is made, of one rank or of several.
Turn new_turn(bool alone);
/// The turn of the context of an object; of a number without an object, that of contexts of one rank.
Turn turn_of(Handle handle);

/// Gives an object a number, which no other object of this process ever gets. `context`: the number of its context; 0
/// for a context itself.
Handle keep(void *object, Handle context, const Turn &turn);
/// The object, to be followed only while its turn is held; null once it is closed or freed, by another thread or with
/// its context.
void *object_of(Handle handle);
/// The number of its context.
Handle context_of(Handle handle);
/// Forgets an object.
void forget(Handle handle);
/// Forgets a context and its objects.
void forget_context(Handle context);

template <class Type>
Type *as(Handle handle) {
  return static_cast<Type *>(object_of(handle));
}

/// Makes a call that may wait for other ranks or for the disk, without the interpreter's lock: other threads of Python
/// go on meanwhile. Returns its status.
template <class Call>
int waiting(const Turn &turn, const Call &call) {
  const nb::gil_scoped_release free;
  const std::scoped_lock held(*turn);
  return call();
}

/// The status of a call on an object that has ended, by another thread or with its context.
inline constexpr int ended = -1;

/// The same, raising the exception of its status.
template <class Call>
void collective(Handle on, const Call &call) {
  check(waiting(turn_of(on), [&] { return object_of(on) == nullptr ? ended : call(); }), true);
}

/// The turn of an object, for a call that does not wait. The interpreter's lock is released only if another
/// thread has the turn. No object of Python is made meanwhile: that might collect another one, whose end needs
/// the turn.
class TurnHere {
 public:
  explicit TurnHere(Handle on) : turn_(turn_of(on)), held_(*turn_, std::try_to_lock) {
    if (held_.owns_lock()) return;
    const nb::gil_scoped_release free;
    held_.lock();
  }

 private:
  Turn turn_;
  std::unique_lock<std::mutex> held_;
};

/// Makes a call that does not wait, and raises the exception of its status.
template <class Call>
void local(Handle on, const Call &call) {
  int status = SV_OK;
  {
    const TurnHere turn(on);
    status = object_of(on) == nullptr ? ended : call();
  }
  check(status);
}

/// A call on objects of two contexts, whose turns are taken together. Raises the exception of its status.
template <class Call>
void between(Handle one, Handle other, bool collective, const Call &call) {
  const Turn first = turn_of(one), second = turn_of(other);
  int status = SV_OK;
  {
    const nb::gil_scoped_release free;
    std::unique_lock<std::mutex> held(*first, std::defer_lock), also(*second, std::defer_lock);
    if (first == second)
      held.lock();
    else
      std::lock(held, also);
    status = object_of(one) == nullptr || object_of(other) == nullptr ? ended : call();
  }
  check(status, collective);
}

}  // namespace sv::python
