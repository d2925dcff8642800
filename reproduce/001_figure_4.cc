// [Drumwright & Shell 2010, figure 4]: the time to solve the contacts of an engine whose joints are
// contacts alone, by maximum dissipation and by complementarity, event by event.

#include <fmt/format.h>

#include "reproduce/engine_run.h"
#include "reproduce/experiment_list.h"

namespace voigt::reproduce {
namespace {

// Event by event, as in the paper: one run by each model, both of which solve every impact of it.
void SetEventRuns(Trial* trial, const std::string& scene, const std::string& suffix, double until,
                  const std::string& title) {
  const EngineRun run = RunEngineByEvents(*trial, scene, FormulationKind::kMaxDissipation, until);
  const EngineRun lcp = RunEngineByEvents(*trial, scene, FormulationKind::kStabilizedLcp, until);
  const auto set = [&](const std::string& name, double value) { trial->Set(name + suffix, value); };
  set("reached", run.reached);
  set("reached_lcp", lcp.reached);
  set("failures", static_cast<double>(run.dissipation.failures + lcp.dissipation.failures));
  set("failures_lcp", static_cast<double>(run.lcp.failures + lcp.lcp.failures));
  set("time", 1e3 * run.dissipation.mean());
  set("time_lcp", 1e3 * run.lcp.mean());
  set("ratio", run.lcp.mean() / run.dissipation.mean());
  set("touching", static_cast<double>(run.most_touching));
  set("events_per_second", static_cast<double>(run.events) / run.seconds);
  set("events_per_second_lcp", static_cast<double>(lcp.events) / lcp.seconds);
  set("difference", run.difference);
  set("gain", -run.least_loss / run.work);
  set("loss", run.loss / run.work);
  trial->Add({title,
              "t [s]",
              "time of a solve [ms]",
              {MakeCurve("max-dissipation", 0, run.dissipation.points),
               MakeCurve("stabilized-lcp", 1, run.lcp.points)}});
}

}  // namespace

void Run001Figure4(Trial* trial) {
  SetEventRuns(trial, "engine_one_cylinder", "_one", trial->is_quick() ? 0.003 : 0.05,
               "Impacts of one cylinder");
  if (trial->Wants("reached_four")) {
    SetEventRuns(trial, "engine_four_cylinders", "_four", 0.005, "Impacts of four cylinders");
  }
  // Steps of time on the same scene, where contacts that may close take part: as many as in the
  // paper.
  const EngineRun steps =
      RunEngineBySteps(*trial, "engine_one_cylinder", FormulationKind::kStabilizedLcp, 0.05, 5);
  const EngineRun own =
      RunEngineBySteps(*trial, "engine_one_cylinder", FormulationKind::kMaxDissipation, 0.05, 500);
  trial->Set("step_contacts", steps.most_contacts);
  trial->Set("step_time", 1e3 * steps.dissipation.mean());
  trial->Set("step_ratio", steps.lcp.mean() / steps.dissipation.mean());
  trial->Set("step_failures", static_cast<double>(steps.dissipation.failures + own.not_solved));
  trial->Set("step_failures_lcp", static_cast<double>(steps.lcp.failures + steps.not_solved));
  trial->Set("step_loss", steps.loss / steps.work);
  trial->Set("step_loss_difference", (own.loss - steps.loss) / steps.loss);
  trial->Show(trial->LoadScene("engine_one_cylinder"), "Engine of one cylinder");
}

}  // namespace voigt::reproduce
