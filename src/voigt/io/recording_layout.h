#pragma once

#include <array>
#include <string>
#include <vector>

#include "voigt/io/growing_file.h"
#include "voigt/sim/simulator.h"

// What a recording holds; docs/recordings.md tells it to users, and a test compares the two.
namespace voigt {

inline constexpr char kRecordingFormat[] = "voigt recording";
inline constexpr int kRecordingVersion = 7;

// The tables that grow, in the order of the list below.
enum class RecordingTable {
  // One row per recorded moment.
  kTime,
  kStep,
  kOnTime,
  kWallTime,
  kQ,
  kV,
  kPose,
  kReaction,
  kPrescribedForce,
  kAcceleration,
  kDriveForce,
  kConstraintForce,
  kContactForce,
  kGuideNormalForce,
  kGuideFriction,
  kGuideState,
  kEnergy,
  kAudit,
  kSolver,
  kContactStart,
  kContactCount,
  kStateStart,
  kStateCount,
  kTransitionStart,
  kTransitionCount,
  // One row per contact that carries force, those of a moment together.
  kContactId,
  kContactBody,
  kContactGeometry,
  kContactPosition,
  kContactNormal,
  kContactDepth,
  kContactVelocity,
  kContactNormalForce,
  kContactFrictionForce,
  kContactFrictionTorque,
  kContactState,
  kContactLaw,
  kContactStiffness,
  kContactRadius,
  kContactFriction,
  kContactPressure,
  // One row per change of what friction does, since the moment before.
  kTransitionTime,
  kTransitionId,
  kTransitionGeometry,
  kTransitionGuide,
  kTransitionFrom,
  kTransitionTo,
  // One row per byte of a state.
  kStateBytes,
};
inline constexpr int kRecordingTableCount = 48;
inline constexpr RecordingTable kFirstContactTable = RecordingTable::kContactId;
inline constexpr RecordingTable kFirstTransitionTable = RecordingTable::kTransitionTime;

// A table and what it means.
struct RecordingColumn {
  GrowingTable table;
  std::string unit;                       // empty where there is none
  std::vector<std::string> columns = {};  // names of the numbers of a row
};

// What decides the lengths of rows.
struct RecordingSizes {
  int nq = 0, nv = 0, nb = 0;
  int nj = 0;  // joints, those that close loops included
  int ng = 0;  // joints and guided points with friction from their reactions
  int nr = 0;  // rows of constraints

  bool operator==(const RecordingSizes&) const = default;
};
RecordingSizes MakeRecordingSizes(const Model& model);

// For a model with these sizes.
std::vector<RecordingColumn> ListRecordingColumns(const RecordingSizes& sizes);

// The path of a table, whatever the model.
const std::string& TablePath(RecordingTable table);

// The numbers of the rows of /steps/audit and /steps/solver.
// Of /steps/energy.
inline constexpr int kEnergyNumbers = 6;
inline constexpr int kAuditNumbers = 19, kSolverNumbers = 8 + kAttemptCount;
std::array<double, kAuditNumbers> ToNumbers(const Audit& audit);
Audit AuditFromNumbers(const double* numbers);
std::array<double, kSolverNumbers> ToNumbers(const SolverTotals& solver);
SolverTotals SolverFromNumbers(const double* numbers);
const std::array<std::string, kAuditNumbers>& AuditNumberNames();

}  // namespace voigt
