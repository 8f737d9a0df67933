#include "engine/filling.hpp"

#include <array>

#include "delivery/file_delivery.hpp"
#include "engine/recorded.hpp"
#include "transfer/own_ranges.hpp"
#include "transfer/writing.hpp"

namespace sv {

void fill_whole(File &file, int variable, int64_t record) {
  require_recorded(file);
  agree(file, call_text("sv_fill_var", file, variable, record), variable, [&] {
    file.check_writable();
    if (file.variable(variable).type == Type::string)
      throw Error(Status::type, "it contains strings", "Put empty strings with sv_put_vara_string");
    file.check_record(variable, record, false);
    if (!file.home().writes_here())
      throw Error(Status::unsupported, "servers write the file", "Put the fill value, or set 'fill' for the file");
  });
  delivery_of(file).begin(std::array{WrittenSlab{variable, record}}, WriterAssignment::ranges);
  const auto error = caught(file.context().rank(), [&] { fill_slab(file, variable, record); });
  conclude_writing(file, variable, record, error);
}

}  // namespace sv
