// The inverse operational-space inertia J M⁻¹ Jᵀ of several nodes: through the factor of M, and by
// the recursion over articulated bodies. Each time includes the factorisation that the way needs,
// from given kinematics.

#include <fmt/format.h>

#include <cmath>

#include "bench/side_by_side.h"
#include "voigt/dynamics/mass_matrix.h"
#include "voigt/dynamics/operational_space.h"
#include "voigt/voigt.h"

namespace voigt::bench {
namespace {

void Compare(const char* name, const Scene& scene) {
  const Model& model = scene.model;
  const TreePattern& pattern = model.tree().pattern;
  VecX q = scene.initial.q;
  for (int b = 1; b < model.nb(); ++b) {
    if (model.tree().type[b] == JointType::kRevolute) {
      q[model.tree().q_start[b]] += 0.3 * std::cos(2.0 * b);
    }
  }
  Kinematics kin(model);
  UpdatePositions(model, q, &kin);
  CompositeInertia composite(model);
  ArticulatedBody articulated(model);
  TreeFactor factor(pattern);
  VecX M(pattern.nonzeros());
  OperationalSpaceByFactor by_factor;
  OperationalSpaceByRecursion by_recursion;

  fmt::print("\n{}: {} dof\n  {:>6}{:>15}{:>17}{:>9}{:>18}\n", name, model.nv(), "nodes",
             "factor [us]", "recursion [us]", "ratio", "rel. difference");
  for (int count : {1, 2, 4, 8, 16}) {
    // Nodes spread over the bodies, the last one included.
    std::vector<Node> nodes;
    for (int i = 0; i < count; ++i) {
      const int body = model.nb() - 1 - i * (model.nb() - 1) / count;
      nodes.push_back({body, kin.X_WL[body].p + Vec3(0.1, 0.02, 0.03)});
    }
    MatX a(6 * count, 6 * count), b(6 * count, 6 * count);
    const SideBySide result = Measure(
        51, 50,
        [&] {
          CalcMassMatrix(model, kin, &composite, &M);
          factor.Factor(pattern, M);
          by_factor.Calc(model, kin, factor, nodes, a);
        },
        [&] {
          UpdateArticulatedInertia(model, kin, nullptr, &articulated);
          by_recursion.Calc(model, kin, articulated, nodes, b);
        });
    fmt::print("  {:>6}{:>15.2f}{:>17.2f}{:>9.3f}{:>18.1e}\n", count, 1e6 * result.ours,
               1e6 * result.theirs, result.Ratio(), (a - b).norm() / a.norm());
  }
}

int Main() {
  const std::string scenes = std::string(VOIGT_SOURCE_DIR) + "/scenes/";
  Compare("humanoid", LoadScene(scenes + "humanoid.yaml"));
  for (const char* n : {"60", "300"}) {
    Compare(fmt::format("chain of {} links", n).c_str(),
            LoadScene(scenes + "chain.yaml", {Override{"parameters.n", n}}));
  }
  return 0;
}

}  // namespace
}  // namespace voigt::bench

int main() { return voigt::bench::Main(); }
