// What sweeps work out before they begin: bodies, contacts and what these respond with.

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>

#include "voigt/kernels/contact_sweeps.h"

namespace voigt {
namespace {

constexpr double kLeast = 1e-290;  // of what rows respond with

}  // namespace

bool ContactSweeps::Applies(const ConvexProgram& program, std::span<const int> blocks,
                            std::span<const DofRange> ranges) {
  const auto is_free = [&](const DofRange& range) {
    return range.count == 6 && program.pattern->is_chain_of_six(range.first);
  };
  const auto is_contact = [&](int b) {
    const ConvexBlock& block = program.blocks[b];
    const bool has_slip = block.set == ConvexSet::kCoulomb && block.row_count >= 3;
    const bool pushes = block.set == ConvexSet::kHalfLines && block.row_count == 1;
    return (has_slip || pushes) && block.col_count <= 12;
  };
  return std::all_of(ranges.begin(), ranges.end(), is_free) &&
         std::all_of(blocks.begin(), blocks.end(), is_contact);
}

void ContactSweeps::PrepareBodies(const ConvexProgram& program, std::span<const DofRange> ranges) {
  factors_.resize(ranges.size());
  v_star_.resize(6 * ranges.size());
  for (size_t i = 0; i < ranges.size(); ++i) {
    const double* packed = program.M->data() + program.pattern->row_start(ranges[i].first);
    Mat6 M;
    for (int r = 0; r < 6; ++r) {
      for (int c = 0; c <= r; ++c) M(r, c) = M(c, r) = *packed++;
    }
    factors_[i] = M.llt().matrixL();
    v_star_.segment<6>(6 * i).noalias() =
        factors_[i].transpose() * program.v_star->segment<6>(ranges[i].first);
  }
}

void ContactSweeps::PrepareContact(const ConvexProgram& program, const ConvexBlock& block,
                                   std::span<const DofRange> ranges, Contact* contact) {
  const auto cols = program.cols_of(block);
  const int n = block.has_friction() ? block.row_count : 1;
  contact->block = &block;
  contact->row_count = n;
  contact->mu = block.mu;
  contact->bodies[0] = contact->bodies[1] = contact->more = -1;
  if (n > 3) {
    contact->more = static_cast<int>(more_.size());
    more_.emplace_back();
  }
  int side = -1;
  for (int k = 0; k < block.col_count; ++k) {
    const auto range =
        std::upper_bound(ranges.begin(), ranges.end(), cols[k],
                         [](int dof, const DofRange& candidate) { return dof < candidate.first; });
    const int body = static_cast<int>(range - ranges.begin()) - 1;
    if (side < 0 || contact->bodies[side] != body) {
      contact->bodies[++side] = body;
      contact->J[side].setZero();
      if (n > 3) more_.back().J[side].setZero();
    }
    for (int r = 0; r < n; ++r) {
      Mat6x3& J = r < 3 ? contact->J[side] : more_.back().J[side];
      J(cols[k] - ranges[body].first, r % 3) = program.entries(block, r)[k];
    }
  }
  for (int r = 0; r < n; ++r) {
    const bool has_law = r == 0 && block.smooth;
    contact->b[r] = has_law ? 0 : program.b[block.first_row + r];
    contact->R[r] = has_law ? 0 : program.R[block.first_row + r];
  }
  PrepareResponse(contact);
}

void ContactSweeps::PrepareResponse(Contact* contact) {
  const int n = contact->row_count;
  contact->W.setZero();
  for (int i = 0; i < 2 && contact->bodies[i] >= 0; ++i) {
    const auto L = factors_[contact->bodies[i]].triangularView<Eigen::Lower>();
    L.solveInPlace(contact->J[i]);
    contact->W.noalias() += contact->J[i].transpose() * contact->J[i];
    if (contact->more >= 0) L.solveInPlace(more_.back().J[i]);
  }
  for (int r = 0; r < std::min(n, 3); ++r) contact->W(r, r) += contact->R[r];
  contact->may_stick = false;
  if (n == 3) {
    contact->inverse = contact->W.inverse();
    contact->may_stick = contact->inverse.allFinite();
  }
  if (contact->more < 0) return;
  MoreRows& more = more_.back();
  const auto column = [&](int side, int r) {
    return r < 3 ? contact->J[side].col(r) : more.J[side].col(r - 3);
  };
  for (int r = 0; r < n; ++r) {
    for (int s = 0; s < n; ++s) {
      double sum = r == s ? contact->R[r] : 0;
      for (int i = 0; i < 2 && contact->bodies[i] >= 0; ++i) sum += column(i, r).dot(column(i, s));
      more.W[r * n + s] = sum;
    }
  }
}

// S of the rows: what they respond with, the same over each disc.
void ContactSweeps::FillScale(const Contact& contact) {
  const int n = contact.row_count;
  const auto response = [&](int r) {
    return contact.more < 0 ? contact.W(r, r) : more_[contact.more].W[r * n + r];
  };
  double* const S = scale_.data() + contact.first;
  S[0] = std::max(response(0), kLeast);
  if (n == 1) return;
  for (const Disc& disc : contact.block->discs()) {
    double largest = kLeast;
    for (int r = 0; r < disc.count; ++r) largest = std::max(largest, response(disc.first + r));
    std::fill_n(S + disc.first, disc.count, largest);
  }
}

void ContactSweeps::Prepare(const ConvexProgram& program, std::span<const int> blocks,
                            std::span<const DofRange> ranges, const VecX& gamma) {
  PrepareBodies(program, ranges);
  laws_ = program.laws;
  contacts_.resize(blocks.size());
  cones_.resize(blocks.size());
  more_.clear();
  row_count_ = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    Contact& contact = contacts_[i];
    PrepareContact(program, program.blocks[blocks[i]], ranges, &contact);
    contact.first = row_count_;
    cones_[i] = {contact.mu, contact.first, contact.row_count, contact.block};
    row_count_ += contact.row_count;
  }
  const long size = row_count_ + v_star_.size();
  for (VecX* vector : {&x_, &point_}) vector->resize(size);
  for (VecX* vector : {&best_, &scale_}) vector->resize(row_count_);
  for (size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& contact = contacts_[i];
    x_.segment(contact.first, contact.row_count) =
        gamma.segment(contact.block->first_row, contact.row_count);
    PutIntoCone(cones_[i], impulses_of(contact));
    FillScale(contact);
  }
  CalcVelocities();
  anderson_.Reset(static_cast<int>(size), row_count_);
}

}  // namespace voigt
