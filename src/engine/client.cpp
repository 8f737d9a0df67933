#include "engine/client.hpp"

#include <algorithm>

#include "engine/file_trace.hpp"
#include "engine/point_values.hpp"
#include "engine/served_points.hpp"

namespace sv {

namespace {

constexpr size_t most_letters = 256;  // that a server has not taken yet
constexpr size_t eager_bytes = 2048;  // a letter that goes without help of the sender

bool are_equal(const Layout &a, const Layout &b) {
  return a.points() == nullptr && b.points() == nullptr && a.shape() == b.shape() &&
         a.holes_declared() == b.holes_declared() &&
         std::equal(a.patches().begin(), a.patches().end(), b.patches().begin(), b.patches().end(),
                    [](const Patch &x, const Patch &y) { return x.rank == y.rank && x.box == y.box; });
}

/// The layout of a component's ranks as one of the ranks of the link, in the same order.
std::shared_ptr<const Layout> relabelled(const Layout &layout, const std::vector<int> &ranks, int all) {
  std::vector<Patch> patches(layout.patches().begin(), layout.patches().end());
  for (Patch &patch : patches) patch.rank = ranks[static_cast<size_t>(patch.rank)];
  return std::make_shared<const Layout>(layout.shape(), all, std::move(patches), layout.holes_declared());
}

/// Of the patches (or points) of a layout that stands for another one: the same, in the same order.
template <class Row>
FieldPieces<Row> relabelled_pieces(const Layout &layout, const Layout &relabelled, const FieldPieces<Row> &pieces) {
  if (pieces.points != nullptr) return pieces;
  return BlockPieces<Row>([&](const Patch &patch) {
    return pieces.of_patch(layout.patches()[static_cast<size_t>(&patch - relabelled.patches().data())]);
  });
}

/// Of a file that servers are to make or open.
std::vector<int64_t> definition_numbers(const File &file, int64_t kind, bool exclusive,
                                        const Surroundings &surroundings) {
  return {static_cast<int64_t>(file.schema().format),
          kind,
          exclusive ? 1 : 0,
          surroundings.shared_file_system ? 1 : 0,
          surroundings.stripe_bytes,
          surroundings.stripe_count};
}

}  // namespace

Client::Client(Link &link, const Settings &settings)
    : link_(link),
      component_(link.crew().component_of(link.rank())),
      paces_(settings.forwarding == Forwarding::paced),
      primaries_(asks_for_primaries(settings)),
      policy_(settings.forwarding == Forwarding::synchronous    ? "synchronous"
              : settings.forwarding == Forwarding::asynchronous ? "asynchronous"
                                                                : "paced"),
      hand_over_(link, component_, {is_synchronous(settings), pace_of(settings)}),
      outbox_(link.comm()) {
  for (const int server : link.crew().servers)
    if (link.crew().teller(component_, server, link.topology()) == link.rank()) mine_.push_back(server);
}

int Client::group_for(const FileSettings &settings) {
  const auto groups = static_cast<int>(link_.crew().groups.size());
  const bool pieces = settings.route.name == "per_pe" || settings.route.name == "per_domain";
  if (pieces || settings.server_group.group == GroupRequest::none) return -1;
  if (settings.server_group.group == GroupRequest::automatic) return next_group_++ % groups;
  if (settings.server_group.group > groups)
    throw Error(Status::config,
                "server_group " + std::to_string(settings.server_group.group) + " of " + std::to_string(groups),
                "'server_groups' sets how many there are");
  return settings.server_group.group - 1;
}

int Client::servers_of_group(int number) const { return static_cast<int>(group(number).size()); }

void Client::progress() {
  outbox_.progress();
  hand_over_.progress();
}

/// What is too large to go by itself is awaited: nobody would send it while the model computes.
void Client::post(int server, int tag, const Letter &letter) {
  outbox_.post(server, tag, letter);
  const size_t most = letter.size() > eager_bytes ? 0 : most_letters;
  if (outbox_.waiting() <= most) return;
  link_.board().for_servers.ring();
  link_.await_servers({.look = [&] { return outbox_.waiting() <= most; },
                       .meanwhile = [this] { progress(); },
                       .progress = [this] { return -static_cast<int64_t>(outbox_.waiting()); },
                       .doing = "waits until server " + std::to_string(server) + " takes what it is told",
                       .whom = {server},
                       .for_letters = true});
}

/// What fails here fails on this rank alone.
void Client::attempt(const std::function<void()> &action) {
  if (link_.has_failed()) return;
  if (const auto failed = caught(link_.rank(), action)) fail(failed->what());
}

void Client::tell_group(int number, const Command &command) {
  attempt([&] {
    Letter letter;
    for (const int server : group(number)) {
      if (std::find(mine_.begin(), mine_.end(), server) == mine_.end()) continue;
      if (letter.empty()) letter = encoded(command);
      post(server, command_tag(component_), letter);
    }
    // Puts can wait until the step ends; and who is woken takes the cores from ranks that pack.
    if (command.what != Command::What::put && command.what != Command::What::layout) link_.board().for_servers.ring();
  });
}

void Client::tell_all(const Command &command) {
  for (int number = 0; number < std::ssize(link_.crew().groups); ++number) tell_group(number, command);
}

/// From now on there is something to be done with the file.
void Client::tell_of(const File &file, const Command &command) {
  file.context().unsettle(file.path());
  tell_group(file.group(), command);
}

void Client::tell(Command::What kind, const File &file) { tell_of(file, {kind, file.number()}); }

void Client::create(const File &file, const Surroundings &surroundings, bool exclusive) {
  tell_of(file, {Command::What::create, file.number(), file.path(),
                 definition_numbers(file, static_cast<int64_t>(file.settings().kind), exclusive, surroundings),
                 encode_header(file.schema())});
}

void Client::define_fixed(const File &file, const std::vector<int> &variables) {
  tell_of(file, {Command::What::define, file.number(), {}, {variables.begin(), variables.end()}});
}

void Client::open(const File &file, const Surroundings &surroundings) {
  tell_of(file, {Command::What::open, file.number(), file.path(),
                 definition_numbers(file, file.mode() == Mode::data ? 1 : 0, false, surroundings),
                 encode_header(file.schema())});
}

void Client::redefine(const File &file) {
  tell_of(file, {Command::What::redefine, file.number(), {}, {}, encode_header(file.schema())});
}

void Client::tell_layout(const KnownLayout &layout) {
  Command command{Command::What::layout, 0, {}, layout_numbers(*layout.relabelled)};
  command.numbers.insert(command.numbers.begin(), layout.id);
  tell_all(command);
  attempt([&] {
    const Telling telling = lists_to_tell(link_, layout.id, *layout.relabelled, primaries_);
    for (const int server : telling.to) post(server, lists_tag(component_), telling.letter);
  });
}

const Client::KnownLayout &Client::known(Context &context, const std::shared_ptr<const Layout> &layout) {
  for (const KnownLayout &each : layouts_)
    if (each.layout == layout || are_equal(*each.layout, *layout)) return each;
  const std::vector<int> &ranks = link_.crew().clients[static_cast<size_t>(component_)];
  auto of_link = layout->points() != nullptr ? points_of_link(context, link_, *layout)
                                             : relabelled(*layout, ranks, link_.comm().size());
  if (std::ssize(layouts_) == most_layouts) layouts_.pop_front();
  layouts_.push_back({layout, std::move(of_link), next_layout_++});
  tell_layout(layouts_.back());
  return layouts_.back();
}

/// Tells the group of a put or get. `field` has the layout of the link's ranks then.
Plan Client::plan_of(const File &file, const ServedField &field, Command::What what) {
  const KnownLayout &layout = known(file.context(), field.layout);
  Plan plan = served_plan(file, {field.variable, field.record, layout.relabelled, field.first_axis}, link_,
                          group(file.group()), what == Command::What::put ? Direction::write : Direction::read);
  tell_of(
      file,
      {what, file.number(), {}, {field.variable, field.record, layout.id, field.first_axis, hand_over_.next_round()}});
  return plan;
}

void Client::put(const FieldJob &job, const FieldPieces<PackRow> &pieces, Metrics &metrics) {
  const Plan plan = plan_of(job.file, {job.variable, job.record, job.layout, job.first_axis}, Command::What::put);
  const FieldPieces<PackRow> own = relabelled_pieces(*job.layout, *plan.stages.front().sources, pieces);
  const std::unique_ptr<FieldSource> source = source_of(plan, link_.rank(), own);
  SentBytes sent(job.file, metrics.steps == nullptr ? nullptr : &metrics.steps->ranks);
  Source &counted =
      sent.counting(*source, [&plan](int sink) { return plan.stages.front().sinks[static_cast<size_t>(sink)].rank; });
  attempt([&] {
    const trace::Bracket packing(metrics.steps, trace::Doing::pack, job.file.subject(job.variable));
    hand_over_.carry(plan, counted);
  });
  attempt([&] { sent.tell(job.variable); });
  job.file.count_misfits(job.variable, source->out_of_range);
}

OutOfRange Client::get(File &file, const ServedField &field, const FieldPieces<UnpackRow> &pieces) {
  expect_answers(group(file.group()));
  const Plan plan = plan_of(file, field, Command::What::get);
  const FieldPieces<UnpackRow> own = relabelled_pieces(*field.layout, *plan.stages.front().sources, pieces);
  const std::unique_ptr<FieldTarget> target = target_of(plan, link_.rank(), own);
  hand_over_.fetch(plan, *target);
  return target->out_of_range;
}

void Client::end_step() { tell_all({Command::What::end_step}); }

void Client::hear(int server, const Report &report) {
  ++heard_;
  latest_[server] = report;
  if (report.kind == Report::Kind::answer) answers_[server] = report;
  const int64_t file = report.file > 0 ? report.file : of_no_file;
  if (report.status != 0 && told_.count(file) == 0)
    troubles_.push_back({file, Error::told(static_cast<Status>(report.status), report.text)});
}

void Client::take_reports() {
  link_.glance();
  progress();
  for (const int server : mine_)
    while (const auto letter = take_letter(link_.comm(), server, report_tag(component_)))
      hear(server, decoded_report(*letter));
  std::erase_if(troubles_, [this](const Trouble &trouble) { return told_.count(trouble.file) > 0; });
}

std::optional<Client::Trouble> Client::listen() {
  take_reports();
  return troubles_.empty() ? std::nullopt : std::optional(troubles_.front());
}

int64_t Client::durable_steps() const {
  int64_t least = INT64_MAX;  // of a rank that hears of no server
  for (const int server : mine_) {
    const auto found = latest_.find(server);
    least = std::min(least, found == latest_.end() ? 0 : found->second.durable_steps);
  }
  return least;
}

void Client::expect_answers(const std::vector<int> &servers) {
  answers_.clear();
  expected_.clear();
  for (const int server : servers)
    if (std::find(mine_.begin(), mine_.end(), server) != mine_.end()) expected_.push_back(server);
  moved_ = moment_now();
}

void Client::flush(Level level) {
  hand_over_.finish();
  expect_answers(level == Level::handed_over ? std::vector<int>{} : link_.crew().servers);
  if (level != Level::handed_over) tell_all({Command::What::flush, 0, {}, {static_cast<int64_t>(level)}});
}

void Client::finalize() {
  communicate(false);
  hand_over_.finish();
  expect_answers(link_.crew().servers);
  tell_all({Command::What::finalize});
}

/// An eighth of the time limit, so that others who wait for this rank do not give up.
bool Client::has_answers() {
  const double limit = link_.limit_seconds(), most = 1;
  const Deadline slice(limit > 0 ? std::min(limit / 8, most) : most);
  const auto has_all = [this] { return answers_.size() == expected_.size(); };
  link_.await_servers({.look = [&] { return has_all() || slice.passed(); },
                       .meanwhile = [&] { take_reports(); },
                       .doing = "waits for the servers' answers",
                       .whom = expected_,
                       .for_letters = true});
  if (heard_ != heard_before_) moved_ = moment_now();
  heard_before_ = heard_;
  if (!has_all() && Deadline(limit, moved_).passed()) link_.give_up("waits for the servers' answers", expected_);
  return has_all();
}

void Client::leave() {
  if (link_.has_failed())
    for (const int server : mine_) outbox_.post(server, lost_tag, letter_of(link_.reason()));
  outbox_.progress();
  outbox_.abandon();
  link_.leave();
}

std::string Client::story() const {
  if (link_.topology().nodes() == 1) return "data are placed into their memory: all ranks are on one node";
  const char *const drivers[] = {"servers of the node send them", "a thread of one rank of the node sends them",
                                 "one rank of the node sends them, in calls into the library"};
  return std::string(policy_) + " forwarding: inside a node data are placed into the servers' memory; to other nodes " +
         drivers[static_cast<int>(hand_over_.driver())];
}

void Client::count(Metrics &metrics) const {
  metrics.waited_seconds = hand_over_.waited_seconds();
  metrics.placed_bytes += hand_over_.placed_bytes();
  metrics.messages += hand_over_.messages();
  metrics.message_bytes += hand_over_.message_bytes();
  for (const auto &[server, answer] : answers_) {
    metrics.served_receive_seconds = std::max(metrics.served_receive_seconds, answer.receive_seconds);
    metrics.served_write_seconds = std::max(metrics.served_write_seconds, answer.write_seconds);
    metrics.served_memory_bytes = std::max(metrics.served_memory_bytes, answer.memory_bytes);
    metrics.written_bytes += answer.written_bytes;
    metrics.writes += answer.writes;
  }
}

void Client::communicate(bool begins) {
  if (!paces_ || begins == communicates_) return;  // nobody else asks, and bells wake servers
  communicates_ = begins;
  link_.board().communicating.fetch_add(begins ? 1 : -1, std::memory_order_acq_rel);
  link_.board().for_servers.ring();
  if (!begins) hand_over_.progress();
}

}  // namespace sv
