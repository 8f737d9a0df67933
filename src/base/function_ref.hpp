// A callable that its owner lends for the length of a call, as C++26's std::function_ref: a pointer to it and one to
// the code that calls it, so it is passed without memory of its own. Functions take one if they call it before they
// return; a callable that is kept is a std::function.
#pragma once

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace sv {

template <class Signature>
class FunctionRef;

template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  FunctionRef() = default;  // empty: must not be called
  /// `callable` must outlive it.
  template <class Callable>
  requires(!std::same_as<std::remove_cvref_t<Callable>, FunctionRef> &&
           std::is_invocable_r_v<Result, Callable &, Arguments...>) FunctionRef(Callable &&callable)
      : callable_(const_cast<void *>(static_cast<const void *>(std::addressof(callable)))),
        call_([](void *of, Arguments... arguments) -> Result {
          return (*static_cast<std::remove_reference_t<Callable> *>(of))(std::forward<Arguments>(arguments)...);
        }) {}

  explicit operator bool() const { return call_ != nullptr; }
  Result operator()(Arguments... arguments) const { return call_(callable_, std::forward<Arguments>(arguments)...); }

 private:
  void *callable_ = nullptr;
  Result (*call_)(void *, Arguments...) = nullptr;
};

}  // namespace sv
