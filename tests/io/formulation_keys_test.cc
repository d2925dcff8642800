// Keys under `simulation` that only some formulations know, beside every one of them.

#include "voigt/io/formulation_keys.h"

#include <gtest/gtest.h>

#include <map>

#include "voigt/base/errors.h"
#include "voigt/io/scene.h"

namespace voigt {
namespace {

const std::map<std::string, std::string> kValueOfKey = {
    {"friction", "cone"},     {"linear_solver", "dense"},  {"time_limit", "1"},
    {"curvature", "none"},    {"cone", "{directions: 8}"}, {"viscous", "linear"},
    {"attempts", "[sweeps]"}, {"qcqp", "{zeta: 1e6}"},     {"normal_forces", "fixed-point"}};

// What reading a scene with this key says; empty if nothing.
std::string ReadWithKey(FormulationKind kind, const std::string& key) {
  const std::string scene =
      "name: Nothing\nsimulation:\n  formulation: " + std::string(ToString(kind)) + "\n  " + key +
      ": " + kValueOfKey.at(key) + "\n";
  try {
    ParseScene(scene, "scene.yaml");
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(FormulationKeys, AttemptsAreThoseThereAre) {
  const auto read = [](const char* list) {
    return ParseScene(std::string("name: Nothing\nsimulation: {attempts: ") + list + "}\n",
                      "scene.yaml");
  };
  const AttemptSet attempts =
      read("[sweeps, interior-point]").settings.formulation.compliant.attempts;
  EXPECT_TRUE(attempts.has(Attempt::kSweeps));
  EXPECT_TRUE(attempts.has(Attempt::kInteriorPoint));
  EXPECT_FALSE(attempts.has(Attempt::kLastImpulses));
  try {
    read("[sweeps, magic]");
    FAIL();
  } catch (const InputError& error) {
    const std::string words = error.what();
    EXPECT_NE(words.find("scene.yaml:2:"), std::string::npos) << words;
    EXPECT_NE(words.find("'magic', expected nothing, sweeps"), std::string::npos) << words;
  }
}

TEST(FormulationKeys, ScenesRefuseWhatBelongsToOthers) {
  int refused = 0;
  for (FormulationKind kind : ListFormulationKinds()) {
    const bool is_compliant = kind == FormulationKind::kCompliant;
    const bool is_round = is_compliant || ToString(kind).starts_with("mncp") ||
                          kind == FormulationKind::kMaxDissipation ||
                          kind == FormulationKind::kCompliantQcqp;
    for (std::string_view key : ListFormulationKeys()) {
      SCOPED_TRACE(std::string(key) + " beside " + std::string(ToString(kind)));
      bool is_known = key == "cone" ? !is_round : is_compliant;
      if (key == "viscous") is_known = kind == FormulationKind::kMaxDissipation;
      if (key == "normal_forces") is_known = false;
      if (key == "qcqp") is_known = kind == FormulationKind::kCompliantQcqp;
      EXPECT_EQ(FindOtherOwner(key, kind).empty(), is_known);
      const std::string words = ReadWithKey(kind, std::string(key));
      if (is_known) {
        EXPECT_EQ(words, "");
        continue;
      }
      ++refused;
      EXPECT_NE(words.find("scene.yaml:4:"), std::string::npos) << words;
      EXPECT_NE(words.find("not to '" + std::string(ToString(kind)) + "'"), std::string::npos)
          << words;
    }
  }
  EXPECT_EQ(refused, 8 * 5 + 5 + 8 + 8 + 9);
}

// What is accepted, and what is aimed at: for every formulation, and the second never above the
// first.
TEST(FormulationKeys, ToleranceAndAim) {
  const auto read = [](FormulationKind kind, const std::string& keys) {
    const std::string scene =
        "name: Nothing\nsimulation: {formulation: " + std::string(ToString(kind)) + keys + "}\n";
    return ParseScene(scene, "scene.yaml").settings.formulation;
  };
  for (FormulationKind kind : ListFormulationKinds()) {
    SCOPED_TRACE(ToString(kind));
    const auto expect = [&](const std::string& keys, double tolerance, double aim) {
      const FormulationSettings settings = read(kind, keys);
      EXPECT_EQ(settings.tolerance(), tolerance) << keys;
      const bool is_compliant = kind == FormulationKind::kCompliant;
      EXPECT_EQ(is_compliant ? settings.compliant.aim : settings.impulse_space.aim, aim) << keys;
    };
    expect("", 1e-8, 1e-12);
    expect(", tolerance: 1e-3", 1e-3, 1e-12);
    expect(", tolerance: 1e-13", 1e-13, 1e-13);
    expect(", aim: 1e-10", 1e-8, 1e-10);
    expect(", tolerance: 1e-3, aim: 1e-3", 1e-3, 1e-3);
  }
  try {
    read(FormulationKind::kCompliant, ", tolerance: 1e-10, aim: 1e-9");
    ADD_FAILURE() << "an aim above the tolerance";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("1e-09, expected at most the tolerance, 1e-10"),
              std::string::npos)
        << error.what();
  }
  for (const char* bad : {", tolerance: 0", ", aim: 0", ", aim: 2", ", aim: fine"}) {
    EXPECT_THROW(read(FormulationKind::kCompliant, bad), InputError) << bad;
  }
}

TEST(FormulationKeys, WeightsOfThePrintedProgramArePositive) {
  const auto read = [](const std::string& qcqp) {
    const std::string scene =
        "name: Nothing\nsimulation: {formulation: compliant-qcqp, qcqp: " + qcqp + "}\n";
    try {
      return ParseScene(scene, "scene.yaml").settings.formulation.impulse_space;
    } catch (const InputError& error) {
      ADD_FAILURE() << error.what();
      return ImpulseSpaceSettings();
    }
  };
  EXPECT_FALSE(read("{}").zeta.has_value());
  EXPECT_EQ(read("{zeta: 1e14, tangential_damping: 1e8}").zeta, 1e14);
  EXPECT_EQ(read("{zeta: 1e14, tangential_damping: 1e8}").tangential_damping, 1e8);
  for (const char* bad : {"{zeta: 0}", "{tangential_damping: -1}", "{zeta: inf}", "{beta: 1}"}) {
    EXPECT_THROW(ParseScene(std::string("name: Nothing\nsimulation: {formulation: compliant-qcqp, "
                                        "qcqp: ") +
                                bad + "}\n",
                            "scene.yaml"),
                 InputError)
        << bad;
  }
}

}  // namespace
}  // namespace voigt
