#include "reproduce/core/data_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "voigt/io/object_reader.h"

namespace voigt::reproduce {
namespace {

std::optional<double> ReadOptional(ObjectReader* reader, std::string_view key) {
  if (!reader->Has(key)) return std::nullopt;
  return reader->Number(key, 0);
}

std::optional<Claim> ReadClaim(ObjectReader* parent, std::string_view key) {
  const YamlValue* value = parent->Find(key);
  if (value == nullptr) return std::nullopt;
  ObjectReader reader(*value, parent->path() + "." + std::string(key), parent->context());
  Claim out;
  out.value = ReadOptional(&reader, "value");
  out.absolute = reader.Number("within", 0);
  out.relative = reader.Number("relative", 0);
  out.above = ReadOptional(&reader, "above");
  out.below = ReadOptional(&reader, "below");
  out.says = reader.Text("says", "");
  out.from = reader.RequiredText("from");
  reader.Finish();
  const bool is_bounded = out.above || out.below;
  if (out.value.has_value() == is_bounded) {
    reader.Fail("expected either 'value' with 'within' or 'relative', or 'above' or 'below'");
  }
  if (out.value && !(out.absolute > 0) && !(out.relative > 0)) {
    reader.Fail("a value without a tolerance, expected 'within' or 'relative' above 0");
  }
  return out;
}

Quantity ReadQuantity(ObjectReader& reader) {
  Quantity out;
  out.name = reader.RequiredName();
  out.label = reader.RequiredText("label");
  out.unit = reader.Text("unit", "");
  out.paper = ReadClaim(&reader, "paper");
  out.reference = ReadClaim(&reader, "reference");
  out.why_not = reader.Text("why_not", "");
  out.is_slow = reader.Flag("slow", false);
  if (!out.paper && !out.reference) {
    reader.Fail("nothing to compare with, expected 'paper' or 'reference'");
  }
  if (!out.why_not.empty() && (!out.paper || !out.reference)) {
    reader.Fail("'why_not' needs 'paper' and 'reference': an excuse alone proves nothing");
  }
  return out;
}

}  // namespace

bool Claim::Holds(double ours) const {
  if (!std::isfinite(ours)) return false;
  if (value) {
    const double tolerance = std::max(absolute, relative * std::abs(*value));
    return std::abs(ours - *value) <= tolerance;
  }
  return (!above || ours > *above) && (!below || ours < *below);
}

std::string Claim::ToString() const {
  if (!says.empty()) return says;
  if (value) return fmt::format("{:.10g}", *value);
  std::string out;
  if (above) out += fmt::format("> {:g}", *above);
  if (below) out += fmt::format("{}< {:g}", out.empty() ? "" : ", ", *below);
  return out;
}

ExperimentData ParseExperimentData(const std::string& text, const std::string& file,
                                   const std::string& name) {
  ReadContext context;
  const YamlValue root = ParseYaml(text, file, &context.problems);
  ObjectReader reader(root, "", &context);
  ExperimentData out;
  out.name = name;
  out.paper = reader.RequiredText("paper");
  out.place = reader.RequiredText("place");
  out.title = reader.RequiredText("title");
  out.set_up = reader.RequiredText("set_up");
  out.remark = reader.Text("remark", "");
  out.missing = reader.Text("missing", "");
  out.is_timing = reader.Flag("timing", false);
  std::set<std::string> names;
  ReadList(&reader, "quantities", [&](ObjectReader& element) {
    out.quantities.push_back(ReadQuantity(element));
    if (!names.insert(out.quantities.back().name).second) element.Fail("a name that is not new");
  });
  if (const YamlValue* constants = reader.Find("constants")) {
    ObjectReader list(*constants, "constants", &context);
    for (const YamlEntry& entry : constants->entries) {
      if (entry.key == "from") continue;
      out.constants[entry.key] = list.RequiredNumbers(entry.key, "numbers");
    }
    out.constants_from = list.RequiredText("from");
    list.Finish();
  }
  reader.Finish();
  if (out.missing.empty() == out.quantities.empty()) {
    reader.Fail("expected either 'quantities' or 'missing'");
  }
  context.problems.ThrowIfAny();
  return out;
}

}  // namespace voigt::reproduce
