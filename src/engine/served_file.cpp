// Files that servers write: on the side of models, and on that of servers.
#include "engine/client.hpp"
#include "engine/file.hpp"

namespace sv {

void File::choose_servers() {
  if (context_.client() == nullptr) return;
  group_ = context_.client()->group_for(settings_);
  if (group_ < 0) return;
  number_ = context_.client()->next_file();
  const auto servers = static_cast<size_t>(context_.client()->servers_of_group(group_));
  range_owners_.resize(adds_alone() ? 1 : static_cast<size_t>(served_owners(settings_, servers)));
  const Writers &asked = settings_.route.writers;
  if (mode_ == Mode::read || asked.kind != Writers::Kind::count || settings_.route.name == "serial") return;
  if (asked.n <= static_cast<int>(servers)) return;
  remark_ = "writers = " + std::to_string(asked.n) + " is more than the servers of a file, which are " +
            std::to_string(servers) + ": all of them write";
  context_.warn_once(remark_);
}

std::unique_ptr<File> File::create_defined(Context &context, const std::string &path, const FileSettings &settings,
                                           const Definition &definition) {
  std::unique_ptr<File> file(new File(context, path, settings));
  file->schema_ = definition.schema;
  file->surroundings_ = definition.surroundings;
  file->exclusive_ = definition.exclusive;
  file->choose_owners();
  try {
    file->begin();
    file->surroundings_ = definition.surroundings;  // as the models have divided it
    file->end_define();
  } catch (const Error &failure) {
    file->surroundings_ = definition.surroundings;
    file->fail(failure);
  }
  return file;
}

std::unique_ptr<File> File::open_defined(Context &context, const std::string &path, const FileSettings &settings,
                                         const Definition &definition, bool writing) {
  std::unique_ptr<File> file;
  const auto failed = caught(context.rank(), [&] { file = open(context, path, settings, writing); });
  if (!failed) {
    if (!writing) file->choose_owners();  // chunks, and with them the ranges of servers, depend on how many there are
    return file;
  }
  FileSettings growing = settings;
  if (writing) growing.kind = Kind::growing;
  file.reset(new File(context, path, growing));
  file->schema_ = definition.schema;
  file->surroundings_ = definition.surroundings;
  file->maker_ = StoreMaker(file->store_settings(definition.schema.format), file->watch(), definition.schema.format);
  file->writing_ = writing;
  file->mode_ = writing ? Mode::data : Mode::read;
  file->adds_alone() ? file->range_owners_.resize(1) : file->choose_owners();
  file->fail(*failed);
  return file;
}

/// What fails here has failed the file. The models may put into what is defined now all the same.
void File::redefine_as(const Schema &schema) {
  const auto error = caught(context_.rank(), [&] {
    if (failed()) throw Error(failure());
    redefine();
    schema_ = schema;
    end_define();
  });
  if (!error) return;
  fail(*error);
  schema_ = schema;
  extents_ = nullptr;
}

void File::end_redefine_served() {
  context_.agree("sv_enddef, redefined", located(-1, caught(context_.rank(), [&] {
                   place_again(schema_, *before_, placement());
                   detach();  // what was read so far: it may become another file, with other places
                 })));
  context_.client()->redefine(*this);
  before_.reset();
  ++redefinitions_;
  mode_ = Mode::data;
  touched_fixed_.resize(schema_.variables.size(), false);
}

void File::prepare_reading() {
  if (is_served() && mode_ == Mode::data) context_.settle(*this);
}

}  // namespace sv
