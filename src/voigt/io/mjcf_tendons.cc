#include <fmt/format.h>

#include <algorithm>

#include "voigt/io/mjcf_context.h"

namespace voigt {
namespace {

// A spring without a length of its own is relaxed where those of the joints are.
double CalcRelaxedLength(const MjcfContext& context, const TendonSpec& tendon) {
  double l = 0;
  for (const JointTerm& term : tendon.terms) {
    l += term.factor * context.FindSpringReference(term.joint);
  }
  return l;
}

// One number, or the two ends between which a spring is slack; −1: as CalcRelaxedLength says.
void ReadSpringLength(const XmlReader& reader, const MjcfContext& context, TendonSpec* tendon) {
  const std::vector<double> ends = reader.Numbers("springlength", 1, 2);
  if (ends.empty() || ends[0] == -1) {
    tendon->rest = CalcRelaxedLength(context, *tendon);
    return;
  }
  tendon->rest = ends[0];
  if (ends.size() < 2) return;
  if (ends[1] < ends[0]) {
    reader.Fail(fmt::format("springlength [{}, {}], expected the first not to be larger", ends[0],
                            ends[1]));
  }
  tendon->slack = std::max(0.0, ends[1] - ends[0]);
}

std::vector<JointTerm> ReadMjcfTerms(const XmlElement& element, MjcfContext* context) {
  std::vector<JointTerm> terms;
  for (const XmlElement* child : element.Children("joint")) {
    const XmlReader reader(*child, &context->problems);
    const std::string name = reader.RequiredText("joint");
    const double factor = reader.RequiredNumber("coef", 1);
    if (name.empty()) continue;
    const JointSpec* const joint = context->FindJoint(name);
    if (joint == nullptr) {
      reader.Fail(fmt::format("joint '{}' does not exist", name));
    } else if (CoordinateCount(joint->type) != 1) {
      reader.Fail(fmt::format("joint '{}' is no hinge or slide", name));
    } else {
      AddMjcfTerm(name, factor, &terms);
    }
  }
  std::erase_if(terms, [](const JointTerm& term) { return term.factor == 0; });
  return terms;
}

void ReadFixedTendon(const XmlElement& element, MjcfContext* context) {
  const XmlReader reader = context->ReaderOf(element, {"tendon"}, "");
  reader.Ignore(
      {"class", "group", "user", "width", "material", "rgba", "solreffriction", "solimpfriction"});
  TendonSpec tendon;
  tendon.where = element.where;
  tendon.name = reader.Text("name");
  std::set<std::string> taken;
  for (const TendonSpec& other : context->out.spec.tendons) taken.insert(other.name);
  if (tendon.name.empty()) {
    tendon.name = TakeName("tendon", &taken);
  } else if (taken.contains(tendon.name)) {
    reader.Fail(fmt::format("name '{}' is taken by another tendon", tendon.name));
  }
  const size_t before = context->problems.problems().size();
  tendon.terms = ReadMjcfTerms(element, context);
  const bool terms_are_good = context->problems.problems().size() == before;
  if (terms_are_good && tendon.terms.empty()) reader.Fail("has no joints");

  const std::optional<ValueRange> range = ReadMjcfRange(reader, "limited", "range", context);
  const MjcfSolver solver = ReadMjcfSolver(reader, "solreflimit", "solimplimit");
  const double margin = reader.Number("margin", 0);
  if (range && context->flags.limits) {
    tendon.range = *range;
    if (margin != 0) {
      context->Note(ImportNote::Kind::kApproximated, element.where, element.Describe(),
                    "margin: the limit acts at its end, not before");
    }
    if (IsSoftMjcf(solver)) context->soft_tendons[tendon.name] = solver;
  }
  const double friction = reader.Number("frictionloss", 0);
  if (context->flags.friction_loss) tendon.dry_friction = friction;
  const double stiffness = reader.Number("stiffness", 0), damping = reader.Number("damping", 0);
  if (context->flags.passive) {
    tendon.stiffness = stiffness;
    tendon.damping = damping;
  }
  ReadSpringLength(reader, *context, &tendon);
  if (!terms_are_good) return;
  context->out.spec.tendons.push_back(std::move(tendon));
}

const TendonSpec* FindMjcfTendon(const XmlReader& reader, const std::string& name,
                                 MjcfContext* context) {
  for (const TendonSpec& tendon : context->out.spec.tendons) {
    if (tendon.name == name) return &tendon;
  }
  if (context->left_out_tendons.contains(name)) {
    context->Note(ImportNote::Kind::kUnsupported, reader.where(), reader.element().Describe(),
                  fmt::format("tendon '{}' is left out, and so is this", name));
  } else {
    reader.Fail(fmt::format("tendon '{}' does not exist", name));
  }
  return nullptr;
}

}  // namespace

void AddMjcfTerm(const std::string& joint, double factor, std::vector<JointTerm>* terms) {
  const auto same = std::find_if(terms->begin(), terms->end(),
                                 [&](const JointTerm& term) { return term.joint == joint; });
  if (same == terms->end()) {
    terms->push_back({joint, 0, factor});
  } else {
    same->factor += factor;
  }
}

std::optional<ValueRange> ReadMjcfRange(const XmlReader& reader, std::string_view limited,
                                        std::string_view range, MjcfContext* context) {
  std::array<double, 2> ends = {0, 0};
  reader.Overwrite(range, 2, ends);
  const int choice =
      reader.Choice<int>(limited, {{"false", 0}, {"true", 1}, {"auto", 2}}).value_or(2);
  const bool has_range = ends[0] != 0 || ends[1] != 0;
  if (choice == 0 || (choice == 2 && !has_range)) return std::nullopt;
  if (choice == 2 && !context->compiler.auto_limits) {
    reader.Fail(fmt::format(
        "has '{}', but neither '{}' nor the compiler's 'autolimits' says whether it counts", range,
        limited));
  }
  if (ends[0] < ends[1]) return ValueRange{ends[0], ends[1]};
  reader.Fail(
      fmt::format("{} [{}, {}], expected the first to be smaller", range, ends[0], ends[1]));
  return std::nullopt;
}

void ReadMjcfTendons(const XmlElement& section, MjcfContext* context) {
  section.was_read = true;
  for (const XmlElement& element : section.children) {
    element.was_read = true;
    if (element.name == "fixed") {
      ReadFixedTendon(element, context);
      continue;
    }
    element.MarkAllAsRead();
    context->left_out_tendons.insert(std::string(element.Peek("name")));
    context->Note(ImportNote::Kind::kUnsupported, element.where, element.Describe(),
                  "tendons through space are left out");
  }
}

void ReadMjcfTendonEquality(const XmlReader& reader, const MjcfSolver& solver,
                            MjcfContext* context) {
  const std::string first_name = reader.RequiredText("tendon1");
  const std::string second_name = reader.Text("tendon2");
  if (first_name.empty()) return;
  const TendonSpec* const first = FindMjcfTendon(reader, first_name, context);
  if (first == nullptr) return;
  std::vector<JointTerm> second;
  if (!second_name.empty()) {
    const TendonSpec* const found = FindMjcfTendon(reader, second_name, context);
    if (found == nullptr) return;
    second = found->terms;
  }
  AddMjcfCoupler(reader, fmt::format("{}_{}", first_name, second_name), first->terms, second,
                 solver, context);
}

}  // namespace voigt
