// XML as plain data: places, values, and what nobody read.

#include "voigt/io/xml_reader.h"

#include <gtest/gtest.h>

#include "tests/io/scene_problems.h"

namespace voigt {
namespace {

using testing::ExpectLines;
using testing::ToLines;

std::vector<std::string> FindXmlProblems(const std::string& text) {
  ProblemList problems;
  try {
    ParseXml(text, "x", &problems);
  } catch (const InputError& error) {
    return ToLines(error.problems());
  }
  return ToLines(problems.problems());
}

TEST(Xml, KnowsWhereElementsAndAttributesStand) {
  ProblemList problems;
  const XmlElement root = ParseXml(
      "<?xml version='1.0'?>\n"
      "<!-- é > -->\n"
      "<robot  name=\"r\"\n"
      "   size = '1 2' >\n"
      "  <é a='>' b='&lt;\"'/><link/> text \n"
      "</robot>\n",
      "x", &problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(root.name, "robot");
  EXPECT_EQ(root.text, "text");
  EXPECT_EQ(root.where.ToString(), "x:3:2");
  ASSERT_EQ(root.attributes.size(), 2u);
  EXPECT_EQ(root.attributes[0].where.ToString(), "x:3:9");
  EXPECT_EQ(root.attributes[1].where.ToString(), "x:4:4");
  EXPECT_EQ(root.attributes[1].value, "1 2");
  ASSERT_EQ(root.children.size(), 2u);
  const XmlElement& child = root.children[0];
  EXPECT_EQ(child.where.ToString(), "x:5:4");
  ASSERT_EQ(child.attributes.size(), 2u);
  EXPECT_EQ(child.attributes[0].where.ToString(), "x:5:6");
  EXPECT_EQ(child.attributes[1].where.ToString(), "x:5:12");
  EXPECT_EQ(child.attributes[1].value, "<\"");
  EXPECT_EQ(root.children[1].where.ToString(), "x:5:24");
}

TEST(Xml, RefusesWhatIsNotWellFormed) {
  ExpectLines(FindXmlProblems("<a>\n<b></a>"), {{"x:2:", "not well-formed XML"}});
  ExpectLines(FindXmlProblems("<a b=1/>"), {{"x:1:", "not well-formed XML"}});
  ExpectLines(FindXmlProblems(""), {{"x:1:1", "not well-formed XML"}});
  ExpectLines(FindXmlProblems("<a>\n \xff</a>"), {{"x:2:2", "not UTF-8"}});
  ExpectLines(FindXmlProblems("<a b='1' c='2'\nb='3'/>"), {{"x:2:1: a: ", "given twice"}});
  ExpectLines(FindXmlProblems("<a/><b/>"), {{"x:1:6: b: ", "after the end of 'a'"}});
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  for (int i = 0; i < 100000; ++i) deep += "</a>";
  ExpectLines(FindXmlProblems(deep), {{"x:1:", "nested deeper than"}});
}

TEST(Xml, ReadsTypedAttributes) {
  ProblemList problems;
  const XmlElement root = ParseXml(
      "<a n='-1.5e1' p='+2' i='7' v='1\t2\n 3' t='word' y='true' z='0' c='red'/>", "x", &problems);
  const XmlReader reader(root, &problems);
  EXPECT_EQ(reader.Number("n", 0), -15);
  EXPECT_EQ(reader.Number("p", 0), 2);
  EXPECT_EQ(reader.Number("none", 4), 4);
  EXPECT_EQ(reader.Integer("i", 0), 7);
  EXPECT_EQ(reader.Vector("v", Vec3::Zero()), Vec3(1, 2, 3));
  EXPECT_EQ(reader.Text("t"), "word");
  EXPECT_TRUE(reader.Flag("y", false));
  EXPECT_FALSE(reader.Flag("z", true));
  EXPECT_EQ(reader.Choice<int>("c", {{"green", 1}, {"red", 2}}), 2);
  EXPECT_EQ(reader.Choice<int>("d", {{"green", 1}}), std::nullopt);
  EXPECT_TRUE(problems.empty());
  EXPECT_TRUE(ListUnread(root).empty());
}

TEST(Xml, ReportsEveryBadValue) {
  ProblemList problems;
  const XmlElement root = ParseXml(
      "<a name='q' n='1x' e='' nan='nan' inf='1e999' i='1.5' v='1 2' w='1 2 3 4' y='yes' c='blue'\n"
      "/>",
      "x", &problems);
  const XmlReader reader(root, &problems);
  EXPECT_EQ(reader.Number("n", 3), 3);
  EXPECT_EQ(reader.Number("e", 3), 3);
  reader.Number("nan", 0);
  reader.Number("inf", 0);
  EXPECT_EQ(reader.Integer("i", 8), 8);
  EXPECT_EQ(reader.Vector("v", Vec3::Ones()), Vec3::Ones());
  EXPECT_TRUE(reader.Numbers("w", 1, 3).empty());
  EXPECT_TRUE(reader.Flag("y", true));
  reader.Choice<int>("c", {{"green", 1}, {"red", 2}});
  reader.RequiredText("e");
  reader.RequiredNumber("missing", 1);
  ExpectLines(ToLines(problems.problems()),
              {{"x:1:13: a 'q'.n: ", "'1x', expected a number"},
               {"x:1:20: a 'q'.e: ", "'', expected a number"},
               {"x:1:25: a 'q'.nan: ", "'nan', expected a number"},
               {"x:1:35: a 'q'.inf: ", "'1e999', expected a number"},
               {"x:1:47: a 'q'.i: ", "expected a whole number"},
               {"x:1:55: a 'q'.v: ", "'1 2', expected 3 numbers"},
               {"x:1:63: a 'q'.w: ", "expected 1 to 3 numbers"},
               {"x:1:75: a 'q'.y: ", "'yes', expected true, false, 1 or 0"},
               {"x:1:83: a 'q'.c: ", "'blue', expected green or red"},
               {"x:1:20: a 'q'.e: ", "is empty"},
               {"x:1:2: a 'q': ", "'missing' is missing"}});
}

TEST(Xml, DefaultsFillWhatAnElementLacksNearestFirst) {
  ProblemList problems;
  const XmlElement root = ParseXml(
      "<a><geom size='1'/><geom size='7 8' type='box'/><geom size='4 5 6' type='ball' "
      "mass='2'/></a>",
      "x", &problems);
  const XmlReader reader(root.children[0], &problems, {&root.children[1], &root.children[2]});
  double size[3] = {0, 0, 0};
  EXPECT_TRUE(reader.Overwrite("size", 1, size));
  EXPECT_EQ(size[0], 1);
  EXPECT_EQ(size[1], 8);
  EXPECT_EQ(size[2], 6);
  EXPECT_EQ(reader.Text("type"), "box");
  EXPECT_EQ(reader.Number("mass", 0), 2);
  EXPECT_FALSE(reader.Overwrite("none", 1, size));
  EXPECT_TRUE(problems.empty());
}

TEST(Xml, ListsAllThatNobodyRead) {
  ProblemList problems;
  const XmlElement root = ParseXml(
      "<a one='1' two='2'>\n<b name='n' three='3'/>\n<c four='4'><d/></c><e five='5'><f/></e></a>",
      "x", &problems);
  const XmlReader reader(root, &problems);
  reader.Ignore({"one"});
  ASSERT_NE(reader.Child("b"), nullptr);
  EXPECT_EQ(reader.Child("none"), nullptr);
  root.Children("e")[0]->MarkAllAsRead();
  const std::vector<UnreadXml> unread = ListUnread(root);
  ASSERT_EQ(unread.size(), 4u);
  EXPECT_EQ(unread[0].name, "two");
  EXPECT_TRUE(unread[0].is_attribute);
  EXPECT_EQ(unread[0].where.ToString(), "x:1:12");
  EXPECT_EQ(unread[1].name, "name");
  EXPECT_EQ(unread[2].element, "b 'n'");
  EXPECT_EQ(unread[3].name, "c");
  EXPECT_FALSE(unread[3].is_attribute);
}

}  // namespace
}  // namespace voigt
