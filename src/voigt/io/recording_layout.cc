#include "voigt/io/recording_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "voigt/base/check.h"
#include "voigt/sim/friction_element.h"

namespace voigt {
namespace {

struct AuditMember {
  const char* name;
  double Audit::* member;
};

constexpr std::array<AuditMember, kAuditNumbers> kAuditMembers = {{
    {"law", &Audit::law},
    {"momentum", &Audit::momentum},
    {"normal", &Audit::normal},
    {"cone", &Audit::cone},
    {"antiparallel", &Audit::antiparallel},
    {"max_dissipation", &Audit::max_dissipation},
    {"friction_power", &Audit::friction_power},
    {"energy", &Audit::energy},
    {"work", &Audit::work},
    {"penetration", &Audit::penetration},
    {"separation", &Audit::separation},
    {"violation", &Audit::violation},
    {"deflection", &Audit::deflection},
    {"exact_cone", &Audit::exact_cone},
    {"coulomb", &Audit::coulomb},
    {"infeasibility", &Audit::infeasibility},
    {"contradiction", &Audit::contradiction},
    {"recovery_work", &Audit::recovery_work},
    {"drive_work", &Audit::drive_work},
}};
static_assert(sizeof(Audit) == kAuditNumbers * sizeof(double), "a number is not recorded");

RecordingColumn Column(std::string object, Hdf5Type type, Hdf5File::Shape row_shape,
                       std::string unit, std::vector<std::string> columns = {}) {
  return {{std::move(object), type, std::move(row_shape)}, std::move(unit), std::move(columns)};
}

std::vector<std::string> SolverNumberNames() {
  std::vector<std::string> out = {"most_rows", "newton_iterations", "factorizations",
                                  "sweeps",    "friction_passes",   "not_solved",
                                  "redundant", "residual"};
  for (int i = 0; i < kAttemptCount; ++i) {
    out.push_back(fmt::format("solved_by_{}", ToString(static_cast<Attempt>(i))));
  }
  return out;
}

void AddStepColumns(const RecordingSizes& sizes, std::vector<RecordingColumn>* out) {
  const auto& audit = AuditNumberNames();
  out->push_back(Column("/steps/t", Hdf5Type::kDouble, {}, "s"));
  out->push_back(Column("/steps/step", Hdf5Type::kInt64, {}, ""));
  out->push_back(Column("/steps/on_time", Hdf5Type::kUint8, {}, ""));
  out->push_back(Column("/steps/wall_time", Hdf5Type::kDouble, {}, "s"));
  out->push_back(Column("/steps/q", Hdf5Type::kDouble, {sizes.nq}, "as /model/coordinates/unit"));
  out->push_back(Column("/steps/v", Hdf5Type::kDouble, {sizes.nv}, "as /model/rates/unit"));
  out->push_back(Column("/steps/pose", Hdf5Type::kDouble, {sizes.nb, 7}, "m, 1",
                        {"x", "y", "z", "qw", "qx", "qy", "qz"}));
  out->push_back(Column("/steps/reaction", Hdf5Type::kDouble, {sizes.nj, 6}, "N m, N",
                        {"tx", "ty", "tz", "fx", "fy", "fz"}));
  out->push_back(Column("/steps/prescribed_force", Hdf5Type::kDouble, {sizes.nv}, "N or N m"));
  out->push_back(
      Column("/steps/acceleration", Hdf5Type::kDouble, {sizes.nv}, "as /model/rates/unit, per s"));
  out->push_back(Column("/steps/drive_force", Hdf5Type::kDouble, {sizes.nv}, "N or N m"));
  out->push_back(Column("/steps/constraint_force", Hdf5Type::kDouble, {sizes.nr},
                        "as /model/constraint_rows/unit"));
  out->push_back(
      Column("/steps/contact_force", Hdf5Type::kDouble, {sizes.nb, 3}, "N", {"x", "y", "z"}));
  out->push_back(Column("/steps/guide_normal_force", Hdf5Type::kDouble, {sizes.ng}, "N"));
  out->push_back(Column("/steps/guide_friction", Hdf5Type::kDouble, {sizes.ng, 3}, "N or N m"));
  out->push_back(Column("/steps/guide_state", Hdf5Type::kUint8, {sizes.ng}, ""));
  out->push_back(Column("/steps/energy", Hdf5Type::kDouble, {kEnergyNumbers}, "J",
                        {"kinetic", "gravity", "spring", "work", "constraint_work", "in_rows"}));
  out->push_back(
      Column("/steps/audit", Hdf5Type::kDouble, {kAuditNumbers}, "", {audit.begin(), audit.end()}));
  out->push_back(
      Column("/steps/solver", Hdf5Type::kDouble, {kSolverNumbers}, "", SolverNumberNames()));
  for (const char* name : {"contact_start", "contact_count", "state_start", "state_count",
                           "transition_start", "transition_count"}) {
    out->push_back(Column(std::string("/steps/") + name, Hdf5Type::kInt64, {}, ""));
  }
}

void AddContactColumns(std::vector<RecordingColumn>* out) {
  const auto add = [&](const char* name, Hdf5Type type, Hdf5File::Shape row, const char* unit,
                       std::vector<std::string> columns = {}) {
    out->push_back(
        Column(std::string("/contacts/") + name, type, std::move(row), unit, std::move(columns)));
  };
  const std::vector<std::string> sides = {"A", "B"}, axes = {"x", "y", "z"};
  add("id", Hdf5Type::kUint64, {}, "");
  add("body", Hdf5Type::kInt32, {2}, "", sides);
  add("geometry", Hdf5Type::kInt32, {2}, "", sides);
  add("position", Hdf5Type::kDouble, {3}, "m", axes);
  add("normal", Hdf5Type::kDouble, {3}, "", axes);
  add("depth", Hdf5Type::kDouble, {}, "m");
  add("velocity", Hdf5Type::kDouble, {3}, "m/s", axes);
  add("normal_force", Hdf5Type::kDouble, {}, "N");
  add("friction_force", Hdf5Type::kDouble, {3}, "N", axes);
  add("friction_torque", Hdf5Type::kDouble, {3}, "N m", axes);
  add("state", Hdf5Type::kUint8, {}, "");
  add("law", Hdf5Type::kUint8, {}, "");
  add("stiffness", Hdf5Type::kDouble, {}, "N/m or N/m^1.5");
  add("radius", Hdf5Type::kDouble, {}, "m");
  add("friction", Hdf5Type::kDouble, {}, "");
  add("pressure", Hdf5Type::kDouble, {}, "Pa");
}

void AddTransitionColumns(std::vector<RecordingColumn>* out) {
  const std::string folder = "/transitions/";
  out->push_back(Column(folder + "t", Hdf5Type::kDouble, {}, "s"));
  out->push_back(Column(folder + "id", Hdf5Type::kUint64, {}, ""));
  out->push_back(Column(folder + "geometry", Hdf5Type::kInt32, {2}, "", {"A", "B"}));
  out->push_back(Column(folder + "guide", Hdf5Type::kInt32, {}, ""));
  out->push_back(Column(folder + "from", Hdf5Type::kUint8, {}, ""));
  out->push_back(Column(folder + "to", Hdf5Type::kUint8, {}, ""));
}

}  // namespace

RecordingSizes MakeRecordingSizes(const Model& model) {
  return {model.nq(),
          model.nv(),
          model.nb(),
          model.nb() - 1 + static_cast<int>(model.loops().size()),
          static_cast<int>(FrictionNames(model).guides().size()),
          static_cast<int>(ListConstraintRows(model, ConstraintSet(model)).size())};
}

std::vector<RecordingColumn> ListRecordingColumns(const RecordingSizes& sizes) {
  std::vector<RecordingColumn> out;
  AddStepColumns(sizes, &out);
  VOIGT_CHECK(static_cast<int>(out.size()) == static_cast<int>(kFirstContactTable));
  AddContactColumns(&out);
  VOIGT_CHECK(static_cast<int>(out.size()) == static_cast<int>(kFirstTransitionTable));
  AddTransitionColumns(&out);
  out.push_back(Column("/states/bytes", Hdf5Type::kUint8, {}, ""));
  VOIGT_CHECK(out.size() == kRecordingTableCount);
  return out;
}

const std::string& TablePath(RecordingTable table) {
  static const std::vector<RecordingColumn> columns = ListRecordingColumns({});
  return columns[static_cast<size_t>(table)].table.object;
}

const std::array<std::string, kAuditNumbers>& AuditNumberNames() {
  static const auto names = [] {
    std::array<std::string, kAuditNumbers> out;
    for (int i = 0; i < kAuditNumbers; ++i) out[i] = kAuditMembers[i].name;
    return out;
  }();
  return names;
}

std::array<double, kAuditNumbers> ToNumbers(const Audit& audit) {
  std::array<double, kAuditNumbers> out;
  for (int i = 0; i < kAuditNumbers; ++i) out[i] = audit.*kAuditMembers[i].member;
  return out;
}

Audit AuditFromNumbers(const double* numbers) {
  Audit audit;
  for (int i = 0; i < kAuditNumbers; ++i) audit.*kAuditMembers[i].member = numbers[i];
  return audit;
}

std::array<double, kSolverNumbers> ToNumbers(const SolverTotals& s) {
  const auto count = [](long number) { return static_cast<double>(number); };
  std::array<double, kSolverNumbers> out = {count(s.most_rows),       count(s.newton_iterations),
                                            count(s.factorizations),  count(s.sweeps),
                                            count(s.friction_passes), count(s.not_solved),
                                            count(s.redundant),       s.worst_residual};
  for (int i = 0; i < kAttemptCount; ++i) {
    out[kSolverNumbers - kAttemptCount + i] = count(s.solved_by[i].count);
  }
  return out;
}

SolverTotals SolverFromNumbers(const double* numbers) {
  // What a damaged file may hold is brought to where it is an integer, and sums stay ones.
  const auto count = [](double number, double most) {
    return number > 0 ? std::min(number, most) : 0;  // NaN, too
  };
  constexpr double kMost = 1e12;
  SolverTotals s;
  s.most_rows = static_cast<int>(count(numbers[0], std::numeric_limits<int>::max()));
  const std::array<long*, 6> counts = {&s.newton_iterations, &s.factorizations, &s.sweeps,
                                       &s.friction_passes,   &s.not_solved,     &s.redundant};
  for (size_t i = 0; i < counts.size(); ++i) {
    *counts[i] = static_cast<long>(count(numbers[i + 1], kMost));
  }
  s.worst_residual = numbers[7];
  for (int i = 0; i < kAttemptCount; ++i) {
    const double solved = numbers[kSolverNumbers - kAttemptCount + i];
    s.solved_by[i].count = static_cast<long>(count(solved, kMost));
  }
  return s;
}

}  // namespace voigt
