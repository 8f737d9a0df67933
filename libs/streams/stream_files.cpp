#include "stream_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "date_name.hpp"
#include "failure.hpp"
#include "sharing.hpp"

namespace sv::streams {

namespace {

/// Returns errno, or 0. The new name is on the disk.
int rename_durably(const std::string &from, const std::string &to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) return errno;
  const size_t slash = to.rfind('/');
  const int folder = ::open(slash == std::string::npos ? "." : to.substr(0, slash + 1).c_str(), O_RDONLY | O_CLOEXEC);
  if (folder < 0) return errno;
  const int problem = ::fsync(folder) == 0 ? 0 : errno;
  ::close(folder);
  return problem;
}

}  // namespace

Time StreamPeriods::last_date(Time begin, Time end) const {
  Time date = date_of(begin, end);
  const Time file_end = files->end_after(date);
  for (;;) {
    const Time next_end = records.end_after(end), next = date_of(end, next_end);
    if (next >= file_end) return date;
    date = next;
    end = next_end;
  }
}

std::string StreamFiles::name_of_file(Time last) const {
  return name_at(request_->file, *periods_.calendar, first_, last);
}

void StreamFiles::begin(Time begin, Time end, bool continues) {
  std::string name = request_->file;
  if (periods_.files) {
    first_ = periods_.date_of(begin, end);
    expected_last_ = periods_.last_date(begin, end);
    name = name_of_file(expected_last_);
  }
  last_.reset();
  file_.emplace(io_, *periods_.calendar, periods_.time, periods_.has_bounds);
  file_->define(*request_, name, *outputs_, continues);
}

void StreamFiles::select(Time begin, Time end) {
  if (periods_.files) {
    const Time date = periods_.date_of(begin, end);
    if (file_ && date > expected_last_) close();
    if (!file_) this->begin(begin, end, false);
    last_ = date;
  }
  file_->select(begin, end);
}

void StreamFiles::sync() {
  if (!periods_.files) return file_->sync();
  if (last_) close();
}

/// An empty file of a period gets no name.
void StreamFiles::close() {
  if (!file_) return;
  if (!periods_.files) return file_->close();
  const std::optional<Time> last = std::exchange(last_, std::nullopt);
  if (last)
    file_->close();
  else
    file_->abandon();
  file_.reset();
  if (!last || *last == expected_last_) return;
  must(sv_flush(io_, SV_WRITTEN));  // it has its name now
  const std::string from = name_of_file(expected_last_), to = name_of_file(*last);
  if (from == to) return;
  int problem = is_first_rank(io_) ? rename_durably(from, to) : 0;
  share(io_, problem);
  if (problem != 0)
    throw Failure(SV_EIO,
                  from + ": its last record is of " + periods_.calendar->text_of(*last) +
                      ", but it cannot be renamed to " + to + ": " + std::strerror(problem),
                  "Rename it");
}

}  // namespace sv::streams
