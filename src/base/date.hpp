// A date of the model in its calendar, and the file names that are made of dates. A series of files asks for them.
// Values; nothing here reads a clock.
#pragma once

#include <string>

namespace sv {

struct Date {
  int year, month, day, hour, minute, second;
};

/// The calendars of the CF conventions (4.4.1); `unknown` has months of up to 31 days, and no days of the year.
enum class Calendar { standard, proleptic_gregorian, julian, noleap, all_leap, days_360, unknown };

/// By the CF conventions' name, in any case; anything else is `unknown`.
Calendar calendar_named(std::string name);
int days_of_month(Calendar calendar, int year, int month);
/// Throws Error(invalid) for a date that the calendar does not have; hours are 0 to 23.
void check_date(Calendar calendar, const Date &date);
/// "2000-01-31 06:00:00".
std::string text_of(const Date &date);

/// A name with the date fields of strftime(3): %Y (four digits or more), %m %d %H %M %S (two), %j (day of the year,
/// three), %% (a percent sign). Throws Error(invalid) for any other field, and for a name without a field.
void check_template(const std::string &name);
/// The name of a date. Throws Error(invalid) for %j in an unknown calendar.
std::string expand(const std::string &name, Calendar calendar, const Date &date);

}  // namespace sv
