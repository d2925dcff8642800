#include "voigt/sim/guide_report.h"

namespace voigt {
namespace {

// One open report per guide, and for each constraint which of them is its own.
std::vector<int> StartGuideReports(const ConstraintSet& constraints,
                                   std::vector<GuideReport>* out) {
  out->clear();
  std::vector<int> guide_of;
  for (size_t i = 0; i < constraints.list().size(); ++i) {
    const bool rubs = constraints.list()[i]->HasReactionFriction();
    guide_of.push_back(rubs ? static_cast<int>(out->size()) : -1);
    if (!rubs) continue;
    GuideReport& report = out->emplace_back();
    report.guide = guide_of.back();
    report.id = ((std::uint64_t{i} + 1) << 32) | ConstraintSet::kFrictionId;
  }
  return guide_of;
}

}  // namespace

void ListGuides(const HeldForces& forces, std::vector<GuideReport>* out) {
  const TouchFinder& finder = forces.motion().finder();
  const std::vector<int> guide_of = StartGuideReports(finder.constraints(), out);
  const auto start = [&](const Guide& guide) -> GuideReport& {
    GuideReport& report = (*out)[guide_of[(guide.id >> 32) - 1]];
    report.row_count = guide.rows.row_count;
    report.rate = guide.rate;
    return report;
  };
  for (const Hold& hold : forces.holds()) {
    const Guide* const guide = hold.is_guide ? finder.FindGuide(hold.id) : nullptr;
    if (guide == nullptr) continue;
    GuideReport& report = start(*guide);
    report.normal_force = hold.force;
    report.state = hold.state;
    for (int i = 0; i < report.row_count; ++i) {
      report.friction[i] = forces.motion().row_force()[guide->rows.first_row + i];
    }
  }
  for (size_t k = 0; k < finder.known_guides().size(); ++k) {
    const Guide& guide = finder.known_guides()[k];
    GuideReport& report = start(guide);
    const HeldMotion::KnownFriction& known = forces.motion().known_friction()[k];
    report.normal_force = known.normal_force;
    report.friction = known.friction;
    report.state = guide.rate.norm() > HeldMotion::kNoSlip ? Stiction::kSlip : Stiction::kStick;
  }
}

void ListGuides(const ConstraintSet& constraints, const ReactionPasses& passes,
                const VelocityProblem& problem, const Solution& solution,
                const std::vector<int>& modes, std::vector<GuideReport>* out) {
  const std::vector<int> guide_of = StartGuideReports(constraints, out);
  for (int k = 0; k < static_cast<int>(passes.normal_forces().size()); ++k) {
    const RowGroup& group = passes.ElementGroup(k, problem);
    GuideReport& report = (*out)[guide_of[(group.id >> 32) - 1]];
    report.row_count = group.row_count;
    report.normal_force = passes.normal_forces()[k];
    for (int r = 0; r < group.row_count; ++r) {
      const int row = group.first_row + r;
      report.friction[r] = solution.gamma[row] / problem.h;
      report.rate[r] = problem.rows[row].phi_t;
      for (int c = 0; c < group.col_count; ++c) {
        report.rate[r] += problem.entries(group, r)[c] * solution.v1[problem.cols_of(group)[c]];
      }
    }
    if (report.normal_force > 0) report.state = static_cast<Stiction>(modes[k]);
  }
}

}  // namespace voigt
