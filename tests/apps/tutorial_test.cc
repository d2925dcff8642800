// docs/tutorial.md against the program: its files are written, its commands run in their order, and
// what they are said to print is compared.

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cmath>
#include <regex>
#include <sstream>
#include <thread>

#include "tests/apps/program.h"

namespace voigt {
namespace {

using testing::ProgramResult;

struct TutorialBlock {
  std::string language, file;  // the file that the line before the block names, if any
  std::vector<std::string> lines;
};

// Blocks between ``` marks. A line such as "save it as `throw.yaml`:" before a block names its
// file.
std::vector<TutorialBlock> ReadTutorialBlocks() {
  std::istringstream page(testing::ReadAll(VOIGT_SOURCE_DIR "/docs/tutorial.md"));
  const std::regex names_file(R"(`([a-z_]+\.(yaml|urdf))`.*:$)");
  std::vector<TutorialBlock> out;
  std::string line, before;
  for (bool is_inside = false; std::getline(page, line);) {
    if (line.starts_with("```")) {
      is_inside = !is_inside;
      if (!is_inside) continue;
      std::smatch match;
      TutorialBlock block{line.substr(3), "", {}};
      if (std::regex_search(before, match, names_file)) block.file = match[1];
      out.push_back(std::move(block));
      before.clear();
    } else if (is_inside) {
      out.back().lines.push_back(line);
    } else if (!line.empty()) {
      before = line;
    }
  }
  return out;
}

std::vector<std::string> SplitWords(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

// Numbers agree to three digits, or are both rounding errors.
bool AreAlike(const std::string& a, const std::string& b) {
  if (a == b) return true;
  char *end_a = nullptr, *end_b = nullptr;
  const double x = std::strtod(a.c_str(), &end_a), y = std::strtod(b.c_str(), &end_b);
  if (end_a == a.c_str() || std::string(end_a) != end_b) return false;
  return std::abs(x - y) <= std::max(1e-3 * std::abs(x), 1e-9);
}

bool LinesAreAlike(const std::string& a, const std::string& b) {
  const std::vector<std::string> words_a = SplitWords(a), words_b = SplitWords(b);
  return std::equal(words_a.begin(), words_a.end(), words_b.begin(), words_b.end(), AreAlike);
}

class Tutorial : public testing::ProgramTest {
 protected:
  void RunBlock(const TutorialBlock& block) {
    const std::string exit_mark = "# exit code ";
    for (const std::string& line : block.lines) {
      ASSERT_TRUE(line.starts_with("voigt ")) << line;
      ++command_count_;
      if (line.starts_with("voigt view ")) {
        RunView(line.substr(11));
        continue;
      }
      const size_t mark = line.find(exit_mark);
      const int expected =
          mark == std::string::npos ? 0 : std::stoi(line.substr(mark + exit_mark.size()));
      last_ = Run(line.substr(6, mark == std::string::npos ? mark : mark - 6));
      // A program without pages says so; all else is to work.
      if (last_.err.find("built without pages") != std::string::npos) continue;
      EXPECT_EQ(last_.exit_code, expected) << line << "\n" << last_.err;
    }
  }

  // Every line of the page is in the output, in this order.
  void CompareOutput(const TutorialBlock& block) {
    std::istringstream output(last_.out + last_.err);
    for (const std::string& line : block.lines) {
      if (line.empty() || line == "...") continue;
      ++quoted_count_;
      bool is_found = false;
      for (std::string other; !is_found && std::getline(output, other);) {
        is_found = LinesAreAlike(line, other);
      }
      ASSERT_TRUE(is_found) << "not printed: " << line << "\n" << last_.out << last_.err;
    }
  }

  // It serves until it is told to end.
  void RunView(const std::string& scene) {
    const pid_t process = Start({"view", scene});
    for (int i = 0; i < 400 && Read("stdout.txt").find("http://127.0.0.1") == std::string::npos;
         ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    const bool has_pages = Read("stderr.txt").find("built without pages") == std::string::npos;
    kill(process, SIGINT);
    int status = 0;
    ASSERT_EQ(waitpid(process, &status, 0), process);
    if (!has_pages) return;
    EXPECT_NE(Read("stdout.txt").find("http://127.0.0.1"), std::string::npos);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }

  ProgramResult last_;
  int command_count_ = 0, quoted_count_ = 0;
};

TEST_F(Tutorial, CommandsRunAndPrintWhatThePageSays) {
  std::filesystem::create_directory_symlink(VOIGT_SOURCE_DIR "/scenes", folder() / "scenes");
  for (const TutorialBlock& block : ReadTutorialBlocks()) {
    if (block.language == "sh") RunBlock(block);
    if (block.language == "text") CompareOutput(block);
    if (block.language != "yaml" && block.language != "xml") continue;
    ASSERT_FALSE(block.file.empty()) << "no file is named for\n" << block.lines.front();
    std::string text;
    for (const std::string& line : block.lines) text += line + "\n";
    Write(block.file, text);
  }
  EXPECT_GE(command_count_, 20);
  EXPECT_GE(quoted_count_, 25);
}

TEST(TutorialPage, ItsPicturesExist) {
  const std::string page = testing::ReadAll(VOIGT_SOURCE_DIR "/docs/tutorial.md");
  const std::regex picture(R"(\]\((images/[^)]+)\))");
  int count = 0;
  for (std::sregex_iterator i(page.begin(), page.end(), picture), end; i != end; ++i, ++count) {
    EXPECT_TRUE(std::filesystem::exists(VOIGT_SOURCE_DIR "/docs/" + (*i)[1].str())) << (*i)[1];
  }
  EXPECT_GE(count, 5);
}

}  // namespace
}  // namespace voigt
