#include "voigt/io/file_source.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "voigt/base/errors.h"

namespace voigt {
namespace {

// A gigabyte of text is no scene, and needs many times that in memory.
constexpr size_t kLargestFile = size_t{1} << 30;

// The innermost of each on this thread.
thread_local FileRecord* current_record = nullptr;
thread_local const FileReplay* current_replay = nullptr;

[[noreturn]] void FailToRead(const std::string& path,
                             const char* why = "cannot be read: does the file exist?") {
  throw InputError({path, 0, 0}, "", why);
}

// Some of what a path may name never ends, as /dev/zero, or waits for others, as a pipe.
void CheckIsFile(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) FailToRead(path);
  if (std::filesystem::is_directory(status)) FailToRead(path, "is a folder, expected a file");
  if (!std::filesystem::is_regular_file(status)) {
    FailToRead(path, "is a device, pipe or socket, expected a file");
  }
}

std::string ReadFromDisk(const std::string& path) {
  CheckIsFile(path);
  std::ifstream in(path, std::ios::binary);
  if (!in.is_open()) FailToRead(path, "cannot be read: is that allowed?");
  const char* const too_large = "is larger than 1 GiB: no such file is read";
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  if (!unknown && size > kLargestFile) FailToRead(path, too_large);
  // Sizes that file systems tell may be wrong, as in /proc: what is read counts.
  std::string bytes;
  std::vector<char> block(1 << 16);
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0) {
    bytes.append(block.data(), static_cast<size_t>(in.gcount()));
    if (bytes.size() > kLargestFile) FailToRead(path, too_large);
  }
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
