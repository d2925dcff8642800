// [Anitescu, Miller & Hart 2003, figures 5 to 12]: the hand closes on the glass.

#include "reproduce/experiment_list.h"
#include "reproduce/hand_run.h"

namespace voigt::reproduce {

void Run004Grasp(Trial* trial) {
  const HandRun run = RunHand(*trial, 1);
  trial->Set("end", run.end);
  trial->Set("not_solved", static_cast<double>(run.not_solved));
  trial->Set("pushed", LargestOf(run.glass));
  // The way of the glass at the times of the paper's frames.
  Curve frames = MakeCurve("times of figures 5 to 12", 1);
  for (double t : {0.0050, 0.4781, 0.5103, 0.5425, 0.5782, 0.6148, 0.6586, 0.6956}) {
    for (const Vec2& point : run.glass) {
      if (point[0] < t - 1e-9) continue;
      frames.points.push_back(point);
      break;
    }
  }
  trial->Set("moved_first_frame", frames.points.front()[1]);
  trial->Add({"Way of the glass", "t [s]", "way [m]", {MakeCurve("glass", 0, run.glass), frames}});
  trial->Show(trial->LoadScene("hand_and_glass"), "A hand closes on a glass");
}

}  // namespace voigt::reproduce
