#pragma once

#include <string>
#include <vector>

// Every file that a scene needs, itself included, is read through ReadFile: so a recording can keep
// a copy of all of them, and a run can be taken up again where the originals are gone.
//
//   FileRecord record;                       // remembers
//   const Scene scene = LoadScene(path);
//   Save(record.files());
//   …
//   const FileReplay replay(saved);          // the same files, from memory
//   const Scene again = LoadScene(path);
//
// Both hold for the thread that made them, as long as they live. They are not handed from reader to
// reader because formats include one another: a reader that forgot to pass them on would be noticed
// only when somebody misses a file.
namespace voigt {

struct SourceFile {
  std::string path;  // as the reader asked for it
  std::string bytes;
};

enum class PathKind { kMissing, kFile, kOther };

// What stands at a path: on disk, or among the files of a FileReplay. Readers that search several
// places ask this, not the file system.
PathKind FindPathKind(const std::string& path);

// The bytes of a file. Throws InputError if it cannot be read, is no regular file (a device, a
// pipe, a folder) or is larger than 1 GiB.
std::string ReadFile(const std::string& path);

// Remembers every file that is read while it lives, each once, in the order of first use.
class FileRecord {
 public:
  FileRecord();
  ~FileRecord();
  FileRecord(const FileRecord&) = delete;
  FileRecord& operator=(const FileRecord&) = delete;

  const std::vector<SourceFile>& files() const { return files_; }

 private:
  friend std::string ReadFile(const std::string& path);
  void Add(const std::string& path, const std::string& bytes);

  std::vector<SourceFile> files_;
  FileRecord* outer_;
};

// While it lives, there are these files and no others.
class FileReplay {
 public:
  explicit FileReplay(std::vector<SourceFile> files);
  ~FileReplay();
  FileReplay(const FileReplay&) = delete;
  FileReplay& operator=(const FileReplay&) = delete;

  const SourceFile* Find(const std::string& path) const;

 private:
  std::vector<SourceFile> files_;
  const FileReplay* outer_;
};

}  // namespace voigt
