#include "base/error.hpp"

#include <cerrno>
#include <cstring>
#include <new>

#include "base/printable.hpp"

namespace sv {

Error::Error(Status status, std::string cause, std::string remedy)
    : std::runtime_error(cause), status_(status), cause_(std::move(cause)), remedy_(std::move(remedy)) {
  compose();
}

Error Error::from_remote(Status status, std::string text) {
  Error error(status, std::move(text));
  error.from_remote_ = true;
  return error;
}

Error &Error::count_records_from(int first) {
  first_record_ = first;
  compose();
  return *this;
}

std::string relative_to(const std::string &directory, std::string text) {
  const std::string absolute = "'" + directory;
  for (size_t at = 0; !directory.empty() && (at = text.find(absolute, at)) != std::string::npos; ++at)
    text.erase(at + 1, directory.size());
  return text;
}

Error &Error::relative_to(const std::string &directory) {
  if (directory.empty()) return *this;
  cause_ = sv::relative_to(directory, std::move(cause_));
  remedy_ = sv::relative_to(directory, std::move(remedy_));
  if (file_.starts_with(directory)) file_.erase(0, directory.size());
  if (from_remote_) text_ = sv::relative_to(directory, std::move(text_));
  compose();
  return *this;
}

void Error::compose() {
  if (from_remote_) return;
  std::string where;
  const auto add = [&where](const std::string &part) { where += (where.empty() ? "" : ", ") + part; };
  if (!file_.empty()) add("file '" + file_ + "'");
  if (!variable_.empty()) add("variable '" + variable_ + "'");
  if (record_ >= 0)
    add("record " + std::to_string(record_ + first_record_) + " (from " + std::to_string(first_record_) + ")");
  if (rank_ >= 0) add("rank " + std::to_string(rank_));
  if (request_ >= 0) add("request " + std::to_string(request_ + 1) + " of " + std::to_string(requests_));
  text_ = (where.empty() ? "" : where + ": ") + cause_;
  if (!remedy_.empty()) text_ += ". " + remedy_;
  text_ = printable_message(text_);  // names come from files
}

namespace {

Status status_of(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return Status::no_space;
    case EACCES:
    case EPERM:
    case EROFS:
    case EISDIR:
    case ENOTDIR:
      return Status::access;
    case ENOENT:
      return Status::not_found;
    case EEXIST:
      return Status::exists;
    case ENOMEM:
      return Status::no_memory;
    default:
      return Status::io;
  }
}

const char *remedy_of(Status status) {
  switch (status) {
    case Status::no_space:
      return "Free some space or raise the quota, and run again";
    case Status::access:
      return "Check that the directory exists and may be written";
    case Status::not_found:
      return "Check the path, as seen from every node";
    case Status::exists:
      return "Remove it, or create without SV_NOCLOBBER";
    default:
      return "Check the state of the file system";
  }
}

}  // namespace

Error system_error(int error_number, const std::string &what, const std::string &path) {
  const Status status = status_of(error_number);
  return Error(status, what + ": " + std::strerror(error_number), remedy_of(status)).in_file(path);
}

Error handled_error(int rank) {
  try {
    throw;
  } catch (Error &error) {
    return error.on_rank(rank);
  } catch (const std::bad_alloc &) {
    return Error(Status::no_memory, "no memory", "Use more nodes, or a smaller 'transport.window'").on_rank(rank);
  } catch (const std::exception &error) {
    return Error(Status::internal, std::string("unexpected: ") + error.what(), "Please report it").on_rank(rank);
  } catch (...) {
    return Error(Status::internal, "an exception without a name", "Please report it").on_rank(rank);
  }
}

}  // namespace sv
