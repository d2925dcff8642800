// Which shapes may touch, which of those nothing finds, and whose materials do not fit.

#include "voigt/collision/pair_survey.h"

#include <gtest/gtest.h>

#include "tests/collision/scene_of_shapes.h"
#include "voigt/collision/contact_finder.h"
#include "voigt/model/maximal.h"

namespace voigt {
namespace {

using testing::AddBodyWithShapes;
using testing::MakeGeometry;

TEST(PairSurvey, NamesOnePairOfEveryKindThatNothingFinds) {
  ModelSpec spec;
  spec.world_geometry = {MakeGeometry(HalfSpace{}, {}, "", "ground"), MakeGeometry(Sphere{1})};
  const Shape sail = TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  Geometry padded = MakeGeometry(Box{{1, 1, 1}});
  padded.foundation.emplace().elements = 6;
  padded.foundation->stiffness = 1e6;
  AddBodyWithShapes(&spec, "a", {MakeGeometry(sail, {}, "", "sail"), MakeGeometry(sail)});
  AddBodyWithShapes(&spec, "b", {padded, padded, MakeGeometry(ContactPoints{{Vec3::Zero()}})});
  const Model model = ModelBuilder(spec).Build();
  const ContactFinder finder(model);
  std::vector<std::string> found;
  for (const UnsupportedPair& pair : finder.unsupported()) found.push_back(pair.A + " | " + pair.B);
  EXPECT_EQ(found, (std::vector<std::string>{"mesh 'sail' of body 'a' | box of body 'b'"}));
}

TEST(PairSurvey, ShapesThatCannotMeetAreNoConcern) {
  ModelSpec spec;
  spec.world_geometry = {MakeGeometry(HalfSpace{}), MakeGeometry(Box{{1, 1, 1}})};
  AddBodyWithShapes(&spec, "a", {MakeGeometry(Sphere{1}, {}, "hard")}, JointType::kFixed);
  AddBodyWithShapes(&spec, "b", {MakeGeometry(ContactPoints{{Vec3::Zero()}})}, JointType::kFixed);
  spec.materials.emplace_back().name = "hard";
  const Model model = ModelBuilder(spec).Build();
  const ContactFinder finder(model);
  EXPECT_TRUE(finder.unsupported().empty());
  EXPECT_TRUE(finder.empty());
}

TEST(PairSurvey, MaterialsThatDoNotAddUpAreAllReported) {
  ModelSpec spec;
  Material soft, steel;
  soft.name = "soft";
  soft.law = NormalLaw::kLinear;
  soft.stiffness = 1e3;
  steel.name = "steel";
  steel.law = NormalLaw::kHertz;
  steel.youngs_modulus = 2e11;
  spec.materials = {soft, steel};
  spec.world_geometry = {MakeGeometry(HalfSpace{}, {}, "soft", "mat")};
  AddBodyWithShapes(&spec, "ball", {MakeGeometry(Sphere{1}, {}, "steel")});
  AddBodyWithShapes(&spec, "twin", {MakeGeometry(Sphere{1}, {}, "steel")});
  AddBodyWithShapes(&spec, "feet", {MakeGeometry(ContactPoints{{Vec3::Zero()}}, {}, "steel")});
  const Model model = ModelBuilder(spec).Build();
  try {
    const ContactFinder finder(model);
    FAIL() << "no problem found";
  } catch (const InputError& error) {
    ASSERT_EQ(error.problems().size(), 2u) << error.what();
    const std::string text = error.what();
    EXPECT_NE(text.find("contact of half-space 'mat' of the world and sphere of body 'ball': "
                        "materials 'soft' and 'steel': a linear law meets one of Hertz"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("points of body 'feet'"), std::string::npos) << text;
  }
}

TEST(PairSurvey, NoticesRestitutionThatContactsDoNotUse) {
  ModelSpec spec;
  Material hard, soft;
  hard.name = "hard";
  hard.restitution = 0.5;
  soft.name = "soft";
  soft.law = NormalLaw::kLinear;
  soft.stiffness = 1e3;
  spec.materials = {hard, soft};
  spec.world_geometry = {MakeGeometry(HalfSpace{}, {}, "soft")};
  AddBodyWithShapes(&spec, "ball", {MakeGeometry(Sphere{1}, {}, "hard")});
  AddBodyWithShapes(&spec, "die", {MakeGeometry(Box{{1, 1, 1}}, {}, "hard")});
  const auto notices = [&] {
    const Model model = ModelBuilder(spec).Build();
    return SurveyPairs(model, CollisionFilter(model)).notices;
  };
  // Once for both shapes; between themselves they bounce.
  EXPECT_EQ(notices(),
            std::vector<std::string>{"restitution 0.5 of materials 'soft' and 'hard' is unused: "
                                     "their contact has finite stiffness"});
  spec.world_geometry[0].material = "hard";
  EXPECT_TRUE(notices().empty());
}

}  // namespace
}  // namespace voigt
