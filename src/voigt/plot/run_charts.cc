#include "voigt/plot/run_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "voigt/plot/outline.h"

namespace voigt {
namespace {

constexpr int kSnapshots = 24;
constexpr int kMaxCoordinates = 8;

// Which world axes go right and up.
struct View {
  int right, up;
  const char *x_label, *y_label;
};
constexpr View kViews[] = {
    {0, 2, "x [m]", "z [m]"}, {1, 2, "y [m]", "z [m]"}, {0, 1, "x [m]", "y [m]"}};

// Samples nearest to evenly spaced times.
std::vector<const Sample*> PickSnapshots(const std::vector<Sample>& samples) {
  std::vector<const Sample*> out;
  for (int i = 0; i < kSnapshots; ++i) {
    const auto at = static_cast<size_t>(
        std::lround(i * (samples.size() - 1) / static_cast<double>(kSnapshots - 1)));
    if (out.empty() || out.back() != &samples[at]) out.push_back(&samples[at]);
  }
  return out;
}

// The outline of every body at one moment, in world coordinates. Bodies without shapes are drawn as
// the line from their joint to their centre of mass.
std::vector<std::vector<Vec3>> CalcOutlines(const Model& model, const Kinematics& kin) {
  std::vector<std::vector<Vec3>> out;
  for (int b = 1; b < model.nb(); ++b) {
    const Pose X_WB = CalcBodyPose(model, kin, b);
    const Body& body = model.body(b);
    for (int g = body.first_geometry; g < body.first_geometry + body.geometry_count; ++g) {
      const Geometry& geometry = model.geometry()[g];
      std::vector<Vec3> points = SampleSurface(geometry.shape);
      for (Vec3& point : points) point = X_WB * (geometry.X_BG * point);
      if (!points.empty()) out.push_back(std::move(points));
    }
    if (body.geometry_count == 0 && body.mass.mass > 0) {
      out.push_back({kin.X_WL[b].p, X_WB * body.mass.com});
    }
  }
  return out;
}

View ChooseView(const std::vector<std::vector<std::vector<Vec3>>>& snapshots) {
  Vec3 low = Vec3::Constant(kInfinity), high = -low;
  for (const auto& outlines : snapshots) {
    for (const auto& points : outlines) {
      for (const Vec3& point : points) {
        low = low.cwiseMin(point);
        high = high.cwiseMax(point);
      }
    }
  }
  // Sums, not areas: those are all zero for a point that moves along a line.
  const Vec3 size = high - low;
  return *std::max_element(std::begin(kViews), std::end(kViews), [&](const View& a, const View& b) {
    return size[a.right] + size[a.up] < size[b.right] + size[b.up];
  });
}

Chart MakeMotionChart(const Model& model, const std::vector<Sample>& samples) {
  const std::vector<const Sample*> picked = PickSnapshots(samples);
  std::vector<std::vector<std::vector<Vec3>>> snapshots;
  Kinematics kin(model);
  for (const Sample* sample : picked) {
    UpdatePositions(model, sample->q, &kin);
    snapshots.push_back(CalcOutlines(model, kin));
  }
  const View view = ChooseView(snapshots);
  Chart chart;
  chart.title = fmt::format("Motion, {} moments from light (t = {:.3g} s) to dark (t = {:.3g} s)",
                            picked.size(), picked.front()->t, picked.back()->t);
  chart.x_label = view.x_label;
  chart.y_label = view.y_label;
  chart.equal_scales = true;
  for (size_t i = 0; i < snapshots.size(); ++i) {
    const double age = snapshots.size() == 1 ? 1 : i / (snapshots.size() - 1.0);
    for (size_t k = 0; k < snapshots[i].size(); ++k) {
      std::vector<Vec2> flat;
      for (const Vec3& point : snapshots[i][k])
        flat.emplace_back(point[view.right], point[view.up]);
      Curve curve;
      curve.points = ConvexOutline(std::move(flat));
      curve.color = BlendColors("#9ecae1", "#08306b", age);
      curve.opacity = 0.35 + 0.65 * age;
      curve.width = 0.9;
      curve.filled = true;
      chart.curves.push_back(std::move(curve));
    }
  }
  return chart;
}

template <typename Value>
Curve MakeTimeCurve(std::string name, int color, const std::vector<Sample>& samples, Value value) {
  Curve curve;
  curve.name = std::move(name);
  curve.color = ChartColor(color);
  for (const Sample& sample : samples) curve.points.emplace_back(sample.t, value(sample));
  return curve;
}

Chart MakeEnergyChart(const std::vector<Sample>& samples) {
  Chart chart{"Energy", "time [s]", "energy [J]", {}, false};
  const auto add = [&](const char* name, int color, auto value) {
    chart.curves.push_back(MakeTimeCurve(name, color, samples, value));
  };
  add("kinetic", 0, [](const Sample& s) { return s.energy.kinetic; });
  add("gravity", 1, [](const Sample& s) { return s.energy.gravity; });
  add("springs", 2, [](const Sample& s) { return s.energy.Springs(); });
  add("total", 7, [](const Sample& s) { return s.energy.Total(); });
  add("total - work of loads", 3, [](const Sample& s) { return s.energy.Total() - s.work; });
  return chart;
}

Chart MakeCoordinateChart(const Model& model, const std::vector<Sample>& samples) {
  Chart chart{"Joint coordinates", "time [s]", "q [rad, m]", {}, false};
  for (int b = 1; b < model.nb(); ++b) {
    const int count = CoordinateCount(model.tree().type[b]);
    for (int k = 0; k < count; ++k) {
      const int color = static_cast<int>(chart.curves.size());
      if (color == kMaxCoordinates) {
        chart.title = fmt::format("Joint coordinates, the first {} of {}", color, model.nq());
        return chart;
      }
      const int index = model.tree().q_start[b] + k;
      std::string name = model.joint(b).name;
      if (count > 1) name += fmt::format("[{}]", k);
      chart.curves.push_back(
          MakeTimeCurve(name, color, samples, [index](const Sample& s) { return s.q[index]; }));
    }
  }
  return chart;
}

}  // namespace

std::vector<Chart> MakeRunCharts(const Model& model, const std::vector<Sample>& samples) {
  std::vector<Chart> charts;
  if (samples.empty() || model.nb() == 1) return charts;
  charts.push_back(MakeMotionChart(model, samples));
  charts.push_back(MakeEnergyChart(samples));
  charts.push_back(MakeCoordinateChart(model, samples));
  return charts;
}

}  // namespace voigt
