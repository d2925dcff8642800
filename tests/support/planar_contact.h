#pragma once

#include <cmath>
#include <vector>

#include "tests/support/dense_problem.h"

// Planar bodies with rates (vx, vy, ω) and rigid contacts that touch.
namespace voigt::testing {

// A uniform rod of 1 kg and 2 m.
inline const Vec3 kRod(1, 1, 1.0 / 3);

struct PlanarContact {
  Vec2 r;  // from the centre of mass
  Vec2 n;  // normal, against the body
};

// Normal first, then the tangent: n turned by −90°, so that on the ground it is x.
inline MatX MakeRows(const PlanarContact& contact) {
  const Vec2 t(contact.n[1], -contact.n[0]), &r = contact.r;
  MatX G(2, 3);
  G << contact.n.transpose(), r[0] * contact.n[1] - r[1] * contact.n[0],  //
      t.transpose(), r[0] * t[1] - r[1] * t[0];
  return G;
}

inline OwnedProblem MakePlanar(const Vec3& inertia, const Vec3& v_star, double mu,
                               const std::vector<PlanarContact>& contacts) {
  OwnedProblem owned = MakeProblem(MatX(inertia.asDiagonal()), v_star, 0.01);
  for (const PlanarContact& contact : contacts) {
    AddGroup(Law::kContact, MakeRows(contact), &owned).mu = mu;
  }
  return owned;
}

// A rod on its lower, left end, at an angle with the ground.
inline OwnedProblem MakeRod(double angle, const Vec3& v_star, double mu) {
  return MakePlanar(kRod, v_star, mu, {{-Vec2(std::cos(angle), std::sin(angle)), Vec2(0, 1)}});
}

}  // namespace voigt::testing
