// Chooses the home of a file: by its settings or, when it is opened, by the existing files.
#pragma once

#include <memory>

#include "file/home.hpp"

namespace sv {

/// Local; the same kind on every rank. Of a file to be created: its format is known. Throws Error(config) where the
/// settings' store cannot have it.
std::shared_ptr<Home> home_of_new(File &file);

/// Of a file that is opened, in a mode that is known. `named`: its kind of store is the one that the settings name,
/// unless that cannot have its format; see kind_of_opened in file/stores.hpp. `in_pieces`: it is a set: a SetHome.
std::shared_ptr<Home> home_of_opened(File &file, bool named, bool in_pieces);

/// Of one that cannot have the home that was asked for: nothing will ever be written there, but values stand as in its
/// format.
std::shared_ptr<Home> home_of_failed(File &file);

}  // namespace sv
