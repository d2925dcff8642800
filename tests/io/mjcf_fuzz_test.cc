// MJCF with pieces missing, moved and changed: a model, or reasons.

#include <gtest/gtest.h>

#include <random>

#include "tests/support/mjcf_check.h"
#include "tests/support/samples.h"

namespace voigt {
namespace {

constexpr char kMjcfSeed[] = R"(<mujoco model="m"><compiler angle="radian" settotalmass="3"/>
<option timestep="0.01"><flag filterparent="disable"/></option>
<default><geom size="0.1 0.2" friction="0.7"/><default class="c"><joint damping="1"/></default></default>
<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><hfield name="h" nrow="2" ncol="2" size="1 1 1 1"/></asset>
<worldbody><geom type="plane"/><geom type="hfield" hfield="h"/>
<body name="a" childclass="c" euler="1 2 3"><freejoint name="f"/><geom type="mesh" mesh="m" name="g"/>
<body name="b" pos="1 0 0"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
<joint name="j" range="-1 1" ref="0.5" springdamper="1 1"/><joint name="k" type="slide"/>
<geom type="capsule" fromto="0 0 0 0 0 1" name="n" contype="2"/></body></body></worldbody>
<contact><pair geom1="g" geom2="n"/><exclude body1="a" body2="b"/></contact>
<equality><connect body1="b" anchor="0 0 1"/><joint joint1="j" joint2="k" polycoef="0 1 0 0 0"/></equality>
<keyframe><key qpos="0 0 0 1 0 0 0 1 2"/></keyframe></mujoco>)";

const char* const kMjcfPieces[] = {"\"",         "<body>", "</body>",    "<joint type=\"ball\"/>",
                                   "-1",         "nan",    "1e308",      "0",
                                   "name=\"a\"", " ",      "/>",         "<frame>",
                                   "</frame>",   "world",  "class=\"c\""};

std::string ChangeMjcf(std::string text, std::mt19937_64* random) {
  const auto below = [&](size_t limit) { return static_cast<size_t>((*random)() % limit); };
  for (size_t times = 1 + below(4); times > 0; --times) {
    const size_t at = below(text.size()), from = below(text.size()), length = below(40);
    switch (below(4)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, kMjcfPieces[below(std::size(kMjcfPieces))]);
        break;
      case 2:
        text.insert(at, text.substr(from, length));
        break;
      default:
        text[at] = "0123456789.- eabmnjk"[below(20)];
    }
    if (text.empty()) text = " ";
  }
  return text;
}

TEST(Mjcf, ChangedTextIsAModelOrRefusedWithReasons) {
  ASSERT_EQ(testing::DescribeMjcfReadingDefect(kMjcfSeed), "");
  std::mt19937_64 random(1);
  int models = 0;
  for (int i = 0; i < testing::SampleCount(1000); ++i) {
    const std::string text = ChangeMjcf(kMjcfSeed, &random);
    ASSERT_EQ(testing::DescribeMjcfReadingDefect(text), "") << text;
    try {
      ParseMjcf(text, "fuzz.xml");
      ++models;
    } catch (const InputError&) {
    }
  }
  EXPECT_GT(models, 0);
}

}  // namespace
}  // namespace voigt
