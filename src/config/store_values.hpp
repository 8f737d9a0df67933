// How the values of the keys that say how a store writes (chunks, compression, MPI-IO hints) are read from text and
// shown. The table of keys names each of them once.
#pragma once

#include "config/settings.hpp"
#include "config/values.hpp"

namespace sv {

/// The keys that make up a request for chunks.
Codec<ChunkRequest> chunks_codec();
Codec<ChunkRequest> chunk_layout_codec();
Codec<ChunkRequest> chunk_records_codec();
/// "deflate:4": the compressor and its level.
Codec<ChunkRequest> compression_codec();
Codec<ChunkRequest> shuffle_codec();
Codec<ChunkRequest> zstd_plugin_codec();
Codec<ChunkRequest> checksum_codec();
/// "bitround:9": the rounding, and how much it keeps; "absolute:0.01": the largest error.
Codec<ChunkRequest> quantize_codec();
Codec<ChunkRequest> deflate_library_codec();
Codec<ChunkRequest> shards_codec();

/// "per_variable:%f_%v".
Codec<FileSettings> layout_codec();

/// "auto": 0, or how many.
Codec<int> write_depth_codec();

/// "auto", "directory", "all", or how many.
Codec<StripeRequest> stripe_count_codec();

/// One hint; empty: not given. Sizes and counts are passed on as plain numbers.
Codec<HintMap> hint_codec(const std::string &name);

}  // namespace sv
