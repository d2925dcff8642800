#include "voigt/replay/recording_replay.h"

#include <algorithm>

#include "voigt/base/errors.h"

namespace voigt {
namespace {

using Table = RecordingTable;

// The tables of contacts that a replay shows, as they are in the file.
struct ContactTables {
  explicit ContactTables(const Recording& recording)
      : start(recording.Integers(Table::kContactStart)),
        count(recording.Integers(Table::kContactCount)),
        body(recording.Integers(Table::kContactBody)),
        state(recording.Integers(Table::kContactState)),
        position(recording.Numbers(Table::kContactPosition)),
        normal(recording.Numbers(Table::kContactNormal)),
        depth(recording.Numbers(Table::kContactDepth)),
        normal_force(recording.Numbers(Table::kContactNormalForce)),
        friction_force(recording.Numbers(Table::kContactFrictionForce)),
        pressure(recording.Numbers(Table::kContactPressure)) {}

  ContactReport Read(std::int64_t c) const {
    ContactReport out;
    out.body_A = static_cast<int>(body[2 * c]);
    out.body_B = static_cast<int>(body[2 * c + 1]);
    out.p_W = Eigen::Map<const Vec3>(&position[3 * c]);
    out.n_W = Eigen::Map<const Vec3>(&normal[3 * c]);
    out.depth = depth[c];
    out.normal_force = normal_force[c];
    out.friction_force_W = Eigen::Map<const Vec3>(&friction_force[3 * c]);
    out.state = static_cast<ContactState>(state[c]);
    out.pressure = pressure[c];
    return out;
  }

  std::vector<std::int64_t> start, count, body, state;
  std::vector<double> position, normal, depth, normal_force, friction_force, pressure;
};

VecX ReadRow(const std::vector<double>& table, std::int64_t row, int size) {
  return Eigen::Map<const VecX>(table.data() + row * size, size);
}

Energy ReadEnergy(const std::vector<double>& table, std::int64_t row) {
  const double* const numbers = &table[kEnergyNumbers * row];
  Energy out;
  out.kinetic = numbers[0];
  out.gravity = numbers[1];
  out.spring = numbers[2];
  out.constraints = numbers[5];
  return out;
}

}  // namespace

ReplayFrames ReadReplayFrames(const Recording& recording, const Model& model, double interval) {
  const std::vector<double> t = recording.Numbers(Table::kTime);
  const std::vector<double> q = recording.Numbers(Table::kQ), v = recording.Numbers(Table::kV);
  const std::vector<double> acceleration = recording.Numbers(Table::kAcceleration);
  const std::vector<double> drive_force = recording.Numbers(Table::kDriveForce);
  const std::vector<double> constraint_force = recording.Numbers(Table::kConstraintForce);
  const std::vector<double> energy = recording.Numbers(Table::kEnergy);
  const std::vector<double> audit = recording.Numbers(Table::kAudit);
  const std::int64_t rows = recording.size();
  const std::int64_t nr = recording.sizes().nr;
  if (static_cast<std::int64_t>(q.size()) != rows * model.nq() ||
      static_cast<std::int64_t>(v.size()) != rows * model.nv() ||
      recording.sizes() != MakeRecordingSizes(model)) {
    throw InputError({recording.path(), 0, 0}, "recording", "does not fit the model inside of it");
  }
  const ContactTables contacts(recording);
  ReplayFrames frames(model);
  for (std::int64_t row = 0; row < rows; ++row) {
    const bool is_last = row == rows - 1;
    // A hair less: intervals are sums of steps.
    if (!is_last && frames.count() > 0 && t[row] < frames.t.back() + (1 - 1e-9) * interval) {
      continue;
    }
    ReplayMoment moment;
    moment.t = t[row];
    moment.q = ReadRow(q, row, model.nq());
    moment.v = ReadRow(v, row, model.nv());
    moment.acceleration = ReadRow(acceleration, row, model.nv());
    moment.drive_force = ReadRow(drive_force, row, model.nv());
    moment.constraint_force.assign(constraint_force.begin() + nr * row,
                                   constraint_force.begin() + nr * (row + 1));
    moment.energy = ReadEnergy(energy, row);
    moment.work = energy[kEnergyNumbers * row + 3];
    moment.constraint_work = energy[kEnergyNumbers * row + 4];
    moment.audit = AuditFromNumbers(&audit[kAuditNumbers * row]);
    for (std::int64_t c = 0; c < contacts.count[row]; ++c) {
      moment.contacts.push_back(contacts.Read(contacts.start[row] + c));
    }
    frames.Add(moment);
  }
  return frames;
}

RunSummary SummarizeRecording(const Recording& recording) {
  RunSummary out;
  const std::int64_t rows = recording.size();
  if (rows == 0) return out;
  const std::vector<double> t = recording.Numbers(Table::kTime);
  const std::vector<double> energy = recording.Numbers(Table::kEnergy);
  const std::vector<double> audit = recording.Numbers(Table::kAudit);
  const std::vector<double> solver = recording.Numbers(Table::kSolver);
  out.steps = static_cast<long>(recording.Integers(Table::kStep).back());
  out.simulated_time = t.back() - t.front();
  out.wall_time = recording.Numbers(Table::kWallTime).back();
  out.start = ReadEnergy(energy, 0);
  out.end = ReadEnergy(energy, rows - 1);
  out.work = energy[kEnergyNumbers * rows - 3];
  out.constraint_work = energy[kEnergyNumbers * rows - 2];
  for (std::int64_t row = 0; row < rows; ++row) {
    out.peak_kinetic = std::max(out.peak_kinetic, energy[kEnergyNumbers * row]);
    const Audit worst = AuditFromNumbers(&audit[kAuditNumbers * row]);
    if (!std::isnan(worst.law)) out.audit.Add(worst);
    const SolverTotals part = SolverFromNumbers(&solver[kSolverNumbers * row]);
    out.solver.newton_iterations += part.newton_iterations;
    out.solver.factorizations += part.factorizations;
    out.solver.friction_passes += part.friction_passes;
    for (int i = 0; i < kAttemptCount; ++i) {
      out.solver.solved_by[i].count += part.solved_by[i].count;
    }
    out.solver.sweeps += part.sweeps;
    out.solver.not_solved += part.not_solved;
    out.solver.redundant += part.redundant;
    out.solver.worst_residual = std::max(out.solver.worst_residual, part.worst_residual);
    out.solver.most_rows = std::max(out.solver.most_rows, part.most_rows);
  }
  return out;
}

}  // namespace voigt
