#include "store/set_run.hpp"

#include <algorithm>
#include <cstring>

#include "base/error.hpp"

namespace sv {

namespace {

constexpr const char *attribute_name = "sverdrup_run";

}  // namespace

int64_t run_of(const Schema &schema) {
  const Attribute *const found = find_attribute(schema.attributes, attribute_name);
  int32_t run = 0;
  if (found == nullptr || found->type != Type::int32 || found->count != 1) return 0;
  std::memcpy(&run, found->values.data(), sizeof run);
  return run;
}

void set_run(Schema &schema, int64_t run) {
  std::erase_if(schema.attributes, [](const Attribute &each) { return each.name == attribute_name; });
  if (run == 0) return;
  if (run > INT32_MAX)
    throw Error(Status::limit, "a file of the set that is replaced has the largest number of a run",
                "Remove the older files");
  Attribute attribute{attribute_name, Type::int32, 1, {}};
  const auto value = static_cast<int32_t>(run);
  attribute.values.resize(sizeof value);
  std::memcpy(attribute.values.data(), &value, sizeof value);
  schema.attributes.push_back(std::move(attribute));
}

std::string runs_differ(int64_t run, int64_t run_of_first) {
  return "it was written by run " + std::to_string(run) + " of this set, and the first file by run " +
         std::to_string(run_of_first) + ": a run that replaced an older set was ended before all files had their names";
}

}  // namespace sv
