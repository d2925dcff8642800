#include "voigt/constraints/paid_depth.h"

#include <algorithm>
#include <cmath>

#include "voigt/constraints/contact_rows.h"
#include "voigt/problem/force_law.h"

namespace voigt {
namespace {

// What may differ by rounding.
constexpr double kRounding = 1e-9;

// Energies grow with this power of the depth.
double PowerOf(const ForceLaw& law) { return law.is_linear() ? 2 : 2.5; }

// Takes a row's depth from d to κ d, and lets the rest return.
void Shorten(double kappa, double recovery_speed, double h, Row* row) {
  const double unpaid = (kappa - 1) * row->phi;
  row->phi *= kappa;
  row->v_hat = row->v_hat_slope * row->phi;
  row->phi_t -= std::min(recovery_speed, unpaid / h);
}

// The normal rows of a problem's contacts, one after the other, with their contacts.
class NormalRows {
 public:
  NormalRows(const std::vector<Contact>& contacts, VelocityProblem* problem)
      : contact_(contacts.data()), end_(contacts.data() + contacts.size()), problem_(*problem) {
    while (group_ < problem_.groups.size() && !is_contact()) ++group_;
  }

  bool at_end() const { return contact_ == end_; }
  const Contact& contact() const { return *contact_; }
  const RowGroup& group() const { return problem_.groups[group_]; }
  Row& row() const { return problem_.rows[group().first_row + place_]; }
  void Next() {
    ++contact_;
    if (group().law != Law::kContact && ++place_ < group().row_count) return;
    place_ = 0;
    do {
      ++group_;
    } while (group_ < problem_.groups.size() && !is_contact());
  }

 private:
  bool is_contact() const { return problem_.groups[group_].constraint == kContactGroup; }

  const Contact *contact_, *end_;
  VelocityProblem& problem_;
  size_t group_ = 0;
  int place_ = 0;
};

// What contacts between two shapes held, asked for in the order of ids.
class HeldEnergy {
 public:
  explicit HeldEnergy(const std::vector<ContactMemory>& memory)
      : next_(memory.data()), end_(memory.data() + memory.size()) {}

  double Sum(std::uint64_t id) {
    while (next_ != end_ && next_->id < id && !IsSamePair(next_->id, id)) ++next_;
    double sum = 0;
    for (; next_ != end_ && IsSamePair(next_->id, id); ++next_) sum += next_->energy;
    return sum;
  }

 private:
  const ContactMemory *next_, *end_;
};

// What a contact holds that bears a force, J.
double CalcEnergyUnder(double force, const RowGroup& group, const Row& row) {
  const double depth = group.force_law.is_linear()
                           ? force * row.c
                           : std::pow(force / group.force_law.stiffness, 2.0 / 3.0);
  return CalcStoredEnergy(group, row, -depth);
}

}  // namespace

double CalcStoredEnergy(const RowGroup& group, const Row& row, double phi) {
  if (!(phi < 0)) return 0;
  switch (group.force_law.kind) {
    case ForceLaw::Kind::kLinear:
      return row.c > 0 ? 0.5 * phi * phi / row.c : 0;
    case ForceLaw::Kind::kHertz:
    case ForceLaw::Kind::kHuntCrossley:
      return 0.4 * group.force_law.stiffness * phi * phi * std::sqrt(-phi);
    case ForceLaw::Kind::kUser:
      return 0;
  }
  return 0;
}

void ShortenUnpaidDepths(const Model& model, const std::vector<Contact>& contacts,
                         const State& state, VelocityProblem* problem) {
  const double recovery_speed = model.spec().contact.recovery_speed;
  const bool is_first_step = state.recovery_time == 0;
  const double weight = is_first_step ? model.TotalMass() * model.gravity().norm() : 0;
  HeldEnergy held(state.contacts);
  for (NormalRows rows(contacts, problem); !rows.at_end();) {
    const std::uint64_t pair = rows.contact().id;
    const NormalRows first = rows;
    double stored = 0, paid = 0;
    for (; !rows.at_end() && IsSamePair(rows.contact().id, pair); rows.Next()) {
      const double energy = CalcStoredEnergy(rows.group(), rows.row(), rows.row().phi);
      stored += energy;
      if (is_first_step && energy > 0) {
        paid += std::min(energy, CalcEnergyUnder(weight, rows.group(), rows.row()));
      }
    }
    if (stored == 0) continue;
    if (!is_first_step) paid = held.Sum(pair);
    if (stored <= (1 + kRounding) * paid) continue;
    const double kappa = std::pow(paid / stored, 1 / PowerOf(first.group().force_law));
    for (NormalRows at = first; !at.at_end() && IsSamePair(at.contact().id, pair); at.Next()) {
      if (CalcStoredEnergy(at.group(), at.row(), at.row().phi) == 0) continue;
      Shorten(kappa, recovery_speed, problem->h, &at.row());
    }
  }
}

}  // namespace voigt
