// voigt reproduce, as a user runs it.

#include <gtest/gtest.h>

#include "tests/apps/json.h"
#include "tests/apps/program.h"

namespace voigt {
namespace {

using ReproduceCommand = testing::ProgramTest;
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

}  // namespace
}  // namespace voigt
