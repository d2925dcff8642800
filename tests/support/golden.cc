#include "tests/support/golden.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "voigt/dynamics/momentum_energy.h"

namespace voigt::testing {
namespace {

// A table whose lines begin with the name of a run; lines in the order of names.
using GoldenTable = std::map<std::string, std::string>;

constexpr char kFile[] = VOIGT_SOURCE_DIR "/tests/golden/figures.csv";

GoldenTable ReadGolden() {
  GoldenTable table;
  std::ifstream in(kFile);
  std::string line;
  while (std::getline(in, line)) {
    const size_t comma = line.find(',');
    if (comma == std::string::npos) continue;
    table[line.substr(0, comma)] = line.substr(comma + 1);
  }
  return table;
}

void WriteGolden(const GoldenTable& table) {
  std::ofstream out(kFile);
  for (const auto& [run, values] : table) out << run << ',' << values << '\n';
}

struct GoldenFigures {
  double energy = 0;
  Vec3 center = Vec3::Zero();
};

GoldenFigures FiguresOf(Simulator* simulator) {
  const Model& model = simulator->model();
  Kinematics kin(model);
  UpdatePositions(model, simulator->state().q, &kin);
  const Energy energy = simulator->CalcEnergy();
  return {energy.Total() - energy.InRows(), CalcCenterOfMass(model, kin)};
}

// energy, centre, tolerance (relative): the last column is written by people, and kept.
void UpdateFigures(const std::string& run, const GoldenFigures& now, GoldenTable* table) {
  std::string tolerance = "1e-9";
  if (const auto old = table->find(run); old != table->end()) {
    tolerance = old->second.substr(old->second.rfind(',') + 1);
  }
  // What is rounding only would differ from machine to machine, signs of zeros too.
  const auto round = [](double x) { return std::round(1e12 * x) / 1e12 + 0.0; };
  (*table)[run] =
      fmt::format("{:.12g},{:.12g},{:.12g},{:.12g},{}", round(now.energy), round(now.center.x()),
                  round(now.center.y()), round(now.center.z()), tolerance);
}

void ExpectFigures(const std::string& run, const GoldenFigures& now, const GoldenTable& table) {
  const auto line = table.find(run);
  ASSERT_NE(line, table.end()) << run << " has no line in tests/golden/figures.csv";
  std::istringstream in(line->second);
  double value[5];
  char comma = 0;
  for (int i = 0; i < 5; ++i) {
    in >> value[i];
    ASSERT_TRUE(in) << run << ": " << line->second;
    in >> comma;
  }
  const double tolerance = value[4];
  EXPECT_NEAR(now.energy, value[0], tolerance * (1 + std::abs(value[0]))) << run;
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(now.center[i], value[1 + i], tolerance * (1 + std::abs(value[1 + i]))) << run;
  }
}

bool IsUpdating() { return std::getenv("VOIGT_UPDATE_GOLDEN") != nullptr; }

}  // namespace

void ExpectGolden(const std::string& run, Simulator* simulator) {
  const GoldenFigures figures = FiguresOf(simulator);
  GoldenTable table = ReadGolden();
  if (IsUpdating()) {
    UpdateFigures(run, figures, &table);
    WriteGolden(table);
  } else {
    ExpectFigures(run, figures, table);
  }
}

}  // namespace voigt::testing
