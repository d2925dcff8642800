// What recordings of event-driven runs hold of contacts, joints and friction from reactions: the
// numbers that the run itself had.

#include <gtest/gtest.h>

#include "tests/io/recording_support.h"
#include "tests/support/scenes.h"
#include "voigt/io/recording_reader.h"

namespace voigt {
namespace {

// What a simulator said after each recorded moment.
struct HeldMoment {
  double t = 0;
  std::vector<ContactReport> contacts;  // those that carry force
  Reactions reactions;
  std::vector<GuideReport> guides;
};

class RecordedEvents : public testing::RecordingFolder {
 protected:
  std::vector<HeldMoment> Record(const std::string& path, const Scene& scene, int steps) {
    Simulator simulator(scene.model, scene.settings, scene.initial);
    RecordingWriter writer(path, {"s.yaml", {}, {}, "test"}, &simulator);
    std::vector<HeldMoment> out;
    for (int k = 0; k < steps; ++k) {
      EXPECT_EQ(simulator.Step(), StepStatus::kOk);
      writer.Offer(&simulator);
      HeldMoment& moment = out.emplace_back();
      moment.t = simulator.state().t;
      simulator.ListContacts(&moment.contacts);
      std::erase_if(moment.contacts,
                    [](const ContactReport& c) { return c.state == ContactState::kOpen; });
      simulator.CalcReactions(&moment.reactions);
      simulator.ListGuides(&moment.guides);
    }
    writer.Finish(&simulator);
    return out;
  }
};

// Row `row` of a table whose rows have the size of `expected`.
template <typename Vector>
void ExpectRow(const std::vector<double>& table, size_t row, const Vector& expected) {
  const auto size = static_cast<size_t>(expected.size());
  ASSERT_GE(table.size(), (row + 1) * size);
  for (size_t i = 0; i < size; ++i) {
    EXPECT_EQ(table[row * size + i], expected[static_cast<int>(i)]) << row << " " << i;
  }
}

void ExpectContacts(const Recording& recording, const std::vector<HeldMoment>& moments) {
  using T = RecordingTable;
  const auto start = recording.Integers(T::kContactStart);
  const auto count = recording.Integers(T::kContactCount);
  const auto body = recording.Integers(T::kContactBody);
  const auto state = recording.Integers(T::kContactState);
  const auto position = recording.Numbers(T::kContactPosition);
  const auto normal = recording.Numbers(T::kContactNormal);
  const auto velocity = recording.Numbers(T::kContactVelocity);
  const auto depth = recording.Numbers(T::kContactDepth);
  const auto force = recording.Numbers(T::kContactNormalForce);
  const auto friction = recording.Numbers(T::kContactFrictionForce);
  // The start is recorded, too, before anything is known of it.
  ASSERT_EQ(start.size(), moments.size() + 1);
  EXPECT_EQ(count[0], 0);
  size_t total = 0;
  for (size_t k = 0; k < moments.size(); ++k) {
    const std::vector<ContactReport>& contacts = moments[k].contacts;
    ASSERT_EQ(count[k + 1], static_cast<std::int64_t>(contacts.size())) << k;
    for (size_t c = 0; c < contacts.size(); ++c, ++total) {
      const size_t row = start[k + 1] + c;
      EXPECT_EQ(body[2 * row], contacts[c].body_A);
      EXPECT_EQ(body[2 * row + 1], contacts[c].body_B);
      EXPECT_EQ(state[row], static_cast<int>(contacts[c].state));
      EXPECT_EQ(depth[row], contacts[c].depth);
      EXPECT_EQ(force[row], contacts[c].normal_force);
      ExpectRow(position, row, contacts[c].p_W);
      ExpectRow(normal, row, contacts[c].n_W);
      ExpectRow(velocity, row, contacts[c].velocity_W);
      ExpectRow(friction, row, contacts[c].friction_force_W);
    }
  }
  EXPECT_EQ(force.size(), total);
}

void ExpectReactions(const Recording& recording, const std::vector<HeldMoment>& moments) {
  const auto table = recording.Numbers(RecordingTable::kReaction);
  for (size_t k = 0; k < moments.size(); ++k) {
    const Reactions& at = moments[k].reactions;
    const size_t first = (k + 1) * (at.joints.size() - 1 + at.loops.size());
    for (size_t b = 1; b < at.joints.size(); ++b) ExpectRow(table, first + b - 1, at.joints[b]);
    for (size_t l = 0; l < at.loops.size(); ++l) {
      ExpectRow(table, first + at.joints.size() - 1 + l, at.loops[l]);
    }
  }
}

void ExpectGuides(const Recording& recording, const std::vector<HeldMoment>& moments) {
  const auto normal = recording.Numbers(RecordingTable::kGuideNormalForce);
  const auto friction = recording.Numbers(RecordingTable::kGuideFriction);
  const auto state = recording.Integers(RecordingTable::kGuideState);
  const size_t count = recording.Texts("/model/guides/name").size();
  EXPECT_EQ(normal.size(), (moments.size() + 1) * count);
  for (size_t k = 0; k < moments.size(); ++k) {
    ASSERT_EQ(moments[k].guides.size(), count);
    for (size_t g = 0; g < count; ++g) {
      const GuideReport& guide = moments[k].guides[g];
      const size_t row = (k + 1) * count + g;
      EXPECT_EQ(normal[row], guide.normal_force);
      EXPECT_EQ(state[row], static_cast<int>(guide.state));
      ExpectRow(friction, row, guide.friction);
    }
  }
}

// Contacts that slide and stick, tip and part; bearings, a mechanism with loops, hinges that repeat
// each other; a prescribed joint.
TEST_F(RecordedEvents, HoldWhatTheRunSaid) {
  struct Case {
    const char* scene;
    int steps;
    bool has_contacts, has_guides;
  };
  for (const Case& one :
       {Case{"rocking_block", 40, true, false}, Case{"cart_on_pads", 8, true, false},
        Case{"pin_friction", 20, false, true}, Case{"door", 8, false, true},
        Case{"creeping_block", 20, true, false}}) {
    SCOPED_TRACE(one.scene);
    const Scene scene = testing::LoadNamedScene(one.scene, {{"simulation.record_interval", "0"}});
    const std::string path = Path(std::string(one.scene) + ".h5");
    const std::vector<HeldMoment> moments = Record(path, scene, one.steps);
    size_t contacts = 0;
    for (const HeldMoment& moment : moments) {
      contacts += moment.contacts.size();
      EXPECT_EQ(moment.reactions.joints.size(), static_cast<size_t>(scene.model.nb()));
      EXPECT_EQ(!moment.guides.empty(), one.has_guides);
    }
    EXPECT_EQ(contacts > 0, one.has_contacts);
    const Recording recording(path);
    ExpectContacts(recording, moments);
    ExpectReactions(recording, moments);
    ExpectGuides(recording, moments);
  }
}

// And that is what physics says: F = 1.5 μN on equal pads, 0.75 μN each.
TEST_F(RecordedEvents, CartOnPadsSharesItsLoad) {
  const Scene scene =
      testing::LoadNamedScene("cart_on_pads", {{"parameters.mu1", "0.5"},
                                               {"parameters.mu2", "0.5"},
                                               {"parameters.start", "7.5"},
                                               {"parameters.growth", "0"},
                                               {"simulation.record_interval", "0"}});
  Record(Path("cart.h5"), scene, 2);
  const Recording recording(Path("cart.h5"));
  const auto friction = recording.Numbers(RecordingTable::kContactFrictionForce);
  const auto normal = recording.Numbers(RecordingTable::kContactNormalForce);
  ASSERT_EQ(normal.size(), 4u);
  for (size_t k = 0; k < normal.size(); ++k) {
    EXPECT_NEAR(normal[k], 10, 1e-12);
    EXPECT_NEAR(friction[3 * k], -3.75, 1e-12);
  }
}

}  // namespace
}  // namespace voigt
