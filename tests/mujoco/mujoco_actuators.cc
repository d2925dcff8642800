#include "tests/mujoco/mujoco_actuators.h"

#include <fmt/format.h>

#include <stdexcept>

#include "tests/mujoco/mujoco_import.h"
#include "voigt/model/model_builder.h"

namespace voigt::testing {
namespace {

ValueRange ReadMujocoRange(bool is_limited, const mjtNum* range) {
  return is_limited ? ValueRange{range[0], range[1]} : ValueRange{};
}

TendonSpec ImportTendon(const mjModel* m, int t) {
  TendonSpec tendon;
  tendon.name = fmt::format("tendon{}", t);
  for (int w = m->tendon_adr[t]; w < m->tendon_adr[t] + m->tendon_num[t]; ++w) {
    if (m->wrap_type[w] != mjWRAP_JOINT) throw std::runtime_error("a spatial tendon");
    tendon.terms.push_back({fmt::format("joint{}", m->wrap_objid[w]), 0, m->wrap_prm[w]});
  }
  return tendon;
}

AffineLaw ImportAffine(bool is_affine, const mjtNum* prm) {
  return is_affine ? AffineLaw{prm[0], prm[1], prm[2]} : AffineLaw{prm[0], 0, 0};
}

ActuatorSpec ImportActuator(const mjModel* m, int i) {
  ActuatorSpec actuator;
  actuator.name = fmt::format("actuator{}", i);
  const int id = m->actuator_trnid[2 * i];
  const mjtNum* const gear = m->actuator_gear + 6 * i;
  if (m->actuator_trntype[i] == mjTRN_TENDON) {
    actuator.tendon = fmt::format("tendon{}", id);
    actuator.gear = {gear[0]};
  } else if (m->actuator_trntype[i] == mjTRN_JOINT) {
    actuator.joint = fmt::format("joint{}", id);
    const int type = m->jnt_type[id];
    actuator.gear.assign(gear, gear + (type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1));
  } else {
    throw std::runtime_error("an actuator on neither a joint nor a tendon");
  }
  actuator.input_range = ReadMujocoRange(m->actuator_ctrllimited[i], m->actuator_ctrlrange + 2 * i);
  actuator.force_range =
      ReadMujocoRange(m->actuator_forcelimited[i], m->actuator_forcerange + 2 * i);
  actuator.activation_range =
      ReadMujocoRange(m->actuator_actlimited[i], m->actuator_actrange + 2 * i);
  switch (m->actuator_dyntype[i]) {
    case mjDYN_NONE:
      break;
    case mjDYN_INTEGRATOR:
      actuator.activation = ActivationLaw::kIntegrator;
      break;
    case mjDYN_FILTER:
      actuator.activation = ActivationLaw::kFilter;
      actuator.time_constant = m->actuator_dynprm[mjNDYN * i];
      break;
    default:
      throw std::runtime_error("an activation of its own kind");
  }
  actuator.gain =
      ImportAffine(m->actuator_gaintype[i] == mjGAIN_AFFINE, m->actuator_gainprm + mjNGAIN * i);
  if (m->actuator_biastype[i] == mjBIAS_AFFINE) {
    actuator.bias = ImportAffine(true, m->actuator_biasprm + mjNBIAS * i);
  }
  return actuator;
}

}  // namespace

Model ImportMujocoActuators(const mjModel* source) {
  ModelSpec spec = ImportMujocoTree(source).spec();
  for (int t = 0; t < source->ntendon; ++t) spec.tendons.push_back(ImportTendon(source, t));
  for (int i = 0; i < source->nu; ++i) spec.actuators.push_back(ImportActuator(source, i));
  return ModelBuilder(spec).Build();
}

}  // namespace voigt::testing
