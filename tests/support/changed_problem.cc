#include "tests/support/changed_problem.h"

#include <algorithm>
#include <cmath>

namespace voigt::testing {
namespace {

// Groups that `chosen` is true of, and that have no force law, twice; the copies come last.
template <typename Predicate>
OwnedProblem DuplicateIf(const OwnedProblem& original, const Predicate& chosen) {
  OwnedProblem out = original;
  const size_t count = original.problem.groups.size();
  for (size_t g = 0; g < count; ++g) {
    if (!chosen(out.problem.groups[g]) || !out.problem.groups[g].force_law.is_linear()) continue;
    out.problem.groups[g].lagged_impulse *= 0.5;
    RowGroup group = out.problem.groups[g];
    const int first = group.first_row;
    group.first_row = out.problem.row_count();
    for (int r = 0; r < group.row_count; ++r) {
      // Half of K and B: c and R twice as large, τ and v̂ as they were.
      Row& row = out.problem.rows[first + r];
      row.c *= 2;
      row.R *= 2;
      out.problem.rows.push_back(Row(row));
    }
    out.problem.groups.push_back(group);
  }
  return out;
}

}  // namespace

OwnedProblem PermuteGroups(const OwnedProblem& original, const std::vector<int>& order) {
  OwnedProblem out = original;
  out.problem.rows.clear();
  for (size_t g = 0; g < order.size(); ++g) {
    RowGroup group = original.problem.groups[order[g]];
    const auto begin = original.problem.rows.begin() + group.first_row;
    group.first_row = out.problem.row_count();
    out.problem.rows.insert(out.problem.rows.end(), begin, begin + group.row_count);
    out.problem.groups[g] = group;
  }
  return out;
}

OwnedProblem DuplicateRows(const OwnedProblem& original) {
  return DuplicateIf(original, [](const RowGroup& group) {
    return group.law == Law::kBilateral || group.law == Law::kUnilateral;
  });
}

OwnedProblem DuplicateContacts(const OwnedProblem& original) {
  return DuplicateIf(original, [](const RowGroup& group) { return group.law == Law::kContact; });
}

OwnedProblem TurnTangents(const OwnedProblem& original, double angle) {
  OwnedProblem out = original;
  VelocityProblem& problem = out.problem;
  const double c = std::cos(angle), s = std::sin(angle);
  const auto turn = [&](double* a, double* b) {
    const double old = *a;
    *a = c * old + s * *b;
    *b = c * *b - s * old;
  };
  // Groups that share their entries are turned together.
  std::vector<int> done;
  for (const RowGroup& group : problem.groups) {
    if (group.law != Law::kContact) continue;
    const bool is_done = std::count(done.begin(), done.end(), group.first_entry) > 0;
    for (const Disc& disc : group.discs()) {
      if (disc.count != 2) continue;
      Row* const rows = problem.rows.data() + group.first_row + disc.first;
      turn(&rows[0].v_hat, &rows[1].v_hat);
      turn(&rows[0].phi_t, &rows[1].phi_t);
      if (is_done) continue;
      double* const G = problem.G.data() + group.first_entry + disc.first * group.col_count;
      for (int k = 0; k < group.col_count; ++k) turn(G + k, G + group.col_count + k);
    }
    done.push_back(group.first_entry);
  }
  return out;
}

OwnedProblem ScaleMass(const OwnedProblem& original, double factor) {
  OwnedProblem out = original;
  out.M *= factor;
  for (Row& row : out.problem.rows) {
    row.c /= factor;
    row.R /= factor;
    row.lower *= factor;
    row.upper *= factor;
  }
  for (RowGroup& group : out.problem.groups) {
    group.lagged_impulse *= factor;
    group.force_law.stiffness *= factor;
  }
  out.Attach();
  return out;
}

}  // namespace voigt::testing
