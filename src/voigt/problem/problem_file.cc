#include "voigt/problem/problem_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "voigt/base/check.h"
#include "voigt/base/errors.h"
#include "voigt/problem/word_reader.h"

namespace voigt {
namespace {

constexpr std::string_view kHeader = "voigt-problem";
constexpr int kVersion = 3;  // 1 knew no torsion and rolling, 2 no viscous friction in cones
constexpr Law kLaws[] = {Law::kBilateral, Law::kUnilateral, Law::kContact, Law::kBounded};
constexpr std::string_view kForceLaws[] = {"linear", "hertz", "hunt_crossley"};

template <class Values>
void AppendList(std::string_view name, const Values& values, std::string* out) {
  fmt::format_to(std::back_inserter(*out), "{} {}", name, values.size());
  for (const auto value : values) fmt::format_to(std::back_inserter(*out), " {}", value);
  out->push_back('\n');
}

void AppendGroup(const VelocityProblem& problem, const RowGroup& group, std::string* out) {
  const auto at = std::back_inserter(*out);
  const ForceLaw& law = group.force_law;
  fmt::format_to(at, "group {} {} {}\n", ToString(group.law), group.row_count, group.col_count);
  fmt::format_to(at, "friction {} {} {} {} {}\n", group.mu, group.lagged_impulse, group.torsion,
                 group.rolling, group.viscous);
  fmt::format_to(at, "force_law {} {} {}\n", kForceLaws[static_cast<int>(law.kind)], law.stiffness,
                 law.dissipation);
  fmt::format_to(at, "origin {} {}\n", group.constraint, group.id);
  fmt::format_to(at, "cols");
  for (const int column : problem.cols_of(group)) fmt::format_to(at, " {}", column);
  out->push_back('\n');
  for (int r = 0; r < group.row_count; ++r) {
    const Row& row = problem.rows[group.first_row + r];
    fmt::format_to(at, "row {} {} {} {} {} {} {} {} {} {} {}\nG", row.phi, row.phi_t, row.c,
                   row.tau, row.R, row.v_hat, row.v_hat_slope, row.lower, row.upper, row.guess,
                   row.angular ? 1 : 0);
    for (int k = 0; k < group.col_count; ++k) {
      fmt::format_to(at, " {}", problem.entries(group, r)[k]);
    }
    out->push_back('\n');
  }
}

TreePattern ReadPattern(WordReader* in) {
  in->Expect("parents");
  std::vector<int> parent(in->Count("the number of degrees of freedom"));
  for (int k = 0; k < static_cast<int>(parent.size()); ++k) {
    parent[k] = in->Number<int>("a parent");
    // Depth first: the parent is the last index or one of its ancestors.
    int up = k - 1;
    while (up >= 0 && up != parent[k]) up = parent[up];
    if (up != parent[k]) {
      in->Fail(fmt::format("found the parent {} of {}, expected -1 or a number on the path to {}",
                           parent[k], k, k - 1));
    }
  }
  return TreePattern(std::move(parent));
}

Law ReadLaw(WordReader* in) {
  const std::string_view word = in->Word();
  for (const Law law : kLaws) {
    if (word == ToString(law)) return law;
  }
  in->Fail(
      fmt::format("found the law '{}', expected bilateral, unilateral, contact or bounded", word));
}

ForceLaw ReadForceLaw(WordReader* in) {
  in->Expect("force_law");
  const std::string_view word = in->Word();
  const auto found = std::find(std::begin(kForceLaws), std::end(kForceLaws), word);
  if (found == std::end(kForceLaws)) {
    in->Fail(
        fmt::format("found the force law '{}', expected linear, hertz or hunt_crossley", word));
  }
  ForceLaw out;
  out.kind = static_cast<ForceLaw::Kind>(found - std::begin(kForceLaws));
  out.stiffness = in->Finite("a stiffness");
  out.dissipation = in->Finite("a dissipation");
  return out;
}

Row ReadRow(WordReader* in) {
  in->Expect("row");
  Row row;
  row.phi = in->Finite("phi");
  row.phi_t = in->Finite("phi_t");
  row.c = in->Finite("c");
  row.tau = in->Finite("tau");
  row.R = in->Finite("R");
  row.v_hat = in->Finite("v_hat");
  row.v_hat_slope = in->Finite("the slope of v_hat");
  row.lower = in->Number<double>("a lower bound");
  row.upper = in->Number<double>("an upper bound");
  row.guess = in->Finite("a guess");
  row.angular = in->Number<int>("0 or 1") != 0;
  if (row.c < 0 || row.tau < 0 || row.R < 0) in->Fail("c, tau and R must not be negative");
  if (!(row.lower <= row.upper)) {
    in->Fail(fmt::format("the lower bound {} is not below the upper one {}", row.lower, row.upper));
  }
  return row;
}

// A friction coefficient or length of a group, which has rows for it or not.
double ReadCoefficient(std::string_view name, bool has_rows, WordReader* in) {
  const double value = in->Finite(fmt::format("the {} of a contact", name));
  if (value < 0) in->Fail(fmt::format("found {} = {}, expected at least 0", name, value));
  if (value > 0 && !has_rows) {
    in->Fail(fmt::format("found {} = {}, and no rows that it acts on", name, value));
  }
  return value;
}

void ReadFriction(int version, RowGroup* group, WordReader* in) {
  const bool is_contact = group->law == Law::kContact;
  if (is_contact && group->row_count > RowGroup::kMaxContactRows) {
    in->Fail(fmt::format("found a contact of {} rows, expected no more than {}", group->row_count,
                         RowGroup::kMaxContactRows));
  }
  if (is_contact && version == 1 && group->row_count > 3) {
    in->Fail(
        fmt::format("found a contact of {} rows, which version 1 does not know", group->row_count));
  }
  in->Expect("friction");
  group->mu = ReadCoefficient("μ", true, in);
  group->lagged_impulse = in->Number<double>("an impulse or nan");
  if (version == 1) return;
  group->torsion = ReadCoefficient("torsion", is_contact && group->has_torsion(), in);
  group->rolling = ReadCoefficient("rolling", is_contact && group->has_rolling(), in);
  if (version == 2) return;
  group->viscous = ReadCoefficient("viscous friction", is_contact && group->row_count > 1, in);
}

void ReadGroup(WordReader* in, int version, int nv, VelocityProblem* problem) {
  in->Expect("group");
  RowGroup group;
  group.law = ReadLaw(in);
  group.first_row = problem->row_count();
  group.row_count = in->Count("the number of rows");
  group.first_col = static_cast<int>(problem->cols.size());
  group.col_count = in->Count("the number of columns");
  group.first_entry = static_cast<int>(problem->G.size());
  if (group.row_count < 1) in->Fail("a group needs a row");
  ReadFriction(version, &group, in);
  group.force_law = ReadForceLaw(in);
  in->Expect("origin");
  group.constraint = in->Number<int>("the number of a constraint");
  group.id = in->Number<std::uint64_t>("an id");
  in->Expect("cols");
  for (int k = 0; k < group.col_count; ++k) {
    const int column = in->Number<int>("a column");
    if (column < 0 || column >= nv) {
      in->Fail(fmt::format("found the column {}, expected 0 … {}", column, nv - 1));
    }
    problem->cols.push_back(column);
  }
  for (int r = 0; r < group.row_count; ++r) {
    problem->rows.push_back(ReadRow(in));
    in->Expect("G");
    for (int k = 0; k < group.col_count; ++k) problem->G.push_back(in->Finite("an entry of G"));
  }
  problem->groups.push_back(group);
}

}  // namespace

std::string FormatProblem(const VelocityProblem& problem) {
  std::vector<int> parents(problem.nv());
  for (int k = 0; k < problem.nv(); ++k) parents[k] = problem.pattern->parent(k);
  std::string out = fmt::format("{} {}\nh {}\n", kHeader, kVersion, problem.h);
  AppendList("parents", parents, &out);
  AppendList("M", *problem.M, &out);
  AppendList("v_star", problem.v_star, &out);
  fmt::format_to(std::back_inserter(out), "groups {}\n", problem.groups.size());
  int row = 0;
  for (const RowGroup& group : problem.groups) {
    VOIGT_CHECK(group.first_row == row);
    row += group.row_count;
    if (group.force_law.kind == ForceLaw::Kind::kUser) {
      throw InputError({}, fmt::format("row {}", group.first_row),
                       "has a force law of the user's own, which cannot be written to a file");
    }
    AppendGroup(problem, group, &out);
  }
  return out + "end\n";
}

OwnedProblem ParseProblem(std::string_view text, const std::string& file) {
  WordReader in(text, file);
  in.Expect(kHeader);
  const int version = in.Number<int>("the version of the format");
  if (version < 1 || version > kVersion) {
    in.Fail(fmt::format("found version {}, expected 1 … {}", version, kVersion));
  }
  OwnedProblem out;
  in.Expect("h");
  out.problem.h = in.Finite("a step in seconds");
  if (!(out.problem.h > 0)) in.Fail(fmt::format("found h = {}, expected h > 0", out.problem.h));
  out.pattern = ReadPattern(&in);
  in.Expect("M");
  out.M = in.Vector("an entry of the mass matrix", out.pattern.nonzeros());
  in.FinishLine();
  try {
    out.Attach();
  } catch (const InputError& error) {
    in.Fail("the mass matrix " + error.problems()[0].message);
  }
  in.Expect("v_star");
  out.problem.v_star = in.Vector("a velocity", out.pattern.size());
  in.Expect("groups");
  const int group_count = in.Count("the number of groups");
  for (int g = 0; g < group_count; ++g) {
    ReadGroup(&in, version, out.pattern.size(), &out.problem);
  }

  in.Expect("end");
  in.FinishLine();
  return out;
}

void SaveProblem(const VelocityProblem& problem, const std::string& path) {
  const std::string text = FormatProblem(problem);
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw InputError({path, 0, 0}, "problem", "cannot be written");
}

OwnedProblem LoadProblem(const std::string& path) {
  // A directory opens like a file.
  std::error_code ignored;
  std::ifstream in;
  if (!std::filesystem::is_directory(path, ignored)) in.open(path, std::ios::binary);
  if (!in.is_open()) {
    throw InputError({path, 0, 0}, "problem", "cannot be read: does the file exist?");
  }
  return ParseProblem(std::string(std::istreambuf_iterator<char>(in), {}), path);
}

}  // namespace voigt
