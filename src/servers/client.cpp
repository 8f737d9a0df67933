#include "servers/client.hpp"

#include "packing/point_values.hpp"
#include "servers/served.hpp"
#include "transfer/sent_bytes.hpp"

namespace sv {

namespace {

/// Of the patches (or points) of a layout that stands for another one: the same, in the same order.
template <class Row>
FieldPieces<Row> pieces_of_link(const Layout &layout, const FieldPieces<Row> &pieces) {
  if (pieces.points != nullptr) return pieces;
  return BlockPieces<Row>([&](const Patch &patch) { return pieces.of_patch(layout.patches()[patch.number]); });
}

}  // namespace

Client::Client(Link &link, const Settings &settings)
    : link_(link),
      forwarding_(settings.forwarding),
      hand_over_(link, link.crew().component_of(link.rank()), {is_synchronous(settings), pace_of(settings)}),
      mailing_(link, hand_over_),
      reports_(link, mailing_),
      layouts_(link, mailing_, asks_for_primaries(settings)) {}

Client::Served Client::choose(const FileSettings &settings, int64_t number) {
  const auto groups = static_cast<int>(link_.crew().groups.size());
  const GroupRequest &asked = settings.server_group;
  if (settings.route.divides_file() || asked.group == GroupRequest::none) return {};
  if (asked.group > groups)
    throw Error(Status::config, "async.group " + std::to_string(asked.group) + " of " + std::to_string(groups),
                "'async.groups' sets how many there are");
  return {asked.group == GroupRequest::automatic ? next_group_++ % groups : asked.group - 1, number};
}

/// Announces a put or get to the group. The plan's sources are the link's ranks.
Plan Client::plan_of(const Served &served, const FieldJob &job, Direction direction) {
  const LayoutRegistry::Announced &layout = layouts_.known(job.file.context(), job.layout);
  Plan plan = served_plan(job.file, {job.variable, job.record, layout.of_link, job.first_axis}, link_,
                          group(served.group), direction);
  const MovedField field{job.variable, job.record, layout.id, job.first_axis, hand_over_.next_round()};
  direction == Direction::write ? send_command(served, PutField{field}) : send_command(served, GetField{field});
  return plan;
}

void Client::put(const Served &served, const FieldJob &job, const FieldPieces<PackRow> &pieces) {
  trace::Steps *const steps = job.file.context().metrics.steps;
  const Plan plan = plan_of(served, job, Direction::write);
  const FieldPieces<PackRow> own = pieces_of_link(*job.layout, pieces);
  const std::unique_ptr<FieldSource> source = source_of(plan, link_.rank(), own);
  SentBytes sent(job.file, steps == nullptr ? nullptr : &steps->ranks);
  Source &counted =
      sent.counting(*source, [&plan](int sink) { return plan.stages.front().sinks[static_cast<size_t>(sink)].rank; });
  mailing_.attempt([&] {
    const trace::Bracket packing(steps, trace::Doing::pack, subject_of(job.file, job.variable));
    hand_over_.carry(plan, counted);
  });
  mailing_.attempt([&] { sent.report(job.variable); });
  job.file.count_range_errors(job.variable, source->out_of_range);
}

OutOfRange Client::get(const Served &served, const FieldJob &job, const FieldPieces<UnpackRow> &pieces) {
  reports_.expect_answers(group(served.group));
  const Plan plan = plan_of(served, job, Direction::read);
  const FieldPieces<UnpackRow> own = pieces_of_link(*job.layout, pieces);
  const std::unique_ptr<FieldTarget> target = target_of(plan, link_.rank(), own);
  hand_over_.fetch(plan, *target);
  return target->out_of_range;
}

void Client::end_step() {
  send_step();
  mailing_.to_all(EndStep{});
}

void Client::send_step() {
  mailing_.attempt([&] { hand_over_.end_step(); });
}

void Client::flush(Level level) {
  hand_over_.finish();
  reports_.expect_answers(level == Level::handed_over ? std::vector<int>{} : link_.crew().servers);
  if (level != Level::handed_over) mailing_.to_all(Flush{level});
}

void Client::finalize() {
  communicate(false);
  hand_over_.finish();
  reports_.expect_answers(link_.crew().servers);
  mailing_.to_all(Finalize{});
}

void Client::leave() {
  mailing_.leave();
  link_.leave();
}

std::string Client::description() const {
  if (link_.topology().nodes() == 1) return "data are placed into their memory: all ranks are on one node";
  const char *const drivers[] = {"servers of the node send them", "a thread of one rank of the node sends them",
                                 "one rank of the node sends them, in calls into the library"};
  const char *const policies[] = {"synchronous", "asynchronous", "paced"};
  return std::string(policies[static_cast<int>(forwarding_)]) +
         " async.forwarding: inside a node data are placed into the servers' memory; to other nodes " +
         drivers[static_cast<int>(hand_over_.driver())];
}

void Client::count(Metrics &metrics) const {
  metrics.waited_seconds = hand_over_.waited_seconds();
  metrics.placed_bytes += hand_over_.placed_bytes();
  metrics.messages += hand_over_.messages();
  metrics.message_bytes += hand_over_.message_bytes();
  reports_.count(metrics);
}

void Client::communicate(bool begins) {
  // no other rank asks, and bells wake servers
  if (forwarding_ != Forwarding::paced || begins == communicates_) return;
  communicates_ = begins;
  link_.board().communicating.fetch_add(begins ? 1 : -1, std::memory_order_acq_rel);
  link_.board().for_servers.ring();
  if (!begins) hand_over_.progress();
}

}  // namespace sv
