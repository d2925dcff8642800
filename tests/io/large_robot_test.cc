// Robots of a hundred thousand parts are read in time that grows with their size. Readers that
// search for every part among all others need minutes: processes of their own, with half a minute
// of the processor, read them.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "tests/io/robot_text.h"
#include "tests/support/samples.h"
#include "voigt/io/scene.h"

namespace voigt {
namespace {

using testing::ReadRobot;

const int kParts = testing::SampleCount(100'000);

// True if it returns true within half a minute, and within the usual depth of the stack.
bool IsQuick(const std::function<bool()>& read) {
  const pid_t pid = fork();
  if (pid == 0) {
    const rlimit seconds{30, 30};
    setrlimit(RLIMIT_CPU, &seconds);
    _exit(read() ? 0 : 1);
  }
  int status = -1;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// What InputError says; empty if there is none.
std::string Explain(const std::function<void()>& read) {
  try {
    read();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string ListLinks(int count, const char* end = "\n") {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += "<link name='l" + std::to_string(i) +
            "'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' "
            "izz='1'/></inertial></link>" +
            end;
  }
  return text;
}

// Joint i moves link i; `extra` is what stands in it beside.
std::string ListJoints(int count, const std::function<int(int)>& parent,
                       const std::function<std::string(int)>& extra, const char* end = "\n") {
  std::string text;
  for (int i = 1; i < count; ++i) {
    const std::string number = std::to_string(i);
    text += "<joint name='j" + number + "' type='continuous'><parent link='l" +
            std::to_string(parent(i)) + "'/><child link='l" + number + "'/>" + extra(i) +
            "</joint>" + end;
  }
  return text;
}

std::string None(int) { return ""; }

TEST(LargeRobot, ManyLinksOnOneAreRead) {
  const std::string parts = ListLinks(kParts) + ListJoints(kParts, [](int) { return 0; }, None);
  EXPECT_TRUE(IsQuick([&] { return ReadRobot(parts).spec.bodies.size() == size_t(kParts); }));
  EXPECT_TRUE(IsQuick(
      [&] { return ParseScene(testing::RobotText(parts), "r.urdf").model.nb() == kParts + 1; }));
}

TEST(LargeRobot, ALongChainIsReadAndItsModelRefusedWithTheReason) {
  const std::string parts =
      ListLinks(kParts) + ListJoints(kParts, [](int i) { return i - 1; }, None);
  EXPECT_TRUE(IsQuick([&] { return ReadRobot(parts).spec.bodies.size() == size_t(kParts); }));
  EXPECT_TRUE(IsQuick([&] {
    const std::string why = Explain([&] { ParseScene(testing::RobotText(parts), "r.urdf"); });
    return kParts < 100'000 || why.find("shorten its longest chains") != std::string::npos;
  }));
}

TEST(LargeRobot, AllInOneLineIsRead) {
  const std::string parts =
      ListLinks(kParts, "") + ListJoints(kParts, [](int) { return 0; }, None, "");
  EXPECT_TRUE(IsQuick([&] { return ReadRobot(parts).spec.bodies.size() == size_t(kParts); }));
}

TEST(LargeRobot, ChainsOfMimicsAreFollowed) {
  const auto mimic = [](int i) {
    return i == 1 ? std::string()
                  : "<mimic joint='j" + std::to_string(i - 1) + "' multiplier='-1' offset='1'/>";
  };
  const std::string parts = ListLinks(kParts) + ListJoints(kParts, [](int) { return 0; }, mimic);
  EXPECT_TRUE(IsQuick([&] {
    const ImportedModel model = ReadRobot(parts);
    return model.reference.at("j2")[0] == 1 && !model.reference.contains("j3");
  }));
}

TEST(LargeRobot, CirclesAreRefused) {
  // All links but the root in one circle, and all mimics in another.
  const int last = kParts - 1;
  const std::string circle =
      ListLinks(kParts) + ListJoints(kParts, [&](int i) { return i == 1 ? last : i - 1; }, None);
  EXPECT_TRUE(IsQuick([&] {
    return Explain([&] { ReadRobot(circle); }).find("is not connected to the root 'l0'") !=
           std::string::npos;
  }));
  const auto mimic = [&](int i) {
    return "<mimic joint='j" + std::to_string(i == 1 ? last : i - 1) + "'/>";
  };
  const std::string mimics = ListLinks(kParts) + ListJoints(kParts, [](int) { return 0; }, mimic);
  EXPECT_TRUE(IsQuick([&] {
    return Explain([&] { ReadRobot(mimics); }).find("goes round in a circle") != std::string::npos;
  }));
}

TEST(LargeRobot, ManyAttributesAreNoted) {
  std::string attributes, same;
  for (int i = 0; i < kParts; ++i) {
    attributes += " a" + std::to_string(i) + "='1'";
    same += " a='1'";
  }
  EXPECT_TRUE(IsQuick([&] {
    return ReadRobot("<link name='l'" + attributes + "/>").notes.size() == size_t(kParts);
  }));
  // Those that are given twice are problems, of which few are printed.
  EXPECT_TRUE(IsQuick([&] {
    const std::string why = Explain([&] { ReadRobot("<link name='l'" + same + "/>"); });
    return why.size() < 20'000 && why.find("\nand ") != std::string::npos;
  }));
}

TEST(LargeRobot, ManyShapesThatAreSeenAndTouchAreRead) {
  std::string shapes;
  for (int i = 0; i < kParts; ++i) {
    const std::string place = "<origin xyz='" + std::to_string(i) + " 0 ";
    const std::string sphere = "'/><geometry><sphere radius='1'/></geometry>";
    shapes += "<visual>" + place + (i == 7 ? "1" : "0") + sphere + "</visual>";
    shapes += "<collision>" + place + "0" + sphere + "</collision>\n";
  }
  EXPECT_TRUE(IsQuick([&] {
    const ImportedModel model = ReadRobot("<link name='l'>" + shapes + "</link>");
    return model.notes.size() == 1 && model.spec.bodies[0].geometry.size() == size_t(kParts);
  }));
}

TEST(LargeRobot, LongNamesAreCutInWhatIsSaidOfThem) {
  const std::string name(kParts, 'n');
  std::string attributes;
  for (int i = 0; i < 1000; ++i) attributes += " a" + std::to_string(i) + "='1'";
  EXPECT_TRUE(IsQuick([&] {
    const ImportedModel model = ReadRobot("<link name='" + name + "'" + attributes + "/>");
    return model.notes.size() == 1000 && model.notes[0].element.size() < 200;
  }));
}

}  // namespace
}  // namespace voigt
