#include "voigt/sim/actuator_report.h"

namespace voigt {

ActuatorReporter::ActuatorReporter(const Model& model) : actuation_(model) {
  for (int i = 0; i < model.actuator_count(); ++i) {
    lengths_.emplace_back(model, model.transmission(i));
  }
}

void ActuatorReporter::Calc(const Model& model, const Kinematics& kin, const State& state,
                            std::vector<ActuatorReport>* out, VecX* joint_force) {
  actuation_.Update(model, state.inputs, state.activation, state.t, 0);
  rows_.pattern = &model.tree().pattern;
  rows_.ClearRows();
  const ConstraintContext at{model, kin, state.q, state.v, state.t, 0};
  RowWriter writer(model, kin, &rows_);
  out->clear();
  for (int i = 0; i < model.actuator_count(); ++i) {
    const ActuatorSpec& actuator = model.actuators()[i];
    ActuatorReport& report = out->emplace_back();
    report.length = lengths_[i].CalcLength(at);
    lengths_[i].AddRow(at, Law::kBilateral, 1, report.length, &writer);
    report.rate = writer.CalcRate(state.v);
    report.input = actuation_.input()[i];
    report.activation = actuation_.drive()[i];
    const SpringForce force = CalcActuatorForce(actuator, report.activation);
    report.force = actuator.force_range.Clamp(force(report.length, report.rate));
    if (joint_force == nullptr) continue;
    const RowGroup& group = rows_.groups.back();
    for (int k = 0; k < group.col_count; ++k) {
      (*joint_force)[rows_.cols_of(group)[k]] += report.force * rows_.entries(group, 0)[k];
    }
  }
}

}  // namespace voigt
