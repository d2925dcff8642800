#include "reproduce/twelve_links.h"

#include <algorithm>
#include <cmath>

#include "voigt/base/stopwatch.h"

namespace voigt::reproduce {
namespace {

LinksRun RunLinks(const Trial& trial, const std::string& formulation, double start_error) {
  Scene scene = trial.LoadScene("twelve_link_pendulum", {{"simulation.formulation", formulation}});
  scene.initial.q[0] += start_error;
  // The paper's programs did not judge their own steps.
  scene.settings.audit = AuditKind::kOff;
  Simulator simulator = MakeSimulator(scene);
  const int last = *simulator.model().FindBody("ball12");
  LinksRun out;
  double drawn = -1;
  const Stopwatch stopwatch;
  trial.Step(&simulator, scene.settings.step, scene.settings.until, [&] {
    out.contact_steps += simulator.contact_count() > 0;
    if (simulator.state().t < drawn + 0.01 - 1e-9) return;
    drawn = simulator.state().t;
    const Kinematics& kin = simulator.CalcKinematics();
    const Vec3 centre = CalcBodyPose(simulator.model(), kin, last) * Vec3(0, 0, -1);
    out.t.push_back(drawn);
    out.z.push_back(centre[2]);
    out.angles.push_back(simulator.state().q);
    out.v_z.push_back(CalcPointVelocity(kin, last, centre)[5]);
  });
  out.wall_time = stopwatch.Seconds();
  return out;
}

}  // namespace

const std::map<std::string, LinksRun>& RunTwelveLinks(const Trial& trial) {
  static std::map<std::string, LinksRun> runs;
  const auto add = [&](const std::string& name, const std::string& formulation, double error) {
    if (!runs.contains(name)) runs[name] = RunLinks(trial, formulation, error);
  };
  for (const char* name : {"mlcp-lemke", "mncp-rlm", "mncp-plm"}) add(name, name, 0);
  add("twin", "mlcp-lemke", 1e-13);
  if (!trial.is_quick()) {
    for (const char* name : {"mlcp-fb-rlm", "mlcp-fb-plm"}) add(name, name, 0);
  }
  return runs;
}

double CalcDifference(const LinksRun& a, const LinksRun& b, std::vector<double> LinksRun::* what,
                      double from, double until) {
  double out = 0;
  for (size_t k = 0; k < std::min(a.t.size(), b.t.size()); ++k) {
    if (a.t[k] >= from && a.t[k] <= until)
      out = std::max(out, std::abs((a.*what)[k] - (b.*what)[k]));
  }
  const auto [low, high] = std::minmax_element((a.*what).begin(), (a.*what).end());
  return out / (*high - *low);
}

double CalcAngleDifference(const LinksRun& a, const LinksRun& b) {
  double out = 0;
  for (size_t k = 0; k < std::min(a.t.size(), b.t.size()); ++k) {
    out = std::max(out, (a.angles[k] - b.angles[k]).cwiseAbs().maxCoeff());
  }
  return out;
}

Chart MakeLinksChart(const std::map<std::string, LinksRun>& runs, const std::string& title,
                     const std::string& y_label, std::vector<double> LinksRun::* what,
                     double from) {
  Chart chart{title, "t [s]", y_label, {}};
  int color = 0;
  for (const auto& [name, run] : runs) {
    Curve curve = MakeCurve(name == "twin" ? "mlcp-lemke, start off by 1e-13 rad" : name, color++);
    curve.dashed = name == "twin";
    for (size_t k = 0; k < run.t.size(); ++k) {
      if (run.t[k] >= from) curve.points.emplace_back(run.t[k], (run.*what)[k]);
    }
    chart.curves.push_back(curve);
  }
  return chart;
}

void CompareWholeRuns(const std::map<std::string, LinksRun>& runs,
                      std::vector<double> LinksRun::* what, const std::string& y_label,
                      Trial* trial) {
  const LinksRun& lemke = runs.at("mlcp-lemke");
  for (const auto& [name, run] : runs) {
    if (name == "mlcp-lemke") continue;
    trial->Set("until_10_" + name, CalcDifference(lemke, run, what, 0, 10));
    trial->Set("until_20_" + name, CalcDifference(lemke, run, what, 0, 20));
  }
  trial->Add(MakeLinksChart(runs, "Five solvers, and one from another start", y_label, what, 0));
}

void CompareEnds(const std::map<std::string, LinksRun>& runs, std::vector<double> LinksRun::* what,
                 const std::string& y_label, Trial* trial) {
  const auto spread = [&](const char* a, const char* b) {
    return CalcDifference(runs.at(a), runs.at(b), what, 19, 20);
  };
  trial->Set("spread_mncp", spread("mncp-rlm", "mncp-plm"));
  trial->Set("spread_between", spread("mlcp-lemke", "mncp-plm"));
  trial->Set("spread_twin", spread("mlcp-lemke", "twin"));
  if (trial->Wants("spread_mlcp")) {
    trial->Set("spread_mlcp",
               std::max(spread("mlcp-lemke", "mlcp-fb-rlm"), spread("mlcp-lemke", "mlcp-fb-plm")));
  }
  trial->Add(MakeLinksChart(runs, "The last two seconds", y_label, what, 18));
}

}  // namespace voigt::reproduce
