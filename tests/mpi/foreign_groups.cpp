// Zarr groups as other programs make them, opened for writing: groups that Sverdrup's metadata cannot describe are
// refused on every rank, and stay unchanged; others are written, and remains of a kill in them are removed.
// run: ranks=3 limit=60
// run: ranks=1 limit=60
#include <filesystem>

#include "support/files.hpp"

namespace {

using namespace svtest;
namespace fs = std::filesystem;

struct Form {
  std::string name, keys, codecs;
  bool is_written = false;
};

std::string codec(const std::string &name, const std::string &configuration) {
  return R"({"name":")" + name + R"(","configuration":{)" + configuration + "}}";
}

const std::string little = codec("bytes", R"("endian":"little")"), big = codec("bytes", R"("endian":"big")");
const std::string crc = R"({"name":"crc32c"})", ours = codec("default", R"("separator":"/")");

std::string shard(const std::string &index_codecs, const std::string &place) {
  return codec("sharding_indexed", R"("chunk_shape":[2],"codecs":[)" + little + R"(],"index_codecs":[)" + index_codecs +
                                       R"(],"index_location":")" + place + "\"");
}

const std::vector<Form> forms{{"ours", ours, little, true},
                              {"ours_in_shards", ours, shard(little + "," + crc, "end"), true},
                              {"of_version_2", codec("v2", R"("separator":"/")"), little},
                              {"with_points", codec("default", R"("separator":".")"), little},
                              {"big", ours, big, true},
                              {"index_first", ours, shard(little + "," + crc, "start")},
                              {"index_without_sum", ours, shard(little, "end")},
                              {"big_index", ours, shard(big + "," + crc, "end")}};

std::string text_of(const std::string &path) {
  const std::vector<char> bytes = bytes_of_file(path);
  return {bytes.begin(), bytes.end()};
}

/// A group with a variable of four numbers that no rank has written yet.
std::string make(const Form &form) {
  const std::string path = form.name + ".zarr";
  at_root([&] {
    fs::remove_all(path);
    fs::create_directories(path + "/level/c");
    std::ofstream(path + "/zarr.json") << R"({"zarr_format":3,"node_type":"group"})";
    std::ofstream(path + "/level/zarr.json")
        << R"({"zarr_format":3,"node_type":"array","shape":[4],"data_type":"int32","fill_value":7,"attributes":{},)"
        << R"("dimension_names":["z"],"chunk_grid":)" + codec("regular", R"("chunk_shape":[4])") +
               R"(,"chunk_key_encoding":)" + form.keys + R"(,"codecs":[)" + form.codecs + "]}";
    std::ofstream(path + "/level/c/0.part") << "left by a kill";
  });
  return path;
}

void write(sv_context *io, const std::string &path) {
  const std::vector<int> values{1, 2, 3, 4};
  std::vector<int> found(4);
  sv_file *file = open_file(io, path, SV_WRITE);
  SV_MUST(sv_put_var(file, 0, SV_NO_RECORD, SV_INT, values.data(), nullptr));
  SV_MUST(sv_close(file));
  file = open_file(io, path);
  SV_MUST(sv_get_var(file, 0, SV_NO_RECORD, SV_INT, found.data(), nullptr));
  SV_MUST(sv_close(file));
  require(found == values, path + " has other values than those that were put");
  require(!fs::exists(path + "/level/c/0.part"), path + " has still what a kill has left");
}

void refuse(sv_context *io, const std::string &path) {
  sv_file *file = nullptr;
  const std::string group = text_of(path + "/zarr.json"), array = text_of(path + "/level/zarr.json");
  require(sv_open(io, path.c_str(), SV_WRITE, &file) == SV_EFORMAT, path + " was opened for writing");
  const std::string reported = sv_message();
  for (const std::string &part : {path, std::string("'level'"), std::string("sv-copy")})
    require(reported.find(part) != std::string::npos, "'" + part + "' is not in the error: " + reported);
  require(text_of(path + "/zarr.json") == group && text_of(path + "/level/zarr.json") == array,
          path + " was refused, and changed");
  file = open_file(io, path);
  int value = 0;
  const int64_t start = 2, count = 1;
  SV_MUST(sv_get_vara(file, 0, &start, &count, SV_INT, &value, nullptr));
  require(value == 7, path + " is no longer read");
  SV_MUST(sv_close(file));
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (has_store("zarr")) {
    sv_context *io = start(MPI_COMM_WORLD, {"transport.window=1MiB"});
    for (const Form &form : forms) {
      const std::string path = make(form);
      form.is_written ? write(io, path) : refuse(io, path);
    }
    SV_MUST(sv_finalize(io));
  }
  return MPI_Finalize();
}
