#include "voigt/io/yaml_value.h"

#include <gtest/gtest.h>

#include "tests/io/scene_problems.h"

namespace voigt {
namespace {

using Kind = YamlValue::Kind;
using testing::Lines;
using testing::ToLines;

// A document without problems.
YamlValue Parse(const std::string& text) {
  ProblemList problems;
  YamlValue value = ParseYaml(text, "f.yaml", &problems);
  EXPECT_EQ(ToLines(problems.problems()), Lines{}) << text;
  return value;
}

// All that is said about a document, whether thrown or collected.
Lines Complaints(const std::string& text) {
  ProblemList problems;
  try {
    ParseYaml(text, "f.yaml", &problems);
  } catch (const InputError& error) {
    problems.Append([&] {
      ProblemList thrown;
      for (const Problem& p : error.problems()) thrown.Add(p.where, p.element, p.message);
      return thrown;
    }());
  }
  return ToLines(problems.problems());
}

std::string Nested(int depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(YamlValue, TellsTheFourKindsApart) {
  const YamlValue root = Parse("a:\nb: ~\nc: 1.5\nd: [1, 2]\ne: {x: 1}\nf: 'null'\ng: \"\"\n");
  ASSERT_TRUE(root.IsMap());
  EXPECT_EQ(root.Find("a")->kind, Kind::kNull);
  EXPECT_EQ(root.Find("b")->kind, Kind::kNull);
  EXPECT_EQ(root.Find("c")->kind, Kind::kScalar);
  EXPECT_EQ(root.Find("d")->kind, Kind::kList);
  EXPECT_EQ(root.Find("e")->kind, Kind::kMap);
  // Quotes make a text of anything, an empty one included.
  EXPECT_EQ(root.Find("f")->text, "null");
  EXPECT_TRUE(root.Find("g")->IsScalar());
  EXPECT_EQ(root.Find("g")->text, "");
}

TEST(YamlValue, KeepsScalarsAsWrittenAndEntriesInOrder) {
  const YamlValue root = Parse("z: 0x10\ny: 1e-3\nx: yes\nw: ' two  words '\n");
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"z", "0x10"}, {"y", "1e-3"}, {"x", "yes"}, {"w", " two  words "}};
  ASSERT_EQ(root.entries.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(root.entries[i].key, expected[i].first);
    EXPECT_EQ(root.entries[i].value.text, expected[i].second);
  }
}

TEST(YamlValue, FindsKeysOfMapsOnly) {
  YamlValue root = Parse("a: 1\nlist: [a]\n");
  EXPECT_EQ(root.Find("missing"), nullptr);
  EXPECT_EQ(root.Find("list")->Find("a"), nullptr);
  EXPECT_EQ(root.Find("a")->Find("a"), nullptr);
  root.Find("a")->text = "2";
  EXPECT_EQ(std::as_const(root).Find("a")->text, "2");
}

TEST(YamlValue, DescribesItselfForMessages) {
  const YamlValue root = Parse("a: abc\nb: [1, 2, 3]\nc: {}\nd:\n");
  EXPECT_EQ(root.Find("a")->Describe(), "'abc'");
  EXPECT_EQ(root.Find("b")->Describe(), "a list of 3");
  EXPECT_EQ(root.Find("c")->Describe(), "a map");
  EXPECT_EQ(root.Find("d")->Describe(), "nothing");
}

TEST(YamlValue, KnowsWhereKeysAndNestedValuesStand) {
  const YamlValue root = Parse(
      "# a comment\n"
      "top:\n"
      "  - name: x\n"
      "    size: [1, {deep: 22}]\n"
      "other: 'quoted'\n");
  const auto at = [](const SourceLocation& where) { return where.ToString(); };
  EXPECT_EQ(at(root.where), "f.yaml:2:1");
  EXPECT_EQ(at(root.entries[0].where), "f.yaml:2:1");
  EXPECT_EQ(at(root.entries[1].where), "f.yaml:5:1");
  EXPECT_EQ(at(root.Find("other")->where), "f.yaml:5:8");
  const YamlValue& list = *root.Find("top");
  EXPECT_EQ(at(list.where), "f.yaml:3:3");
  const YamlValue& item = list.items[0];
  EXPECT_EQ(at(item.where), "f.yaml:3:5");
  EXPECT_EQ(at(item.entries[1].where), "f.yaml:4:5");
  const YamlValue& size = *item.Find("size");
  EXPECT_EQ(at(size.where), "f.yaml:4:11");
  EXPECT_EQ(at(size.items[0].where), "f.yaml:4:12");
  EXPECT_EQ(at(size.items[1].entries[0].where), "f.yaml:4:16");
  EXPECT_EQ(at(size.items[1].Find("deep")->where), "f.yaml:4:22");
}

TEST(YamlValue, PlacesMissingValuesAtTheirKeys) {
  const YamlValue root = Parse("a:\nb:\n  c:\n\n\nd: ~\n");
  EXPECT_EQ(root.Find("a")->where.ToString(), "f.yaml:1:1");
  EXPECT_EQ(root.Find("b")->Find("c")->where.ToString(), "f.yaml:3:3");
  EXPECT_EQ(root.Find("d")->where.ToString(), "f.yaml:6:1");
}

TEST(YamlValue, EmptyDocumentsAreNothing) {
  for (const char* text : {"", "\n\n", "# only a comment\n", "---\n", "~\n"}) {
    EXPECT_EQ(Parse(text).kind, Kind::kNull) << text;
  }
}

TEST(YamlValue, AliasesAreCopiesThatStandAtTheirAnchor) {
  const YamlValue root = Parse("a: &x {m: 1}\nb: *x\nc: [*x, *x]\n");
  EXPECT_EQ(root.Find("b")->Find("m")->text, "1");
  EXPECT_EQ(root.Find("c")->items[1].Find("m")->text, "1");
  EXPECT_EQ(root.Find("b")->where.ToString(), "f.yaml:1:4");
}

TEST(YamlValue, ReadsWindowsLineEndingsAndByteOrderMarks) {
  const YamlValue root = Parse(
      "\xef\xbb\xbf"
      "a: 1\r\nb: 2\r\n");
  EXPECT_EQ(root.Find("a")->text, "1");
  EXPECT_EQ(root.Find("b")->where.ToString(), "f.yaml:2:4");
}

TEST(YamlErrors, DuplicateKeysAreReportedAndTheFirstIsKept) {
  ProblemList problems;
  const YamlValue root = ParseYaml("a:\n  x: 1\nb: 2\na: 3\na: 4\n", "f.yaml", &problems);
  EXPECT_EQ(ToLines(problems.problems()),
            (Lines{"f.yaml:4:1: key 'a' is given twice, first at line 1",
                   "f.yaml:5:1: key 'a' is given twice, first at line 1"}));
  EXPECT_EQ(root.entries.size(), 2u);
  EXPECT_EQ(root.Find("a")->Find("x")->text, "1");
}

TEST(YamlErrors, DuplicateKeysAreFoundAtAnyDepthAndInFlowMaps) {
  EXPECT_EQ(Complaints("a:\n  - b: 1\n    b: 2\nc: {d: {e: 1, 'e': 2}}\n"),
            (Lines{"f.yaml:3:5: key 'b' is given twice, first at line 2",
                   "f.yaml:4:15: key 'e' is given twice, first at line 4"}));
}

TEST(YamlErrors, KeysMustBePlainText) {
  EXPECT_EQ(Complaints("? [a, b]\n: 1\n"), Lines{"f.yaml:1:3: a key must be plain text"});
  EXPECT_EQ(Complaints("x: {{a: 1}: 2}\n"), Lines{"f.yaml:1:5: a key must be plain text"});
  EXPECT_EQ(Complaints(": 5\n"), Lines{"f.yaml:1:1: a key must be plain text"});
}

TEST(YamlErrors, SyntaxErrorsNameLineAndColumn) {
  EXPECT_EQ(Complaints("a: 1\n  b: 2\n"), Lines{"f.yaml:2:4: not valid YAML: illegal map value"});
  EXPECT_EQ(Complaints("a: [1, 2\n"),
            Lines{"f.yaml:2:1: not valid YAML: end of sequence flow not found"});
  EXPECT_EQ(Complaints("a: 1\n\tb: 2\n"),
            Lines{"f.yaml:2:1: not valid YAML: illegal tab when looking for indentation"});
  EXPECT_EQ(Complaints("a: *nobody\n"),
            Lines{"f.yaml:1:4: not valid YAML: the referenced anchor is not defined"});
}

TEST(YamlErrors, TextMustBeUtf8) {
  EXPECT_EQ(Parse("a: \xc3\xbc\xe2\x82\xac\xf0\x9f\x9a\x80\n").Find("a")->text,
            "\xc3\xbc\xe2\x82\xac\xf0\x9f\x9a\x80");
  EXPECT_EQ(Complaints("a: 1\nb: \xc3\xbc\xff\n"),
            Lines{"f.yaml:2:5: byte 0xff, expected text in UTF-8"});
}

TEST(YamlErrors, FurtherDocumentsAreNotDropped) {
  EXPECT_EQ(Complaints("a: 1\n---\nb: 2\n---\nc: 3\n"),
            Lines{"f.yaml:3:1: a second document starts here, expected one per file"});
  // Marks of the end are fine.
  EXPECT_EQ(Complaints("---\na: 1\n...\n"), Lines{});
  EXPECT_EQ(Complaints("a: 1\n---\n"), Lines{});
}

// The YAML library takes these for documents without end.
TEST(YamlErrors, StrayEndsAreRefused) {
  for (const char* text : {", 1]}", "]", "}", ": ]", "a: 1\n---\n, b"}) {
    const Lines lines = Complaints(text);
    ASSERT_EQ(lines.size(), 1u) << text;
    EXPECT_NE(lines[0].find("not valid YAML: "), std::string::npos) << lines[0];
  }
  EXPECT_EQ(Complaints("a: 1\n---\n, b"),
            Lines{"f.yaml:3:1: not valid YAML: expected a key or a value"});
}

TEST(YamlErrors, DepthIsLimited) {
  EXPECT_EQ(Complaints(Nested(101)), Lines{});
  EXPECT_EQ(Complaints(Nested(102)),
            Lines{"f.yaml:1:102: the document is nested too deeply or too large"});
  // Far deeper, the YAML library gives up first.
  const Lines deepest = Complaints(Nested(5000));
  ASSERT_EQ(deepest.size(), 1u);
  EXPECT_NE(deepest[0].find("the document is nested too deeply or too large"), std::string::npos);
}

TEST(YamlErrors, AliasesThatContainThemselvesAreRefused) {
  EXPECT_EQ(Complaints("a: &x [*x]\n"),
            Lines{"f.yaml:1:4: the document is nested too deeply or too large"});
}

TEST(YamlErrors, AliasesThatMultiplyAreRefused) {
  std::string text = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (char c = 'b'; c <= 'i'; ++c) {
    const std::string one = std::string("*") + static_cast<char>(c - 1);
    text += std::string(1, c) + ": &" + c + " [" + one;
    for (int i = 1; i < 10; ++i) text += ", " + one;
    text += "]\n";
  }
  const Lines lines = Complaints(text);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("nested too deeply or too large"), std::string::npos);
}

}  // namespace
}  // namespace voigt
