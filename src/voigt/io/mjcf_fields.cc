#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "voigt/io/mjcf_context.h"
#include "voigt/io/yaml_value.h"

namespace voigt {
namespace {

constexpr int kMaxFieldSide = 4096;

struct Elevation {
  int rows = 0, columns = 0;
  std::vector<double> data;  // row by row, from the lowest y
};

// MuJoCo's own file of heights: two sizes and 32-bit numbers.
std::optional<Elevation> ReadElevationFile(const XmlReader& reader, const std::string& file,
                                           MjcfContext* context) {
  const std::filesystem::path path = FindMjcfAssetFile(file, *context);
  if (LowerCaseMjcfEnding(path) == ".png") {
    context->Note(ImportNote::Kind::kUnsupported, reader.where(), reader.element().Describe(),
                  "heights from a picture are not read: geoms that need it are left out");
    return std::nullopt;
  }
  std::string bytes;
  try {
    bytes = ReadTextFile(path.string());
  } catch (const InputError& error) {
    reader.Fail(error.what());
    return std::nullopt;
  }
  std::int32_t sizes[2] = {0, 0};
  if (bytes.size() >= 8) std::memcpy(sizes, bytes.data(), 8);
  const bool fits = sizes[0] > 0 && sizes[1] > 0 && sizes[0] <= kMaxFieldSide &&
                    sizes[1] <= kMaxFieldSide &&
                    bytes.size() == 8 + 4 * size_t(sizes[0]) * size_t(sizes[1]);
  if (!fits) {
    reader.Fail(fmt::format("file '{}' has {} bytes, expected two sizes and as many 32-bit numbers",
                            file, bytes.size()));
    return std::nullopt;
  }
  Elevation out{sizes[0], sizes[1], {}};
  for (size_t i = 8; i < bytes.size(); i += 4) {
    float value;
    std::memcpy(&value, bytes.data() + i, 4);
    out.data.push_back(value);
  }
  return out;
}

std::optional<Elevation> ReadElevation(const XmlReader& reader, MjcfContext* context) {
  if (const std::string file = reader.Text("file"); !file.empty()) {
    return ReadElevationFile(reader, file, context);
  }
  Elevation out{reader.Integer("nrow", 0), reader.Integer("ncol", 0), {}};
  if (out.rows < 2 || out.columns < 2 || out.rows > kMaxFieldSide || out.columns > kMaxFieldSide) {
    reader.Fail(fmt::format("{} rows and {} columns, expected 2 to {} of each", out.rows,
                            out.columns, kMaxFieldSide));
    return std::nullopt;
  }
  const size_t count = size_t(out.rows) * size_t(out.columns);
  if (!reader.Has("elevation")) {
    out.data.assign(count, 0.0);
    return out;
  }
  const std::vector<double> data = reader.Numbers("elevation", count, count);
  if (data.empty()) return std::nullopt;
  // Written as one looks at it: the first row is the one with the highest y.
  for (int row = out.rows - 1; row >= 0; --row) {
    out.data.insert(out.data.end(), data.begin() + size_t(row) * out.columns,
                    data.begin() + size_t(row + 1) * out.columns);
  }
  return out;
}

}  // namespace

std::optional<HeightField> ReadMjcfHeightField(const XmlReader& reader, MjcfContext* context) {
  const std::vector<double> size = reader.Numbers("size", 4, 4);
  if (size.empty() || *std::min_element(size.begin(), size.end()) <= 0) {
    reader.Fail(
        "'size' is missing or not positive, expected half lengths along x and y, the "
        "largest height and the depth");
    return std::nullopt;
  }
  const auto elevation = ReadElevation(reader, context);
  if (!elevation) return std::nullopt;
  if (elevation->rows < 2 || elevation->columns < 2) {
    reader.Fail("has one row or column, expected at least two");
    return std::nullopt;
  }
  HeightField field{elevation->columns, elevation->rows, {}, {}};
  field.spacing = {2 * size[0] / (field.nx - 1), 2 * size[1] / (field.ny - 1)};
  const auto [low, high] = std::minmax_element(elevation->data.begin(), elevation->data.end());
  const double span = *high - *low;
  // Data are stretched to the largest height.
  for (double value : elevation->data) {
    field.heights.push_back(span > 1e-15 ? (value - *low) / span * size[2] : 0);
  }
  if (span > 1e-15) {
    context->Note(ImportNote::Kind::kApproximated, reader.where(), reader.element().Describe(),
                  "each cell is folded along its other diagonal; the ground has no bottom");
  }
  return field;
}

}  // namespace voigt
