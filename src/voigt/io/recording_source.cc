#include "voigt/io/recording_source.h"

#include <stdexcept>

namespace voigt {

void WriteRecordingSource(const RecordingSource& source, Hdf5File* file) {
  std::vector<std::string> paths, keys, values, options;
  std::vector<std::int64_t> sizes;
  std::string bytes;
  for (const SourceFile& f : source.files) {
    paths.push_back(f.path);
    sizes.push_back(static_cast<std::int64_t>(f.bytes.size()));
    bytes += f.bytes;
  }
  for (const Override& change : source.overrides) {
    keys.push_back(change.path);
    values.push_back(change.value);
    options.push_back(change.option);
  }
  file->WriteTexts("/source/file_path", paths);
  file->WriteIntegers("/source/file_size", sizes);
  file->Write("/source/file_bytes", Hdf5Type::kUint8, {static_cast<std::int64_t>(bytes.size())},
              bytes.data());
  file->WriteTexts("/source/override_path", keys);
  file->WriteTexts("/source/override_value", values);
  file->WriteTexts("/source/override_option", options);
  file->SetText("/source", "scene", source.scene);
  file->SetText("/source", "program", source.program);
}

RecordingSource ReadRecordingSource(const Hdf5File& file) {
  RecordingSource source;
  source.scene = file.GetText("/source", "scene");
  source.program = file.GetText("/source", "program");
  const auto paths = file.ReadTexts("/source/file_path");
  const auto sizes = file.ReadIntegers("/source/file_size");
  const std::int64_t total = file.CountRows("/source/file_bytes");
  const auto keys = file.ReadTexts("/source/override_path");
  const auto values = file.ReadTexts("/source/override_value");
  const auto options = file.ReadTexts("/source/override_option");
  if (paths.size() != sizes.size() || keys.size() != values.size() ||
      keys.size() != options.size()) {
    throw std::runtime_error("/source: lists of different lengths");
  }
  std::int64_t at = 0;
  for (size_t i = 0; i < paths.size(); ++i) {
    if (sizes[i] < 0 || sizes[i] > total - at) throw std::runtime_error("/source: bad file size");
    const auto bytes = file.ReadBytes("/source/file_bytes", at, sizes[i]);
    source.files.push_back({paths[i], std::string(bytes.begin(), bytes.end())});
    at += sizes[i];
  }
  for (size_t i = 0; i < keys.size(); ++i) {
    source.overrides.push_back({keys[i], values[i], options[i]});
  }
  return source;
}

Scene LoadRecordedScene(const RecordingSource& source, const std::vector<Override>& more) {
  const FileReplay replay(source.files);
  std::vector<Override> overrides = source.overrides;
  overrides.insert(overrides.end(), more.begin(), more.end());
  return LoadScene(source.scene, overrides);
}

}  // namespace voigt
