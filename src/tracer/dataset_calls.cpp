#include "tracer/dataset_calls.hpp"

#include "tracer/mpi.hpp"

namespace sv::profile {

void DatasetCall::puts_attribute(int type, int64_t count) {
  const int64_t each = *this ? datasets_.bytes_of(ncid_, type) : 0;
  if (each > 0) {
    (*this)->bytes(count * each);
  }
}

int DatasetCall::returns(int status, const char *name, int64_t element_bytes) {
  returns(status);
  if (*this && status == 0 && element_bytes != of_no_size) {
    (*this)->bytes(datasets_.attribute_bytes(ncid_, varid_, name, element_bytes));
  }
  return status;
}

TransferCall::TransferCall(TracedName &function, VariableId id, const Access &access, int64_t element_bytes)
    : DatasetCall(function, id.ncid, id.varid), choice_(access.choice), element_bytes_(element_bytes) {
  const int ndims = known().ndims;
  if (!*this || ndims < 0) {
    return;
  }
  if (element_bytes_ == as_in_file) {
    element_bytes_ = known().type_bytes;
  }
  if (choice_ == Choice::one) {
    elements_ = 1;
  } else if (choice_ == Choice::block && access.count != nullptr) {
    elements_ = elements_of(access.count, ndims);
  } else if (choice_ == Choice::block && access.start == nullptr) {
    choice_ = Choice::all;
  }
  arguments(Argument::start, access.start, ndims);
  arguments(Argument::count, access.count, ndims);
  arguments(Argument::stride, access.stride, ndims);
  arguments(Argument::imap, access.imap, ndims);
}

void TransferCall::described(int64_t items, Word datatype, const void *function) {
  const int64_t bytes = *this && items >= 0 ? mpi_library(function).type_bytes(datatype) : 0;
  if (bytes > 0) {
    bytes_ = items * bytes;
  }
}

int TransferCall::returns(int status) {
  FileCall::returns(status);
  if (*this && choice_ == Choice::all && bytes_ < 0 && known().ndims >= 0) {
    elements_ = datasets_.elements(ncid_, varid_);  // now: a put may have added records
  }
  if (bytes_ < 0 && elements_ >= 0 && element_bytes_ > 0) {
    bytes_ = elements_ * element_bytes_;
  }
  if (bytes_ >= 0) {
    (*this)->bytes(bytes_);
  }
  return status;
}

}  // namespace sv::profile
