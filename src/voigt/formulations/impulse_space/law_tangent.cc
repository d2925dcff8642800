#include "voigt/formulations/impulse_space/law_tangent.h"

#include <algorithm>
#include <cmath>

namespace voigt {
namespace {

// Of the velocity that the impulse would make, or of the rate.
constexpr double kSettled = 1e-13;
constexpr double kStays = 1e-12;

// In place of the infinite R of a law that does not change with the rate, relative to w.
constexpr double kSoft = 1e9;

// Where a law that pushes nothing at `rate` is looked at instead: where its gap closes, as deep as
// half of what the free motion would go.
double MoveIntoTouch(const Row& row, double h, double rate, double free_rate) {
  const double touch = -row.phi / h;
  if (free_rate < touch) return 0.5 * (touch + free_rate);
  return touch - 1e-6 * (std::fabs(touch) + std::fabs(rate));
}

}  // namespace

double LawTangents::CalcRate(const ImpulseIsland& island, const VecX& gamma,
                             const Entry& entry) const {
  const double u = island.A.row(entry.row).dot(gamma) + island.q[entry.row];
  return u - entry.R * gamma[entry.row] + entry.b;
}

void LawTangents::Start(const ImpulseIsland& island, const VecX& gamma) {
  entries_.clear();
  for (size_t g = 0; g < island.groups.size(); ++g) {
    if (island.group(static_cast<int>(g)).force_law.is_linear()) continue;
    Entry& entry = entries_.emplace_back();
    entry.row = island.groups[g].first_row;
    entry.group = static_cast<int>(g);
    const Row& row = island.problem->rows[island.rows[entry.row]];
    entry.R = row.R;
    entry.b = row.v_hat;
    entry.w = island.A(entry.row, entry.row) - row.R;
    entry.free_rate = island.q[entry.row] + entry.b;
    entry.rate = CalcRate(island, gamma, entry);
  }
}

void LawTangents::Apply(ImpulseIsland* island) {
  const double h = island->problem->h;
  for (Entry& entry : entries_) {
    const ForceLaw& law = island->group(entry.group).force_law;
    const Row& row = island->problem->rows[island->rows[entry.row]];
    double at = entry.rate;
    ForceLawTangent tangent = CalcForceLawTangent(law, at, row.phi, h);
    if (std::isinf(tangent.R)) {
      at = MoveIntoTouch(row, h, at, entry.free_rate);
      tangent = CalcForceLawTangent(law, at, row.phi, h);
    }
    if (!(tangent.R <= kSoft * entry.w)) {
      tangent.R = kSoft * entry.w;
      tangent.b = at + tangent.R * CalcForceLaw(law, at, row.phi, h).gamma;
    }
    island->A(entry.row, entry.row) += tangent.R - entry.R;
    island->q[entry.row] += entry.b - tangent.b;
    entry.R = tangent.R;
    entry.b = tangent.b;
  }
}

bool LawTangents::Update(const ImpulseIsland& island, const VecX& gamma, bool may_exceed) {
  bool has_settled = true;
  for (Entry& entry : entries_) {
    const double last_rate = entry.rate;
    entry.rate = CalcRate(island, gamma, entry);
    const Row& row = island.problem->rows[island.rows[entry.row]];
    const ForceLawValue value =
        CalcForceLaw(island.group(entry.group).force_law, entry.rate, row.phi, island.problem->h);
    const double error =
        std::fabs(gamma[entry.row] - value.gamma) * entry.w / (1 + value.slope * entry.w);
    const double scale = std::max(std::fabs(entry.rate), entry.w * std::fabs(gamma[entry.row]));
    const bool exceeds = may_exceed && gamma[entry.row] > value.gamma;
    const bool stays = exceeds && std::fabs(entry.rate - last_rate) <= kStays * scale;
    if (!stays && !(error <= kSettled * scale)) has_settled = false;
  }
  return has_settled;
}

}  // namespace voigt
