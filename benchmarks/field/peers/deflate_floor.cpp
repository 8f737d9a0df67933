// The least that compressed files cost: all bytes through the same shuffle and codec, by all ranks, and the bodies of a
// rank written at once, one rank's behind another's; and back. The file has bodies only: no netCDF, no index.
#include <numeric>

#include "codec/codec.hpp"
#include "codec/shuffle.hpp"
#include "field.hpp"
#include "workload/plain_file.hpp"

namespace sv_bench {

namespace {

using Bytes = std::vector<std::byte>;

/// On every rank, chunks follow one another in memory.
bool are_whole(const Block &block, const std::vector<int64_t> &chunk) {
  return block.team.all(chunk.size() == 3 && block.count[0] % chunk[0] == 0 && block.count[1] == chunk[1] &&
                        block.count[2] == chunk[2]);
}

class DeflateFloor : public OneFileMethod {
 public:
  DeflateFloor(const Block &block, bool reads, const Compression &compression, const std::string &library)
      : OneFileMethod(block.workload(), reads),
        width_(static_cast<int>(block.field.type.bytes)),
        chunk_bytes_(static_cast<size_t>(compression.chunk[0] * block.count[1] * block.count[2] * width_)),
        chunks_(static_cast<size_t>(block.bytes()) / chunk_bytes_),
        out_(sv::make_deflate(library, compression.level)),
        back_(sv::make_inflate()),
        shuffled_(chunk_bytes_),
        room_(out_->most_encoded(chunk_bytes_) * chunks_) {
    if (reads) encode();  // so that it knows where the bodies are
  }

  void run(const std::string &path) override {
    begin();
    reads_ ? read(path) : write(path);
    closed();
  }
  /// What it has written is for itself.
  std::optional<bool> check(const std::string &path) override {
    return reads_ ? OneFileMethod::check(path) : std::optional<bool>();
  }

 private:
  size_t bytes() const { return std::accumulate(lengths_.begin(), lengths_.end(), size_t{0}); }
  void encode() {
    lengths_.clear();
    for (size_t c = 0; c < chunks_; ++c) {
      sv::shuffle_bytes({source() + c * chunk_bytes_, chunk_bytes_}, shuffled_, width_);
      lengths_.push_back(out_->encode(shuffled_, std::span(room_).subspan(bytes())));
    }
    auto mine = static_cast<int64_t>(bytes());
    MPI_Scan(&mine, &end_, 1, MPI_INT64_T, MPI_SUM, team_.comm);
  }
  int64_t first_byte() const { return end_ - static_cast<int64_t>(bytes()); }

  void write(const std::string &path) {
    encode();
    PlainFile file(path, O_WRONLY | O_CREAT);
    opened();
    file.write(room_.data(), static_cast<int64_t>(bytes()), first_byte());
    moved();
    file.close();
    MPI_Barrier(team_.comm);
  }
  void read(const std::string &path) {
    PlainFile file(path, O_RDONLY);
    opened();
    int64_t at = first_byte();
    for (size_t c = 0; c < chunks_; ++c) {
      const auto body = std::span(room_).first(lengths_[c]);
      file.read(body.data(), std::ssize(body), at);
      at += std::ssize(body);
      back_->decode(body, shuffled_);
      sv::unshuffle_bytes(shuffled_, {target() + c * chunk_bytes_, chunk_bytes_}, width_);
    }
    moved();
    file.close();
  }

  const int width_;
  const size_t chunk_bytes_, chunks_;
  const std::unique_ptr<sv::ByteCodec> out_, back_;
  Bytes shuffled_, room_;
  std::vector<size_t> lengths_;  // of bodies
  int64_t end_ = 0;              // of this rank's, in the file
};

}  // namespace

void add_deflate_floor(std::vector<Peer> &peers, const Block &block, const Compression &compression) {
  const auto make = [&block, compression](bool reads, const std::string &library) {
    return [&block, compression, reads, library] {
      return std::make_unique<DeflateFloor>(block, reads, compression, library);
    };
  };
  const std::string missing = are_whole(block, compression.chunk) ? "" : "blocks of ranks are not whole chunks";
  const std::string library = compression.reads_own ? "auto" : "zlib";
  peers.push_back({"floor.deflate", false, missing, make(false, "auto"), "netcdf4"});
  peers.push_back(
      {"read.floor.deflate", true, missing, make(true, library), "netcdf4", {"bodies", make(false, library)}});
}

}  // namespace sv_bench
