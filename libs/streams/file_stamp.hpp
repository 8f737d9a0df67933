// The values of a new file that no configuration can give: an identifier of its own, and the time of its making. Stream
// files call it once for a file.
#pragma once

#include <string>

#include "sverdrup/sverdrup.h"

namespace sv::streams {

/// Whether a text has `{uuid}` or `{now}`.
bool has_stamp(const std::string &text);

class FileStamp {
 public:
  /// Collective: the same on all ranks. With SOURCE_DATE_EPOCH in the environment, the time is that of the variable,
  /// and the identifier follows from it and the file's name. Otherwise the identifier is a random UUID (RFC 9562,
  /// version 4).
  FileStamp(sv_context *io, const std::string &file);

  /// With the values in place of `{uuid}` and `{now}`.
  std::string applied(std::string text) const;

 private:
  std::string uuid_, now_;
};

}  // namespace sv::streams
