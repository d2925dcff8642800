#include "voigt/io/file_source.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "voigt/base/errors.h"

namespace voigt {
namespace {

// The innermost of each on this thread.
thread_local FileRecord* current_record = nullptr;
thread_local const FileReplay* current_replay = nullptr;

[[noreturn]] void FailToRead(const std::string& path) {
  throw InputError({path, 0, 0}, "", "cannot be read: does the file exist?");
}

std::string ReadFromDisk(const std::string& path) {
  // A directory opens like a file.
  std::error_code ignored;
  std::ifstream in;
  if (!std::filesystem::is_directory(path, ignored)) in.open(path, std::ios::binary);
  if (!in.is_open()) FailToRead(path);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) FailToRead(path);
  return bytes;
}

}  // namespace

PathKind FindPathKind(const std::string& path) {
  if (current_replay != nullptr) {
    return current_replay->Find(path) != nullptr ? PathKind::kFile : PathKind::kMissing;
  }
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return PathKind::kMissing;
  return std::filesystem::is_regular_file(status) ? PathKind::kFile : PathKind::kOther;
}

std::string ReadFile(const std::string& path) {
  std::string bytes;
  if (current_replay != nullptr) {
    const SourceFile* file = current_replay->Find(path);
    if (file == nullptr) FailToRead(path);
    bytes = file->bytes;
  } else {
    bytes = ReadFromDisk(path);
  }
  for (FileRecord* record = current_record; record != nullptr; record = record->outer_) {
    record->Add(path, bytes);
  }
  return bytes;
}

FileRecord::FileRecord() : outer_(std::exchange(current_record, this)) {}

FileRecord::~FileRecord() { current_record = outer_; }

void FileRecord::Add(const std::string& path, const std::string& bytes) {
  const auto is_known = [&](const SourceFile& file) { return file.path == path; };
  if (std::none_of(files_.begin(), files_.end(), is_known)) files_.push_back({path, bytes});
}

FileReplay::FileReplay(std::vector<SourceFile> files)
    : files_(std::move(files)), outer_(std::exchange(current_replay, this)) {}

FileReplay::~FileReplay() { current_replay = outer_; }

const SourceFile* FileReplay::Find(const std::string& path) const {
  for (const SourceFile& file : files_) {
    if (file.path == path) return &file;
  }
  return nullptr;
}

}  // namespace voigt
