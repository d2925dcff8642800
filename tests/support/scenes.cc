#include "tests/support/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "voigt/model/model_builder.h"
#include "voigt/sim/run.h"

namespace voigt::testing {

std::vector<std::string> ListNamedScenes() {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(VOIGT_SOURCE_DIR) + "/scenes")) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Scene WithoutConstraints(const Scene& scene) {
  ModelSpec spec = scene.model.spec();
  spec.constraints.clear();
  spec.user_constraints.clear();
  for (JointSpec& joint : spec.joints) {
    joint.lower.clear();
    joint.upper.clear();
    joint.dry_friction.clear();
    joint.cone_limit.reset();
  }
  const auto let_through = [](std::vector<Geometry>* list) {
    for (Geometry& geometry : *list) geometry.touches = std::vector<std::string>();
  };
  let_through(&spec.world_geometry);
  for (BodySpec& body : spec.bodies) let_through(&body.geometry);
  Scene out = scene;
  out.model = ModelBuilder(spec).Build();
  return out;
}

State RunToEnd(const Scene& scene) {
  Simulator simulator = MakeSimulator(scene);
  Recorder recorder(1e9);
  const RunSummary summary = Run(&simulator, &recorder);
  EXPECT_EQ(summary.status, StepStatus::kOk) << scene.file;
  return simulator.state();
}

}  // namespace voigt::testing
