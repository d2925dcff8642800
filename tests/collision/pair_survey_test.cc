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

TEST(CollisionFilter, KeepsApartWhatJointsConnect) {
  ModelSpec spec;
  AddBodyWithShapes(&spec, "base", {}, JointType::kFree);
  AddBodyWithShapes(&spec, "arm", {}, JointType::kRevolute, "base");
  AddBodyWithShapes(&spec, "tool", {}, JointType::kFixed, "arm");
  AddBodyWithShapes(&spec, "finger", {}, JointType::kPrismatic, "tool");
  AddBodyWithShapes(&spec, "drone", {}, JointType::kFree, "base");
  AddBodyWithShapes(&spec, "post", {}, JointType::kFixed);
  AddBodyWithShapes(&spec, "door", {}, JointType::kRevolute, "post");
  const Model model = ModelBuilder(spec).Build();
  for (const Model& one : {model, ToMaximal(model)}) {
    const CollisionFilter filter(one);
    const auto may_touch = [&](const char* a, const char* b) {
      const int A = *one.FindBody(a), B = *one.FindBody(b);
      EXPECT_EQ(filter.MayTouch(A, B), filter.MayTouch(B, A));
      return filter.MayTouch(A, B);
    };
    EXPECT_FALSE(may_touch("base", "base"));
    EXPECT_FALSE(may_touch("base", "arm"));
    EXPECT_FALSE(may_touch("arm", "tool"));
    EXPECT_FALSE(may_touch("base", "tool"));   // tool and arm are one piece
    EXPECT_FALSE(may_touch("arm", "finger"));  // and so for what hangs on it
    EXPECT_TRUE(may_touch("base", "finger"));
    EXPECT_TRUE(may_touch("base", "drone"));  // free joints connect nothing
    EXPECT_TRUE(may_touch("base", "world"));
    EXPECT_FALSE(may_touch("post", "world"));
    EXPECT_TRUE(may_touch("door", "world"));
    EXPECT_TRUE(may_touch("door", "post"));  // the post is a piece of the world
  }
}

TEST(PairSurvey, NamesOnePairOfEveryKindThatNothingFinds) {
  ModelSpec spec;
  spec.world_geometry = {MakeGeometry(HalfSpace{}, {}, "", "ground"), MakeGeometry(Sphere{1})};
  const Shape box = Box{{1, 1, 1}};
  AddBodyWithShapes(&spec, "a", {MakeGeometry(box, {}, "", "lid"), MakeGeometry(box)});
  AddBodyWithShapes(&spec, "b", {MakeGeometry(box), MakeGeometry(ContactPoints{{Vec3::Zero()}})});
  const Model model = ModelBuilder(spec).Build();
  const ContactFinder finder(model);
  std::vector<std::string> found;
  for (const UnsupportedPair& pair : finder.unsupported()) found.push_back(pair.A + " | " + pair.B);
  EXPECT_EQ(found,
            (std::vector<std::string>{"half-space 'ground' of the world | box 'lid' of body 'a'",
                                      "sphere of the world | box 'lid' of body 'a'",
                                      "box 'lid' of body 'a' | box of body 'b'"}));
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

}  // namespace
}  // namespace voigt
