// Two fingers hold a box by friction against gravity.

#include <fmt/format.h>

#include "bench/peers/trial.h"

namespace voigt::peers {

std::vector<Trial> MakeGripperTrials(bool quick) {
  const Vec3 finger_edges(0.01, 0.03, 0.08), box_edges(0.05, 0.05, 0.05);
  constexpr double kFinger = 0.048, kBox = 0.2, kGrip = 5;  // kg, kg, N
  Trial out;
  Scene& scene = out.scene;
  scene.name = "gripper";
  scene.h = 0.002;
  scene.until = quick ? 2 : 60;
  scene.material.mu = 0.8;
  scene.room_for_contacts = 60;
  for (double side : {-1.0, 1.0}) {
    Body finger;
    finger.mass = kFinger;
    finger.inertia = BoxInertia(kFinger, finger_edges);
    finger.start.p = Vec3(side * 0.5 * (box_edges[0] + finger_edges[0]), 0, 1);
    finger.shapes = {MakeBox(finger_edges)};
    Joint slide;
    slide.kind = JointKind::kPrismatic;
    slide.child = static_cast<int>(scene.bodies.size());
    slide.anchor = finger.start.p;
    slide.axis = -side * Vec3::UnitX();
    scene.bodies.push_back(finger);
    scene.joints.push_back(slide);
  }
  Body box;
  box.mass = kBox;
  box.inertia = BoxInertia(kBox, box_edges);
  box.start.p = Vec3(0, 0, 1);
  box.shapes = {MakeBox(box_edges)};
  scene.bodies.push_back(box);
  scene.act = [](double, const std::vector<Pose>&, Loads* loads) {
    loads->joint_forces = {kGrip, kGrip};
  };
  // Hand and box may move together across; that is no slip.
  const auto slip = [](const std::vector<Pose>& poses) {
    return (poses[2].p - Vec3(0, 0, 1)).tail<2>().norm();
  };
  out.title = fmt::format("Gripper, {} s", scene.until);
  out.what = fmt::format(
      "Two fingers on slides press a box of 0.2 kg with 5 N each; rigid contacts with friction 0.8 "
      "could hold four times its weight. {} s in steps of 2 ms.",
      scene.until);
  out.reference = "how far the box has slipped at the end; it should not";
  out.error = [slip](const std::vector<Pose>& poses, bool) { return slip(poses); };
  out.standing = slip;
  out.failure = [slip](const std::vector<Pose>& poses) -> std::string {
    return slip(poses) > 0.02 ? "dropped the box" : "";
  };
  out.tolerance = 1e-12;
  out.is_passive = false;
  out.watch_every = 10;
  return {out};
}

}  // namespace voigt::peers
