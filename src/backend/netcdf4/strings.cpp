#include "backend/netcdf4/strings.hpp"

#include <cstring>

#include "backend/netcdf4/hdf5_calls.hpp"

namespace sv::netcdf4 {

namespace {

std::vector<hsize_t> lengths_in(const Index &index) {
  std::vector<hsize_t> sizes;
  for (int d = 0; d < index.n; ++d) sizes.push_back(static_cast<hsize_t>(index[d]));
  return sizes;
}

/// Cells of a dataset, and memory that has them one after the other.
struct Selection {
  Selection(hid_t dataset, const Box &cells)
      : type(checked(H5Dget_type(dataset), "H5Dget_type"), H5Tclose),
        in_file(checked(H5Dget_space(dataset), "H5Dget_space"), H5Sclose),
        in_memory(H5I_INVALID_HID, H5Sclose) {
    const std::vector<hsize_t> start = lengths_in(cells.start), count = lengths_in(cells.count);
    if (H5Tget_class(type.get()) != H5T_STRING)
      throw Error(Status::format, "it contains no strings any more", "Open the file again");
    is_variable = checked(H5Tis_variable_str(type.get()), "H5Tis_variable_str") > 0;
    if (cells.dims() == 0) {
      in_memory = Handle(checked(H5Screate(H5S_SCALAR), "H5Screate"), H5Sclose);
      return;
    }
    in_memory = Handle(checked(H5Screate_simple(cells.dims(), count.data(), nullptr), "H5Screate_simple"), H5Sclose);
    checked(H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
            "H5Sselect_hyperslab");
  }
  Handle type, in_file, in_memory;
  bool is_variable = false;
};

}  // namespace

std::vector<std::string> strings_in(hid_t dataset, const Box &cells) {
  const Selection selected(dataset, cells);
  const hid_t type = selected.type.get(), memory = selected.in_memory.get();
  const auto read = [&](void *to) {
    checked(H5Dread(dataset, type, memory, selected.in_file.get(), H5P_DEFAULT, to), "H5Dread");
  };
  const auto count = static_cast<size_t>(cells.elements());
  std::vector<std::string> strings(count);
  if (!selected.is_variable) {
    const size_t width = H5Tget_size(type);
    std::vector<char> values(count * width);
    read(values.data());
    for (size_t i = 0; i < count; ++i)
      strings[i].assign(values.data() + i * width, ::strnlen(values.data() + i * width, width));
    return strings;
  }
  std::vector<char *> values(count, nullptr);
  read(values.data());
  for (size_t i = 0; i < count; ++i)
    if (values[i] != nullptr) strings[i] = values[i];
  checked(H5Dvlen_reclaim(type, memory, H5P_DEFAULT, values.data()), "H5Dvlen_reclaim");
  return strings;
}

void put_strings(hid_t dataset, const Box &cells, std::span<const std::string> strings) {
  const Selection selected(dataset, cells);
  if (!selected.is_variable)
    throw Error(Status::format, "its strings have a fixed length in the file: Sverdrup can read, but not write them",
                "Copy the file with sv-copy, and write to the copy");
  std::vector<const char *> values;
  for (const std::string &each : strings) values.push_back(each.c_str());
  checked(H5Dwrite(dataset, selected.type.get(), selected.in_memory.get(), selected.in_file.get(), H5P_DEFAULT,
                   values.data()),
          "H5Dwrite");
}

}  // namespace sv::netcdf4
