#include "tests/support/golden.h"

#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <gtest/gtest.h>
#include <sys/utsname.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "voigt/dynamics/momentum_energy.h"

namespace voigt::testing {
namespace {

// A table whose lines begin with the name of a run; lines in the order of names.
using GoldenTable = std::map<std::string, std::string>;

std::string GoldenFile(const std::string& name) {
  return fmt::format("{}/tests/golden/{}.csv", VOIGT_SOURCE_DIR, name);
}

GoldenTable ReadGolden(const std::string& name) {
  GoldenTable table;
  std::ifstream in(GoldenFile(name));
  std::string line;
  while (std::getline(in, line)) {
    const size_t comma = line.find(',');
    if (comma == std::string::npos) continue;
    table[line.substr(0, comma)] = line.substr(comma + 1);
  }
  return table;
}

void WriteGolden(const std::string& name, const GoldenTable& table) {
  std::ofstream out(GoldenFile(name));
  for (const auto& [run, values] : table) out << run << ',' << values << '\n';
}

// What the last bits of a result depend on: the processor, the compiler, and the C library with
// its sines. Presets do not matter: no product is contracted into a sum, whatever the optimisation.
std::string MachineKind() {
  utsname host;
  uname(&host);
  const std::string libc = gnu_get_libc_version();
  return fmt::format("{}-gcc{}-libc{}", host.machine, __GNUC__, libc);
}

// In place of a hash: the run has changed where somebody had no such machine.
constexpr char kUnknown[] = "?";

// Where a run has changed, what other kinds of machines had is no longer known.
void ForgetElsewhere(const std::string& run) {
  for (const auto& entry : std::filesystem::directory_iterator(VOIGT_SOURCE_DIR "/tests/golden")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".csv" || name == "figures" || name == MachineKind()) continue;
    GoldenTable table = ReadGolden(name);
    table[run] = kUnknown;
    WriteGolden(name, table);
  }
}

// FNV-1a of the bits of t, q and v.
std::string HashOfEnd(const voigt::State& state) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto add = [&](double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (int shift = 0; shift < 64; shift += 8) {
      hash = (hash ^ ((bits >> shift) & 0xff)) * 0x100000001b3u;
    }
  };
  add(state.t);
  for (double value : state.q) add(value);
  for (double value : state.v) add(value);
  return fmt::format("{:016x}", hash);
}

struct GoldenFigures {
  double energy = 0;
  Vec3 center = Vec3::Zero();
};

GoldenFigures FiguresOf(Simulator* simulator) {
  const Model& model = simulator->model();
  Kinematics kin(model);
  UpdatePositions(model, simulator->state().q, &kin);
  return {simulator->CalcEnergy().Total(), CalcCenterOfMass(model, kin)};
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

bool HasGoldenHashes() { return std::filesystem::exists(GoldenFile(MachineKind())); }

int CountUnknownHashes() {
  int count = 0;
  for (const auto& [run, hash] : ReadGolden(MachineKind())) count += hash == kUnknown;
  return count;
}

void ExpectGolden(const std::string& run, Simulator* simulator) {
  const GoldenFigures figures = FiguresOf(simulator);
  GoldenTable table = ReadGolden("figures");
  if (IsUpdating()) {
    UpdateFigures(run, figures, &table);
    WriteGolden("figures", table);
  } else {
    ExpectFigures(run, figures, table);
  }
  ExpectGoldenHash(run, simulator->state());
}

void ExpectGoldenHash(const std::string& run, const voigt::State& end) {
  const std::string hash = HashOfEnd(end);
  GoldenTable hashes = ReadGolden(MachineKind());
  if (IsUpdating()) {
    const bool has_changed = HasGoldenHashes() && hashes[run] != hash && hashes[run] != kUnknown;
    if (has_changed) ForgetElsewhere(run);
    hashes[run] = hash;
    WriteGolden(MachineKind(), hashes);
    return;
  }
  if (!HasGoldenHashes() || hashes[run] == kUnknown) return;
  EXPECT_EQ(hash, hashes[run])
      << run << " ended in other bits than before; if that is meant, see tests/support/golden.h";
}

}  // namespace voigt::testing
