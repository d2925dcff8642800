#include "voigt/constraints/point_friction.h"

#include "voigt/constraints/reaction_friction.h"

namespace voigt {

void AddPointFriction(const ReactionFriction& law, int body_A, int body_B, const Vec3& p,
                      std::initializer_list<Vec3> directions, RowWriter* rows,
                      std::vector<FrictionRows>* out) {
  FrictionRows& friction = out->emplace_back();
  friction.row_count = static_cast<int>(directions.size());
  friction.law = law;
  rows->BeginOnBodies(Law::kBounded, body_A, body_B);
  for (const Vec3& direction : directions) rows->AddWrench(0, p, Vec3::Zero(), direction);
}

}  // namespace voigt
