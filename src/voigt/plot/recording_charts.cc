#include "voigt/plot/recording_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include "voigt/base/errors.h"
#include "voigt/plot/state_chart.h"

namespace voigt {
namespace {

using Table = RecordingTable;

constexpr int kMostCurves = 8;

// Residuals this far below what they may be are drawn here: how small they are does not matter.
constexpr double kLeastRatio = 1e-6;

// Curves over the recorded times, from a table with `width` numbers a row.
class TimeCurves {
 public:
  explicit TimeCurves(const Recording& recording) : t_(recording.Numbers(Table::kTime)) {}

  const std::vector<double>& t() const { return t_; }

  template <typename Value>
  Curve Make(std::string name, int color, Value value) const {
    Curve curve;
    curve.name = std::move(name);
    curve.color = ChartColor(color);
    for (size_t i = 0; i < t_.size(); ++i) curve.points.emplace_back(t_[i], value(i));
    return curve;
  }

 private:
  std::vector<double> t_;
};

Chart DrawEnergy(const Recording& recording, const TimeCurves& curves) {
  Chart chart{"Energy", "time [s]", "energy [J]", {}, false};
  const std::vector<double> energy = recording.Numbers(Table::kEnergy);
  const auto number = [&](size_t i, int k) { return energy[kEnergyNumbers * i + k]; };
  // With what rows of constraints and contacts hold.
  const auto springs = [&](size_t i) { return number(i, 2) + number(i, 5); };
  const auto total = [&](size_t i) { return number(i, 0) + number(i, 1) + springs(i); };
  chart.curves.push_back(curves.Make("kinetic", 0, [&](size_t i) { return number(i, 0); }));
  chart.curves.push_back(curves.Make("gravity", 1, [&](size_t i) { return number(i, 1); }));
  chart.curves.push_back(curves.Make("springs", 2, springs));
  chart.curves.push_back(curves.Make("total", 7, total));
  chart.curves.back().dashed = true;  // often on top of another
  chart.curves.push_back(curves.Make("total - work of loads and constraints", 3, [&](size_t i) {
    return total(i) - number(i, 5) - number(i, 3) - number(i, 4);
  }));
  return chart;
}

double FindLargest(const Curve& curve) {
  double largest = -kInfinity;
  for (const Vec2& point : curve.points) {
    if (point[1] > largest) largest = point[1];
  }
  return largest;
}

// A residual by its limit; well above where the limit is zero.
double CalcRatio(const AuditItem& item) {
  if (std::isnan(item.value)) return kNaN;
  if (item.value <= item.tolerance && item.tolerance == 0) return 0;
  return item.tolerance == 0 ? 10 : item.value / item.tolerance;
}

Chart MakeLogChart(const char* title, const char* y_label) {
  Chart chart;
  chart.title = title;
  chart.x_label = "time [s]";
  chart.y_label = y_label;
  chart.log_y = true;
  return chart;
}

// Every judged number relative to what it may be; those that never come near are left out.
Chart DrawAudit(const Recording& recording, const TimeCurves& curves) {
  Chart chart = MakeLogChart("Audit: the worst residuals between two recorded moments",
                             "residual / its limit");
  const std::vector<double> numbers = recording.Numbers(Table::kAudit);
  const double tolerance = recording.tolerance();
  std::vector<std::array<AuditItem, kAuditItems>> rows;
  for (size_t i = 0; i < curves.t().size(); ++i) {
    rows.push_back(ListItems(AuditFromNumbers(numbers.data() + kAuditNumbers * i), tolerance));
  }
  int color = 0;
  for (int k = 0; k < kAuditItems && !rows.empty(); ++k) {
    Curve curve = curves.Make(std::string(rows[0][k].name), color, [&](size_t i) {
      const double ratio = CalcRatio(rows[i][k]);
      return ratio < kLeastRatio ? kLeastRatio : ratio;  // NaN stays
    });
    if (!(FindLargest(curve) > kLeastRatio)) continue;
    curve.dashed = color >= kMostCurves;
    ++color;
    chart.curves.push_back(std::move(curve));
  }
  if (chart.curves.empty()) return chart;
  Curve limit = curves.Make("limit", 7, [](size_t) { return 1.0; });
  limit.color = "#000000";
  limit.dashed = true;
  chart.curves.push_back(std::move(limit));
  return chart;
}

Chart DrawGaps(const Recording& recording, const TimeCurves& curves) {
  Chart chart = MakeLogChart("How far constraints yield", "[m or rad]");
  const std::vector<double> numbers = recording.Numbers(Table::kAudit);
  const std::vector<std::pair<const char*, const char*>> shown = {
      {"penetration", "penetration"},
      {"violation", "rigid joints open"},
      {"deflection", "soft constraints yield"}};
  int color = 0;
  for (const auto& [member, name] : shown) {
    const auto& names = AuditNumberNames();
    const auto k = std::find(names.begin(), names.end(), member) - names.begin();
    Curve curve =
        curves.Make(name, color++, [&](size_t i) { return numbers[kAuditNumbers * i + k]; });
    if (FindLargest(curve) > 0) chart.curves.push_back(std::move(curve));
  }
  return chart;
}

[[noreturn]] void RefuseName(const Recording& recording, const std::string& what,
                             const std::string& name, const std::set<std::string>& known) {
  std::string list;
  int count = 0;
  for (const std::string& other : known) {
    if (++count > 20) break;
    list += (list.empty() ? "" : ", ") + other;
  }
  throw InputError({recording.path(), 0, 0}, what,
                   fmt::format("no '{}', expected {}{}", name, list, count > 20 ? ", ..." : ""));
}

// Numbers of one unit share a chart.
struct NumberKind {
  const char *unit, *name, *title, *y_label;
};
constexpr NumberKind kCoordinateKinds[] = {
    {"m", "displacements", "Displacements of joints", "q [m]"},
    {"rad", "angles", "Angles of joints", "q [rad]"},
    {"1", "quaternions", "Quaternions of joints", "q [1]"}};
constexpr NumberKind kAccelerationKinds[] = {
    {"m/s", "accelerations", "Accelerations of joints", "dv/dt [m/s²]"},
    {"rad/s", "angular_accelerations", "Angular accelerations of joints", "dv/dt [rad/s²]"}};
constexpr NumberKind kDriveKinds[] = {
    {"m/s", "drive_forces", "Forces of motors, servos and actuators", "force [N]"},
    {"rad/s", "drive_torques", "Torques of motors, servos and actuators", "torque [N m]"}};
constexpr NumberKind kConstraintKinds[] = {
    {"N", "constraint_forces", "Forces on rows of constraints", "force [N]"},
    {"N m", "constraint_torques", "Torques on rows of constraints", "torque [N m]"}};

// A table of numbers with names and units, as many a row.
struct NumberTable {
  std::vector<std::string> names, units;
  std::vector<double> numbers;

  double at(size_t row, int index) const { return numbers[names.size() * row + index]; }
};

// A chart for each kind that any of the chosen numbers is of: of all where they were asked for, and
// otherwise of the first ones.
std::vector<NamedChart> DrawNumbers(const NumberTable& table, const std::vector<int>& chosen,
                                    std::span<const NumberKind> kinds, bool all,
                                    const TimeCurves& curves) {
  std::vector<NamedChart> out;
  for (const NumberKind& kind : kinds) {
    Chart chart{kind.title, "time [s]", kind.y_label, {}, false};
    int left_out = 0;
    for (int index : chosen) {
      if (table.units[index] != kind.unit) continue;
      const int color = static_cast<int>(chart.curves.size());
      if (!all && color == kMostCurves) {
        ++left_out;
        continue;
      }
      Curve curve =
          curves.Make(table.names[index], color, [&](size_t i) { return table.at(i, index); });
      curve.dashed = color % (2 * kMostCurves) >= kMostCurves;
      chart.curves.push_back(std::move(curve));
    }
    if (left_out > 0) {
      chart.title += fmt::format(", the first {} of {}", kMostCurves, kMostCurves + left_out);
    }
    out.push_back({kind.name, std::move(chart)});
  }
  return out;
}

// What is ever more than the rounding of others.
std::vector<int> ChooseSeen(const NumberTable& table) {
  constexpr double kRounding = 1e-9;
  const int count = static_cast<int>(table.names.size());
  VecX largest = VecX::Zero(count);
  for (size_t i = 0; i < table.numbers.size(); ++i) {
    const double x = std::abs(table.numbers[i]);
    if (std::isfinite(x)) largest[i % count] = std::max(largest[i % count], x);
  }
  std::vector<int> out;
  for (int k = 0; k < count; ++k) {
    if (largest[k] > kRounding * largest.maxCoeff()) out.push_back(k);
  }
  return out;
}

// The joint of each coordinate or rate, by its place in /model/joints; `start` is the list of the
// first ones of all joints.
std::vector<std::string> ListOwners(const Recording& recording, const std::string& start,
                                    size_t count) {
  const auto joints = recording.Texts("/model/joints/name");
  const auto first = recording.ReadDataset(start);
  std::vector<std::string> out(count);
  for (size_t j = 0; j < joints.size() && j < first.size(); ++j) {
    if (first[j] < 0) continue;  // it closes a loop
    for (size_t i = first[j]; i < count; ++i) out[i] = joints[j];
  }
  return out;
}

// The numbers of those named, in the order of the names, each by its own or by that of its joint;
// all where nothing is named.
std::vector<int> ChooseCoordinates(const Recording& recording,
                                   const std::vector<std::string>& names,
                                   const std::vector<std::string>& wanted) {
  std::vector<int> out;
  if (wanted.empty()) {
    for (int i = 0; i < static_cast<int>(names.size()); ++i) out.push_back(i);
    return out;
  }
  const auto owners = ListOwners(recording, "/model/joints/q_start", names.size());
  for (const std::string& name : wanted) {
    const size_t before = out.size();
    for (int i = 0; i < static_cast<int>(names.size()); ++i) {
      if (names[i] == name || owners[i] == name) out.push_back(i);
    }
    if (out.size() > before) continue;
    RefuseName(recording, "--coordinates", name, {names.begin(), names.end()});
  }
  return out;
}

// Without names the first ones of each unit, and no quaternions, which few can read.
std::vector<NamedChart> DrawCoordinates(const Recording& recording, const TimeCurves& curves,
                                        const std::vector<std::string>& wanted) {
  const NumberTable table{recording.Texts("/model/coordinates/name"),
                          recording.Texts("/model/coordinates/unit"), recording.Numbers(Table::kQ)};
  const std::span<const NumberKind> kinds = kCoordinateKinds;
  return DrawNumbers(table, ChooseCoordinates(recording, table.names, wanted),
                     wanted.empty() ? kinds.first(2) : kinds, !wanted.empty(), curves);
}

// Of rates; where coordinates were asked for, those of their joints.
std::vector<NamedChart> DrawRates(const Recording& recording, const TimeCurves& curves,
                                  Table numbers, std::span<const NumberKind> kinds,
                                  const std::vector<std::string>& wanted) {
  const NumberTable table{recording.Texts("/model/rates/name"),
                          recording.Texts("/model/rates/unit"), recording.Numbers(numbers)};
  std::vector<int> chosen = ChooseSeen(table);
  if (!wanted.empty()) {
    const auto coordinates = recording.Texts("/model/coordinates/name");
    const auto of_q = ListOwners(recording, "/model/joints/q_start", coordinates.size());
    const auto of_v = ListOwners(recording, "/model/joints/v_start", table.names.size());
    std::set<std::string> joints;
    for (int i : ChooseCoordinates(recording, coordinates, wanted)) joints.insert(of_q[i]);
    std::erase_if(chosen, [&](int index) { return !joints.contains(of_v[index]); });
  }
  return DrawNumbers(table, chosen, kinds, !wanted.empty(), curves);
}

std::vector<NamedChart> DrawConstraintForces(const Recording& recording, const TimeCurves& curves) {
  const NumberTable table{recording.Texts("/model/constraint_rows/name"),
                          recording.Texts("/model/constraint_rows/unit"),
                          recording.Numbers(Table::kConstraintForce)};
  return DrawNumbers(table, ChooseSeen(table), kConstraintKinds, false, curves);
}

// The sum of the normal forces on every body at every recorded moment, body after body.
std::vector<std::vector<double>> SumNormalForces(const Recording& recording, size_t bodies,
                                                 size_t moments) {
  std::vector<std::vector<double>> sums(bodies, std::vector<double>(moments, 0));
  const auto start = recording.Integers(Table::kContactStart),
             count = recording.Integers(Table::kContactCount),
             body = recording.Integers(Table::kContactBody);
  const auto force = recording.Numbers(Table::kContactNormalForce);
  for (size_t i = 0; i < moments; ++i) {
    for (std::int64_t c = start[i]; c < start[i] + count[i]; ++c) {
      for (int side = 0; side < 2; ++side) sums.at(body.at(2 * c + side))[i] += force.at(c);
    }
  }
  return sums;
}

Chart DrawContactForces(const Recording& recording, const TimeCurves& curves,
                        const std::vector<std::string>& wanted) {
  const auto names = recording.Texts("/model/bodies/name");
  const auto sums = SumNormalForces(recording, names.size(), curves.t().size());
  const auto peak = [&](int b) { return *std::max_element(sums[b].begin(), sums[b].end()); };
  std::vector<int> chosen;
  Chart chart{"Contact: sum of normal forces on a body", "time [s]", "force [N]", {}, false};
  if (wanted.empty()) {
    // Those with the largest peaks, in the order of the model.
    std::vector<int> touched;
    for (int b = 1; b < static_cast<int>(names.size()); ++b) {
      if (peak(b) > 0) touched.push_back(b);
    }
    chosen = touched;
    std::stable_sort(chosen.begin(), chosen.end(), [&](int a, int b) { return peak(a) > peak(b); });
    if (chosen.size() > kMostCurves) {
      chosen.resize(kMostCurves);
      chart.title += fmt::format(", the {} largest of {}", kMostCurves, touched.size());
    }
    std::sort(chosen.begin(), chosen.end());
  }
  for (const std::string& name : wanted) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      RefuseName(recording, "--contacts", name, {names.begin(), names.end()});
    }
    chosen.push_back(static_cast<int>(found - names.begin()));
  }
  for (int b : chosen) {
    const int color = static_cast<int>(chart.curves.size());
    chart.curves.push_back(curves.Make(names[b], color, [&](size_t i) { return sums[b][i]; }));
  }
  return chart;
}

}  // namespace

std::vector<NamedChart> MakeRecordingCharts(const Recording& recording,
                                            const RecordingChartOptions& options) {
  if (recording.empty()) {
    throw InputError({recording.path(), 0, 0}, "", "holds no recorded moment to draw");
  }
  const TimeCurves curves(recording);
  std::vector<NamedChart> out;
  const auto add = [&](const std::string& name, Chart chart) {
    if (!chart.curves.empty()) out.push_back({name, std::move(chart)});
  };
  add("energy", DrawEnergy(recording, curves));
  const auto add_all = [&](std::vector<NamedChart> charts) {
    for (NamedChart& named : charts) add(named.name, std::move(named.chart));
  };
  add_all(DrawCoordinates(recording, curves, options.coordinates));
  add_all(
      DrawRates(recording, curves, Table::kAcceleration, kAccelerationKinds, options.coordinates));
  add_all(DrawRates(recording, curves, Table::kDriveForce, kDriveKinds, options.coordinates));
  add_all(DrawConstraintForces(recording, curves));
  add("contacts", DrawContactForces(recording, curves, options.contacts));
  add("states", DrawStates(recording, options.contacts));
  add("gaps", DrawGaps(recording, curves));
  add("audit", DrawAudit(recording, curves));
  return out;
}

}  // namespace voigt
