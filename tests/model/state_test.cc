#include "voigt/model/state.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <limits>
#include <random>

#include "voigt/base/errors.h"

namespace voigt {
namespace {

using Bytes = std::vector<std::uint8_t>;

State FullState() {
  State state;
  state.t = 1.25;
  state.q = VecX::LinSpaced(5, 0.1, 0.9);
  state.v = VecX::LinSpaced(3, -1, 1);
  state.activation = VecX::Constant(2, 0.3);
  state.inputs.actuators = Vec2(1, kNaN);
  state.inputs.joint_force = Vec3(4, 5, 6);
  state.inputs.wrenches = {{3, {1, 2, 3}, {-4, 5, -6}, {7, 8, -0.0}}};
  state.modes = {0, -1, 7, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()};
  state.contacts = {{42, 9.81, {1, 2, 3}, {0, 0, 1}},
                    {std::numeric_limits<std::uint64_t>::max(), -0.0, {4, 5, 6}, {1, 0, 0}}};
  state.contacts[1].energy = 0.125;
  state.warm_start = VecX::LinSpaced(4, 10, 40);
  state.recovery_time = 0.01;
  state.carried = VecX::LinSpaced(3, 0.5, 0.7);
  state.synchronous = {0, 1, 0};
  state.surplus = VecX::LinSpaced(6, -1, 1.5);
  return state;
}

std::uint64_t Bits(double value) { return std::bit_cast<std::uint64_t>(value); }

void ExpectSameBits(const VecX& a, const VecX& b) {
  ASSERT_EQ(a.size(), b.size());
  for (int i = 0; i < a.size(); ++i) EXPECT_EQ(Bits(a[i]), Bits(b[i])) << i;
}

TEST(State, IsEmptyByDefaultAndRestores) {
  const State state;
  const State back = State::Restore(state.Serialize());
  EXPECT_EQ(back.t, 0);
  EXPECT_EQ(back.q.size(), 0);
  EXPECT_TRUE(back == state);
}

TEST(State, RestoresEveryMember) {
  const State state = FullState();
  const State back = State::Restore(state.Serialize());
  EXPECT_EQ(back.t, state.t);
  ExpectSameBits(back.q, state.q);
  ExpectSameBits(back.v, state.v);
  ExpectSameBits(back.activation, state.activation);
  ExpectSameBits(back.inputs.actuators, state.inputs.actuators);
  ExpectSameBits(back.inputs.joint_force, state.inputs.joint_force);
  ASSERT_EQ(back.inputs.wrenches.size(), 1u);
  EXPECT_EQ(back.inputs.wrenches[0].body, 3);
  ExpectSameBits(back.inputs.wrenches[0].point, state.inputs.wrenches[0].point);
  ExpectSameBits(back.inputs.wrenches[0].force, state.inputs.wrenches[0].force);
  ExpectSameBits(back.inputs.wrenches[0].torque, state.inputs.wrenches[0].torque);
  EXPECT_EQ(back.modes, state.modes);
  ASSERT_EQ(back.contacts.size(), 2u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(back.contacts[i].id, state.contacts[i].id);
    EXPECT_EQ(Bits(back.contacts[i].normal_force), Bits(state.contacts[i].normal_force));
    ExpectSameBits(back.contacts[i].tangential_deformation,
                   state.contacts[i].tangential_deformation);
    ExpectSameBits(back.contacts[i].friction_force, state.contacts[i].friction_force);
    ExpectSameBits(back.contacts[i].slip_direction, state.contacts[i].slip_direction);
    ExpectSameBits(back.contacts[i].friction_torque, state.contacts[i].friction_torque);
    EXPECT_EQ(Bits(back.contacts[i].energy), Bits(state.contacts[i].energy));
  }
  ExpectSameBits(back.warm_start, state.warm_start);
  EXPECT_EQ(back.recovery_time, state.recovery_time);
  ExpectSameBits(back.carried, state.carried);
  EXPECT_EQ(back.synchronous, state.synchronous);
  ExpectSameBits(back.surplus, state.surplus);
}

TEST(State, RestoresUnusualNumbersBitForBit) {
  const double payload = std::bit_cast<double>(std::uint64_t{0x7ff8dead'beef1234});
  const double negative_nan = std::bit_cast<double>(std::uint64_t{0xfff80000'00000001});
  State state;
  state.t = -0.0;
  state.q.resize(8);
  state.q << payload, negative_nan, -0.0, 0.0, kInfinity, -kInfinity,
      std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::max();
  const State back = State::Restore(state.Serialize());
  EXPECT_EQ(Bits(back.t), Bits(-0.0));
  ExpectSameBits(back.q, state.q);
  EXPECT_TRUE(back == state);
}

TEST(State, EqualityIsThatOfBits) {
  const State state = FullState();
  EXPECT_TRUE(state == FullState());
  const auto differs = [&](auto change) {
    State other = FullState();
    change(&other);
    return !(other == state);
  };
  EXPECT_TRUE(differs([](State* s) { s->t = std::nextafter(s->t, 2.0); }));
  EXPECT_TRUE(differs([](State* s) { s->q[4] = std::nextafter(s->q[4], 2.0); }));
  EXPECT_TRUE(differs([](State* s) { s->v[1] = -s->v[1] + 1e-300; }));
  EXPECT_TRUE(differs([](State* s) { s->activation.resize(0); }));
  EXPECT_TRUE(differs([](State* s) { s->inputs.actuators[1] = 0; }));
  EXPECT_TRUE(differs([](State* s) { s->inputs.joint_force[0] = 0; }));
  EXPECT_TRUE(differs([](State* s) { s->inputs.wrenches[0].body = 2; }));
  EXPECT_TRUE(differs([](State* s) { s->inputs.wrenches[0].torque[2] = 0.0; }));
  EXPECT_TRUE(differs([](State* s) { s->inputs.wrenches.clear(); }));
  EXPECT_TRUE(differs([](State* s) { s->modes[2] = 8; }));
  EXPECT_TRUE(differs([](State* s) { s->modes.pop_back(); }));
  EXPECT_TRUE(differs([](State* s) { s->contacts[0].id = 43; }));
  EXPECT_TRUE(differs([](State* s) { s->contacts[1].normal_force = 0.0; }));
  EXPECT_TRUE(differs([](State* s) { s->contacts[1].tangential_deformation[2] = 7; }));
  EXPECT_TRUE(differs([](State* s) { s->contacts[0].friction_force[1] = 1e-9; }));
  EXPECT_TRUE(differs([](State* s) { s->contacts[0].slip_direction[0] = 1e-9; }));
  EXPECT_TRUE(differs([](State* s) { s->contacts[0].friction_torque[2] = 1e-9; }));
  EXPECT_TRUE(differs([](State* s) { s->contacts.clear(); }));
  EXPECT_TRUE(differs([](State* s) { s->contacts[0].energy = 1e-9; }));
  EXPECT_TRUE(differs([](State* s) { s->warm_start[3] = 0; }));
  EXPECT_TRUE(differs([](State* s) { s->recovery_time = 0; }));
  EXPECT_TRUE(differs([](State* s) { s->carried[0] = 0; }));
  EXPECT_TRUE(differs([](State* s) { s->synchronous[1] = 0; }));
  EXPECT_TRUE(differs([](State* s) { s->surplus[5] = 0; }));
}

TEST(State, EqualityTellsWhereOneVectorEndsAndTheNextBegins) {
  State a, b;
  a.q = VecX::Zero(2);
  a.v = VecX::Zero(1);
  b.q = VecX::Zero(1);
  b.v = VecX::Zero(2);
  EXPECT_FALSE(a == b);
}

TEST(State, IsNotFiniteWithNaNOrInfinityInTimeCoordinatesOrRates) {
  EXPECT_TRUE(State().IsFinite());
  EXPECT_TRUE(FullState().IsFinite());
  for (double bad : {kNaN, kInfinity, -kInfinity}) {
    State state = FullState();
    state.t = bad;
    EXPECT_FALSE(state.IsFinite());
    state = FullState();
    state.q[4] = bad;
    EXPECT_FALSE(state.IsFinite());
    state = FullState();
    state.v[0] = bad;
    EXPECT_FALSE(state.IsFinite());
  }
}

TEST(State, RefusesBytesThatEndTooEarly) {
  const Bytes bytes = FullState().Serialize();
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(State::Restore({bytes.data(), size}), InputError) << size;
  }
}

TEST(State, RefusesBytesThatGoOn) {
  Bytes bytes = FullState().Serialize();
  bytes.push_back(0);
  EXPECT_THROW(State::Restore(bytes), InputError);
  bytes.resize(bytes.size() + 7, 0);
  EXPECT_THROW(State::Restore(bytes), InputError);
}

TEST(State, RefusesBytesWithoutTheMark) {
  for (int i = 0; i < 8; ++i) {
    Bytes bytes = FullState().Serialize();
    bytes[i] ^= 0x20;
    EXPECT_THROW(State::Restore(bytes), InputError) << i;
  }
  EXPECT_THROW(State::Restore(Bytes(1000, 0)), InputError);
}

// Where the sizes stand in FullState(): after mark and time, each followed by its values.
const std::vector<size_t> kSizePlaces = {16,          16 + 8 * 6,  16 + 8 * 10, 16 + 8 * 13,
                                         16 + 8 * 16, 16 + 8 * 20, 16 + 8 * 31, 16 + 8 * 37,
                                         16 + 8 * 68, 16 + 8 * 74, 16 + 8 * 78, 16 + 8 * 82};

Bytes WithWord(Bytes bytes, size_t place, std::int64_t word) {
  std::memcpy(bytes.data() + place, &word, 8);
  return bytes;
}

TEST(State, RefusesSizesThatTheBytesCannotHold) {
  const Bytes bytes = FullState().Serialize();
  std::vector<std::int64_t> sizes;
  for (size_t place : kSizePlaces) {
    std::int64_t size;
    std::memcpy(&size, bytes.data() + place, 8);
    sizes.push_back(size);
  }
  // The places are those of the sizes of q, v, activation, the inputs of actuators and joints,
  // wrenches, modes, contacts, warm_start, carried, synchronous and surplus.
  ASSERT_EQ(sizes, (std::vector<std::int64_t>{5, 3, 2, 2, 3, 1, 5, 2, 4, 3, 3, 6}));
  for (size_t place : kSizePlaces) {
    // A huge size must fail before memory for it is asked for.
    for (std::int64_t size :
         {std::int64_t{-1}, std::int64_t{1} << 40, std::int64_t{1} << 60,
          std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
      EXPECT_THROW(State::Restore(WithWord(bytes, place, size)), InputError)
          << place << " " << size;
    }
  }
}

TEST(State, RefusesSizesThatShiftTheRest) {
  const Bytes bytes = FullState().Serialize();
  for (size_t place : kSizePlaces) {
    for (std::int64_t change : {-1, 1}) {
      std::int64_t size;
      std::memcpy(&size, bytes.data() + place, 8);
      EXPECT_THROW(State::Restore(WithWord(bytes, place, size + change)), InputError) << place;
    }
  }
}

TEST(State, RefusesModesThatAreNoIntegersOfThisSize) {
  const Bytes bytes = FullState().Serialize();
  const size_t first_mode = kSizePlaces[6] + 8;
  for (std::int64_t mode : {std::int64_t{1} << 31, -(std::int64_t{1} << 31) - 1,
                            std::int64_t{1} << 32, std::numeric_limits<std::int64_t>::min()}) {
    EXPECT_THROW(State::Restore(WithWord(bytes, first_mode, mode)), InputError) << mode;
  }
}

TEST(State, NeverCrashesOnCorruptedBytes) {
  std::mt19937_64 random(1);
  const Bytes bytes = FullState().Serialize();
  for (int i = 0; i < 2000; ++i) {
    Bytes corrupted = bytes;
    for (int k = 0; k < 4; ++k) {
      corrupted[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    }
    try {
      // What is still a state must be one of the same bytes.
      EXPECT_EQ(State::Restore(corrupted).Serialize(), corrupted);
    } catch (const InputError&) {
    }
  }
}

TEST(State, SaysThatTheBytesAreNoState) {
  try {
    State::Restore({});
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("saved state"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("not a voigt state"), std::string::npos);
  }
}

}  // namespace
}  // namespace voigt
