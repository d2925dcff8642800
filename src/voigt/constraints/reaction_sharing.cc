#include "voigt/constraints/reaction_sharing.h"

#include <algorithm>

namespace voigt {

ReactionSharing::ReactionSharing(const Model& model) : tree_(model.tree()) {
  for (int b = 0; b < tree_.nb; ++b) {
    body_of_rate_.insert(body_of_rate_.end(), tree_.dof_count[b], b);
  }
  loop_lever_.resize(model.loops().size());
}

// Calls visit(body, sign) for bodies whose joints of the tree bear the force of a row: sign is that
// of what acts on the body and all beyond it.
template <typename Visit>
void ReactionSharing::ForEachBodyBetween(const RowWrench& wrench, Visit visit) const {
  int A = wrench.body_A, B = wrench.body_B;
  while (A != B) {
    int& farther = A > B ? A : B;  // bodies come after their parents
    visit(farther, A > B ? -1.0 : 1.0);
    farther = tree_.parent[farther];
  }
}

void ReactionSharing::FindParts(const VelocityProblem& problem, const std::vector<int>& rows,
                                const std::vector<RowWrench>& wrenches) {
  place_of_row_.assign(problem.rows.size(), -1);
  for (size_t i = 0; i < rows.size(); ++i) place_of_row_[rows[i]] = static_cast<int>(i);
  body_of_row_.assign(rows.size(), 0);
  joined_.Reset(tree_.nb);
  const auto connect = [&](int row, int body) {
    int& first = body_of_row_[place_of_row_[row]];
    if (first == 0) first = body;
    joined_.Unite(first, body);
  };
  for (const RowGroup& group : problem.groups) {
    for (int r = group.first_row; r < group.first_row + group.row_count; ++r) {
      if (place_of_row_[r] < 0) continue;
      for (int col : problem.cols_of(group)) connect(r, body_of_rate_[col]);
    }
  }
  // Joints without rates bear forces, too.
  for (const RowWrench& wrench : wrenches) {
    if (place_of_row_[wrench.row] < 0) continue;
    ForEachBodyBetween(wrench, [&](int body, double) { connect(wrench.row, body); });
  }
  SortIntoParts(rows);
}

void ReactionSharing::SortIntoParts(const std::vector<int>& rows) {
  part_count_ = 0;
  part_of_body_.assign(tree_.nb, -1);
  place_in_part_.assign(tree_.nb, 0);
  for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
    if (body_of_row_[i] == 0) continue;  // nothing between its bodies bears it
    int& number = part_of_body_[joined_.Find(body_of_row_[i])];
    if (number < 0) {
      number = part_count_++;
      if (part_count_ > static_cast<int>(parts_.size())) parts_.emplace_back();
      parts_[number].rows.clear();
      parts_[number].places.clear();
      parts_[number].bodies.clear();
    }
    parts_[number].rows.push_back(rows[i]);
    parts_[number].places.push_back(i);
  }
  for (int b = 1; b < tree_.nb; ++b) {
    const int number = part_of_body_[b] = part_of_body_[joined_.Find(b)];
    if (number < 0) continue;
    place_in_part_[b] = static_cast<int>(parts_[number].bodies.size());
    parts_[number].bodies.push_back(b);
  }
}

// What joints of the tree bear of forces Z on rows: the opposite of all that acts beyond them.
void ReactionSharing::AddTreeLoads(const Kinematics& kin, const std::vector<RowWrench>& wrenches) {
  for (const RowWrench& wrench : wrenches) {
    const int place = place_of_row_[wrench.row];
    if (place < 0) continue;
    Vec6 F;
    F << wrench.torque, wrench.force;
    ForEachBodyBetween(wrench, [&](int body, double sign) {
      Part& part = parts_[part_of_body_[body]];
      if (part.loads.cols() == 0) return;
      const int count = static_cast<int>(part.rows.size());
      const auto at = std::lower_bound(part.places.begin(), part.places.end(), place);
      const Vec6 borne = -sign * ShiftForce(F, wrench.p - kin.X_WL[body].p);
      for (int k = 0; k < part.loads.cols(); ++k) {
        part.loads.col(k).segment<6>(count + 6 * place_in_part_[body]) +=
            borne * part.loads(at - part.places.begin(), k);
      }
    });
  }
}

void ReactionSharing::SetLevers(const ConstraintSet& constraints,
                                const std::vector<FrictionRows>& bearings,
                                const std::vector<RowWrench>& wrenches) {
  row_lever_.assign(body_of_row_.size(), 1);
  joint_lever_.assign(tree_.nb, 1);
  constraint_lever_.assign(constraints.list().size(), 1);
  std::fill(loop_lever_.begin(), loop_lever_.end(), 1.0);
  for (const FrictionRows& bearing : bearings) {
    const double radius = bearing.law.radius;
    if (!(radius > 0)) continue;
    if (bearing.body > 0) joint_lever_[bearing.body] = radius;
    if (bearing.loop >= 0) {
      loop_lever_[bearing.loop] = radius;
    } else if (bearing.constraint >= 0) {
      constraint_lever_[bearing.constraint] = radius;
    }
  }
  for (const RowWrench& wrench : wrenches) {
    const int place = place_of_row_[wrench.row];
    if (place < 0 || wrench.constraint < 0 || !wrench.force.isZero(0)) continue;
    const int loop = constraints.loop_of(wrench.constraint);
    row_lever_[place] = loop >= 0 ? loop_lever_[loop] : constraint_lever_[wrench.constraint];
  }
}

// Moments as forces at their levers; then columns that are orthonormal.
void ReactionSharing::CountAsForces(Part* part) {
  constexpr double kNothing = 1e-9;  // of forces in the loops
  MatX& loads = part->loads;
  const int count = static_cast<int>(part->rows.size());
  for (int i = 0; i < count; ++i) loads.row(i) /= row_lever_[part->places[i]];
  for (size_t k = 0; k < part->bodies.size(); ++k) {
    loads.middleRows<3>(count + 6 * static_cast<int>(k)) /= joint_lever_[part->bodies[k]];
  }
  const double largest = loads.cwiseAbs().maxCoeff();
  const double of_tree = loads.bottomRows(loads.rows() - count).cwiseAbs().maxCoeff();
  reaches_tree_ |= of_tree > kNothing * largest;
  for (int k = 0; k < loads.cols(); ++k) {
    for (int pass = 0; pass < 2; ++pass) {  // the second takes what rounding left
      for (int j = 0; j < k; ++j) loads.col(k) -= loads.col(j).dot(loads.col(k)) * loads.col(j);
    }
    loads.col(k).normalize();
  }
}

void ReactionSharing::Update(const ConstraintSet& constraints, const Kinematics& kin,
                             const VelocityProblem& problem, const std::vector<int>& rows,
                             const std::vector<char>& is_known,
                             const std::vector<FrictionRows>& bearings,
                             const std::vector<RowWrench>& wrenches) {
  any_ = reaches_tree_ = false;
  FindParts(problem, rows, wrenches);
  for (int p = 0; p < part_count_; ++p) {
    Part& part = parts_[p];
    const MatX& Z = part.idle.Calc(problem, part.rows, is_known);
    part.loads.setZero(Z.rows() + 6 * static_cast<int>(part.bodies.size()), Z.cols());
    part.loads.topRows(Z.rows()) = Z;
    any_ |= Z.cols() > 0;
  }
  if (!any_) return;
  AddTreeLoads(kin, wrenches);
  SetLevers(constraints, bearings, wrenches);
  for (int p = 0; p < part_count_; ++p) {
    if (parts_[p].loads.cols() > 0) CountAsForces(&parts_[p]);
  }
}

// The least load is what is left of it without its part along those that move nothing.
const VecX& ReactionSharing::CalcChange(const VecX& lambda, const std::vector<Vec6>& F) {
  change_.setZero(static_cast<int>(row_lever_.size()));
  for (int p = 0; p < part_count_; ++p) {
    Part& part = parts_[p];
    if (part.loads.cols() == 0) continue;
    const int count = static_cast<int>(part.rows.size());
    part.load.resize(part.loads.rows());
    for (int i = 0; i < count; ++i) {
      const int place = part.places[i];
      part.load[i] = lambda[place] / row_lever_[place];
    }
    int first = count;
    for (int b : part.bodies) {
      part.load.segment<6>(first) = F[b];
      part.load.segment<3>(first) /= joint_lever_[b];
      first += 6;
    }
    part.along.noalias() = part.loads.transpose() * part.load;
    part.load.noalias() = -part.loads * part.along;
    for (int i = 0; i < count; ++i) {
      const int place = part.places[i];
      change_[place] = part.load[i] * row_lever_[place];
    }
  }
  return change_;
}

void ReactionSharing::AddTreeChange(std::vector<Vec6>* F) const {
  for (int p = 0; p < part_count_; ++p) {
    const Part& part = parts_[p];
    if (part.loads.cols() == 0) continue;
    int first = static_cast<int>(part.rows.size());
    for (int b : part.bodies) {
      (*F)[b].head<3>() += part.load.segment<3>(first) * joint_lever_[b];
      (*F)[b].tail<3>() += part.load.segment<3>(first + 3);
      first += 6;
    }
  }
}

}  // namespace voigt
