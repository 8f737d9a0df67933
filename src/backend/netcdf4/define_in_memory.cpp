#include "backend/netcdf4/define_in_memory.hpp"

#include <algorithm>
#include <utility>

#include "backend/netcdf4/hdf5_calls.hpp"
#include "backend/netcdf4/index.hpp"
#include "backend/netcdf4/recording_driver.hpp"
#include "backend/netcdf_c/netcdf_c.hpp"
#include "model/chunks.hpp"

namespace sv::netcdf4 {

namespace {

constexpr const char *name_in_memory = "definitions of Sverdrup";

/// What HDF5 calls the file that netCDF-C has open under that name.
hid_t opened_file(const std::string &wanted) {
  const ssize_t count = checked(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_FILE), "H5Fget_obj_count");
  std::vector<hid_t> all(static_cast<size_t>(count));
  const ssize_t found = checked(H5Fget_obj_ids(H5F_OBJ_ALL, H5F_OBJ_FILE, all.size(), all.data()), "H5Fget_obj_ids");
  for (ssize_t i = 0; i < std::min(found, count); ++i) {
    char name[64] = "";
    if (H5Fget_name(all[static_cast<size_t>(i)], name, sizeof name) >= 0 && name == wanted)
      return all[static_cast<size_t>(i)];
  }
  throw Error(Status::internal, "HDF5 does not know the file that netCDF-C has made in memory", "Please report this");
}

/// HDF5 takes out of the image's superblock that somebody has the file open for writing, and leaves its checksum as it
/// was. It is open for writing: the owner of the image, who opens it next, takes that out at the end.
std::vector<std::byte> image_of(hid_t file) {
  constexpr size_t version_at = 8, flags_at = 11;
  checked(H5Fflush(file, H5F_SCOPE_GLOBAL), "H5Fflush");
  const ssize_t bytes = checked(H5Fget_file_image(file, nullptr, 0), "H5Fget_file_image");
  std::vector<std::byte> image(static_cast<size_t>(bytes));
  checked(H5Fget_file_image(file, image.data(), image.size()), "H5Fget_file_image");
  if (image.size() > flags_at && image[version_at] >= std::byte{2}) image[flags_at] = std::byte{1};
  return image;
}

/// Borrows the bytes.
MetadataImage metadata_over(const std::vector<std::byte> &bytes) {
  const auto read = [&bytes](int64_t at, std::span<std::byte> to) {
    const auto begin = std::min(static_cast<size_t>(at), bytes.size());
    const auto part = std::span(bytes).subspan(begin, std::min(to.size(), bytes.size() - begin));
    std::fill(std::copy(part.begin(), part.end(), to.begin()), to.end(), std::byte{});
  };
  return {read, std::ssize(bytes)};
}

}  // namespace

/// NetCDF-C's other way to a file in memory, nc_create_mem, forgets the order of variables.
std::vector<std::byte> define_in_memory(const Schema &schema, const Access &access) {
  const int mode =
      NC_NETCDF4 | NC_CLOBBER | NC_DISKLESS | (schema.format == Format::netcdf4_classic ? NC_CLASSIC_MODEL : 0);
  int id = -1;
  check(nc_create(name_in_memory, mode, &id), "nc_create");
  try {
    define(id, schema, access, Prefilling::as_defined);
    check(nc_sync(id), "nc_sync");
    std::vector<std::byte> image = image_of(opened_file(name_in_memory));
    check(nc_close(std::exchange(id, -1)), "nc_close");
    return image;
  } catch (const Error &) {
    if (id >= 0) nc_abort(id);
    throw;
  }
}

/// HDF5 opens the image and closes it, which takes out that somebody writes the file.
std::vector<std::byte> bytes_in_memory(const std::string &name) {
  std::vector<std::byte> bytes = image_of(opened_file(name));
  Recorded recorded{metadata_over(bytes)};
  Handle file(open_recorded(recorded, name), H5Fclose);
  if (!file.close()) checked(-1, "H5Fclose");
  for (const Change &each : recorded.image.changes()) {
    const auto begin = static_cast<size_t>(each.offset_bytes);
    bytes.resize(std::max(bytes.size(), begin + each.bytes.size()));
    std::copy(each.bytes.begin(), each.bytes.end(), bytes.begin() + each.offset_bytes);
  }
  return bytes;
}

void visit_values_in_memory(const std::string &name, const Schema &schema, const std::vector<bool> &wanted,
                            const VisitValues &visit) {
  const std::vector<std::byte> bytes = image_of(opened_file(name));
  Recorded recorded{metadata_over(bytes)};
  const FileIndex index(recorded, name, schema);
  for (size_t v = 0; v < wanted.size(); ++v) {
    if (!wanted[v]) continue;
    const Variable &variable = schema.variables[v];
    SubArray all{{}, {}, 0, 1};
    for (const int dim : variable.dims) {
      all.start.push_back(0);
      all.count.push_back(static_cast<size_t>(schema.length_of(dim)));
      all.elements *= schema.length_of(dim);
    }
    std::vector<std::byte> values(static_cast<size_t>(all.elements * size_of(variable.type)));
    if (all.elements > 0) index.read(static_cast<int>(v), all, values.data());
    visit(static_cast<int>(v), values);
  }
}

std::vector<std::string> chunk_remarks(const Schema &schema, const Access &access, const std::string &codec) {
  std::vector<std::string> remarks = described_chunks(schema, access.chunks, access.writers);
  const std::string threads = std::to_string(access.chunks.threads);
  if (!codec.empty())
    remarks.insert(remarks.begin(), "chunks are compressed with " + codec + ", by " + std::to_string(access.writers) +
                                        (access.writers == 1 ? " writer" : " writers") +
                                        (access.chunks.threads > 1 ? " with " + threads + " threads each" : ""));
  return remarks;
}

}  // namespace sv::netcdf4
