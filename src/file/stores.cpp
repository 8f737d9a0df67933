#include "file/stores.hpp"

#include <algorithm>

#include "backend/backend.hpp"
#include "backend/mpi_peers.hpp"
#include "base/error.hpp"
#include "store/cdf_store.hpp"
#include "store/read_schema.hpp"

namespace sv {

namespace {

const StoreKind *named_by(const FileSettings &settings) {
  return settings.store == "auto" ? nullptr : &kind_named(settings.store);
}

template <typename Has>
const StoreKind &first_that(Has has) {
  return *std::find_if(store_kinds().begin(), store_kinds().end(), has);
}

}  // namespace

Format format_of(const FileSettings &settings) {
  const StoreKind *const named = named_by(settings);
  return settings.format == Format::automatic && named != nullptr ? named->formats.front() : settings.format;
}

const StoreKind &kind_for(const FileSettings &settings, Format format) {
  const StoreKind *const named = named_by(settings);
  if (named != nullptr && !named->takes(format))
    throw Error(Status::config, "the store '" + named->name + "' for a file of format " + name_of(format),
                "Leave 'store' out, or choose a format that it has");
  return kind_of_opened(settings, format, true);
}

const StoreKind &kind_at(const std::string &path, const FileSettings &settings) {
  const StoreKind *const named = named_by(settings);
  return named != nullptr && named->knows(path) ? *named : first_that([&](const auto &one) { return one.knows(path); });
}

const StoreKind &kind_of_opened(const FileSettings &settings, Format format, bool named) {
  const StoreKind *const kind = named ? named_by(settings) : nullptr;
  return kind != nullptr && kind->takes(format) ? *kind
                                                : first_that([&](const auto &one) { return one.takes(format); });
}

PlacedSchema read_definitions(const StoreKind &kind, const std::string &path, bool untrusted) {
  if (kind.placing == Placing::in_file) return read_schema(path);
  const Backend &store = backend(kind.name);
  PlacedSchema schema{untrusted ? store.read_untrusted(path) : store.read_schema(path), {}};
  try {
    place_variables(schema, Placement());
  } catch (Error &error) {
    throw error.in_file(path);
  }
  return schema;
}

namespace {

/// How the chunks of a file are to be made. The chunks of a file of which others read each step, and those that a
/// library writes, do not wait for later records.
ChunkRequest chunk_request(const FileSettings &settings, const StoreKind &kind) {
  ChunkRequest request = settings.chunks;
  request.each_step = settings.kind == Kind::growing;
  request.one_record = request.each_step || kind.placing != Placing::by_chunk || kind.has_only_chunks;
  request.only_chunks = kind.has_only_chunks;
  return request;
}

}  // namespace

StoreMaker::StoreMaker(const StoreKind &kind, const FileSettings &settings, const WatchSettings &watch,
                       const ChosenPolicy &policy, std::shared_ptr<FoundFiles> found)
    : kind_(&kind), watch_(watch) {
  access_.peers = std::make_shared<MpiPeers>(watch);
  access_.found = std::move(found);
  access_.hints = {settings.hints.begin(), settings.hints.end()};
  if (settings.stripes.count == StripeRequest::Count::given)
    ask_for_stripes(access_, {settings.stripes.n, settings.stripe_bytes, false});
  access_.chunks = chunk_request(settings, kind);
  access_.header_reserve_bytes = settings.header_reserve_bytes;
  access_.untrusted = settings.untrusted;
  access_.virtual_index = settings.virtual_index;
  access_.read_ahead = settings.read_ahead;
  access_.library_io = settings.mpi_io == MpiIo::library;
  access_.progress = watch.progress;
  if (kind.has_tunable_writes) access_.policy = policy.policy;
  reported_policy_ = kind.has_tunable_writes || policy.description.empty()
                         ? policy.description
                         : "write_depth and direct_io are not for the store " + kind.name;
}

std::unique_ptr<Store> StoreMaker::make(const std::string &path, Kind kind, const Access &access) const {
  return kind_->is_plug_in ? backend(kind_->name).make_store(path, kind, access)
                           : make_cdf_store(path, kind,
                                            {.virtual_index = access.virtual_index,
                                             .read_ahead = access.read_ahead,
                                             .policy = &access.policy,
                                             .stripes = access.stripes,
                                             .found = access.found});
}

Access StoreMaker::writing_access(const Comm &comm, int writers) const {
  Access made = access_;
  made.peers = std::make_shared<MpiPeers>(comm, watch_);
  made.writers = writers;
  return made;
}

StoreMaker StoreMaker::striped(const FileStripes &stripes) const {
  StoreMaker made = *this;
  if (stripes.is_chosen()) ask_for_stripes(made.access_, stripes);
  return made;
}

StoreMaker StoreMaker::for_thread(Loan &hdf5, int compressing) const {
  StoreMaker made = *this;
  made.access_.hdf5 = &hdf5;
  made.access_.chunks.threads = compressing;
  return made;
}

Access StoreMaker::reading_access(const Comm &comm) const {
  Access made = access_;
  made.peers = std::make_shared<MpiPeers>(comm, watch_);
  made.collective = true;
  return made;
}

}  // namespace sv
