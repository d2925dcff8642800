#pragma once

#include <memory>
#include <vector>

#include "voigt/constraints/joint_rows.h"
#include "voigt/model/reaction_friction.h"

namespace voigt {

// Rows along which something slides that a joint or constraint guides: one along a line or about an
// axis, two in a plane, three about a point. Friction on them is at most lever · μ N, with
// N = ‖P f‖ the part across of the force f that the joint or constraint transmits.
struct FrictionRows {
  int first_row = 0, row_count = 0;  // of the problem
  const ReactionFriction* law = nullptr;
  double lever = 1;           // radius of the bearing where rows are angles, m
  Mat3 P = Mat3::Identity();  // in world axes
  // Where f comes from, one of these:
  int body = -1;        // joint(body), in the tree
  int loop = -1;        // a loop joint
  int constraint = -1;  // the rows of a constraint: that of these rows itself
};

// Friction of a joint by its reaction: of a revolute joint from the force across its axis, of a
// prismatic one from that across its direction, of a ball joint from all of it. Moments that tilt
// a bearing have no part in it.
std::shared_ptr<const Constraint> MakeJointReactionFriction(const Model& model,
                                                            const JointRows& joint);

}  // namespace voigt
