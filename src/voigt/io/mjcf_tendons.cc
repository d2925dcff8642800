#include <fmt/format.h>

#include <algorithm>

#include "voigt/io/mjcf_context.h"

namespace voigt {
namespace {

double FindMjcfReference(const MjcfContext& context, const std::string& joint) {
  const auto entry = context.out.reference.find(joint);
  return entry == context.out.reference.end() ? 0 : entry->second[0];
}

double CalcReferenceLength(const MjcfContext& context, const TendonSpec& tendon) {
  double l = 0;
  for (const JointTerm& term : tendon.terms) {
    l += term.factor * FindMjcfReference(context, term.joint);
  }
  return l;
}

// A spring without a length of its own is relaxed where those of the joints are.
double CalcRelaxedLength(const MjcfContext& context, const TendonSpec& tendon) {
  double l = 0;
  for (const JointTerm& term : tendon.terms) {
    const JointSpec* const joint = context.FindJoint(term.joint);
    if (!joint->rest.empty()) l += term.factor * joint->rest[0];
  }
  return l;
}

// Several terms of one joint are one.
void AddMjcfTerm(const std::string& joint, double factor, std::vector<JointTerm>* terms) {
  const auto same = std::find_if(terms->begin(), terms->end(),
                                 [&](const JointTerm& term) { return term.joint == joint; });
  if (same == terms->end()) {
    terms->push_back({joint, 0, factor});
  } else {
    same->factor += factor;
  }
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
    if (!MapMjcfSolver(solver, 1).is_rigid()) {
      context->Note(ImportNote::Kind::kApproximated, element.where, element.Describe(),
                    "solreflimit: the limit is rigid");
    }
  }
  const double friction = reader.Number("frictionloss", 0);
  if (context->flags.friction_loss) tendon.dry_friction = friction;
  const double stiffness = reader.Number("stiffness", 0), damping = reader.Number("damping", 0);
  const double rest = reader.Number("springlength", -1);
  if (context->flags.passive) {
    tendon.stiffness = stiffness;
    tendon.damping = damping;
  }
  if (!terms_are_good) return;
  tendon.rest = rest < 0 ? CalcRelaxedLength(*context, tendon) : rest;
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

// l₁ − l₁⁰ = c₀ + c₁ (l₂ − l₂⁰) + …, where l⁰ is the length in the reference pose.
void ReadMjcfTendonEquality(const XmlElement& element, MjcfContext* context) {
  const XmlReader reader = context->ReaderOf(element, {"equality"}, "");
  std::array<double, 5> c = {0, 1, 0, 0, 0};
  reader.Overwrite("polycoef", 1, c);
  const std::string first_name = reader.RequiredText("tendon1");
  const std::string second_name = reader.Text("tendon2");
  if (first_name.empty()) return;
  const TendonSpec* const first = FindMjcfTendon(reader, first_name, context);
  if (first == nullptr) return;
  CouplerSpec coupler;
  coupler.terms = first->terms;
  coupler.offset = c[0] + CalcReferenceLength(*context, *first);
  if (!second_name.empty()) {
    const TendonSpec* const second = FindMjcfTendon(reader, second_name, context);
    if (second == nullptr) return;
    if (c[2] != 0 || c[3] != 0 || c[4] != 0) {
      context->Note(ImportNote::Kind::kApproximated, element.where, element.Describe(),
                    "polycoef: powers above the first are left out");
    }
    for (const JointTerm& term : second->terms) {
      AddMjcfTerm(term.joint, -c[1] * term.factor, &coupler.terms);
    }
    coupler.offset -= c[1] * CalcReferenceLength(*context, *second);
    std::erase_if(coupler.terms, [](const JointTerm& term) { return term.factor == 0; });
  }
  if (coupler.terms.empty()) return reader.Fail("holds a tendon to itself");
  ConstraintSpec constraint;
  constraint.name = reader.Text("name", fmt::format("{}_{}", first_name, second_name));
  constraint.kind = coupler;
  constraint.where = element.where;
  context->out.spec.constraints.push_back(constraint);
}

}  // namespace voigt
