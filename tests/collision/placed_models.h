#pragma once

#include <cstdint>
#include <vector>

#include "tests/support/random_model.h"
#include "voigt/collision/contact.h"
#include "voigt/dynamics/kinematics.h"
#include "voigt/model/model.h"
#include "voigt/model/state.h"

// Models of free bodies in some place, and the names of contacts that are found there.
namespace voigt::testing {

// Bodies with free joints, spread over a box of edge `edge`, at speeds of order 1.
inline State Scatter(const Model& model, double edge, Random* random) {
  State state = MakeRandomState(model, random);
  for (int b = 1; b < model.nb(); ++b) {
    state.q.segment<3>(model.tree().q_start[b]) =
        Vec3{Uniform(random, 0, edge), Uniform(random, 0, edge), Uniform(random, 0, edge)};
  }
  return state;
}

inline Kinematics MoveTo(const Model& model, const State& state) {
  Kinematics kin(model);
  UpdatePositions(model, state.q, &kin);
  UpdateVelocities(model, state.v, &kin);
  return kin;
}

inline std::vector<std::uint64_t> Ids(const std::vector<Contact>& contacts) {
  std::vector<std::uint64_t> ids;
  for (const Contact& contact : contacts) ids.push_back(contact.id);
  return ids;
}

}  // namespace voigt::testing
