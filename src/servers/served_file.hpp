// A file that a server writes for models. Its next commit reports errors that occurred after a call.
#pragma once

#include <map>
#include <memory>

#include "delivery/slab_writing.hpp"

namespace sv {

struct ServedFile : AsyncFile {
  ServedFile(int64_t number_of_component, std::shared_ptr<File> made) : owned(std::move(made)) {
    file = owned.get();
    number = number_of_component;
    file->served.check_before_commit = [this] {
      if (const auto failed = error()) throw Error(*failed);
    };
  }

  const std::shared_ptr<File> owned;
  bool reported = false;  // the models know that it has failed
};

/// Those of a component, by its numbers.
using ServedFiles = std::map<int64_t, ServedFile>;

}  // namespace sv
