// voigt reproduce, as a user runs it.

#include <gtest/gtest.h>
#include <signal.h>

#include "tests/apps/json.h"
#include "tests/apps/program.h"

namespace voigt {
namespace {

class ReproduceCommand : public testing::ProgramTest {
 protected:
  // Waits until the program has printed this.
  void WaitForOutput(const std::string& text) const {
    for (int i = 0; i < 3000; ++i) {
      if (Exists("stdout.txt") && Read("stdout.txt").find(text) != std::string::npos) return;
      usleep(10'000);
    }
    FAIL() << "not within 30 s: " << text;
  }
};

using testing::Json;
using testing::ParseJson;
using testing::ProgramResult;

TEST_F(ReproduceCommand, PrintsATable) {
  const ProgramResult result = Run("reproduce 000-figure-3 --quick");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("Drumwright 2019, figure 3"), std::string::npos);
  EXPECT_NE(result.out.find("0.09950371902"), std::string::npos);
  EXPECT_NE(result.out.find("1 tables and figures: 1 reproduced, 0 does not match"),
            std::string::npos);
  EXPECT_EQ(result.err, "");  // no bar where nobody sees it
}

TEST_F(ReproduceCommand, PrintsAListOfObjectsAsJson) {
  const ProgramResult result = Run("reproduce 000-figure-2 000-figure-3 --quick --json");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Json list = ParseJson(result.out);
  ASSERT_EQ(list.kind, Json::Kind::kArray);
  ASSERT_EQ(list.items.size(), 2u);
  for (const Json& item : list.items) {
    ASSERT_EQ(item.kind, Json::Kind::kObject);
    for (const char* key : {"name", "paper", "ours", "reference", "verdict", "wall_time"}) {
      EXPECT_EQ(item.members.count(key), 1u) << key;
    }
    EXPECT_EQ(item["verdict"].text, "reproduced");
  }
  EXPECT_EQ(list.items[1]["name"].text, "000-figure-3");
  EXPECT_NEAR(list.items[1]["ours"]["factor_1e-2"].number, 0.0995037190209889, 1e-13);
  EXPECT_EQ(list.items[1]["paper"]["factor_1e-2"].text, "stable, attenuates");
}

// All tables and figures. Verdicts that come from times of this machine are not judged here.
TEST_F(ReproduceCommand, QuickRunMatchesAllThatItCan) {
  const ProgramResult result = Run("reproduce --quick --json");
  const Json list = ParseJson(result.out);
  EXPECT_GE(list.items.size(), 33u);
  for (const Json& item : list.items) {
    const std::string& name = item["name"].text;
    if (name == "000-table-1" || name == "000-figure-10" || name == "002-timings") continue;
    const std::string& verdict = item["verdict"].text;
    EXPECT_TRUE(verdict == "reproduced" || verdict == "paper not reproducible" ||
                verdict == "beyond the paper")
        << name << ": " << verdict;
  }
}

TEST_F(ReproduceCommand, WritesReports) {
  const ProgramResult result = Run("reproduce 000-figure-9 --quick --out reports/new");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(ParseJson(Read("reports/new/reproduce.json")).items.size(), 1u);
  const std::string page = Read("reports/new/reproduce.html");
  EXPECT_NE(page.find("<svg"), std::string::npos);
  EXPECT_NE(page.find("Block on a ramp"), std::string::npos);
  // Nothing is fetched from elsewhere.
  EXPECT_EQ(page.find("<link"), std::string::npos);
  EXPECT_EQ(page.find("<script src"), std::string::npos);
}

TEST_F(ReproduceCommand, NamesWhatItKnows) {
  const ProgramResult unknown = Run("reproduce 000-figure-99 --quick");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("'000-figure-99', expected a table or figure"), std::string::npos);
  EXPECT_NE(unknown.err.find("--list names all"), std::string::npos);
  const ProgramResult list = Run("reproduce --list");
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_NE(list.out.find("000-figure-9     Drumwright 2019, figure 9: Block on a ramp"),
            std::string::npos);
}

TEST_F(ReproduceCommand, FailsWhereAReferenceIsAnother) {
  std::string data = testing::ReadAll(VOIGT_SOURCE_DIR "/reproduce/data/000-figure-3.yaml");
  const std::string right = "0.0995037190", wrong = "0.0995137190";
  data.replace(data.find(right), right.size(), wrong);
  Write("000-figure-3.yaml", data);
  const ProgramResult result = Run("reproduce 000-figure-3 --data .");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.out.find("does not match"), std::string::npos);
  EXPECT_NE(result.out.find("! the reference has 0.0995137190"), std::string::npos);
  // Files that are not there are bad input.
  EXPECT_EQ(Run("reproduce 000-figure-1 --data .").exit_code, 2);
}

// The first two take no time, the others half a minute and more. What was finished is in all
// reports, and so is what was not.
TEST_F(ReproduceCommand, InterruptsEndWithEverythingThatWasFinished) {
  for (int number : {SIGINT, SIGTERM}) {
    const pid_t pid = Start({"reproduce", "000-figure-2", "000-figure-3", "000-figure-6",
                             "001-figure-5", "000-figure-10", "--out", "reports"});
    WaitForOutput("000-figure-3");
    kill(pid, number);
    int status = 0;
    waitpid(pid, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 128 + number);
    const std::string err = Read("stderr.txt");
    EXPECT_NE(err.find("interrupted: 3 of 5 tables and figures were not run\n"), std::string::npos)
        << err;
    const std::string out = Read("stdout.txt");
    EXPECT_NE(out.find("5 tables and figures: 2 reproduced, 3 not run, 0 does not match\n"),
              std::string::npos)
        << out;
    const size_t line = out.find("000-figure-6  Drumwright 2019, figure 6");
    ASSERT_NE(line, std::string::npos);
    const size_t next = out.find('\n', line) + 1;
    EXPECT_EQ(out.substr(next, out.find('\n', next) - next), "  not run: interrupted");

    const Json list = ParseJson(Read("reports/reproduce.json"));
    ASSERT_EQ(list.items.size(), 5u);
    for (const Json& item : list.items) {
      const std::string name = item["name"].text;
      const bool is_finished = name == "000-figure-2" || name == "000-figure-3";
      EXPECT_EQ(item["verdict"].text, is_finished ? "reproduced" : "not run") << name;
      for (const auto& [key, value] : item["ours"].members) {
        EXPECT_EQ(value.kind == Json::Kind::kNumber, is_finished) << name << " " << key;
      }
    }
    const std::string page = Read("reports/reproduce.html");
    EXPECT_NE(page.find("<b>3</b><span class=\"badge not\">not run</span>"), std::string::npos);
    EXPECT_NE(page.find("</html>"), std::string::npos);
    std::filesystem::remove_all(Path("reports"));
    std::filesystem::remove(Path("stdout.txt"));
  }
}

TEST_F(ReproduceCommand, InterruptsPrintJsonAsWell) {
  const pid_t pid = Start({"reproduce", "000-figure-6", "--json", "--out", "reports"});
  // Signals are noted before the reports are opened.
  for (int i = 0; i < 3000 && !Exists("reports/reproduce.html"); ++i) usleep(10'000);
  kill(pid, SIGINT);
  int status = 0;
  waitpid(pid, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGINT);
  const Json list = ParseJson(Read("stdout.txt"));
  ASSERT_EQ(list.items.size(), 1u);
  EXPECT_EQ(list.items[0]["verdict"].text, "not run");
  EXPECT_EQ(list.items[0]["why"].text, "interrupted");
}

}  // namespace
}  // namespace voigt
