#include "voigt/plot/state_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "voigt/collision/contact.h"
#include "voigt/sim/friction_element.h"

namespace voigt {
namespace {

using StateTable = RecordingTable;

constexpr int kMostStateCurves = 8;
constexpr double kShift = 0.02;  // between lines

// From what moves least to what moves most.
double LevelOf(Stiction state) {
  switch (state) {
    case Stiction::kOpen:
      return 0;
    case Stiction::kStick:
      return 1;
    case Stiction::kCreep:
      return 2;
    case Stiction::kSlip:
      return 3;
  }
  return 0;
}

// Names of all that rubs, and of the bodies that it is on.
class ElementNames {
 public:
  explicit ElementNames(const Recording& recording)
      : shapes_(recording.Texts("/model/geometry/name")),
        bodies_(recording.Texts("/model/bodies/name")),
        guides_(recording.Texts("/model/guides/name")),
        body_of_(recording.ReadDataset("/model/geometry/body")),
        geometry_(recording.Integers(StateTable::kTransitionGeometry)),
        guide_(recording.Integers(StateTable::kTransitionGuide)) {}

  std::string Name(size_t row, std::uint64_t id) const {
    if (guide_.at(row) >= 0) return guides_.at(guide_[row]);
    const auto side = [&](size_t k) {
      const std::int64_t g = geometry_.at(2 * row + k);
      return shapes_.at(g).empty() ? bodies_.at(body_of_.at(g)) : shapes_[g];
    };
    return NameContact(side(0), side(1), FeatureOf(id));
  }

  bool IsOnOneOf(size_t row, const std::vector<std::string>& bodies) const {
    if (bodies.empty()) return true;
    if (guide_.at(row) >= 0) return false;
    return std::any_of(bodies.begin(), bodies.end(), [&](const std::string& name) {
      return bodies_.at(body_of_.at(geometry_.at(2 * row))) == name ||
             bodies_.at(body_of_.at(geometry_.at(2 * row + 1))) == name;
    });
  }

 private:
  std::vector<std::string> shapes_, bodies_, guides_;
  std::vector<std::int64_t> body_of_, geometry_, guide_;
};

}  // namespace

Chart DrawStates(const Recording& recording, const std::vector<std::string>& bodies) {
  Chart chart{"States of friction", "time [s]", "", {}, false};
  chart.y_names = {"open", "stick", "creep", "slip"};
  const std::vector<Transition> changes = recording.ReadTransitions();
  if (changes.empty()) return chart;
  const std::vector<double> t = recording.Numbers(StateTable::kTime);
  const ElementNames names(recording);
  std::map<std::uint64_t, size_t> curve_of;
  size_t left_out = 0;
  for (size_t k = 0; k < changes.size(); ++k) {
    const Transition& change = changes[k];
    if (!names.IsOnOneOf(k, bodies)) continue;
    const auto [found, is_new] = curve_of.try_emplace(change.id, chart.curves.size());
    if (is_new && chart.curves.size() == kMostStateCurves) {
      found->second = SIZE_MAX;
      ++left_out;
    }
    if (found->second == SIZE_MAX) continue;
    const double shift = kShift * static_cast<double>(found->second);
    if (is_new) {
      Curve& curve = chart.curves.emplace_back();
      curve.name = names.Name(k, change.id);
      curve.color = ChartColor(static_cast<int>(found->second));
      curve.points.emplace_back(t.front(), LevelOf(change.from) + shift);
    }
    Curve& curve = chart.curves[found->second];
    curve.points.emplace_back(change.t, LevelOf(change.from) + shift);
    curve.points.emplace_back(change.t, LevelOf(change.to) + shift);
  }
  for (Curve& curve : chart.curves) {
    curve.points.emplace_back(std::max(t.back(), curve.points.back()[0]), curve.points.back()[1]);
  }
  if (left_out > 0) {
    chart.title +=
        fmt::format(", the first {} of {}", kMostStateCurves, kMostStateCurves + left_out);
  }
  return chart;
}

}  // namespace voigt
