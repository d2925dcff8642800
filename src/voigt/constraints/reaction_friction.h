#pragma once

#include <memory>
#include <vector>

#include "voigt/constraints/joint_rows.h"
#include "voigt/model/reaction_friction.h"

namespace voigt {

// Rows along which something slides that a joint or constraint guides: one along a line or about an
// axis, two in a plane, three about a point. Friction on them is at most lever · μ N, with
//
//   N = ‖P f + P_m m + of_row λ + Σ own_i λ_i‖
//
// of the force f and the moment m about `origin` that the joint or constraint transmits, of the
// multiplier of a constraint's first row, and of friction's own multipliers where it bears on its
// normal force by itself, as that of a belt does.
struct FrictionRows {
  int first_row = 0, row_count = 0;  // of the problem
  ReactionFriction law;
  double lever = 1;            // radius of the bearing where rows are angles, m
  Mat3 P = Mat3::Identity();   // in world axes
  Mat3 P_m = Mat3::Zero();     // the same, 1/m
  Vec3 origin = Vec3::Zero();  // in the world; of tree joints m is about the joint's frame
  Vec3 of_row = Vec3::Zero();
  Mat3 own = Mat3::Zero();  // a column per row
  // Where f comes from: one of the first two, or else the third.
  int body = -1;  // joint(body), in the tree
  int loop = -1;  // a loop joint
  int constraint =
      -1;  // the rows of a constraint: that of these rows itself, with the row of of_row
};

// Friction of a joint by its reaction: of a revolute joint from the force across its axis, of a
// prismatic one from that across its direction, of a ball joint from all of it. Moments that tilt
// a bearing have no part in it.
//
// Of a screw with a thread of radius r that rises by p a radian, friction is along the thread: its
// lever is √(r² + p²), and N is the force across it that the force A along the axis and the moment
// M about it make there, |r A − (p/r) M|/√(r² + p²). A load stays where p/r ≤ μ.
std::shared_ptr<const Constraint> MakeJointReactionFriction(const Model& model,
                                                            const JointRows& joint);

}  // namespace voigt
