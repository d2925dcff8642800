#include "voigt/io/recording_writer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "voigt/base/errors.h"
#include "voigt/io/recording_model.h"
#include "voigt/math/rotation.h"

namespace voigt {
namespace {

// Tables, and what does not change during a run.
void WriteBeginning(const std::string& path, const RecordingSource& source,
                    const Simulator& simulator, const std::vector<RecordingColumn>& columns) {
  Hdf5File file = Hdf5File::Create(path);
  file.SetText("/", "format", kRecordingFormat);
  file.SetInteger("/", "version", kRecordingVersion);
  WriteRecordingModel(simulator.model(), &file);
  WriteRecordingSettings(simulator.settings(), &file);
  WriteRecordingSource(source, &file);
  for (const RecordingColumn& column : columns) {
    const std::string& object = column.table.object;
    file.MakeTable(object, column.table.type, column.table.row_shape);
    if (!column.unit.empty()) file.SetText(object, "unit", column.unit);
    if (!column.columns.empty()) file.SetTexts(object, "columns", column.columns);
  }
  std::vector<std::string> states, laws, modes;
  for (auto state : {ContactState::kOpen, ContactState::kStick, ContactState::kSlip}) {
    states.emplace_back(ToString(state));
  }
  for (auto law :
       {NormalLaw::kRigid, NormalLaw::kLinear, NormalLaw::kHertz, NormalLaw::kHuntCrossley}) {
    laws.emplace_back(ToString(law));
  }
  for (auto mode : {Stiction::kSlip, Stiction::kStick, Stiction::kCreep, Stiction::kOpen}) {
    modes.emplace_back(ToString(mode));
  }
  file.SetTexts(TablePath(RecordingTable::kGuideState), "values", modes);
  file.SetTexts(TablePath(RecordingTable::kTransitionFrom), "values", modes);
  file.SetTexts(TablePath(RecordingTable::kTransitionTo), "values", modes);
  file.SetTexts(TablePath(RecordingTable::kContactState), "values", states);
  file.SetTexts(TablePath(RecordingTable::kContactLaw), "values", laws);
  using std::chrono::system_clock;
  const std::chrono::duration<double> now = system_clock::now().time_since_epoch();
  file.SetNumber(TablePath(RecordingTable::kWallTime), "started", now.count());
  file.Close();
}

// The recording takes the place of what is at the path: nothing but a file that nobody needs.
void CheckPath(const std::string& path, const RecordingSource& source) {
  std::error_code unknown;
  const auto status = std::filesystem::status(path, unknown);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw InputError({path, 0, 0}, "recording", "is not a file: choose another one");
  }
  for (const SourceFile& file : source.files) {
    std::error_code ignored;
    if (!std::filesystem::equivalent(path, file.path, ignored)) continue;
    throw InputError({path, 0, 0}, "recording",
                     "is a file that the scene is made of: choose another one");
  }
}

std::vector<RecordingColumn> ListColumnsOf(const Model& model) {
  return ListRecordingColumns(MakeRecordingSizes(model));
}

RecordingWriter::Clock OrWallClock(RecordingWriter::Clock clock) {
  if (clock) return clock;
  return [watch = Stopwatch()] { return watch.Seconds(); };
}

}  // namespace

RecordingWriter::RecordingWriter(const std::string& path, const RecordingSource& source,
                                 Simulator* simulator, Clock clock)
    : path_(path), clock_(OrWallClock(std::move(clock))), t_start_(simulator->state().t) {
  CheckPath(path, source);
  try {
    WriteBeginning(GrowingFile::SparePath(path), source, *simulator,
                   ListColumnsOf(simulator->model()));
    Prepare(GrowingFile::Start::kNew, simulator,
            std::vector<std::int64_t>(kRecordingTableCount, 0));
    Record(simulator, true);
    Commit();
  } catch (const std::runtime_error&) {
    std::error_code ignored;
    std::filesystem::remove(GrowingFile::SparePath(path), ignored);
    throw InputError({path, 0, 0}, "recording",
                     "cannot be written: does the folder exist, is there room on the disk?");
  }
}

RecordingWriter::RecordingWriter(const std::string& path, const RecordingEnd& end,
                                 Simulator* simulator, Clock clock)
    : path_(path),
      clock_(OrWallClock(std::move(clock))),
      t_start_(end.t_start),
      steps_before_(end.steps - simulator->steps()),
      wall_before_(end.wall_time),
      solver_(end.solver) {
  audit_.worst = end.audit;
  transitions_ = end.transitions;
  simulator->SetWork(end.work, end.constraint_work);
  Prepare(GrowingFile::Start::kExisting, simulator, end.row_counts);
  next_due_ = DueTime(end.t_last);
}

void RecordingWriter::Prepare(GrowingFile::Start start, Simulator* simulator,
                              const std::vector<std::int64_t>& row_counts) {
  std::vector<GrowingTable> tables;
  for (RecordingColumn& column : ListColumnsOf(simulator->model())) {
    tables.push_back(std::move(column.table));
  }
  file_ = std::make_unique<GrowingFile>(start, path_, std::move(tables), row_counts);
  kin_ = Kinematics(simulator->model());
  names_.emplace(simulator->model());
  constraint_rows_ = ListConstraintRows(simulator->model(), ConstraintSet(simulator->model()));
  interval_ = simulator->settings().record_interval;
  // The times of the steps carry rounding errors: ten steps are ten, not eleven.
  tolerance_ = 1e-3 * simulator->settings().step;
  steps_seen_ = steps_recorded_ = simulator->steps();
  wall_start_ = last_offer_ = clock_();
}

// A function of t alone, so that a run that goes on records the same moments.
double RecordingWriter::DueTime(double t) const {
  if (interval_ == 0) return -kInfinity;
  return t_start_ + (std::floor((t - t_start_ + tolerance_) / interval_) + 1) * interval_;
}

std::int64_t RecordingWriter::rows() const {
  return file_->CountRows(static_cast<int>(RecordingTable::kTime));
}

template <typename T>
void RecordingWriter::Append(RecordingTable table, const T* values, std::int64_t rows) {
  file_->Append(static_cast<int>(table), values, rows);
}

template <typename T>
void RecordingWriter::AppendOne(RecordingTable table, T value) {
  Append(table, &value);
}

void RecordingWriter::RecordContacts(Simulator* simulator) {
  const std::int64_t start = file_->CountRows(static_cast<int>(kFirstContactTable));
  simulator->ListContacts(&contacts_);
  using T = RecordingTable;
  numbers_.clear();
  for (const ContactSum& sum : SumContacts(simulator->model(), contacts_).bodies) {
    numbers_.insert(numbers_.end(), sum.force_W.begin(), sum.force_W.end());
  }
  if (!forces_.is_known) std::ranges::fill(numbers_, kNaN);
  Append(T::kContactForce, numbers_.data());
  for (const ContactReport& c : contacts_) {
    if (!c.carries_force()) continue;
    const std::int32_t bodies[2] = {c.body_A, c.body_B}, shapes[2] = {c.geometry_A, c.geometry_B};
    AppendOne(T::kContactId, c.id);
    Append(T::kContactBody, bodies);
    Append(T::kContactGeometry, shapes);
    Append(T::kContactPosition, c.p_W.data());
    Append(T::kContactNormal, c.n_W.data());
    AppendOne(T::kContactDepth, c.depth);
    Append(T::kContactVelocity, c.velocity_W.data());
    AppendOne(T::kContactNormalForce, c.normal_force);
    Append(T::kContactFrictionForce, c.friction_force_W.data());
    Append(T::kContactFrictionTorque, c.friction_torque_W.data());
    AppendOne(T::kContactState, static_cast<std::uint8_t>(c.state));
    AppendOne(T::kContactLaw, static_cast<std::uint8_t>(c.law));
    AppendOne(T::kContactStiffness, c.stiffness);
    AppendOne(T::kContactRadius, c.radius);
    AppendOne(T::kContactFriction, c.friction);
    AppendOne(T::kContactPressure, c.pressure);
  }
  const std::int64_t end = file_->CountRows(static_cast<int>(kFirstContactTable));
  AppendOne(T::kContactStart, start);
  AppendOne(T::kContactCount, end - start);
}

void RecordingWriter::RecordTransitions(const Model& model) {
  using T = RecordingTable;
  AppendOne(T::kTransitionStart, file_->CountRows(static_cast<int>(kFirstTransitionTable)));
  AppendOne(T::kTransitionCount, static_cast<std::int64_t>(transitions_.size()));
  for (const Transition& change : transitions_) {
    const FrictionElementName name = names_->Find(model, change.id);
    const std::int32_t shapes[2] = {name.geometry_A, name.geometry_B};
    AppendOne(T::kTransitionTime, change.t);
    AppendOne(T::kTransitionId, change.id);
    Append(T::kTransitionGeometry, shapes);
    AppendOne(T::kTransitionGuide, static_cast<std::int32_t>(name.guide));
    AppendOne(T::kTransitionFrom, static_cast<std::uint8_t>(change.from));
    AppendOne(T::kTransitionTo, static_cast<std::uint8_t>(change.to));
  }
  transitions_.clear();
}

void RecordingWriter::RecordReactions(Simulator* simulator) {
  simulator->CalcReactions(&reactions_);
  const int nb = simulator->model().nb();
  const size_t size = 6 * (nb - 1 + simulator->model().loops().size());
  numbers_.clear();
  for (int b = 1; b < nb && !reactions_.joints.empty(); ++b) {
    numbers_.insert(numbers_.end(), reactions_.joints[b].begin(), reactions_.joints[b].end());
  }
  for (const Vec6& F : reactions_.loops) numbers_.insert(numbers_.end(), F.begin(), F.end());
  // Not known at the start, nor of other integrators.
  numbers_.resize(size, kNaN);
  Append(RecordingTable::kReaction, numbers_.data());
}

void RecordingWriter::RecordForces(Simulator* simulator) {
  using T = RecordingTable;
  simulator->CalcForces(&forces_);
  Append(T::kAcceleration, forces_.acceleration.data());
  Append(T::kDriveForce, forces_.drive_force.data());
  ReadForces(constraint_rows_, forces_.constraints, &numbers_);
  Append(T::kConstraintForce, numbers_.data());
}

void RecordingWriter::RecordGuides(Simulator* simulator) {
  simulator->ListGuides(&guides_);
  const bool is_known = !guides_.empty();  // at the start of time steps it is not
  guides_.resize(names_->guides().size());
  numbers_.clear();
  states_.clear();
  for (const GuideReport& guide : guides_) {
    numbers_.push_back(is_known ? guide.normal_force : kNaN);
    states_.push_back(static_cast<std::uint8_t>(guide.state));
  }
  Append(RecordingTable::kGuideNormalForce, numbers_.data());
  Append(RecordingTable::kGuideState, states_.data());
  numbers_.clear();
  for (const GuideReport& guide : guides_) {
    for (double force : guide.friction) numbers_.push_back(is_known ? force : kNaN);
  }
  Append(RecordingTable::kGuideFriction, numbers_.data());
}

void RecordingWriter::Record(Simulator* simulator, bool on_time) {
  using T = RecordingTable;
  const State& state = simulator->state();
  const Model& model = simulator->model();
  AppendOne(T::kTime, state.t);
  AppendOne(T::kStep, static_cast<std::int64_t>(steps_before_ + simulator->steps()));
  AppendOne(T::kOnTime, static_cast<std::uint8_t>(on_time));
  AppendOne(T::kWallTime, wall_before_ + clock_() - wall_start_);
  Append(T::kQ, state.q.data());
  Append(T::kV, state.v.data());

  // Poses of the bodies' own frames, so that a replay needs no kinematics.
  UpdatePositions(model, state.q, &kin_);
  numbers_.clear();
  for (int b = 0; b < model.nb(); ++b) {
    const Pose X_WB = CalcBodyPose(model, kin_, b);
    const Vec4 q = MatrixToQuaternion(X_WB.R);
    numbers_.insert(numbers_.end(), X_WB.p.begin(), X_WB.p.end());
    numbers_.insert(numbers_.end(), q.begin(), q.end());
  }
  Append(T::kPose, numbers_.data());

  RecordReactions(simulator);
  Append(T::kPrescribedForce, simulator->prescribed_force().data());
  RecordForces(simulator);
  RecordGuides(simulator);
  const Energy energy = simulator->CalcEnergy();
  const double energies[kEnergyNumbers] = {energy.kinetic,
                                           energy.gravity,
                                           energy.spring,
                                           simulator->work(),
                                           simulator->constraint_work(),
                                           energy.InRows()};
  Append(T::kEnergy, energies);
  Append(T::kAudit, ToNumbers(audit_.worst).data());
  Append(T::kSolver, ToNumbers(solver_).data());
  RecordContacts(simulator);
  RecordTransitions(model);

  const std::vector<std::uint8_t> bytes = state.Serialize();
  const auto size = static_cast<std::int64_t>(bytes.size());
  AppendOne(T::kStateStart, file_->CountRows(static_cast<int>(T::kStateBytes)));
  AppendOne(T::kStateCount, size);
  Append(T::kStateBytes, bytes.data(), size);

  steps_recorded_ = simulator->steps();
  next_due_ = DueTime(state.t);
  audit_ = {};
  solver_ = {};
  if (!std::exchange(is_waiting_, true)) waiting_since_ = clock_();
}

void RecordingWriter::Commit() {
  file_->Commit();
  is_waiting_ = false;
}

void RecordingWriter::Offer(Simulator* simulator) {
  if (simulator->steps() > steps_seen_) {
    steps_seen_ = simulator->steps();
    const auto changes = simulator->last_transitions();
    transitions_.insert(transitions_.end(), changes.begin(), changes.end());
    if (simulator->settings().integrator == Integrator::kSemiImplicitEuler) {
      const Solution& solution = simulator->solution();
      solver_.Add(simulator->problem(), solution, solution.stats.solved_by, 0);
    }
    if (const Audit* audit = simulator->step_audit()) audit_.Add(*audit);
  }
  if (simulator->state().t >= next_due_ - tolerance_) Record(simulator, true);

  // The next step may take as long as the last one did: a kill could fall just before its end.
  const double now = clock_(), step_time = now - std::exchange(last_offer_, now);
  if (is_waiting_ && now + step_time >= waiting_since_ + kLongestWait) Commit();
}

void RecordingWriter::Finish(Simulator* simulator) {
  if (simulator->steps() != steps_recorded_) Record(simulator, false);
  if (is_waiting_) Commit();
}

}  // namespace voigt
