#include "handles.hpp"

#include <unordered_map>

#include "base/mutex.hpp"

namespace sv::python {

namespace {

struct Object {
  void *pointer;
  Handle context;
  Turn turn;
};

class Objects {
 public:
  Handle add(Object object) {
    const MutexLock lock(mutex_);
    objects_.emplace(++last_, std::move(object));
    return last_;
  }

  Object find(Handle handle) {
    const MutexLock lock(mutex_);
    const auto found = objects_.find(handle);
    return found == objects_.end() ? Object{nullptr, 0, alone_} : found->second;
  }

  void remove(Handle handle) {
    const MutexLock lock(mutex_);
    objects_.erase(handle);
  }

  void remove_context(Handle context) {
    const MutexLock lock(mutex_);
    std::erase_if(objects_, [&](const auto &each) { return each.first == context || each.second.context == context; });
  }

  const Turn &alone() const { return alone_; }

 private:
  Mutex mutex_;
  std::unordered_map<Handle, Object> objects_ SV_GUARDED_BY(mutex_);
  Handle last_ SV_GUARDED_BY(mutex_) = 0;
  const Turn alone_ = std::make_shared<Turn::element_type>();  // of contexts of one rank
};

/// Never destroyed: threads may still call while the process ends.
Objects &objects() {
  static Objects *const all = new Objects;
  return *all;
}

}  // namespace

Turn new_turn(bool alone) { return alone ? objects().alone() : std::make_shared<Turn::element_type>(); }
Turn turn_of(Handle handle) { return objects().find(handle).turn; }
Handle keep(void *object, Handle context, const Turn &turn) { return objects().add({object, context, turn}); }
void *object_of(Handle handle) { return objects().find(handle).pointer; }
Handle context_of(Handle handle) { return objects().find(handle).context; }
void forget(Handle handle) { objects().remove(handle); }
void forget_context(Handle context) { objects().remove_context(context); }

}  // namespace sv::python
