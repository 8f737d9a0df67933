// Which home a file gets: by what its settings ask for or, when it is opened, by what is there.
#pragma once

#include <memory>

#include "file/home.hpp"

namespace sv {

/// Local; the same kind on every rank. Of a file to be created: its format is known. Throws Error(config) where the
/// settings' store cannot have it.
std::shared_ptr<Home> home_of_new(File &file);

/// Of one file that is opened, in a mode that is known: the store that the settings name is for files that are made;
/// what is opened has the one of its format, or PnetCDF.
std::shared_ptr<Home> home_of_one(File &file);

/// Of one that cannot have the home that was asked for: nothing will ever be written there.
std::shared_ptr<Home> home_of_failed(File &file);

/// The stores of the pieces of a set that is opened.
StoreMaker maker_of_opened(const File &file, Format format);

}  // namespace sv
