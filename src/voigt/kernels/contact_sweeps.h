#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "voigt/base/stopwatch.h"
#include "voigt/kernels/anderson.h"
#include "voigt/kernels/islands.h"
#include "voigt/kernels/several_discs.h"

namespace voigt {

struct ContactSweepsSettings {
  int max_sweeps = 1000;
  double tolerance = 0;  // velocity: of the natural residual, S |γ − Proj(γ − S⁻¹ u)|, S = w + R
  Deadline deadline;
};

struct ContactSweepsResult {
  double residual = kNaN;  // velocity
  bool converged = false;
  int sweeps = 0;
};

// Solves Coulomb's law for contacts between free bodies, one after the other, each with all others
// held, and again and again; where the sweeps slow down, Anderson's method finds the few directions
// that are to blame. Each contact is solved exactly, but for force laws, which are followed along
// their tangent, and discs against spin and rolling, which have some turns with that against slip.
// Nothing is factored but blocks of 3 × 3: a sweep costs some 140 ns per contact. That is the way
// for packed beds, whose contacts change what they do in many places at once. Masses of 1e4 times
// each other, and rigid contacts that share a load in many ways, take more sweeps than there is
// time for.
class ContactSweeps {
 public:
  // Contacts between bodies that are free, and nothing else.
  static bool Applies(const ConvexProgram& program, std::span<const int> blocks,
                      std::span<const DofRange> ranges);

  // gamma: start and result, the best point met; entries of other blocks are left alone.
  ContactSweepsResult Solve(const ConvexProgram& program, std::span<const int> blocks,
                            std::span<const DofRange> ranges, const ContactSweepsSettings& settings,
                            VecX* gamma);

  // x ← H⁻¹ x, H = M + Gᵀ P G, on the island's degrees of freedom, by sweeps: the response of the
  // bodies with what presses at `gamma`, the solution, held along its normal and, where it sticks,
  // against slip. To six digits, as good as a correction of second order needs.
  void SolveHeld(const ConvexProgram& program, std::span<const int> blocks,
                 std::span<const DofRange> ranges, const VecX& gamma, VecX* x);

 private:
  using Vec6 = Eigen::Matrix<double, 6, 1>;
  using Mat6x3 = Eigen::Matrix<double, 6, 3>;
  using Mat6 = Eigen::Matrix<double, 6, 6>;

  // Velocities of bodies are those in which their energy is ½ v², Lᵀ v with M = L Lᵀ: then what a
  // contact sees of them and what it does to them is the same matrix. Without friction the first
  // row alone counts. A force law takes the place of R and b of the first row, which are zero.
  struct Contact {
    Mat6x3 J[2];      // of its bodies: L⁻¹ Gᵀ of the normal and slip
    Mat3 W, inverse;  // JᵀJ + R of these; inverse: where they may stick
    double b[kMaxDiscRows], R[kMaxDiscRows];
    const ConvexBlock* block = nullptr;
    double mu = 0;
    int bodies[2] = {-1, -1};  // −1: none
    int first = 0;             // of its rows, here
    int row_count = 0;
    int more = -1;  // in more_, where there are rows against spin and rolling
    bool may_stick = false;

    bool has_friction() const { return row_count > 1; }
    bool is_smooth() const { return block->smooth; }
    bool is_plain() const { return more < 0 && !block->smooth; }
  };

  // Rows behind the third one, of the few contacts that have them.
  struct MoreRows {
    Mat6x3 J[2];
    double W[kMaxDiscRows * kMaxDiscRows];  // of all rows
  };

  // What a sweep does to impulses: the largest change, as a velocity, and all as an energy.
  struct Change {
    double largest = 0, energy = 0;
  };

  void Prepare(const ConvexProgram& program, std::span<const int> blocks,
               std::span<const DofRange> ranges, const VecX& gamma);
  void PrepareBodies(const ConvexProgram& program, std::span<const DofRange> ranges);
  void PrepareContact(const ConvexProgram& program, const ConvexBlock& block,
                      std::span<const DofRange> ranges, Contact* contact);
  void PrepareResponse(Contact* contact);
  void FillScale(const Contact& contact);
  void CalcVelocities();
  void AddImpulse(const Contact& contact, const double* impulse);
  Change Sweep();
  bool SolveOne(const Contact& contact, double* u, double* gamma) const;
  bool SolveAny(const Contact& contact, const double* u, double* gamma) const;
  double CalcResidual() const;
  double CalcU(const Contact& contact, int r) const;
  void KeepInCones();
  void FindHeld();
  double SweepHeld();
  void Extrapolate();
  void KeepBest(double change);
  void TakeBest();
  double* impulses_of(const Contact& contact) { return x_.data() + contact.first; }
  auto velocity_of(int body) { return x_.segment<6>(row_count_ + 6 * body); }
  auto velocity_of(int body) const { return x_.segment<6>(row_count_ + 6 * body); }

  // What cones need to know, side by side.
  struct Cone {
    double mu = 0;
    int first = 0, row_count = 0;
    const ConvexBlock* block = nullptr;
  };
  static bool PutIntoCone(const Cone& cone, double* gamma);

  // A contact that presses: its normal, and all of its slip where that is held, too.
  struct Held {
    const Contact* contact = nullptr;
    Mat3 inverse;  // of W, or 1/W of the normal in its first entry
    bool sticks = false;
  };

  const ScalarLaws* laws_ = nullptr;
  std::vector<Contact> contacts_;
  std::vector<MoreRows> more_;
  std::vector<Cone> cones_;  // of contacts_
  std::vector<Held> held_;
  std::vector<Mat6> factors_;  // L, per body
  VecX v_star_;                // Lᵀ v*
  int row_count_ = 0;
  VecX x_;      // impulses row by row, then velocities body by body, which follow from them
  VecX scale_;  // per row: S
  Anderson anderson_;
  VecX point_;                      // before the last sweep
  VecX best_;                       // impulses
  double best_change_ = kInfinity;  // of the sweep to best_
};

}  // namespace voigt
