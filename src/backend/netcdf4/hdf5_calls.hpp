// Calls of HDF5's C interface: numbers that are closed when they go, and codes that become Errors.
#pragma once

#include <hdf5.h>

#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/loan.hpp"

namespace sv::netcdf4 {

/// Owns a number that HDF5 has given.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t number, Close how) : number_(number), close_(how) {}
  Handle(Handle &&other) noexcept : number_(std::exchange(other.number_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle &operator=(Handle &&other) noexcept {
    std::swap(number_, other.number_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (number_ >= 0) close_(number_);
  }
  hid_t get() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  /// Whether that worked. Afterwards it owns nothing.
  bool close() { return number_ < 0 || close_(std::exchange(number_, H5I_INVALID_HID)) >= 0; }

 private:
  hid_t number_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

/// While it lives, HDF5 prints nothing about calls that fail.
class Silence {
 public:
  Silence() {
    H5Eget_auto2(H5E_DEFAULT, &before_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Silence() { H5Eset_auto2(H5E_DEFAULT, before_, data_); }
  Silence(const Silence &) = delete;

 private:
  H5E_auto2_t before_ = nullptr;
  void *data_ = nullptr;
};

/// While it lives, the thread may call HDF5, which prints nothing about calls that fail. An HDF5 that is made for
/// threads keeps this setting for each thread: that of the program's thread does not hold in another one.
class BorrowedHdf5 {
 public:
  explicit BorrowedHdf5(Loan *loan) : borrowed_(loan) {}

 private:
  const Borrowed borrowed_;
  const Silence silence_;
};

/// Why the last call failed, with HDF5's innermost message: Error(io) where the system could not read the file, else
/// Error(format), since HDF5 works in memory, and only the contents of the file can be wrong.
Error hdf5_error(const char *call);

/// The result of a call. Throws hdf5_error.
template <class Result>
Result checked(Result result, const char *call) {
  if (result >= 0) return result;
  throw hdf5_error(call);
}

}  // namespace sv::netcdf4
