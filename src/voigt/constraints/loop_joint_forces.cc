#include "voigt/constraints/loop_joint_forces.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "voigt/constraints/joint_rows.h"
#include "voigt/model/joint_motion.h"

namespace voigt {
namespace {

// What springs, dampers and armatures of a loop joint share.
class LoopForce : public Constraint {
 protected:
  LoopForce(const char* what, const Model& model, int loop)
      : Constraint(fmt::format("{} of joint '{}'", what, model.loops()[loop].name),
                   model.loops()[loop].where),
        joint_(JointRows::OfLoop(model, loop)) {}

  JointRows joint_;
};

class LoopSpring final : public LoopForce {
 public:
  LoopSpring(const Model& model, int loop) : LoopForce("spring", model, loop) {}

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const Joint& joint = joint_.joint(at.model);
    std::array<double, kMaxJointDofs + 1> q;
    std::array<double, kMaxJointDofs> e;
    joint_.CalcCoordinates(at, joint.rest.data(), q.data());
    CalcDeflection(joint.type, q.data(), joint.rest.data(), e.data());
    const DeflectionRateMatrix A = CalcDeflectionRateMatrix(joint.type, e.data());
    joint_.BeginAll(Law::kBilateral, rows);
    for (int k = 0; k < joint_.dof_count(); ++k) {
      if (joint.stiffness[k] == 0) continue;
      const Eigen::Matrix<double, kMaxJointDofs, 1> factors = A.row(k);
      Row* const row = joint_.AddMixed(at, factors.data(), e[k], rows);
      row->angular = joint_.IsAngular(k);
      SetSpring({joint.stiffness[k], 0}, at.h, row);
    }
  }
};

class LoopDamper final : public LoopForce {
 public:
  LoopDamper(const Model& model, int loop) : LoopForce("damper", model, loop) {}

  std::optional<EnergyLine> energy_line() const override { return EnergyLine::kDampers; }

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const Joint& joint = joint_.joint(at.model);
    joint_.BeginAll(Law::kBilateral, rows);
    for (int k = 0; k < joint_.dof_count(); ++k) {
      const double B = joint.damping[k] + joint.viscous_damping(k);
      if (B > 0) SetVelocityRow(0, B, at.h, joint_.AddOne(at, k, 1, 0, rows));
    }
  }
};

class LoopArmature final : public LoopForce {
 public:
  LoopArmature(const Model& model, int loop) : LoopForce("armature", model, loop) {}

  std::optional<EnergyLine> energy_line() const override { return EnergyLine::kArmatures; }

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    const Joint& joint = joint_.joint(at.model);
    joint_.BeginAll(Law::kBilateral, rows);
    for (int k = 0; k < joint_.dof_count(); ++k) {
      if (joint.armature[k] == 0) continue;
      Row* const row = joint_.AddOne(at, k, 1, 0, rows);
      row->R = 1 / joint.armature[k];
      row->v_hat = rows->CalcRate(at.v);
    }
  }
};

class LoopLoad final : public Constraint {
 public:
  LoopLoad(const Model& model, const JointLoad& load)
      : Constraint(fmt::format("load '{}'", load.name), load.where),
        joint_(*JointRows::Find(model, load.joint)) {
    for (const TimeFunction& force : load.force) force_.emplace_back(force);
  }

  std::optional<EnergyLine> energy_line() const override { return EnergyLine::kLoads; }

  void AddRows(const ConstraintContext& at, RowWriter* rows) const override {
    for (int k = 0; k < joint_.dof_count(); ++k) {
      joint_.BeginOne(Law::kBounded, k, rows);
      Row* const row = joint_.AddOne(at, k, 1, 0, rows);
      row->lower = row->upper = at.h * force_[k](at.t);
    }
  }

 private:
  JointRows joint_;
  std::vector<CompiledTimeFunction> force_;
};

}  // namespace

std::shared_ptr<const Constraint> MakeLoopSpring(const Model& model, int loop) {
  return std::make_shared<LoopSpring>(model, loop);
}

std::shared_ptr<const Constraint> MakeLoopDamper(const Model& model, int loop) {
  return std::make_shared<LoopDamper>(model, loop);
}

std::shared_ptr<const Constraint> MakeLoopArmature(const Model& model, int loop) {
  return std::make_shared<LoopArmature>(model, loop);
}

std::shared_ptr<const Constraint> MakeLoopLoad(const Model& model, const JointLoad& load) {
  return std::make_shared<LoopLoad>(model, load);
}

}  // namespace voigt
