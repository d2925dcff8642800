#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "voigt/formulations/compliant/compliant.h"
#include "voigt/formulations/impulse_space/settings.h"
#include "voigt/kernels/working_settings.h"

namespace voigt {

// The contact laws and methods there are. The folder of each has a README with its equations.
enum class FormulationKind {
  kCompliant,       // compliant/: springs and dampers of any stiffness, exact cone; the default
  kStabilizedLcp,   // stabilized_lcp/: polyhedral cones, Lemke
  kMlcpLemke,       // mlcp/: polyhedral cones with one direction against the slip, Lemke
  kMlcpFbRlm,       //   the same by Fischer–Burmeister equations, regular Levenberg–Marquardt
  kMlcpFbPlm,       //   the same, projected
  kMncpRlm,         // mncp/: exact cone, implicit complementarity, regular Levenberg–Marquardt
  kMncpPlm,         //   the same, projected
  kMaxDissipation,  // max_dissipation/: exact cone, two convex programs, no complementarity
  kCompliantQcqp,   // compliant_qcqp/: compliant as it was printed, for study
  kWorking,         // working/: friction from reactions, on accelerations; event-driven alone
};

std::string_view ToString(FormulationKind kind);
std::optional<FormulationKind> FormulationKindFromString(std::string_view name);
// Those that solve velocity problems, which are all but kWorking, in the order of their
// declaration.
std::span<const FormulationKind> ListFormulationKinds();

struct FormulationSettings {
  FormulationKind kind = FormulationKind::kCompliant;
  CompliantSettings compliant;
  WorkingSettings working;             // of kWorking
  ImpulseSpaceSettings impulse_space;  // of all others

  // Of residuals.
  double tolerance() const {
    return kind == FormulationKind::kCompliant ? compliant.tolerance : impulse_space.tolerance;
  }
  double aim() const {
    const double aim = kind == FormulationKind::kCompliant ? compliant.aim : impulse_space.aim;
    return std::min(aim, tolerance());
  }
  // Where forces are looked at, not motion.
  void AcceptOnlyTheAim() {
    compliant.tolerance = std::min(compliant.aim, compliant.tolerance);
    impulse_space.tolerance = std::min(impulse_space.aim, impulse_space.tolerance);
  }
};

// Something that solves velocity problems. It keeps its memory from one to the next, and nothing
// that would change an answer.
class Formulation {
 public:
  virtual ~Formulation() = default;

  // `warm_start`: impulses to start from, one per row, or empty.
  virtual void Solve(const VelocityProblem& problem, const VecX& warm_start,
                     Solution* solution) = 0;

  // Threads that may share the work, as long as they live; the bits do not depend on them. Of no
  // use to formulations that work in one thread.
  virtual void UseThreads(WorkerPool* /*pool*/) {}

  // x ← H⁻¹ x for the problem that the last Solve solved: the response of the mechanism with all
  // that its constraints hold at the solution. `gamma`, one per row: what they answer with,
  // M̂ x_after = x_before + Gᵀ γ; zero where that was not worked out.
  virtual void SolveHeld(const VelocityProblem& problem, VecX* x, VecX* gamma) = 0;
};

// Of any kind that solves velocity problems.
std::unique_ptr<Formulation> MakeFormulation(const FormulationSettings& settings);

}  // namespace voigt
