#include "voigt/sim/contact_stiction.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "voigt/constraints/contact_rows.h"
#include "voigt/model/surface.h"

namespace voigt {
namespace {

constexpr double kNoContactSlip = 1e-9;  // m/s: slower is at rest
constexpr double kAtContactLimit = 1 - 1e-6;

// Along the tangents: G v + φ_t.
Vec2 CalcContactSlip(const VelocityProblem& problem, const RowGroup& group, const VecX& v) {
  Vec2 out;
  for (int r = 0; r < 2; ++r) {
    out[r] = problem.rows[group.first_row + 1 + r].phi_t;
    for (int c = 0; c < group.col_count; ++c) {
      out[r] += problem.entries(group, 1 + r)[c] * v[problem.cols_of(group)[c]];
    }
  }
  return out;
}

// Whether two shapes have more friction at rest, wherever they touch.
bool HasMoreAtRest(const Model& model, std::uint64_t id) {
  const int A = GeometryA(id), B = GeometryB(id);
  const int count = static_cast<int>(model.geometry().size());
  if (A >= count || B >= count) return false;
  const auto side = [&](int g) {
    return MakeSurface(model.geometry()[g].shape, model.material(g));
  };
  return CombineSurfaces(side(A), side(B), 1, model.pair_rules(A, B)).drops();
}

}  // namespace

ContactStiction::ContactStiction(const Model& model) {
  for (int g = 0; g < static_cast<int>(model.geometry().size()); ++g) {
    const Material& material = model.material(g);
    has_static_ |= material.CalcStaticFriction() > material.friction;
  }
  for (const MaterialPair& pair : model.spec().contact.pairs) {
    has_static_ |= pair.static_friction && *pair.static_friction > *pair.friction;
  }
}

void ContactStiction::Start(const Model& model, const std::vector<Contact>& contacts,
                            const State& state, size_t element_count, VelocityProblem* problem) {
  const std::vector<int>& modes = state.modes;
  const bool is_known = modes.size() == element_count + state.contacts.size();
  element_modes_.clear();
  if (is_known) element_modes_.assign(modes.begin(), modes.begin() + element_count);
  before_.clear();
  for (size_t k = 0; is_known && k < state.contacts.size(); ++k) {
    const bool stuck = modes[element_count + k] == static_cast<int>(Stiction::kStick);
    before_.push_back({state.contacts[k].id, stuck ? Stiction::kStick : Stiction::kSlip});
  }
  elements_.clear();
  auto contact = contacts.begin();
  for (int g = 0; g < static_cast<int>(problem->groups.size()); ++g) {
    RowGroup& group = problem->groups[g];
    if (group.constraint != kContactGroup) continue;
    if (group.law != Law::kContact) {
      contact += group.row_count;
      continue;
    }
    const SurfacePair pair = CombineSides(model, *contact++);
    if (!pair.drops()) continue;
    Element& element = elements_.emplace_back();
    element.id = group.id;
    element.group = g;
    const double slip = CalcContactSlip(*problem, group, state.v).norm();
    const auto old =
        std::lower_bound(state.contacts.begin(), state.contacts.end(), group.id,
                         [](const ContactMemory& a, std::uint64_t id) { return a.id < id; });
    if (is_known && old != state.contacts.end() && old->id == group.id) {
      const size_t k = element_count + (old - state.contacts.begin());
      element.sticks = modes[k] == static_cast<int>(Stiction::kStick);
    } else {
      element.sticks = slip <= kNoContactSlip;
    }
    // What begins to slide does so from rest.
    element.mu = pair.CalcSliding(element.sticks ? 0 : slip);
    group.mu = element.sticks ? pair.static_friction : element.mu;
  }
}

bool ContactStiction::Slides(const VelocityProblem& problem, const Solution& solution, int g) {
  const RowGroup& group = problem.groups[g];
  const double normal = solution.gamma[group.first_row];
  if (!(normal > 0)) return CalcContactSlip(problem, group, solution.v1).norm() > kNoContactSlip;
  const Vec2 force = solution.gamma.segment<2>(group.first_row + 1);
  // Sides of polygons are nearer than their corners.
  const bool is_polygon = solution.friction == FrictionMode::kPolyhedral;
  const double inner = is_polygon ? std::cos(kPi / solution.directions) : 1;
  if (force.norm() < kAtContactLimit * inner * group.mu * normal) return false;
  // What soft friction that sticks yields by is no slip.
  Vec2 slip = CalcContactSlip(problem, group, solution.v1);
  for (int r = 0; r < 2; ++r) {
    const Row& row = problem.rows[group.first_row + 1 + r];
    slip[r] += row.R * force[r] - row.v_hat;
  }
  return slip.norm() > kNoContactSlip;
}

bool ContactStiction::LetSlip(const Solution& solution, VelocityProblem* problem) {
  bool any = false;
  for (Element& element : elements_) {
    if (!element.sticks || !(solution.gamma[problem->groups[element.group].first_row] > 0))
      continue;
    if (!Slides(*problem, solution, element.group)) continue;
    element.sticks = false;
    // Friction that drops over a speed has not dropped yet: the solution is that of sliding, too.
    any |= problem->groups[element.group].mu != element.mu;
    problem->groups[element.group].mu = element.mu;
  }
  return any;
}

void ContactStiction::Finish(const Model& model, const VelocityProblem& problem,
                             const Solution& solution, State* state) {
  changes_.clear();
  auto element = elements_.begin();
  auto old = before_.begin();
  const auto end_until = [&](std::uint64_t id) {
    for (; old != before_.end() && old->id < id; ++old) {
      if (HasMoreAtRest(model, old->id)) changes_.push_back({old->id, old->mode, Stiction::kOpen});
    }
  };
  for (const ContactMemory& memory : state->contacts) {
    while (element != elements_.end() && element->id < memory.id) ++element;
    const bool is_it = element != elements_.end() && element->id == memory.id;
    const bool slides = is_it && Slides(problem, solution, element->group);
    const Stiction mode = slides ? Stiction::kSlip : Stiction::kStick;
    state->modes.push_back(static_cast<int>(mode));
    end_until(memory.id);
    const bool was_there = old != before_.end() && old->id == memory.id;
    const Stiction from = was_there ? old->mode : Stiction::kOpen;
    if (is_it && from != mode) changes_.push_back({memory.id, from, mode});
    old += was_there;
  }
  end_until(std::numeric_limits<std::uint64_t>::max());
}

}  // namespace voigt
