#include "voigt/model/material.h"

#include <gtest/gtest.h>

#include <functional>

#include "voigt/math/types.h"
#include "voigt/model/model_builder.h"

namespace voigt {
namespace {

Material Linear() {
  Material m;
  m.name = "rubber";
  m.law = NormalLaw::kLinear;
  m.stiffness = 1e4;
  m.damping = 3;
  return m;
}

Material Hertz() {
  Material m;
  m.name = "steel";
  m.law = NormalLaw::kHertz;
  m.youngs_modulus = 2e11;
  return m;
}

// The one complaint about a material, "" if there is none.
std::string DefectAfter(Material m, const std::function<void(Material*)>& change) {
  change(&m);
  const auto defects = DescribeMaterialDefects(m);
  EXPECT_LE(defects.size(), 1u);
  return defects.empty() ? "" : defects[0];
}

TEST(Material, GoodOnesHaveNoDefect) {
  EXPECT_EQ(DefectAfter({}, [](Material*) {}), "");
  EXPECT_EQ(DefectAfter(Linear(), [](Material*) {}), "");
  EXPECT_EQ(DefectAfter(Hertz(), [](Material*) {}), "");
  EXPECT_EQ(DefectAfter(Hertz(), [](Material* m) { m->poisson_ratio = 0.5; }), "");
  EXPECT_EQ(DefectAfter({}, [](Material* m) { m->restitution = 1; }), "");
  EXPECT_EQ(DefectAfter({}, [](Material* m) { m->tangential_damping = kInfinity; }), "");
  EXPECT_EQ(DefectAfter({}, [](Material* m) { m->tangential_stiffness = 1e6; }), "");
  EXPECT_EQ(DefectAfter({},
                        [](Material* m) {
                          m->tangential_stiffness = 1e6;
                          m->tangential_damping = 0;
                        }),
            "");
  EXPECT_EQ(DefectAfter(Hertz(),
                        [](Material* m) {
                          m->law = NormalLaw::kHuntCrossley;
                          m->dissipation = 0.3;
                        }),
            "");
  EXPECT_EQ(DefectAfter(Hertz(),
                        [](Material* m) {
                          m->youngs_modulus.reset();
                          m->hertz_stiffness = 1e9;
                        }),
            "");
}

TEST(Material, NumbersOutOfRangeAreNamed) {
  for (double bad : {-1.0, kNaN, kInfinity}) {
    EXPECT_NE(DefectAfter({}, [&](Material* m) { m->friction = bad; }).find("friction = "),
              std::string::npos);
    for (const auto member : {&Material::torsional_friction, &Material::rolling_friction,
                              &Material::viscous_friction}) {
      EXPECT_NE(DefectAfter({}, [&](Material* m) { m->*member = bad; }).find("_friction = "),
                std::string::npos);
    }
    EXPECT_NE(DefectAfter({}, [&](Material* m) { m->restitution = bad; }).find("restitution = "),
              std::string::npos);
    EXPECT_NE(DefectAfter(Linear(), [&](Material* m) { m->stiffness = bad; }).find("stiffness = "),
              std::string::npos);
    EXPECT_NE(DefectAfter(Linear(), [&](Material* m) { m->damping = bad; }).find("damping = "),
              std::string::npos);
    EXPECT_NE(DefectAfter(Hertz(), [&](Material* m) { m->youngs_modulus = bad; }).find("youngs_"),
              std::string::npos);
    EXPECT_NE(
        DefectAfter(Hertz(), [&](Material* m) { m->poisson_ratio = bad; }).find("poisson_ratio"),
        std::string::npos);
    EXPECT_NE(
        DefectAfter({}, [&](Material* m) { m->tangential_stiffness = bad; }).find("tangential_"),
        std::string::npos);
  }
  EXPECT_EQ(DefectAfter({}, [](Material* m) { m->tangential_damping = 0; }),
            "tangential_damping = 0, expected a positive number; inf is rigid");
  EXPECT_EQ(DefectAfter(Linear(), [](Material* m) { m->stiffness = 0; }),
            "stiffness = 0, expected a finite positive number");
  EXPECT_EQ(DefectAfter({},
                        [](Material* m) {
                          m->tangential_stiffness = 1;
                          m->tangential_damping = kInfinity;
                        }),
            "tangential_damping = inf, expected a finite number ≥ 0");
}

TEST(Material, NumbersThatTheLawLacksOrIgnoresAreNamed) {
  EXPECT_EQ(DefectAfter(Linear(), [](Material* m) { m->stiffness.reset(); }),
            "the law linear needs a stiffness");
  EXPECT_EQ(DefectAfter(Hertz(), [](Material* m) { m->youngs_modulus.reset(); }),
            "the law hertz needs one of youngs_modulus and hertz_stiffness");
  EXPECT_EQ(DefectAfter(Hertz(), [](Material* m) { m->hertz_stiffness = 1e9; }),
            "the law hertz needs one of youngs_modulus and hertz_stiffness");
  EXPECT_EQ(DefectAfter({}, [](Material* m) { m->stiffness = 1; }),
            "stiffness has no meaning for the law rigid");
  EXPECT_EQ(DefectAfter({}, [](Material* m) { m->damping = 1; }),
            "damping has no meaning for the law rigid");
  // Of flat contacts beside Hertz's law.
  EXPECT_EQ(DefectAfter(Hertz(), [](Material* m) { m->stiffness = 1e6; }), "");
  EXPECT_EQ(DefectAfter(Hertz(),
                        [](Material* m) {
                          m->stiffness = 1e6;
                          m->damping = 2;
                        }),
            "");
  EXPECT_EQ(DefectAfter(Hertz(), [](Material* m) { m->damping = 2; }),
            "damping has no meaning for the law hertz without the stiffness of its flat contacts");
  EXPECT_EQ(DefectAfter(Linear(), [](Material* m) { m->youngs_modulus = 1; }),
            "youngs_modulus has no meaning for the law linear");
  EXPECT_EQ(DefectAfter(Linear(), [](Material* m) { m->restitution = 0.5; }),
            "restitution has no meaning for the law linear");
  EXPECT_EQ(DefectAfter(Hertz(), [](Material* m) { m->dissipation = 0.1; }),
            "dissipation has no meaning for the law hertz");
}

// One free body with one shape.
ModelSpec OneShape(Geometry geometry) {
  ModelSpec spec;
  BodySpec body;
  body.name = "b";
  body.mass_source = MassSource::kExplicit;
  body.mass = {1, Vec3::Zero(), Mat3::Identity()};
  body.geometry.push_back(std::move(geometry));
  spec.bodies.push_back(body);
  JointSpec joint;
  joint.name = "j";
  joint.type = JointType::kFree;
  joint.child = "b";
  spec.joints.push_back(joint);
  return spec;
}

std::string Problems(const ModelSpec& spec) {
  std::string out;
  const ProblemList problems = ModelBuilder(spec).Check();
  for (const Problem& problem : problems.problems()) {
    out += problem.ToString() + "\n";
  }
  return out;
}

TEST(Materials, OfShapesAreFoundByName) {
  ModelSpec spec = OneShape({"ball", Sphere{1}, {}, std::nullopt, {}, "steel"});
  spec.world_geometry.push_back({"ground", HalfSpace{}, {}, std::nullopt, {}});
  spec.materials = {Linear(), Hertz()};
  const Model model = ModelBuilder(spec).Build();
  EXPECT_EQ(model.material(0).name, "default");
  EXPECT_EQ(model.material(0).law, NormalLaw::kRigid);
  EXPECT_EQ(model.material(1).name, "steel");

  spec.materials[0].name = "default";
  EXPECT_EQ(ModelBuilder(spec).Build().material(0).stiffness, 1e4);
}

TEST(Materials, ProblemsAreListedTogether) {
  ModelSpec spec = OneShape({"ball", Sphere{1}, {}, std::nullopt, {}, "stel"});
  spec.materials = {Linear(), Linear(), Hertz()};
  spec.materials[2].friction = -1;
  spec.contact.recovery_speed = 0;
  const std::string problems = Problems(spec);
  for (const char* part : {"material 'rubber': is given twice", "material 'steel': friction = -1",
                           "body 'b', sphere 'ball': material 'stel' does not exist",
                           "contact: recovery_speed = 0, expected a positive number"}) {
    EXPECT_NE(problems.find(part), std::string::npos) << problems;
  }
}

MaterialPair PairOf(const char* a, const char* b) {
  MaterialPair pair;
  pair.first = a;
  pair.second = b;
  return pair;
}

TEST(Materials, OfPairsAreFoundInEitherOrder) {
  ModelSpec spec = OneShape({"ball", Sphere{1}, {}, std::nullopt, {}, "steel"});
  spec.world_geometry.push_back({"ground", HalfSpace{}, {}, std::nullopt, {}});
  spec.world_geometry.push_back({"mat", HalfSpace{}, {}, std::nullopt, {}, "rubber"});
  spec.materials = {Linear(), Hertz()};
  spec.contact.friction_rule = MixingRule::kMaximum;
  EXPECT_EQ(ModelBuilder(spec).Build().pair_rules(0, 2).pair, nullptr);
  spec.contact.pairs = {PairOf("steel", "default"), PairOf("steel", "rubber")};
  const Model model = ModelBuilder(spec).Build();
  EXPECT_EQ(model.pair_rules(0, 2).friction, MixingRule::kMaximum);
  EXPECT_EQ(model.pair_rules(0, 2).pair, &model.spec().contact.pairs[0]);
  EXPECT_EQ(model.pair_rules(2, 0).pair, &model.spec().contact.pairs[0]);
  EXPECT_EQ(model.pair_rules(1, 2).pair, &model.spec().contact.pairs[1]);
  EXPECT_EQ(model.pair_rules(0, 1).pair, nullptr);
  EXPECT_EQ(model.pair_rules(2, 2).pair, nullptr);
}

TEST(Materials, ProblemsOfPairsAreListedTogether) {
  ModelSpec spec = OneShape({"ball", Sphere{1}, {}, std::nullopt, {}, "steel"});
  spec.materials = {Linear(), Hertz()};
  const auto add = [&](const char* a, const char* b) -> MaterialPair& {
    spec.contact.pairs.push_back(PairOf(a, b));
    return spec.contact.pairs.back();
  };
  add("steel", "rubber").friction = -1;
  add("rubber", "steel").damping = 3;
  add("steel", "stone").dissipation = 1;
  MaterialPair& two = add("default", "default");
  two.stiffness = two.hertz_stiffness = 1;
  two.restitution = 0.5;
  add("default", "steel").stiffness = 0;
  add("default", "rubber").tangential_damping = 0;
  const std::string problems = Problems(spec);
  for (const char* part :
       {"pair of 'steel' and 'rubber': friction = -1",
        "pair of 'rubber' and 'steel': is given twice",
        "pair of 'rubber' and 'steel': damping has no meaning without a finite stiffness",
        "pair of 'steel' and 'stone': material 'stone' does not exist",
        "pair of 'steel' and 'stone': dissipation has no meaning without hertz_stiffness",
        "stiffness and hertz_stiffness are two laws",
        "restitution has no meaning for a contact that",
        "pair of 'default' and 'steel': stiffness = 0, expected a positive number; inf is rigid",
        "tangential_damping = 0, expected a positive number; inf is rigid"}) {
    EXPECT_NE(problems.find(part), std::string::npos) << part << "\n" << problems;
  }
}

TEST(Materials, OfElasticLayersNeedYoungsModulus) {
  Foundation layer;
  layer.size = {1, 1};
  layer.nx = layer.ny = 2;
  layer.depth = 1;
  ModelSpec spec = OneShape({"", layer, {}, std::nullopt, {}, "steel"});
  spec.materials = {Linear(), Hertz()};
  EXPECT_EQ(Problems(spec), "");
  spec.bodies[0].geometry[0].material = "rubber";
  EXPECT_NE(Problems(spec).find("needs a material with youngs_modulus"), std::string::npos);
  layer.depth.reset();
  layer.stiffness = 100;
  spec.bodies[0].geometry[0].shape = layer;
  EXPECT_EQ(Problems(spec), "");
}

}  // namespace
}  // namespace voigt
