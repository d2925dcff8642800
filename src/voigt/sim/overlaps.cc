#include "voigt/sim/overlaps.h"

#include <algorithm>
#include <cmath>

#include "voigt/collision/contact_finder.h"
#include "voigt/constraints/contact_rows.h"
#include "voigt/sim/friction_element.h"

namespace voigt {
namespace {

// What rounding of positions that somebody typed makes.
constexpr double kLeast = 1e-7;    // m
constexpr double kAnyStep = 1e-6;  // s, in which nothing comes near

double CalcDepthUnder(double force, const SurfacePair& pair) {
  if (!(pair.stiffness > 0) || pair.stiffness == kInfinity) return 0;
  const double depth = force / pair.stiffness;
  return pair.law == NormalLaw::kLinear ? depth : std::pow(depth, 2.0 / 3);
}

}  // namespace

std::vector<ShapeOverlap> ListShapeOverlaps(const Model& model, const State& state) {
  ContactFinder finder(model);
  if (finder.empty()) return {};
  Kinematics kin(model);
  UpdatePositions(model, state.q, &kin);
  UpdateVelocities(model, state.v, &kin);
  finder.Find(model, kin, kAnyStep);
  const double weight = model.TotalMass() * model.gravity().norm();
  std::vector<ShapeOverlap> out;
  const Contact* last = nullptr;
  for (const Contact& contact : finder.contacts()) {
    if (-contact.phi <= kLeast + CalcDepthUnder(weight, CombineSides(model, contact))) continue;
    if (last == nullptr || !IsSamePair(last->id, contact.id)) {
      out.push_back({NamePair(model, contact.id), 0});
    }
    out.back().depth = std::max(out.back().depth, -contact.phi);
    last = &contact;
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const ShapeOverlap& a, const ShapeOverlap& b) { return a.depth > b.depth; });
  return out;
}

}  // namespace voigt
