#include "frequency.hpp"

#include <sstream>
#include <stdexcept>

namespace sv::streams {

namespace {

using Unit = Frequency::Unit;

/// From short to long.
constexpr struct {
  const char *name;
  Unit unit;
  int64_t count;
} all[] = {{"step", Unit::steps, 1},      {"second", Unit::seconds, 1},          {"minute", Unit::seconds, 60},
           {"hour", Unit::seconds, 3600}, {"day", Unit::seconds, seconds_a_day}, {"month", Unit::months, 1},
           {"year", Unit::months, 12}};

}  // namespace

Frequency frequency_of(const std::string &text) {
  constexpr int64_t most = 1000000000;
  std::istringstream in(text);
  int64_t count = 1;
  std::string unit, more;
  if (!text.empty() && text[0] >= '0' && text[0] <= '9') in >> count;
  in >> unit;
  if (!unit.empty() && unit.back() == 's') unit.pop_back();
  for (const auto &each : all)
    if (unit == each.name && count >= 1 && count <= most && !(in >> more)) return {each.unit, each.count * count};
  throw std::invalid_argument(text);
}

std::string text_of(const Frequency &frequency) {
  std::string text;
  for (const auto &each : all) {
    if (each.unit != frequency.unit || frequency.count % each.count != 0) continue;
    const int64_t count = frequency.count / each.count;
    text = std::to_string(count) + " " + each.name + (count == 1 ? "" : "s");
  }
  return text;
}

Time Periods::end_after(Time time) const {
  const int64_t count = frequency_.count;
  if (frequency_.unit != Frequency::Unit::months) {
    const int64_t since = time - origin_;
    const int64_t periods = since / count - (since % count < 0 ? 1 : 0);
    return origin_ + (periods + 1) * count;
  }
  const Date date = calendar_->date_of(time);
  const int64_t months = (int64_t{date.year} * 12 + date.month - 1) / count * count + count;
  return calendar_->time_of({static_cast<int>(months / 12), static_cast<int>(months % 12) + 1, 1, 0, 0, 0});
}

}  // namespace sv::streams
