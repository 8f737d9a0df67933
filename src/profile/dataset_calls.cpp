#include "profile/dataset_calls.hpp"

#include <algorithm>
#include <array>

namespace sv::profile {
namespace {

constexpr int most_listed = 32;  // dimensions of a variable that are told

}  // namespace

DatasetCall::DatasetCall(TracedName &function, Datasets &datasets, int ncid, int varid) : call_(function) {
  if (!call_) {
    return;
  }
  known_ = varid < 0 ? datasets.dataset(call_.recorder(), ncid) : datasets.variable(call_.recorder(), ncid, varid);
  if (known_.traced) {
    call_.about(known_.file, known_.variable);
  } else {
    call_.forget();
  }
}

void DatasetCall::arguments(Argument kind, const int64_t *values, int n) {
  if (call_ && values != nullptr && n > 0) {
    call_.argument(kind, std::span(values, static_cast<size_t>(std::min(n, most_listed))));
  }
}

void DatasetCall::arguments(Argument kind, const int *values, int n) {
  if (call_ && values != nullptr && n > 0) {
    std::array<int64_t, most_listed> wide;
    const int listed = std::min(n, most_listed);
    std::copy_n(values, listed, wide.begin());
    call_.argument(kind, std::span(wide.data(), static_cast<size_t>(listed)));
  }
}

void AttributeCall::puts(int type, int64_t count) {
  const int64_t each = call_ ? datasets_.bytes_of(id_.ncid, type) : 0;
  if (each > 0) {
    call_->bytes(count * each);
  }
}

int AttributeCall::returns(int status, const char *name, int64_t element_bytes) {
  call_.returns(status);
  if (call_ && status == 0 && element_bytes != of_no_size) {
    call_->bytes(datasets_.attribute_bytes(id_.ncid, id_.varid, name, element_bytes));
  }
  return status;
}

OpeningCall::OpeningCall(TracedName &function, Datasets &datasets, const char *path, int mode)
    : call_(function), datasets_(datasets), path_(call_ ? traced_file(path) : std::string()) {
  if (!call_) {
    return;
  }
  if (path_.empty()) {
    call_.forget();
    return;
  }
  call_.about(call_.recorder().file(path_));
  call_.argument(Argument::mode, mode);
}

int OpeningCall::returns(int status, const int *ncid, const void *function) {
  call_.returns(status);
  if (status == 0 && ncid != nullptr) {
    datasets_.opened(*ncid, path_, function);
  }
  return status;
}

TransferCall::TransferCall(TracedName &function, Datasets &datasets, VariableId id, const Access &access,
                           int64_t element_bytes)
    : call_(function, datasets, id.ncid, id.varid),
      datasets_(datasets),
      id_(id),
      choice_(access.choice),
      element_bytes_(element_bytes) {
  const int ndims = call_.known().ndims;
  if (!call_ || ndims < 0) {
    return;
  }
  if (element_bytes_ == as_in_file) {
    element_bytes_ = call_.known().type_bytes;
  }
  if (choice_ == Choice::one) {
    elements_ = 1;
  } else if (choice_ == Choice::block && access.count != nullptr) {
    elements_ = elements_of(access.count, ndims);
  } else if (choice_ == Choice::block && access.start == nullptr) {
    choice_ = Choice::all;
  }
  call_.arguments(Argument::start, access.start, ndims);
  call_.arguments(Argument::count, access.count, ndims);
  call_.arguments(Argument::stride, access.stride, ndims);
  call_.arguments(Argument::imap, access.imap, ndims);
}

int TransferCall::returns(int status) {
  call_.returns(status);
  if (call_) {
    if (choice_ == Choice::all && bytes_ < 0 && call_.known().ndims >= 0) {
      elements_ = datasets_.elements(id_.ncid, id_.varid);  // now: a put may have added records
    }
    if (bytes_ >= 0) {
      call_->bytes(bytes_);
    } else if (elements_ >= 0 && element_bytes_ > 0) {
      call_->bytes(elements_ * element_bytes_);
    }
  }
  return status;
}

int64_t elements_of(const int64_t *count, int ndims) {
  int64_t elements = 1;
  for (int d = 0; d < ndims; ++d) {
    elements *= count[d];
  }
  return elements;
}

}  // namespace sv::profile
