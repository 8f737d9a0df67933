// Where the variables of a schema stand: the extents by which stripes get their owners.
#pragma once

#include <vector>

#include "plan/plan.hpp"
#include "store/schema.hpp"

namespace sv {

class SchemaExtents final : public ExtentMap {
 public:
  explicit SchemaExtents(const Schema &schema);
  Extent covering(int64_t offset_bytes) const override;

 private:
  std::vector<Extent> fixed_;    // the header first; ascending
  std::vector<Extent> records_;  // of record 0, relative to its begin; ascending
  int64_t record_begin_, record_bytes_;
};

}  // namespace sv
