#pragma once

#include "voigt/base/stopwatch.h"
#include "voigt/kernels/linear_fixed_point.h"
#include "voigt/kernels/lorentz_cone.h"
#include "voigt/kernels/newton_workspace.h"
#include "voigt/kernels/several_discs.h"

namespace voigt {

struct InteriorPointSettings {
  int max_iterations = 50;
  double tolerance = 1e-9;  // of the natural residual, relative to `scale`
  double scale = 1;         // velocity
  Deadline deadline;
};

struct InteriorPointResult {
  double residual = kNaN;  // the natural residual, velocity
  bool converged = false;
};

// Interior-point method for programs of half-lines and cones, and for the Coulomb law. It does not
// look for what sticks, slides and parts but leaves all of it undecided until late, and so needs a
// few tens of steps, whatever the stiffness and however many rows repeat each other.
//
// Each contact is put into the cone K of lorentz_cone.h, z = a (μ γ₀, γ₁‥), s = (u₀/μ + ‖u₁‥‖,
// u₁‥)/a with a² = S of its tangents: γ obeys Coulomb's law if and only if z, s ∈ K and z·s = 0 [De
// Saxcé & Feng 1998]; without the term ‖u₁‥‖, it is that of the convex cone. The step is Mehrotra's
// predictor and corrector with Nesterov and Todd's scaling F, as for second-order cone programs of
// contact [Acary, Armand & Nguyen 2022]. With A = ∂γ/∂z, B = ∂s/∂u, and r what s differs by from
// its definition,
//
//   F Δz + F⁻¹ Δs = d,   Δs = B (G Δv + R Δγ) + r,   M Δv = Gᵀ Δγ
//   ⇒  (M + Gᵀ P G) Δv = Gᵀ q,   Δγ = q − P G Δv,   P = K⁻¹ B,   q = K⁻¹ (F d − r),
//      K = F² A⁻¹ + B R,
//
// so its matrix is that of Newton's methods, for the Coulomb law an unsymmetric one. Where γ is not
// unique, it comes to lie in the middle of what is possible. Contacts with several discs have a
// cone for each, and all contacts a floor of R (interior_point_discs.cc).
class InteriorPoint {
 public:
  // Whether all rows of the island are of sets that the method knows: no intervals, and no laws of
  // springs that are not linear.
  static bool Applies(const IslandView& island);

  // v and gamma: the best point that was met; no start is needed. ws->R: R with its floor, for rows
  // without condition.
  InteriorPointResult Solve(const IslandView& island, const InteriorPointSettings& settings,
                            VecX* v, VecX* gamma, NewtonWorkspace* ws, NewtonStats* stats);

 private:
  // A disc of a contact with its normal row, or a row that pushes.
  struct Cone {
    int row = 0, count = 0;  // of z and s, one behind the other
    double a = 1, mu = 1;    // mu = 1 for single rows
  };
  // A contact, or a row that pushes.
  struct Contact {
    int row = 0, count = 0;  // of the program
    int P = -1;              // where its part of NewtonWorkspace::P begins
    int first_cone = 0, cone_count = 1;
    int discs = -1;  // in discs_, of contacts
    bool is_coulomb = false;
  };
  using DiscsMat =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kMaxDiscRows, kMaxDiscRows>;

  void ListContacts(const IslandView& island, const NewtonWorkspace& ws);
  void AddContact(const ConvexBlock& block, int P, const NewtonWorkspace& ws);
  void AddCone(int count, double S, double mu);
  void SetStart(double scale, const IslandView& island, VecX* gamma);
  // Scalings, residuals and P of the point, with ws->y = G v.
  void UpdateCones(const ConvexProgram& program, const VecX& gamma, double mu, NewtonWorkspace* ws);
  void UpdateRow(const ConvexProgram& program, const VecX& gamma, const Contact& contact,
                 NewtonWorkspace* ws);
  void CalcRowStep(const ConvexProgram& program, const Contact& contact, const NewtonWorkspace& ws);
  template <int n>
  ConeScaling<n> ScaleCone(int c) {
    const double *const z = z_.data() + cones_[c].row, *const s = s_.data() + cones_[c].row;
    const ConeScaling<n> scaling{Eigen::Map<const ConeVec<n>>(z), Eigen::Map<const ConeVec<n>>(s)};
    Eigen::Map<ConeMat<n>>{scalings_[c].F} = scaling.F;
    Eigen::Map<ConeMat<n>>{scalings_[c].F_inverse} = scaling.F_inverse;
    Eigen::Map<ConeVec<n>>{scalings_[c].lambda} = scaling.lambda;
    return scaling;
  }
  // The same of a contact.
  void UpdateDiscs(const ConvexProgram& program, const VecX& gamma, double mu,
                   const Contact& contact, NewtonWorkspace* ws);
  void CalcDiscsResidual(const Contact& contact, const double* u, double mu, DiscsMat* C);
  void InvertDiscs(const ConvexProgram& program, const Contact& contact, const DiscsMat& C,
                   const NewtonWorkspace& ws);
  void CalcDiscsImpulse(const Contact& contact);
  void SharpenDiscsImpulses(const IslandView& island, NewtonWorkspace* ws);
  void SharpenDiscsImpulse(const ConvexProgram& program, const Contact& contact,
                           const NewtonWorkspace& ws);
  void CalcDiscsStep(const ConvexProgram& program, const Contact& contact,
                     const NewtonWorkspace& ws);
  // F d of the predictor (target < 0), or of the corrector after it, for products z·s of `target`.
  void SetRightSides(double target);
  void ChooseStep(const IslandView& island, const VecX& gamma, bool back_to_path, double mu,
                  NewtonWorkspace* ws);
  void CalcDirection(const IslandView& island, const VecX& gamma, NewtonWorkspace* ws);
  // From q: Δv in ws->x, G Δv in ws->dy, Δγ in place of q.
  void SolveForVelocities(const IslandView& island, NewtonWorkspace* ws);
  double CalcStepLength();
  double CalcLargestResidual() const;
  double CalcGap(double alpha) const;  // z·s after a step, per cone
  template <typename Visit>
  void ForEachCone(Visit visit);

  std::vector<Cone> cones_;
  std::vector<Contact> contacts_;
  std::vector<int> free_rows_, free_P_;
  // By rows of cones: z and s, r and F d, steps of z and s. By rows: q, then Δγ; q as it was; Δγ
  // so far; the best γ.
  std::vector<double> z_, s_, r_, Fd_, dz_, ds_, q_, first_q_, dgamma_, best_;
  double size_ = 1;  // of z and s at the start
  bool has_coulomb_ = false;
  struct Scaling {
    double F[9], F_inverse[9], lambda[3];
    double K_inverse;  // of a row that pushes
  };
  std::vector<Scaling> scalings_;  // by cone
  std::vector<DiscsMat> discs_;    // K⁻¹ of contacts
  LinearFixedPoint sharpening_;
};

}  // namespace voigt
