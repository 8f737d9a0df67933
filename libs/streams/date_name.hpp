// File names that are made of dates: those of saved states, and those that a plan lists.
#pragma once

#include "calendar.hpp"

namespace sv::streams {

/// The template's name at a date, as for sv_create with SV_SERIES; %v, which stands for a variable, is kept.
std::string name_at(const std::string &path, const Calendar &calendar, Time time);
/// The same, with the date fields between braces at another time: "tos_%Y%m-{%Y%m}.nc".
std::string name_at(const std::string &path, const Calendar &calendar, Time first, Time last);

}  // namespace sv::streams
