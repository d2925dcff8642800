#include "voigt/replay/replay_frames.h"

#include <fmt/format.h>

#include <algorithm>

#include "voigt/io/recording_model.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

// Coordinates of free bodies are seen, and can be read off their poses.
bool HasSeries(JointType type) { return !HasQuaternion(type) && DofCount(type) > 0; }

void CopyVector(const Vec3& from, float* to) {
  for (int i = 0; i < 3; ++i) to[i] = static_cast<float>(from[i]);
}

}  // namespace

ReplayFrames::ReplayFrames(const Model& model)
    : contact_start{0},
      model_(&model),
      is_driven_(FindDrivenRates(model, ConstraintSet(model))),
      kin_(model),
      gaps_of_(model) {
  NameSeries();
}

void ReplayFrames::NameSeries() {
  for (const char* name : {"kinetic", "gravity", "springs", "total", "total less work done"}) {
    series.push_back({name, "J", "energy"});
  }
  for (const AuditItem& item : ListItems(Audit())) {
    series.push_back({std::string(item.name), "", "residual"});
  }
  series.push_back({"penetration", "m", "constraint"});
  series.push_back({"opening of rigid joints", "m", "constraint"});
  for (size_t k = 0; k < held().size(); ++k) {
    series.push_back({"gap of " + held()[k], gaps_of_.is_turn(k) ? "rad" : "m", "constraint"});
  }
  NameMotions();
  const NumberNames rows = ListConstraintForces(*model_);
  for (size_t i = 0; i < rows.names.size(); ++i) {
    series.push_back({"force of " + rows.names[i], rows.units[i], "force of constraints"});
  }
}

void ReplayFrames::NameMotions() {
  struct Motion {
    const char *group, *ending, *length, *angle;
  };
  for (const Motion& motion :
       {Motion{"coordinate", "", "m", "rad"}, Motion{"rate", " rate", "m/s", "rad/s"},
        Motion{"acceleration", " acceleration", "m/s²", "rad/s²"},
        Motion{"force of drives", " drive", "N", "N m"}}) {
    const bool is_force = motion.group[0] == 'f';
    for (int b = 1; b < model_->nb(); ++b) {
      const JointType type = model_->tree().type[b];
      if (!HasSeries(type)) continue;
      for (int k = 0; k < DofCount(type); ++k) {
        if (is_force && !is_driven_[model_->tree().v_start[b] + k]) continue;
        std::string name = model_->joint(b).name;
        if (DofCount(type) > 1) name += fmt::format("[{}]", k);
        series.push_back({name + motion.ending,
                          IsAngularDof(type, k) ? motion.angle : motion.length, motion.group});
      }
    }
  }
}

void ReplayFrames::AddPoses(const ReplayMoment& moment) {
  UpdatePositions(*model_, moment.q, &kin_);
  for (int b = 1; b < model_->nb(); ++b) {
    const Pose X_WB = CalcBodyPose(*model_, kin_, b);
    const Vec4 turn = MatrixToQuaternion(X_WB.R);
    for (double x : X_WB.p) poses.push_back(static_cast<float>(x));
    for (double x : turn) poses.push_back(static_cast<float>(x));
  }
}

// In the order of NameSeries; poses must be those of the moment.
void ReplayFrames::AddValues(const ReplayMoment& moment) {
  const auto add = [&](double value) { values.push_back(static_cast<float>(value)); };
  const Energy& energy = moment.energy;
  for (double x : {energy.kinetic, energy.gravity, energy.Springs(), energy.Total()}) add(x);
  add(energy.Total() - energy.InRows() - moment.work - moment.constraint_work);
  for (const AuditItem& item : ListItems(moment.audit)) add(item.value);
  add(std::max(0.0, moment.audit.penetration));
  add(moment.audit.violation);
  if (!held().empty()) UpdateVelocities(*model_, moment.v, &kin_);
  const auto& found = gaps_of_.Calc(*model_, kin_, moment.q, moment.v, moment.t);
  for (size_t k = 0; k < found.size(); ++k) {
    const ConstraintGaps::Gap& gap = found[k];
    add(gaps_of_.is_turn(k) ? gap.turn : gap.opening.norm());
    for (double x : gap.point) gaps.push_back(static_cast<float>(x));
    for (double x : gap.opening) gaps.push_back(static_cast<float>(x));
    gaps.push_back(static_cast<float>(gap.turn));
  }
  AddMotions(moment);
  for (double force : moment.constraint_force) add(force);
}

// In the order of NameMotions.
void ReplayFrames::AddMotions(const ReplayMoment& moment) {
  const Tree& tree = model_->tree();
  const auto add_all = [&](const std::vector<int>& start, const VecX& numbers, bool driven_only) {
    for (int b = 1; b < model_->nb(); ++b) {
      if (!HasSeries(tree.type[b])) continue;
      for (int k = 0; k < tree.dof_count[b]; ++k) {
        if (driven_only && !is_driven_[tree.v_start[b] + k]) continue;
        values.push_back(static_cast<float>(numbers[start[b] + k]));
      }
    }
  };
  add_all(tree.q_start, moment.q, false);
  add_all(tree.v_start, moment.v, false);
  add_all(tree.v_start, moment.acceleration, false);
  add_all(tree.v_start, moment.drive_force, true);
}

void ReplayFrames::AddContact(const ContactReport& contact) {
  ContactPoint out;
  CopyVector(contact.p_W, out.point);
  CopyVector(contact.n_W, out.normal);
  CopyVector(contact.normal_force * contact.n_W + contact.friction_force_W, out.force);
  out.depth = static_cast<float>(contact.depth);
  out.pressure = static_cast<float>(contact.pressure);
  out.area = static_cast<float>(contact.normal_force / contact.pressure);
  out.state = static_cast<std::uint8_t>(contact.state);
  out.bodies[0] = contact.body_A;
  out.bodies[1] = contact.body_B;
  contacts.push_back(out);
}

void ReplayFrames::Add(const ReplayMoment& moment) {
  t.push_back(moment.t);
  AddPoses(moment);
  AddValues(moment);
  for (const ContactReport& contact : moment.contacts) {
    if (contact.state != ContactState::kOpen) AddContact(contact);
  }
  contact_start.push_back(static_cast<std::uint32_t>(contacts.size()));
}

size_t ReplayFrames::size() const {
  // A contact is written with fewer digits than it is kept with (replay_page.cc).
  constexpr size_t kContactBytes = 31;
  return t.size() * sizeof(double) + poses.size() * sizeof(float) + values.size() * sizeof(float) +
         gaps.size() * sizeof(float) + contacts.size() * kContactBytes;
}

void ReplayFrames::ThinOut() {
  const size_t pose_size = 7 * (model_->nb() - 1), value_size = series.size();
  const size_t gap_size = kGapNumbers * held().size();
  std::vector<std::uint32_t> start{0};
  std::vector<ContactPoint> kept;
  size_t to = 0;
  for (size_t from = 0; from < t.size(); from += 2, ++to) {
    t[to] = t[from];
    std::copy_n(poses.begin() + from * pose_size, pose_size, poses.begin() + to * pose_size);
    std::copy_n(values.begin() + from * value_size, value_size, values.begin() + to * value_size);
    std::copy_n(gaps.begin() + from * gap_size, gap_size, gaps.begin() + to * gap_size);
    kept.insert(kept.end(), contacts.begin() + contact_start[from],
                contacts.begin() + contact_start[from + 1]);
    start.push_back(static_cast<std::uint32_t>(kept.size()));
  }
  t.resize(to);
  poses.resize(to * pose_size);
  values.resize(to * value_size);
  gaps.resize(to * gap_size);
  contact_start = std::move(start);
  contacts = std::move(kept);
}

}  // namespace voigt
