// Requests that wait: ncmpi_wait_all and its kin, and the buffer that is attached for puts.
#include <algorithm>

#include "calls.hpp"
#include "transfer.hpp"

namespace sv::pnetcdf {

namespace {

/// After a request was carried out: copies values to the program's memory and releases the request's own.
int finish(Dataset &own, Posted &posted, bool transferred) {
  int code = NC_NOERR;
  if (posted.staged) {
    if (!posted.is_put && transferred) code = deliver(own.io, *posted.staged);
    posted.staged.reset();
  }
  own.requests.buffered_bytes -= posted.bytes;
  posted.bytes = 0;
  return code;
}

}  // namespace

void give_up(Dataset &own, Posted &posted) {
  posted.kept.reset();
  if (posted.request != SV_NO_REQUEST) sv_cancel(own.file, 1, &posted.request, nullptr);
  finish(own, posted, false);
}

int carry_out(Dataset &own, const std::vector<Posted *> &posted) {
  std::vector<sv_request> requests;
  std::vector<int> statuses(posted.size(), SV_OK);
  for (Posted *each : posted) {
    if (each->kept) {
      const int recorded = answered([&] {
        must(submit(own.file, each->kept->wanted(), &each->request));
        return NC_NOERR;
      });
      if (recorded != NC_NOERR) each->code = recorded;
      each->kept.reset();
    }
    requests.push_back(each->request);  // none: it was carried out before
  }
  // In independent mode, by this rank alone.
  const auto carry = own.mode == Mode::independent ? sv_wait_indep : sv_wait;
  const int all = carry(own.file, static_cast<int>(requests.size()), requests.data(), statuses.data());
  int first = NC_NOERR;
  for (size_t i = 0; i < posted.size(); ++i) {
    Posted &each = *posted[i];
    const int transferred = code_of(statuses[i]);
    const int finished = answered([&] { return finish(own, each, transferred == NC_NOERR); });
    if (transferred != NC_NOERR) each.code = transferred;
    if (each.code == NC_NOERR) each.code = finished;
    if (first == NC_NOERR) first = each.code;
  }
  return first != NC_NOERR ? first : code_of(all);
}

void show_records(Dataset &own, bool reads) {
  if (!own.is_writable || !own.may_have_new_records) return;
  int any = reads ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, own.comm);
  if (any == 0) return;
  must(sv_sync(own.file));
  own.may_have_new_records = false;
}

namespace {

/// Whether PnetCDF treats a list of n requests, all puts or all gets, as all pending ones, with any numbers. It must:
/// its Fortran functions do not return the number of a put with range errors.
bool means_all(Requests &requests, int n, const int *numbers) {
  if (n <= 0 || n != requests.count()) return false;
  const auto puts = std::ssize(requests.numbers(true, false));
  const bool all_known = std::all_of(numbers, numbers + n, [&](int each) { return requests.find(each) != nullptr; });
  return (puts == 0 || puts == n) && !all_known;
}

/// The numbers that a call means.
std::vector<int> meant(const Dataset &own, int n, const int *numbers) {
  if (n == NC_REQ_ALL) return own.requests.numbers(true, true);
  if (n == NC_GET_REQ_ALL) return own.requests.numbers(false, true);
  if (n == NC_PUT_REQ_ALL) return own.requests.numbers(true, false);
  return {numbers, numbers + n};
}

/// Takes requests out of the pending ones, with the outcome of each.
int settle(Dataset &own, int n, int *numbers, int *statuses, const std::vector<int> &all) {
  int first = NC_NOERR;
  for (size_t i = 0; i < all.size(); ++i) {
    int code = NC_NOERR;
    if (all[i] != NC_REQ_NULL) {
      Posted *const posted = own.requests.find(all[i]);
      code = posted == nullptr ? NC_EINVAL_REQUEST : posted->code;
      if (posted != nullptr) own.requests.remove(all[i]);
    }
    if (n >= 0 && statuses != nullptr) statuses[i] = code;
    if (n >= 0 && code != NC_EINVAL_REQUEST) numbers[i] = NC_REQ_NULL;
    if (first == NC_NOERR) first = code;
  }
  return first;
}

/// Collective, but in independent mode.
int wait_for(Dataset &own, int n, int *numbers, int *statuses) {
  const bool together = own.mode == Mode::collective;
  const std::vector<int> all = meant(own, means_all(own.requests, n, numbers) ? NC_REQ_ALL : n, numbers);
  std::vector<Posted *> posted;
  bool reads = false;
  for (const int number : all)
    if (Posted *const found = number == NC_REQ_NULL ? nullptr : own.requests.find(number)) {
      posted.push_back(found);
      reads = reads || !found->is_put;
    }
  if (together) show_records(own, reads);
  const int ended = carry_out(own, posted);
  if (together) own.may_have_new_records = own.is_writable;
  const int mine = settle(own, n, numbers, statuses, all);
  return mine != NC_NOERR ? mine : ended;
}

}  // namespace

int wait_all(Dataset &own, int n, int *numbers, int *statuses) {
  refuse_if(own.mode == Mode::define, NC_EINDEFINE);
  refuse_if(own.mode == Mode::independent, NC_EINDEP);
  return wait_for(own, n, numbers, statuses);
}

int wait(Dataset &own, int n, int *numbers, int *statuses) {
  refuse_if(own.mode == Mode::define, NC_EINDEFINE);
  refuse_if(own.mode == Mode::collective, NC_ENOTINDEP);
  return wait_for(own, n, numbers, statuses);
}

int cancel(Dataset &own, int n, int *numbers, int *statuses) {
  const std::vector<int> all = meant(own, n, numbers);
  for (const int number : all) {
    Posted *const posted = number == NC_REQ_NULL ? nullptr : own.requests.find(number);
    if (posted == nullptr) continue;
    give_up(own, *posted);
    posted->code = NC_NOERR;
  }
  return settle(own, n, numbers, statuses, all);
}

int buffer_attach(Dataset &own, MPI_Offset bytes) {
  refuse_if(bytes <= 0, NC_ENULLBUF);
  refuse_if(own.buffer_bytes > 0, NC_EPREVATTACHBUF);
  must(sv_attach_buffer(own.file, bytes));
  own.buffer_bytes = bytes;
  return NC_NOERR;
}

int buffer_detach(Dataset &own) {
  refuse_if(own.buffer_bytes == 0, NC_ENULLABUF);
  refuse_if(own.requests.buffered_bytes > 0, NC_EPENDINGBPUT);
  must(sv_detach_buffer(own.file));
  own.buffer_bytes = 0;
  return NC_NOERR;
}

int inq_buffer_usage(Dataset &own, MPI_Offset *usage) {
  refuse_if(own.buffer_bytes == 0, NC_ENULLABUF);
  return assign(usage, own.requests.buffered_bytes);
}

int inq_buffer_size(Dataset &own, MPI_Offset *bytes) {
  refuse_if(own.buffer_bytes == 0, NC_ENULLABUF);
  return assign(bytes, own.buffer_bytes);
}

int inq_nreqs(Dataset &own, int *count) { return assign(count, own.requests.count()); }

}  // namespace sv::pnetcdf
