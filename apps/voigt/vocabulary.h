#pragma once

#include <string>
#include <vector>

namespace voigt {

// A word that a scene or an option may use, and what it stands for.
struct Word {
  std::string name;
  std::string meaning;
};

struct WordGroup {
  std::string key;    // in JSON
  std::string title;  // in text, with the place where the words are used
  std::vector<Word> words;
};

// What a user can name. Tests compare the words with those that the readers of scenes take.
std::vector<WordGroup> ListVocabulary();

}  // namespace voigt
