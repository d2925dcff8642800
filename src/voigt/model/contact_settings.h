#pragma once

#include <string>
#include <vector>

#include "voigt/base/source_location.h"
#include "voigt/model/material_pair.h"

namespace voigt {

// The group of shapes that name none, and how many groups there may be.
inline constexpr const char* kDefaultGroup = "default";
inline constexpr int kMaxContactGroups = 64;

// Two shapes may touch if both accept the other's groups, or if one of them does.
enum class FilterRule { kBoth, kEither };

// Two bodies that never touch.
struct ExcludedPair {
  std::string body_A, body_B;
  SourceLocation where = {};
};

// What contact needs to know beside materials.
struct ContactSettings {
  // How fast rigid shapes that overlap are pushed apart at most, m/s; less where joints or other
  // bodies hold them (LimitRecovery of contact_rows.h). Large enough that what bodies
  // sink in while they roll with large steps is made up for, small enough that shapes that overlap
  // from the start do not fly apart.
  double recovery_speed = 1;

  // Impacts slower than this do not bounce, m/s: rest is reached in finitely many bounces.
  double restitution_speed = 0.01;

  // v_tol of [Sherman], m/s, of soft contacts with the integrator event-driven: slip that is slower
  // may stick, and creeps where friction cannot hold it. Stopping it takes an impulse of this speed
  // at most: well below the speeds that matter, and above what rounding makes of zero.
  double creep_speed = 1e-4;
  static constexpr double kLeastCreepSpeed = 1e-6;

  // Contacts are foreseen: pairs of shapes whose gap is at most 2 h (v + h a) get rows, where v is
  // the speed of the fastest shape at the start of the step and a the larger of gravity and this,
  // m/s². All pairs get the margin of the fastest, because impacts pass speeds on within a step: a
  // shape at rest may be pushed into its neighbour. Rows of a gap that stays open change nothing.
  double acceleration = 9.81;

  // A protective layer, m: shapes touch where their distance is this, so that the gap is the
  // distance less the layer and shapes that have sunk in by less do not overlap. Shared evenly by
  // the two shapes; radii of curvature stay those of the shapes.
  double layer = 0;

  FilterRule filter_rule = FilterRule::kBoth;
  std::vector<ExcludedPair> excluded = {};
  // How materials act together, and pairs of them that do so in their own way.
  MixingRule friction_rule = MixingRule::kGeometricMean;
  std::vector<MaterialPair> pairs;

  SourceLocation where = {};
};

}  // namespace voigt
