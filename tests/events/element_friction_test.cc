// Static and kinetic friction with a smooth drop, of every element that rubs: a force or moment
// that grows moves it at its time, and then as an integration of one equation by fixed steps has
// it.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/events/event_run.h"
#include "tests/support/rubbing_elements.h"

namespace voigt {
namespace {

using testing::EventRun;
using testing::RubbingElement;
using testing::RunByEvents;

class ElementFriction : public ::testing::TestWithParam<RubbingElement> {};

TEST_P(ElementFriction, DropsOverItsSpeed) {
  for (double drop_speed : {0.0, 0.05, 0.5}) {
    SCOPED_TRACE(drop_speed);
    const EventRun run =
        RunByEvents(GetParam().MakeScene(drop_speed) +
                    "simulation: {integrator: event-driven, formulation: working, step: 0.1}\n");
    ASSERT_EQ(run.TimesOf(EventKind::kSlip).size(), 1u);
    EXPECT_NEAR(run.TimesOf(EventKind::kSlip)[0], GetParam().CalcStart(), 1e-8);
    EXPECT_NEAR(run.end.v.norm(), GetParam().CalcRate(drop_speed), 1e-8);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ElementFriction, ::testing::ValuesIn(testing::ListRubbingElements()),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace voigt
