#include "serve/client.hpp"

#include <algorithm>

#include "assemble/point_values.hpp"
#include "rounds/sent_bytes.hpp"
#include "serve/served_points.hpp"

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

Client::Served Client::choose(const FileSettings &settings) {
  const auto groups = static_cast<int>(link_.crew().groups.size());
  const GroupRequest &asked = settings.server_group;
  if (settings.route.divides_file() || asked.group == GroupRequest::none) return {};
  if (asked.group > groups)
    throw Error(Status::config, "server_group " + std::to_string(asked.group) + " of " + std::to_string(groups),
                "'server_groups' sets how many there are");
  return {asked.group == GroupRequest::automatic ? next_group_++ % groups : asked.group - 1, ++files_};
}

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
    if (!command.is<PutField>() && !command.is<TellLayout>()) link_.board().for_servers.ring();
  });
}

void Client::tell_all(const Command::What &what) {
  for (int number = 0; number < std::ssize(link_.crew().groups); ++number) tell_group(number, {what});
}

void Client::tell(const Served &served, Command::What what) {
  tell_group(served.group, {std::move(what), served.number});
}

void Client::tell_layout(const KnownLayout &layout) {
  tell_all(TellLayout{layout.id, layout_numbers(*layout.relabelled)});
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

/// Tells the group of a put or get. The plan's sources are the link's ranks.
Plan Client::plan_of(const Served &served, const FieldJob &job, Direction direction) {
  const KnownLayout &layout = known(job.file.context(), job.layout);
  Plan plan = served_plan(job.file, {job.variable, job.record, layout.relabelled, job.first_axis}, link_,
                          group(served.group), direction);
  const MovedField field{job.variable, job.record, layout.id, job.first_axis, hand_over_.next_round()};
  direction == Direction::write ? tell(served, PutField{field}) : tell(served, GetField{field});
  return plan;
}

void Client::put(const Served &served, const FieldJob &job, const FieldPieces<PackRow> &pieces) {
  trace::Steps *const steps = job.file.context().metrics.steps;
  const Plan plan = plan_of(served, job, Direction::write);
  const FieldPieces<PackRow> own = relabelled_pieces(*job.layout, *plan.stages.front().sources, pieces);
  const std::unique_ptr<FieldSource> source = source_of(plan, link_.rank(), own);
  SentBytes sent(job.file, steps == nullptr ? nullptr : &steps->ranks);
  Source &counted =
      sent.counting(*source, [&plan](int sink) { return plan.stages.front().sinks[static_cast<size_t>(sink)].rank; });
  attempt([&] {
    const trace::Bracket packing(steps, trace::Doing::pack, subject_of(job.file, job.variable));
    hand_over_.carry(plan, counted);
  });
  attempt([&] { sent.tell(job.variable); });
  job.file.count_misfits(job.variable, source->out_of_range);
}

OutOfRange Client::get(const Served &served, const FieldJob &job, const FieldPieces<UnpackRow> &pieces) {
  expect_answers(group(served.group));
  const Plan plan = plan_of(served, job, Direction::read);
  const FieldPieces<UnpackRow> own = relabelled_pieces(*job.layout, *plan.stages.front().sources, pieces);
  const std::unique_ptr<FieldTarget> target = target_of(plan, link_.rank(), own);
  hand_over_.fetch(plan, *target);
  return target->out_of_range;
}

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

std::optional<Trouble> Client::listen() {
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
  if (level != Level::handed_over) tell_all(Flush{level});
}

void Client::finalize() {
  communicate(false);
  hand_over_.finish();
  expect_answers(link_.crew().servers);
  tell_all(Finalize{});
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
